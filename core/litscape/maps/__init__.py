"""Maps of a library: neighbours, layouts in two dimensions, stored and compared."""

from litscape.maps.facade import Maps
from litscape.maps.records import (
    ALL_PAPERS,
    WHOLE_LIBRARY,
    Aligned,
    MapInfo,
    MapLayout,
    MapScope,
    NeighbourGraph,
    PartialMap,
)

__all__ = [
    "ALL_PAPERS",
    "WHOLE_LIBRARY",
    "Aligned",
    "MapInfo",
    "MapLayout",
    "MapScope",
    "Maps",
    "NeighbourGraph",
    "PartialMap",
]
