"""The kinds of rows, other than papers, whose changes can be undone."""

from __future__ import annotations

COLUMNS = {
    "collection": ("collections", ("parent_id", "name")),
    "tag": ("tags", ("name",)),
    "saved_search": ("saved_searches", ("name", "query", "mode")),
    "refused_pair": ("refused_pairs", ("paper_a", "paper_b", "made_at")),
    "related_pair": ("related_pairs", ("paper_a", "paper_b", "made_at")),
    "topic_tree": (
        "topic_trees",
        ("scope", "model", "method", "seed", "made_at", "rest", "told"),
    ),
    "topic": (
        "topics",
        ("tree_id", "parent_id", "level", "name", "edited", "colour", "terms", "members"),
    ),
    "record": (
        "records",
        (
            "source_id",
            "record_key",
            "paper_id",
            "batch_id",
            "line",
            "position",
            "hash",
            "raw",
            "missing",
        ),
    ),
}
"""Entities other than papers: their table and the columns that an image of them holds."""
STRUCTURE = (
    "collection",
    "tag",
    "saved_search",
    "refused_pair",
    "related_pair",
    "topic_tree",
    "topic",
)
