"""PDFs that are attached to papers: their references come in as one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.pdfs.conftest import PROSE

from litscape import Library
from litscape.errors import UserError
from litscape.jobs import JobCancelledError, JobContext
from litscape.pdfs.pages import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ENTRIES = (
    "Heron, M. (2019). Tides of the northern marshes and what they leave. Mud, 12. "
    "https://doi.org/10.5555/heron.2019",
    "Plover, I. (2001). A survey of long and winding rivers in the lowland plains of the east. In "
    "Proceedings of the Pond Society, pages 1–10.",
    "van der Gull, T. (2015). On the depth of lakes. arXiv preprint arXiv:1501.01234.",
    "Müller, K. (1987). Über das Wasser und seine Wege durch die Tiefebene. Springer, Berlin.",
)


def paper_of(entries: tuple[str, ...] = ENTRIES, form: str = "hanging") -> str:
    """The HTML of a paper with a list of references."""
    styles = {"hanging": "margin-left:30px;text-indent:-30px", "numbered": "", "plain": ""}
    items = "".join(
        f'<p style="{styles[form]}">{f"[{n}] " if form == "numbered" else ""}{text}</p>'
        for n, text in enumerate(entries, 1)
    )
    return f"<h1>A paper</h1>{PROSE * 4}<h2>References</h2>{items}<h2>Appendix A</h2>{PROSE}"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        yield opened


def attach(library: Library, tmp_path: Path, *paths: str) -> None:
    """Import a paper for each path, and two that the PDFs cite."""
    entries = [
        f"@article{{own{n}, title={{Own work {n} on marshes}}, year=2020, file={{:{path}:PDF}}}}"
        for n, path in enumerate(paths)
    ]
    entries += [
        "@article{heron, title={Some tides}, doi={10.5555/heron.2019}, year=2019}",
        "@inproceedings{plover, author={Plover, Ina}, year=2001, title={A Survey of Long and"
        " Winding Rivers in the Lowland Plains of the East}}",
    ]
    file = tmp_path / "refs.bib"
    file.write_text("\n".join(entries), encoding="utf-8")
    library.import_file(file)


@pytest.mark.parametrize("form", ["hanging", "numbered", "plain"])
def test_references_become_links_and_outside_works(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path], form: str
) -> None:
    pdf = make_pdf("own.pdf", paper_of(form=form))
    attach(library, tmp_path, str(pdf))
    report = library.pdfs.read()
    assert (report.read, report.papers, report.references, report.links) == (1, 1, 4, 2)
    own = library.papers.get("own0")
    assert {library.papers.get(one).citekey for one in own.cites} == {"heron", "plover"}
    assert sorted(one.year or 0 for one in own.references) == [1987, 2015]
    sentences = [one.sentence for one in library.citations.references("own0")]
    assert all("own.pdf" in sentence for sentence in sentences)
    library.history.undo()
    assert library.papers.get("own0").references == ()
    assert library.papers.get("own0").cites == ()


def test_papers_with_references_are_left_alone_unless_asked(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path]
) -> None:
    pdf = make_pdf("own.pdf", paper_of())
    attach(library, tmp_path, str(pdf))
    library.pdfs.read()
    before = library.papers.get("own0")
    assert library.pdfs.read().read == 0
    again = library.pdfs.read(["own0"], again=True)
    assert again.read == 1
    after = library.papers.get("own0")
    assert after.cites == before.cites
    assert len(after.references) == len(before.references)


def test_relative_paths_start_from_the_source(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path]
) -> None:
    make_pdf("own.pdf", paper_of())
    attach(library, tmp_path, "own.pdf")
    assert library.pdfs.read().references == 4


def test_what_can_not_be_read_is_listed(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path]
) -> None:
    good, bare = make_pdf("good.pdf", paper_of()), make_pdf("bare.pdf", PROSE)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of it")
    (tmp_path / "text.pdf").write_text("no PDF at all")
    scan = make_pdf("scan.pdf", "<p>Stamp</p>")
    paths = [str(bare), str(tmp_path / "broken.pdf"), str(tmp_path / "text.pdf"), str(scan)]
    attach(library, tmp_path, *paths, str(tmp_path / "gone.pdf"), "//server/share/x.pdf", str(good))
    report = library.pdfs.read()
    assert (report.read, report.references) == (1, 4)
    whys = {one.path.rpartition("/")[2]: one.why for one in report.unread}
    assert whys.keys() == {"bare.pdf", "broken.pdf", "text.pdf", "scan.pdf", "gone.pdf"}
    assert "No list of references" in whys["bare.pdf"]
    assert "damaged" in whys["broken.pdf"]
    assert "damaged" in whys["text.pdf"]
    assert "pictures" in whys["scan.pdf"]
    assert "no file" in whys["gone.pdf"]


def test_cancelled_reading_changes_nothing(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path]
) -> None:
    attach(library, tmp_path, str(make_pdf("own.pdf", paper_of())))
    ctx = JobContext(lambda _event: None)
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        library.pdfs.read(ctx=ctx)
    assert library.papers.get("own0").references == ()
    with pytest.raises(UserError, match="nobody"):
        library.pdfs.read(["nobody"])


def test_lines_know_where_they_begin(make_pdf: Callable[..., Path]) -> None:
    found = read_lines(make_pdf("own.pdf", paper_of(form="hanging")))
    first = next(line for line in found if line.text.startswith("Plover"))
    after = found[found.index(first) + 1]
    assert after.left > first.left + 10
    assert after.page == first.page


def test_links_made_later_name_the_pdf_too(
    library: Library, tmp_path: Path, make_pdf: Callable[..., Path]
) -> None:
    attach(library, tmp_path, str(make_pdf("own.pdf", paper_of())))
    library.pdfs.read()
    later = tmp_path / "later.bib"
    later.write_text("@article{gull, title={On the depth of lakes}, eprint={1501.01234},"
                     " archiveprefix={arXiv}, year=2015}")  # fmt: skip
    library.import_file(later)
    gull = library.papers.id_of("gull")
    (sentence,) = [
        one.sentence for one in library.citations.references("own0") if one.paper == gull
    ]
    assert "own.pdf" in sentence
