"""Search inside the PDFs of papers; needs the extra ``pdf`` to read them."""

from litscape.fulltext.facade import FullText

__all__ = ["FullText"]
