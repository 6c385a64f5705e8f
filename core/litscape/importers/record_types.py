"""One vocabulary of record types over all formats: biblatex's names where they exist."""

from __future__ import annotations

RIS = {
    "ABST": "article",
    "ADVS": "video",
    "AGGR": "dataset",
    "ANCIENT": "book",
    "ART": "artwork",
    "BILL": "legislation",
    "BLOG": "online",
    "BOOK": "book",
    "CASE": "jurisdiction",
    "CHAP": "incollection",
    "CHART": "image",
    "CLSWK": "book",
    "COMP": "software",
    "CONF": "inproceedings",
    "CPAPER": "inproceedings",
    "CTLG": "misc",
    "DATA": "dataset",
    "DBASE": "dataset",
    "DICT": "inreference",
    "EBOOK": "book",
    "ECHAP": "incollection",
    "EDBOOK": "collection",
    "EJOUR": "article",
    "ELEC": "online",
    "ENCYC": "inreference",
    "EQUA": "misc",
    "FIGURE": "image",
    "GEN": "misc",
    "GOVDOC": "report",
    "GRANT": "misc",
    "HEAR": "legal",
    "ICOMM": "letter",
    "INPR": "article",
    "JFULL": "periodical",
    "JOUR": "article",
    "LEGAL": "legal",
    "MANSCPT": "unpublished",
    "MAP": "map",
    "MGZN": "article",
    "MPCT": "movie",
    "MULTI": "online",
    "MUSIC": "music",
    "NEWS": "article",
    "PAMP": "booklet",
    "PAT": "patent",
    "PCOMM": "letter",
    "RPRT": "report",
    "SER": "book",
    "SLIDE": "misc",
    "SOUND": "audio",
    "STAND": "standard",
    "STAT": "legislation",
    "STD": "standard",
    "THES": "thesis",
    "UNBILL": "legislation",
    "UNPB": "unpublished",
    "UNPD": "unpublished",
    "VIDEO": "video",
    "WEB": "online",
}

CSL = {
    "article": "article",
    "article-journal": "article",
    "article-magazine": "article",
    "article-newspaper": "article",
    "bill": "legislation",
    "book": "book",
    "broadcast": "audio",
    "chapter": "incollection",
    "classic": "book",
    "collection": "collection",
    "dataset": "dataset",
    "document": "misc",
    "entry": "inreference",
    "entry-dictionary": "inreference",
    "entry-encyclopedia": "inreference",
    "event": "misc",
    "figure": "image",
    "graphic": "artwork",
    "hearing": "legal",
    "interview": "misc",
    "legal_case": "jurisdiction",
    "legislation": "legislation",
    "manuscript": "unpublished",
    "map": "map",
    "motion_picture": "movie",
    "musical_score": "music",
    "pamphlet": "booklet",
    "paper-conference": "inproceedings",
    "patent": "patent",
    "performance": "performance",
    "periodical": "periodical",
    "personal_communication": "letter",
    "post": "online",
    "post-weblog": "online",
    "regulation": "legislation",
    "report": "report",
    "review": "review",
    "review-book": "review",
    "software": "software",
    "song": "music",
    "speech": "misc",
    "standard": "standard",
    "thesis": "thesis",
    "treaty": "legal",
    "webpage": "online",
}

CROSSREF = {
    "book-chapter": "incollection",
    "book-part": "incollection",
    "book-section": "incollection",
    "component": "misc",
    "dissertation": "thesis",
    "edited-book": "collection",
    "journal": "periodical",
    "journal-article": "article",
    "monograph": "book",
    "peer-review": "review",
    "posted-content": "online",
    "proceedings-article": "inproceedings",
    "reference-book": "reference",
    "reference-entry": "inreference",
    "report-component": "report",
}

_OTHERS = {
    "book chapter": "incollection",
    "book section": "incollection",
    "conference article": "inproceedings",
    "conference paper": "inproceedings",
    "conference proceedings": "inproceedings",
    "computer program": "software",
    "edited book": "collection",
    "electronic": "online",
    "electronic article": "article",
    "journal": "article",
    "journal article": "article",
    "magazine article": "article",
    "mastersthesis": "thesis",
    "masterthesis": "thesis",
    "newspaper article": "article",
    "phdthesis": "thesis",
    "preprint": "article",
    "techreport": "report",
    "unpublished work": "unpublished",
    "web page": "online",
    "www": "online",
}
"""Words that formats, programs and people use for a type of the vocabulary."""

