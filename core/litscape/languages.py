"""Whether a library is mostly English: a guess from the scripts and the small words of its texts.

No model and no word list of whole languages: letters that are not Latin, and the words every
sentence has (of, und, pour, para …), tell English apart from the rest well enough for a note.
"""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Literal

from litscape.store.samples import sample_texts

if TYPE_CHECKING:
    import sqlalchemy as sa

    from litscape.models.card import ModelCard

Guess = Literal["english", "other", "unknown"]
SHARE = 0.2
"""Share of texts in other languages from which on a library is told of."""
SAMPLE = 2000
"""Most papers that are looked at, spread over the library."""
_FIRST = """
    the of and for with on from to by using is are we this that an at via its between as under
    towards toward how what their can be which into based it not or these through
"""
_ENGLISH = frozenset(_FIRST.split())
# German, Dutch, Scandinavian; French, Spanish, Portuguese, Italian, Romanian, Catalan; Polish,
# Czech, Turkish, Finnish, Hungarian, Indonesian.
_REST = """
    der die das und von für mit im zur zum des den dem ein eine einer eines über als bei aus nach
    auf durch sowie unter het een van voor met bij en och av för som ett til og på med är
    le la les du et pour dans une sur par avec aux el los las del para con por y una sobre entre
    un o os da dos das do uma em na no il di della dei nel per gli e delle si și pentru în amb
    w z oraz dla przez jest v pro ze ve bir için ile olarak ja sekä az egy és dan untuk yang
    dengan pada dari
"""
_OTHERS = frozenset(_REST.split())
_BOTH = "die no do o e y w z v la em per"
_SHARED = frozenset(_BOTH.split())
"""Small words of other languages that stand in English texts as well: they tell little."""
SMALL_WORDS: frozenset[str] = _ENGLISH | _OTHERS
"""Words that every sentence has, of all languages that are told apart here."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN_END = "\u024f"
_ENDING = re.compile(r"(?:ungen|ung|keit|heit|schaft|ischen|lichen|isches|ción|ções|ção|zione)$")
_LETTERED = re.compile(r"[äöüßéèêçñãõåøæłśżěščřűőğışțș]")
_LEAST_FOREIGN_LETTERS = 0.3


def guess(text: str) -> Guess:
    """The language of a title, or of a title and the beginning of an abstract.

    Nothing is guessed of a few names and terms: these may be of any language.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    letters = "".join(words)
    if not letters:
        return "unknown"
    foreign = sum(letter > _LATIN_END and not "\u1e00" <= letter <= "\u1eff" for letter in letters)
    if foreign > _LEAST_FOREIGN_LETTERS * len(letters):
        return "other"
    english = float(sum(word in _ENGLISH for word in words))
    others = sum(0.4 if word in _SHARED else 1.0 for word in words if word in _OTHERS)
    others += 0.6 * sum(bool(_ENDING.search(word)) for word in words if len(word) > 6)
    others += 0.4 * sum(bool(_LETTERED.search(word)) for word in words)
    english += sum(word in ("in", "a") for word in words) * 0.3
    if others > english and others >= 0.6:
        return "other"
    return "english" if english else "unknown"


def other_share(conn: sa.Connection) -> float:
    """The share of texts in other languages than English, 0 … 1, among those that tell."""
    found = [guess(text) for text in sample_texts(conn, SAMPLE)]
    known = sum(one != "unknown" for one in found)
    return found.count("other") / known if known else 0.0


def note(share: float, card: ModelCard) -> str:
    """What there is to say of a model and a library of which a share is not English, or nothing."""
    if share <= SHARE or card.source not in ("bundled", "trained"):
        return ""
    which = "The bundled model" if card.source == "bundled" else "The model"
    return (
        f"{which} knows English, but about {share:.0%} of this library's texts are in other "
        "languages: their meaning is found less well; words are found in every language."
    )


def note_on_text(card: ModelCard, texts: int = 1) -> str:
    """What there is to say of a model and a text that is not English, or nothing."""
    if card.source not in ("bundled", "trained"):
        return ""
    which = "The bundled model" if card.source == "bundled" else "The model"
    what = "this text is" if texts == 1 else "some of these texts are"
    return (
        f"{which} knows English, but {what} in another language: meaning is compared less well; "
        "words are found in every language."
    )


class Languages:
    """The share of one library's texts in other languages, remembered until it has changed much."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[int, float] | None = None

    def note(self, conn: sa.Connection, papers: int, card: ModelCard) -> str:
        """What there is to say to a search by meaning; empty where there is nothing.

        Args:
            conn: a connection.
            papers: how many the library has.
            card: of the model that is searched with.
        """
        with self._lock:
            known = self._known
            if known is None or abs(papers - known[0]) > known[0] // 20:
                known = self._known = (papers, other_share(conn))
        return note(known[1], card)
