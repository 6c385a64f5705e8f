"""What a reference means is stored with it, by whichever way it came in."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from litscape.library import Library
from litscape.paper import Author, PaperDraft, Reference

if TYPE_CHECKING:
    import sqlalchemy as sa

STORED = Path(__file__).parents[1] / "data" / "libraries"
REFERENCES = (
    Reference("Heron M., Rivers under pressure, (2019)", title="Rivers under pressure", year=2019),
    Reference("Gull B, 1980, MUD, V3, P14", year=1980, extra={"volume": "3", "page": "14"}),
    Reference(doi="10.5555/x", title="On the mud of rivers and lakes"),
    Reference(source_id="pmid:5"),
    Reference("Nothing but a text"),
)


def other_numbers(conn: sa.Connection) -> list[Any]:
    """The references whose stored numbers are not what their texts say."""
    rows = conn.exec_driver_sql(
        'SELECT paper_id, position, work FROM "references"'
        " WHERE work IS NOT cited_work(doi, source_id, title, year, raw, extra)"
        " OR block IS NOT cited_block(title, year, raw, extra)"
        " OR name IS NOT cited_name(title, year, raw, extra)"
        " OR also IS NOT cited_also(doi, source_id)"
    )
    return [tuple(row) for row in rows]


@pytest.mark.parametrize("schema", [1, 3, 7])
def test_an_upgrade_finds_out_what_references_mean(tmp_path: Path, schema: int) -> None:
    packed = STORED / f"schema-{schema}.sqlite.gz"
    (tmp_path / "library.sqlite").write_bytes(gzip.decompress(packed.read_bytes()))
    with Library.open(tmp_path) as library:
        with library.database.read() as conn:
            assert other_numbers(conn) == []
        (outside,) = library.citations.outside("heron2019")
        assert outside.work is not None
        assert library.citations.stats().outside_works == 1
        (link,) = library.citations.references("heron2019")
        if schema < 4:
            assert (link.method, link.score) == (None, None)
            assert link.sentence == "From the references in an import."


def test_every_way_in_stores_the_same_numbers(library: Library, fill: Any) -> None:
    fill(library, [PaperDraft(citekey="a", title="A", references=REFERENCES[:3])])
    heron = PaperDraft(
        citekey="h", title="Rivers under pressure", authors=(Author("Heron", "M"),), year=2019
    )
    library.edit.add(PaperDraft(citekey="b", title="B", references=REFERENCES))
    library.edit.add(heron)  # rewrites the references of both
    assert [one.paper for one in library.citations.citing("h")] == [1, 2]
    library.edit.delete_forever("h")  # makes references of links
    library.edit.delete_forever("b")
    library.history.undo()
    with library.database.read() as conn:
        assert other_numbers(conn) == []
        number = conn.exec_driver_sql('SELECT count(*) FROM "references"').scalar_one()
    assert number == 8
    library.history.undo()
    assert [one.paper for one in library.citations.citing("h")] == [1, 2]