_RIS_OUT = {
    "article": "JOUR",
    "artwork": "ART",
    "audio": "SOUND",
    "book": "BOOK",
    "booklet": "PAMP",
    "collection": "EDBOOK",
    "conference": "CPAPER",
    "dataset": "DATA",
    "image": "FIGURE",
    "inbook": "CHAP",
    "incollection": "CHAP",
    "inproceedings": "CPAPER",
    "inreference": "ENCYC",
    "jurisdiction": "CASE",
    "legal": "LEGAL",
    "legislation": "STAT",
    "letter": "PCOMM",
    "manual": "BOOK",
    "map": "MAP",
    "movie": "MPCT",
    "music": "MUSIC",
    "mvbook": "BOOK",
    "mvcollection": "EDBOOK",
    "online": "ELEC",
    "patent": "PAT",
    "periodical": "JFULL",
    "phdthesis": "THES",
    "proceedings": "CONF",
    "reference": "BOOK",
    "report": "RPRT",
    "software": "COMP",
    "standard": "STAND",
    "techreport": "RPRT",
    "thesis": "THES",
    "unpublished": "UNPB",
    "video": "VIDEO",
}

_CSL_OUT = {
    "article": "article-journal",
    "artwork": "graphic",
    "audio": "broadcast",
    "book": "book",
    "booklet": "pamphlet",
    "collection": "collection",
    "conference": "paper-conference",
    "dataset": "dataset",
    "image": "figure",
    "inbook": "chapter",
    "incollection": "chapter",
    "inproceedings": "paper-conference",
    "inreference": "entry-encyclopedia",
    "jurisdiction": "legal_case",
    "legal": "hearing",
    "legislation": "legislation",
    "letter": "personal_communication",
    "manual": "book",
    "map": "map",
    "movie": "motion_picture",
    "music": "song",
    "mvbook": "book",
    "mvcollection": "book",
    "online": "webpage",
    "patent": "patent",
    "performance": "performance",
    "periodical": "periodical",
    "proceedings": "book",
    "reference": "book",
    "report": "report",
    "review": "review",
    "software": "software",
    "standard": "standard",
    "techreport": "report",
    "thesis": "thesis",
    "unpublished": "manuscript",
    "video": "motion_picture",
}


KNOWN = frozenset(
    {*RIS.values(), *CSL.values(), *CROSSREF.values(), *_OTHERS.values(), *_RIS_OUT, *_CSL_OUT}
    | {"bookinbook", "suppbook", "suppcollection", "suppperiodical", "mvproceedings", "mvreference"}
    | {"mastersthesis", "commentary", "electronic", "misc"}
)
"""The vocabulary; papers may have other types, as their sources called them."""


def named(word: str) -> str | None:
    """The type that a person means by a word, in lower case; None where it is none."""
    found = canonical(word)
    return found if found in KNOWN else CSL.get(word) or CROSSREF.get(word)


def from_ris(name: str) -> str | None:
    """The type of an RIS ``TY`` value: known abbreviations, else the word itself; None if empty."""
    word = name.strip()
    return RIS.get(word.upper()) or canonical(word)


def from_csl(name: str) -> str | None:
    """The type of a CSL or Crossref item; a word of neither stays as it is."""
    word = name.strip().lower()
    return CSL.get(word) or CROSSREF.get(word) or canonical(word)


def canonical(name: str | None) -> str | None:
    """A lower-case type word; theses of all degrees are ``thesis``. None where there is none."""
    word = (name or "").strip().lower()
    return _OTHERS.get(word, word) or None


def to_ris(kind: str | None) -> str:
    """The RIS abbreviation that fits best; ``GEN`` where none does."""
    return _RIS_OUT.get(kind or "", "GEN")


def to_csl(kind: str | None) -> str:
    """The CSL type that fits best; ``document`` where none does."""
    return _CSL_OUT.get(kind or "", "document")
