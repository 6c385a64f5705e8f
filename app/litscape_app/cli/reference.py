"""``docs/cli.md``, written from the commands: ``python -m litscape_app.cli.reference``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from litscape_app.cli.parser import Parser
from litscape_app.cli.registry import COMMANDS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from litscape_app.cli.command import Command

_HEAD = """\
# The command line

`litscape [--library DIR] [--json] COMMAND …`; without a command the window opens, with `--example`
on the example library.
This page is written by `python -m litscape_app.cli.reference > docs/cli.md`.

- `--library DIR`: folder of the library; by default the one opened or changed last. A folder that
  is missing becomes a new library for `import`, `add`, `export … -` and `library new`, an empty one
  for every command.
- `--json`: print one JSON value. Both options may stand before and after the command.
- `--version` prints the version, `--help` after any command what it takes.
- A paper (REF) is named by its id, its citation key (a former one too) or its DOI. `id:1`,
  `key:bell1876` and `doi:10.1000/182` say which of these is meant; a bare number that is the key of
  one paper and the id of another is refused.
- Answers go to stdout, as UTF-8 whatever the system's locale; progress and messages go to stderr.
- The first Ctrl-C ends a command at its next whole step, the second at once; what had been
  committed is kept, and the same command goes on from there.

| exit status | meaning |
|---|---|
| 0 | done, also when an import skipped entries |
| 1 | a fault of the program; the message names the log with the details |
| 2 | a user's mistake, a source that can't be read, or a fault of disk or network: nothing is \
printed on stdout, one line on stderr says what to do |
| 3 | `library check` found damage, which it prints |
| 130 | ended by Ctrl-C |
| 141 | the reader of a pipe went away |
"""
_SHAPES = {
    "object": "`--json` prints an object:",
    "list": "`--json` prints a list of objects:",
}


def reference() -> str:
    """The whole page, as Markdown."""
    return "\n".join([_HEAD, *(part for one in COMMANDS for part in _sections(one, "litscape"))])


def _sections(command: Command, before: str) -> Iterator[str]:
    name = f"{before} {command.name}"
    if command.commands:
        for inner in command.commands:
            yield from _sections(inner, name)
        return
    parser = Parser(prog=name, add_help=False)
    command.arguments(parser)
    actions = parser._actions
    yield f"## `{' '.join([name, *map(_usage, actions)])}`"
    yield f"{command.summary[0].upper()}{command.summary[1:]}.\n"
    if actions:
        yield from _table("argument", {_form(one): one.help or "" for one in actions})
    if command.keys:
        yield f"{_SHAPES[command.shape]}\n"
        yield from _table("key", command.keys)


def _table(title: str, rows: Mapping[str, str]) -> Iterator[str]:
    yield f"| {title} | meaning |\n|---|---|"
    for name, meaning in rows.items():
        yield f"| `{_escaped(name)}` | {_escaped(meaning)} |"
    yield ""


def _escaped(text: str) -> str:
    """Text for a cell of a Markdown table."""
    return text.replace("|", "\\|")


def _usage(action: argparse.Action) -> str:
    if action.option_strings:
        text = _form(action, long_only=True)
        return text if action.required else f"[{text}]"
    name = str(action.metavar)
    forms = {"?": f"[{name}]", "*": f"[{name}…]", "+": f"{name}…"}
    return forms.get(str(action.nargs), name)


def _form(action: argparse.Action, *, long_only: bool = False) -> str:
    """``-k, --number N``, or the name of an argument without a dash."""
    if not action.option_strings:
        return str(action.metavar)
    names = action.option_strings[-1:] if long_only else action.option_strings
    if action.nargs == 0:
        return ", ".join(names)
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "VALUE")
    return f"{', '.join(names)} {value}"


if __name__ == "__main__":
    sys.stdout.write(reference())
