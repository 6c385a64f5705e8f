# The first two commands of the README are `make run` and `make test`; both set everything up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.litscape-setup
# Test processes at once; a file of tests stays in one.
JOBS ?= 2

.PHONY: setup run test lint bench clean
.DEFAULT_GOAL := setup

$(STAMP): pyproject.toml constraints.txt tools/setup_environment.py
	$(PYTHON) tools/setup_environment.py --venv $(VENV)

setup: $(STAMP)

run: $(STAMP)
	@$(BIN)/python tools/probe_system.py
	@$(BIN)/litscape --example

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests
	$(BIN)/lint-imports

test: $(STAMP) lint
	@$(BIN)/python tools/probe_system.py --offscreen
	$(BIN)/pytest --numprocesses $(JOBS) --dist loadfile

bench: $(STAMP)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) .cache build dist
