"""Writing the links of a graph: two columns, GraphML, and the two files of VOSviewer."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Literal, TextIO, get_args
from xml.sax.saxutils import escape

import numpy as np

from litscape.errors import UserError
from litscape.graph.measures import components
from litscape.store.graph_reads import NO_YEAR
from litscape.store.link_reads import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import sqlalchemy as sa

    from litscape.graph.model import CitationGraph
    from litscape.jobs import JobContext

GraphFormat = Literal["csv", "tsv", "graphml", "vosviewer"]
FORMATS: tuple[GraphFormat, ...] = get_args(GraphFormat)
_STEP = 1000
_MOST_CLUSTERS = 1000
_NOT_IN_XML = {code: " " for code in range(32) if code not in (9, 10, 13)} | {
    0xFFFE: " ",
    0xFFFF: " ",
}


def write_table(
    conn: sa.Connection, graph: CitationGraph, stream: TextIO, delimiter: str, ctx: JobContext
) -> int:
    """Write "citing" and "cited" as the columns that ``add`` reads; returns how many links.

    A paper is named by its DOI, where no other has it, else by its citation key.
    """
    names = names_of(conn, graph.ids)
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("citing", "cited"))
    for citing, cited in _links(graph, ctx):
        writer.writerow((names[citing].unique, names[cited].unique))
    return graph.edge_count


def write_graphml(
    conn: sa.Connection, graph: CitationGraph, stream: TextIO, ctx: JobContext
) -> int:
    """Write GraphML (Brandes et al. 2002): papers with their data, directed links.

    Returns how many links were written.
    """
    names = names_of(conn, graph.ids)
    write = stream.write
    write('<?xml version="1.0" encoding="UTF-8"?>\n')
    write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for key, kind in _GRAPHML_KEYS.items():
        write(f'  <key id="{key}" for="node" attr.name="{key}" attr.type="{kind}"/>\n')
    write('  <graph edgedefault="directed">\n')
    for index, paper in enumerate(graph.ids.tolist()):
        year = int(graph.years[index])
        name = names[paper]
        values = {
            "citekey": name.citekey,
            "title": name.title or "",
            "authors": name.authors,
            "year": "" if year == NO_YEAR else str(year),
            "doi": name.doi or "",
        }
        data = "".join(
            f'<data key="{key}">{_xml(value)}</data>' for key, value in values.items() if value
        )
        write(f'    <node id="{paper}">{data}</node>\n')
    for citing, cited in _links(graph, ctx):
        write(f'    <edge source="{citing}" target="{cited}"/>\n')
    write("  </graph>\n</graphml>\n")
    return graph.edge_count


_GRAPHML_KEYS = {
    "citekey": "string",
    "title": "string",
    "authors": "string",
    "year": "int",
    "doi": "string",
}


def write_vosviewer(
    conn: sa.Connection, graph: CitationGraph, maps: TextIO, network: TextIO, ctx: JobContext
) -> int:
    """Write VOSviewer's map file (items) and network file (links, without direction).

    Items have their links and citations as weights, their year as score and their component as
    cluster; VOSviewer counts up to 1,000, so that the smallest beyond share the last one. Returns
    how many links were written; two papers that cite each other have one.
    """
    names = names_of(conn, graph.ids)
    pairs = np.unique(np.sort(graph.edges(), axis=1), axis=0)
    strengths = np.bincount(np.searchsorted(graph.ids, pairs.ravel()), minlength=len(graph))
    clusters, cited = components(graph), graph.in_degrees()
    header = ("id", "label", "description", "url", "cluster")
    weights = ("weight<Links>", "weight<Citations>", "score<Year>")
    maps.write("\t".join((*header, *weights)) + "\n")
    for index, paper in enumerate(graph.ids.tolist()):
        name, year = names[paper], int(graph.years[index])
        cluster = int(clusters[index]) + 1
        cells = (
            str(paper),
            _cell(name.label),
            _cell(name.title or ""),
            f"https://doi.org/{name.doi}" if name.doi else "",
            str(min(cluster, _MOST_CLUSTERS)),
            str(int(strengths[index])),
            str(int(cited[index])),
            "" if year == NO_YEAR else str(year),
        )
        maps.write("\t".join(cells) + "\n")
    for number, (a, b) in enumerate(pairs.tolist()):
        if number % _STEP == 0:
            ctx.progress(number, len(pairs), "Writing links")
        network.write(f"{a}\t{b}\t1\n")
    return len(pairs)


def check_format(kind: str) -> GraphFormat:
    """The format of a name.

    Raises:
        UserError: there is none.
    """
    for one in FORMATS:
        if one == kind:
            return one
    raise UserError(f"Links can't be written as {kind!r}; use {', '.join(FORMATS)}.")


def _links(graph: CitationGraph, ctx: JobContext) -> Iterator[list[int]]:
    edges = graph.edges()
    for start in range(0, len(edges), _STEP):
        ctx.progress(start, len(edges), "Writing links")
        yield from edges[start : start + _STEP].tolist()


def _xml(text: str) -> str:
    return escape(text.translate(_NOT_IN_XML))


def _cell(text: str) -> str:
    """Text for a tab-delimited file, in quotes where VOSviewer asks for them."""
    plain = " ".join(text.split()).replace('"', "'")
    return f'"{plain}"' if "," in plain or ";" in plain else plain
