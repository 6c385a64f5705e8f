"""The layouts there are: a new one is a file and a line."""

from __future__ import annotations

from litscape.errors import UserError
from litscape.maps.layouts.base import Field, Layout
from litscape.maps.layouts.pca import PCA
from litscape.maps.layouts.tsne import TSNE
from litscape.maps.layouts.umap import UMAP

LAYOUTS: dict[str, Layout] = {one.name: one for one in (UMAP, TSNE, PCA)}


def layout_named(name: str) -> Layout:
    """The layout of a name.

    Raises:
        UserError: there is none.
    """
    if name not in LAYOUTS:
        raise UserError(f"There is no layout “{name}”; choose {', '.join(LAYOUTS)}.")
    return LAYOUTS[name]


__all__ = ["LAYOUTS", "Field", "Layout", "layout_named"]
