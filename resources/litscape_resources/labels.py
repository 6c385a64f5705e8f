"""The colours that papers can be labelled with, one set for both themes.

Any two of them differ by at least 14 (OKLab distance, times 100) to readers without and with red,
green or blue blindness; a test checks it. They are drawn inside an outline, which is what must
stand out from the ground, and never without their name as tooltip or text.
"""

from __future__ import annotations

LABELS = {
    "red": "#c02a18",
    "orange": "#d98707",
    "yellow": "#fbe838",
    "green": "#53d8a6",
    "blue": "#004ed6",
    "purple": "#6e0c71",
    "grey": "#8e8e97",
}
