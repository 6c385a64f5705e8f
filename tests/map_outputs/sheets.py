"""A map made by hand: papers with titles that try to break out of whatever they are put into."""

from __future__ import annotations

import numpy as np

from litscape.maps.colouring import Colouring, Entry
from litscape.maps.outputs import Sheet
from litscape.maps.outputs.sheet import TopicName, unit
from litscape.store.map_papers import MapPaper

TITLES = (
    'Ponds </script><script>document.title="broken"</script> & <b>bold</b>',
    "Quotes \"double\", 'single' and `back` \\ ]]> <!-- not a comment",
    "\u202eturned right to left, and never back",
    "מאמר בעברית על אגמים",
    "Naïve café of Erdős — 数学 \U0001f986",
    "control \x01\x0b signs",
)
MORE = 34
PAPERS = len(TITLES) + MORE


def made() -> Sheet:
    """Forty papers on two heaps, coloured by type, with two topics and one part."""
    titles = [*TITLES, *(f"Reed number {number}" for number in range(MORE))]
    rng = np.random.default_rng(5)
    side = np.arange(PAPERS) % 2
    places = (rng.normal(size=(PAPERS, 2)) + side[:, None] * 12).astype(np.float32)
    ids = np.arange(101, 101 + PAPERS, dtype=np.int64)
    xy = unit(places)
    papers = tuple(
        MapPaper(
            int(one),
            f"key{one}",
            title,
            "Ann Author; Bob Writer; Cy Third; Di Fourth",
            None if row == 3 else 2000 + row % 20,
            'Journal of <Water> & "Reeds"' if row % 2 else None,
            f"10.1000/{one}<a&b" if row % 3 == 0 else None,
        )
        for row, (one, title) in enumerate(zip(ids.tolist(), titles, strict=True))
    )
    colours = Colouring(
        "type",
        (Entry("article <i>", 20, 0), Entry("book & more", 19, 1), Entry("No type", 1, -1)),
        np.where(np.arange(PAPERS) == 7, 2, side).astype(np.int16),
    )
    coarse = np.where(side == 0, 1, 2).astype(np.int64)
    coarse[9] = -1
    fine = np.where(coarse == 1, 3, -1)
    return Sheet(
        title="Ponds & </title> lakes",
        about=f"{PAPERS} papers",
        note="",
        ids=ids,
        places=places,
        xy=xy,
        papers=papers,
        cited=np.arange(PAPERS, dtype=np.int64),
        colours=colours,
        names=(
            TopicName(1, "ponds <1>", float(xy[0, 0]), float(xy[0, 1]), 0, 20, parts=True),
            TopicName(2, "lakes", float(xy[1, 0]), float(xy[1, 1]), 0, 19),
            TopicName(3, "reeds", float(xy[0, 0]), float(xy[0, 1]), 1, 20),
        ),
        topics=(coarse, fine),
        topic_names={1: "ponds <1>", 2: "lakes", 3: "reeds"},
    )
