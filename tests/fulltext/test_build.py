"""Reading PDFs: each once, only what changed, whatever the files are."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest
from tests.fulltext.conftest import bib
from tests.pdf_support import pdf_of

from litscape import Library
from litscape.errors import LibraryBusyError
from litscape.jobs import JobCancelledError, JobContext, null_context
from litscape.pdfs.reader import PdfReader
from litscape.store.leases import Lease

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from litscape.engine.process import Reply
    from litscape.jobs.context import Event

    Attach = Callable[[Mapping[str, bytes]], None]

ZEBRA = pdf_of("A zebra of the plains", "and its stripes")
QUAGGA = pdf_of("A quagga, which is gone")


def found(library: Library, words: str) -> list[str]:
    hits = library.search(f"text:{words}", mode="lexical")
    return [library.papers.get(hit.paper_id).citekey for hit in hits]


def test_only_what_is_new_or_changed_is_read(
    library: Library, attach: Attach, tmp_path: Path
) -> None:
    attach({"a": ZEBRA, "b": QUAGGA, "c": ZEBRA})
    first = library.fulltext.build()
    assert (first.files, first.read, first.known, first.pages) == (3, 2, 1, 3)
    assert found(library, "zebra") == ["a", "c"]
    assert (library.fulltext.build().read, library.fulltext.status().pending) == (0, 0)
    (tmp_path / "b.pdf").write_bytes(pdf_of("An okapi came in its place"))
    assert library.fulltext.status().pending == 1
    assert library.fulltext.build().read == 1
    assert (found(library, "quagga"), found(library, "okapi")) == ([], ["b"])
    (tmp_path / "c.pdf").unlink()
    report = library.fulltext.build()
    assert [(one.papers, one.why) for one in report.unread] == [
        ((library.papers.id_of("c"),), f"There is no file {tmp_path / 'c.pdf'}.")
    ]
    assert found(library, "zebra") == ["a"]


def test_what_can_not_be_read_is_listed_with_a_sentence(
    library: Library, attach: Attach, tmp_path: Path
) -> None:
    locked = pdf_of("secret").replace(
        b"/Root 1 0 R",
        b"/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -44/O<" + b"0" * 64
        + b">/U<" + b"1" * 64 + b">>>",
    )  # fmt: skip
    attach({"locked": locked, "scan": pdf_of("", ""), "broken": b"%PDF-1.4 no", "good": ZEBRA})
    more = bib({"away": "//server/share/x.pdf", "gone": "gone.pdf"})
    (tmp_path / "more.bib").write_text(more, encoding="utf-8")
    library.import_file(tmp_path / "more.bib")
    whys = {library.papers.get(one.papers[0]).citekey: one.why for one in
            library.fulltext.build().unread}  # fmt: skip
    assert whys.keys() == {"locked", "scan", "broken", "away", "gone"}
    assert "password" in whys["locked"]
    assert "pictures" in whys["scan"]
    assert "damaged" in whys["broken"]
    assert "another computer" in whys["away"]
    assert "no file" in whys["gone"]
    (text,) = library.fulltext.of(library.papers.id_of("scan"))
    assert text.sentence == "No full text: it holds pictures of pages and no text."
    (text,) = library.fulltext.of(library.papers.id_of("good"))
    assert text.sentence == "Full text: 2 pages indexed"


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGSTOP"])
def test_a_file_that_ends_or_holds_up_the_reader_costs_itself_alone(
    library: Library, attach: Attach, end: str
) -> None:
    attach({"first": pdf_of("first"), "bad": ZEBRA, "good": QUAGGA})

    class Struck(PdfReader):
        """Whose child is struck before the bad file."""

        def ask(self, path: Path) -> Reply:
            if path.name != "bad.pdf" or self._child is None:
                return super().ask(path)
            child = self._child.pid
            os.kill(child, signal.SIGSTOP)  # so that it gives no answer before
            reply = super().ask(path)
            os.kill(child, getattr(signal, end))
            return reply

    report = library.fulltext.build(reader=Struck(patience_s=2.0))
    assert report.read == 2
    assert [("ended the program" in one.why or "took too long" in one.why)
            for one in report.unread] == [True]  # fmt: skip
    assert library.fulltext.build().read == 0
    assert library.fulltext.build(again=True).read == 1


def test_what_breaks_off_goes_on_and_one_builds_at_a_time(library: Library, attach: Attach) -> None:
    attach({key: pdf_of(f"text of {key}") for key in "abcd"})
    stop = JobContext(lambda event: told(event))

    def told(event: Event) -> None:
        if getattr(event.value, "done", 0) == 2:
            stop.cancel()

    with pytest.raises(JobCancelledError):
        library.fulltext.build(stop)
    before = library.fulltext.status()
    assert 0 < before.counts.read < 4
    with Lease(library.database, "full text"), pytest.raises(LibraryBusyError):
        library.fulltext.build()
    assert library.fulltext.build().read == 4 - before.counts.read


@pytest.mark.parametrize("harm", ["cut", "other", "page"])
def test_damage_is_noticed_and_all_is_read_anew(
    library: Library, attach: Attach, harm: str
) -> None:
    attach({"a": pdf_of(*(f"zebra number {n} " + "and more " * 50 for n in range(40)))})
    library.fulltext.build()
    library.fulltext.close()
    with library.fulltext.cache.write() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file = library.fulltext.cache.file
    data = file.read_bytes()
    if harm == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif harm == "other":
        file.write_bytes(b"something else " * 1000)
    else:
        file.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    result = library.search("text:zebra", mode="lexical")
    assert result.hits == ()
    assert "damaged" in result.notes[0]
    assert library.search("heron", mode="lexical", inside=True).hits
    assert library.fulltext.status().damaged
    assert library.fulltext.build().anew
    assert found(library, "zebra") == ["a"]


def test_files_are_found_where_they_were_moved_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "files" / "12").mkdir(parents=True)
    (old / "files" / "12" / "z.pdf").write_bytes(ZEBRA)
    (old / "refs.bib").write_text(bib({"a": str(old / "files" / "12" / "z.pdf")}))
    shutil.copytree(old, new)
    shutil.rmtree(old / "files")
    with Library.open(tmp_path / "library") as library:
        library.import_file(new / "refs.bib")
        assert library.fulltext.build().read == 1
        (tmp_path / "library" / "own.pdf").write_bytes(QUAGGA)
        (tmp_path / "own.bib").write_text(bib({"b": "own.pdf"}))
        library.import_file(tmp_path / "own.bib")
        assert library.fulltext.build().read == 1
        paper = library.papers.get("b")
        assert library.pdfs.where(paper.id, paper.files[0]) == tmp_path / "library" / "own.pdf"


def test_equal_relative_paths_may_be_two_files(library: Library, tmp_path: Path) -> None:
    for name, content in (("one", ZEBRA), ("two", QUAGGA)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.pdf").write_bytes(content)
        (tmp_path / name / "refs.bib").write_text(bib({name: "1.pdf"}))
        library.import_file(tmp_path / name / "refs.bib")
    library.fulltext.build()
    assert (found(library, "zebra"), found(library, "quagga")) == (["one"], ["two"])


def test_papers_are_followed(library: Library, attach: Attach) -> None:
    attach({"a": ZEBRA, "b": QUAGGA})
    library.fulltext.build(null_context())
    a, b = (library.papers.id_of(key) for key in "ab")
    library.edit.trash([a])
    assert found(library, "zebra") == []
    library.history.undo()
    assert found(library, "zebra") == ["a"]
    library.duplicates.merge([a, b], keep=b)
    assert found(library, "zebra") == ["b"]
    library.history.undo()
    assert found(library, "zebra") == ["a"]
    library.edit.trash([a])
    library.edit.delete_forever([a])
    assert found(library, "zebra") == []
    assert library.fulltext.build().files == 1
    library.history.undo()
    assert library.fulltext.status().pending == 1
    library.fulltext.clear()
    assert not library.fulltext.exists
    assert library.fulltext.of(b)[0].sentence == "Full text: not read yet"
