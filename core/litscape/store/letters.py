"""Words as they are written, where the text index knows stems: “Adams” is no “Adam”."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from litscape.sorting import SIGN, search_letters
from litscape.store import lexical

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.paper import PaperId
    from litscape.store.lexical import Term

_WORD = re.compile(rf"[{SIGN}]|[^\W_{SIGN}]+")


def named(conn: sa.Connection, term: Term) -> tuple[list[PaperId], list[PaperId]]:
    """The papers that the text index finds for a name, and those of them that have another one.

    Names have no endings: “Roberts” is not “Robert”. A name that may go on has to begin so.

    Args:
        conn: a connection.
        term: a name, or several that follow each other, asked for in the authors.
    """
    written = _written(search_letters(term.text).casefold(), begun=term.prefix)
    rows = conn.exec_driver_sql(
        "SELECT id, authors_text FROM papers WHERE id IN"
        " (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)",
        (lexical.all_of([term]),),
    ).all()
    others = [
        int(paper)
        for paper, names in rows
        if not (written.search(names) or written.search(search_letters(names).casefold()))
    ]
    return [int(paper) for paper, _names in rows], others


@lru_cache(maxsize=1000)
def _written(text: str, *, begun: bool) -> re.Pattern[str]:
    words = r"[\W_]*".join(re.escape(word) for word in _WORD.findall(text))
    return re.compile(rf"(?<![^\W_]){words}" + ("" if begun else r"(?![^\W_])"), re.IGNORECASE)
