"""References that stand in the PDFs attached to papers; needs the extra ``pdf``."""

from litscape.pdfs.facade import Pdfs

__all__ = ["Pdfs"]
