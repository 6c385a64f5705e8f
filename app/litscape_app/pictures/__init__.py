"""PNG and PDF of maps, drawn of their SVG by Qt in a process of its own."""

from litscape_app.pictures.drawing import OUTPUTS

__all__ = ["OUTPUTS"]
