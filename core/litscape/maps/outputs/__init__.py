"""Maps as files: pictures, a page to explore, tables of places."""

from litscape.maps.outputs.registry import OUTPUTS, Output, Style, output_for, write
from litscape.maps.outputs.sheet import Sheet, gather

__all__ = ["OUTPUTS", "Output", "Sheet", "Style", "gather", "output_for", "write"]
