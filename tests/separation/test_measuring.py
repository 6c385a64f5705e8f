"""What is planted is found: strays, mixed labels, the better of two models, the same each time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from sklearn import metrics
from tests.separation.labelled_library import (
    BOTH,
    NAMES,
    PAPERS,
    SIZES,
    STRAYS,
    make,
    vectors,
    write_vectors,
)

from litscape.errors import NotReadyError, UserError
from litscape.evaluation.bootstrap import Estimate
from litscape.evaluation.past import past
from litscape.jobs import JobCancelledError, null_context
from litscape.library import Library
from litscape.maps.neighbours import find_neighbours
from litscape.separation import clusters, overlap
from litscape.separation.labels import KINDS, choose, read_labels, rolled_up
from litscape.separation.material import vectors_of
from litscape.separation.plain import report_from
from litscape.separation.records import Wanted
from litscape.venue_series import joined, series

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litscape.separation.records import SeparationReport


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("labelled") / "library"
    make(folder)
    with Library.open(folder) as library:
        write_vectors(library, vectors(0.5), "blurred-1")
        yield library


@pytest.fixture(scope="module")
def report(library: Library) -> SeparationReport:
    first = library.models.active().version
    return library.separation.measure(Wanted("tags", (first, "blurred-1")))


def test_labels_that_are_planted_apart_are_found_apart(report: SeparationReport) -> None:
    first = report.models[0]
    assert report.papers == PAPERS
    assert first.agreement.low > 0.9 > 0.4 > report.chance
    assert first.silhouette.low > 0.5
    for one in first.clusterings[:2]:
        assert one.clusters == len(NAMES)
        assert one.estimates["v"].mean > 0.9
        assert len(one.seeds["v"]) == report.seeds == 10
        for value in one.estimates.values():
            assert value.low <= value.mean <= value.high <= 1
            assert value.n == PAPERS


def test_figures_are_scikit_learns_on_the_clusters_that_are_shown(
    library: Library, report: SeparationReport
) -> None:
    heat = report.heat
    assert heat is not None
    labelled = choose(
        KINDS["tags"],
        read_labels(library.database, KINDS["tags"]),
        np.arange(1, PAPERS + 1),
    )
    row_of = {paper: row for row, papers in enumerate(heat.row_papers) for paper in papers}
    clusters = [row_of[int(paper)] for paper in labelled.ids]
    labels = labelled.drawn(heat.seed)
    kmeans = report.models[0].clustering("kmeans")
    assert kmeans is not None
    wanted = metrics.v_measure_score(labels, clusters)
    assert kmeans.seeds["v"][heat.seed] == pytest.approx(wanted)
    assert kmeans.seeds["ami"][heat.seed] == pytest.approx(
        metrics.adjusted_mutual_info_score(labels, clusters)
    )


def test_every_paper_stands_in_the_cells_of_its_labels(report: SeparationReport) -> None:
    heat = report.heat
    assert heat is not None
    assert heat.labels == NAMES  # the largest first
    columns = [heat.column_papers(column) for column in range(len(NAMES))]
    assert [len(one) for one in columns] == [60, 40, 30, 23]
    assert sorted(paper for row in heat.row_papers for paper in row) == list(range(1, PAPERS + 1))
    # Beside each label stands the cluster that fits it best.
    biggest = [np.argmax([len(cell) for cell in row]) for row in heat.papers]
    assert biggest == list(range(len(NAMES)))
    assert set(BOTH) <= set(heat.papers[2][2]) & set(heat.papers[2][3])


def test_strays_are_told_with_the_label_of_their_neighbours(report: SeparationReport) -> None:
    assert {one.paper for one in report.misfiled} == set(STRAYS)
    assert report.misfiled_total == len(STRAYS)
    first = report.misfiled[0]
    assert (first.other, first.own_share) == ("violins", 0.0)
    assert first.share >= 0.9
    assert first.title == f"Paper {first.paper}"


def test_the_worse_model_is_certainly_worse_with_the_same_papers(
    report: SeparationReport,
) -> None:
    worse = report.models[1]
    assert report.models[0].over == {}
    for change in worse.over.values():
        assert change.certain
        assert change.difference.high < 0
    kmeans = worse.clustering("kmeans")
    assert kmeans is not None
    assert kmeans.over["ami"].difference.high < 0
    assert kmeans.over["ami"].losses == report.seeds
    assert any(
        "blurred-1 against" in one and "lower: neighbours" in one for one in report.sentences
    )


def test_what_is_left_out_is_said(report: SeparationReport) -> None:
    assert any(note.startswith("1 label was left out: fewer than 20") for note in report.notes)
    assert any("only pictures" in note for note in report.notes)
    assert any("Only 150 papers" in note for note in report.notes)


def test_the_same_seed_gives_the_same_report(library: Library, report: SeparationReport) -> None:
    wanted = Wanted("tags", (report.models[0].version,), seeds=3)
    one, two = (library.separation.measure(wanted) for _ in range(2))
    plain = replace(one, made_at="", seconds=0, number=None)
    assert plain == replace(two, made_at="", seconds=0, number=None)
    assert one.models[0].clusterings[0].seeds["v"] == pytest.approx(
        report.models[0].clusterings[0].seeds["v"][:3]
    )


def test_reports_are_kept_read_back_whole_and_forgotten(
    library: Library, report: SeparationReport
) -> None:
    kept = library.separation.one(report.number or 0)
    assert kept == report
    assert report_from(json.loads(json.dumps(report.to_json()))) == report
    assert past(library.database) == ()  # those are measurements of search
    again = library.separation.measure(Wanted("tags", seeds=2))
    assert library.separation.past()[0] == again
    library.separation.forget(again.number or 0)
    with pytest.raises(UserError, match="no measurement"):
        library.separation.one(again.number or 0)


def test_two_labels_apart_and_two_that_are_mixed(library: Library) -> None:
    apart = library.separation.overlap("tags", "Corals", "glaciers")
    assert (apart.first, apart.second, apart.first_papers) == ("corals", "glaciers", 60)
    assert apart.crossing.high < 0.2 < apart.crossing_chance
    assert apart.told_apart.mean > 0.95
    assert "are apart" in apart.sentence
    assert "far less often than by chance" in apart.sentence
    blurred = library.separation.overlap("tags", "violins", "meteors", "blurred-1")
    assert blurred.both == BOTH
    assert blurred.crossing.mean > apart.crossing.mean
    assert blurred.between
    assert all(0.3 <= one.share <= 0.7 for one in blurred.between)
    assert "3 papers carry both" in blurred.sentence
    with pytest.raises(UserError, match="corals"):
        library.separation.overlap("tags", "coral", "glaciers")
    with pytest.raises(UserError, match="two different"):
        library.separation.overlap("tags", "corals", "CORALS")
    with pytest.raises(UserError, match="“rare” has no paper"):
        library.separation.overlap("tags", "rare", "corals")


def test_what_is_said_of_an_overlap_follows_from_its_intervals() -> None:
    def side(mean: float, off: float) -> Estimate:
        return Estimate(mean, mean - off, mean + off, 90)

    def said(one: Estimate, other: Estimate) -> str:
        return overlap._how((one, other), (0.4, 0.6))

    assert "as often as by chance" in said(side(0.38, 0.05), side(0.58, 0.05))
    assert "less often than by chance, but not by much" in said(side(0.36, 0.02), side(0.49, 0.02))
    one_way = said(side(0.4, 0.05), side(0.49, 0.02))
    assert "one way" in one_way
    assert "as often as" not in one_way
    assert "are apart" in said(side(0.04, 0.01), side(0.06, 0.01))
    assert said(side(0.2, 0.02), side(0.3, 0.02)).startswith("overlap: ")


def test_too_little_is_said_in_a_sentence(library: Library) -> None:
    report = library.separation.measure(Wanted("collections"))
    assert (report.models, report.number) == ((), None)
    assert "at least 3 labels with 20 papers" in report.sentences[0]
    venues = library.separation.measure(Wanted("venue"))
    assert "one is that large" in venues.sentences[0]
    with pytest.raises(UserError, match="tags"):
        library.separation.measure(Wanted("tag"))
    with pytest.raises(UserError, match="no model version"):
        library.separation.measure(Wanted("tags", ("nothing",)))
    with pytest.raises(UserError, match="at least 2 seeds"):
        Wanted("tags", seeds=1)


def test_kinds_are_offered_with_what_the_library_holds(library: Library) -> None:
    found = {one.kind.name: (one.labels, one.papers) for one in library.separation.offers()}
    assert found == {
        "collections": (0, 0),
        "tags": (4, PAPERS),
        "venue": (1, PAPERS),
        "field": (4, PAPERS),
        "mesh": (5, PAPERS),
        "keywords": (0, 0),
    }


def test_all_vectors_equal_and_none_at_all(tmp_path: Path) -> None:
    make(tmp_path / "equal")
    with Library.open(tmp_path / "equal") as library:
        write_vectors(library, np.eye(1, 16, dtype=np.float32).repeat(PAPERS, axis=0))
        report = library.separation.measure(Wanted("tags"))
        assert report.models == ()
        assert report.sentences[0].startswith("All vectors of")
        library.vector_store.forget(library.models.active().version, range(1, PAPERS + 1))
        with pytest.raises(NotReadyError, match="compute similarity"):
            library.separation.measure(Wanted("tags"))


def test_it_can_be_cancelled_and_leaves_nothing(library: Library) -> None:
    before = library.separation.past()
    ctx = null_context()
    ctx.cancel()
    with pytest.raises(JobCancelledError):
        library.separation.measure(Wanted("tags"), ctx)
    assert library.separation.past() == before


@pytest.mark.parametrize(
    ("venue", "wanted"),
    [
        ("ICLR 2018", "ICLR"),
        ("Proceedings of the 58th Annual Meeting of the ACL", "Annual Meeting of the ACL"),
        ("ACL 2020 (Volume 1: Long Papers)", "ACL"),
        ("CVPR '19", "CVPR"),
        ("2019 IEEE Conference on Robotics", "IEEE Conference on Robotics"),
        ("Ninth International Meeting (LREC'14)", "International Meeting (LREC)"),
        ("Twenty-First Annual Meeting on Reeds (2019)", "Annual Meeting on Reeds"),
        ("First Monday", "First Monday"),
        ("Annual Meeting on Reeds and the 9th International Joint Conference on Ponds",
         "Annual Meeting on Reeds"),
        ("Conference on the Study of Reeds: Long Papers and Tutorials",
         "Conference on the Study of Reeds"),
        ("Proceedings of REEDS 2016, the 26th Meeting of Ponds,", "REEDS, the Meeting of Ponds"),
        ("PLoS ONE", "PLoS ONE"),
        ("Nature 4D Printing", "Nature 4D Printing"),
        ("2019", "2019"),
    ],
)  # fmt: skip
def test_venues_of_years_are_one_series(venue: str, wanted: str) -> None:
    assert series(venue) == wanted


def test_acronyms_and_joint_meetings_count_with_the_series_that_they_are() -> None:
    names = {
        "Proceedings of the 57th Annual Meeting of the Society of Reed Biology": "r",
        "Proceedings of the 58th Annual Meeting of the Society of Reed Biology and the 3rd "
        "International Joint Conference on Ponds (Volume 1: Long Papers)": "r",
        "SRB 2022": "r",
        "Proceedings of the 2nd Chapter of the Society of Reed Biology": "c",
        "Conference on Methods in Pond Study (EMPS) 2020": "p",
        "EMPS 2021": "p",
        "Conference on Methods in Pond Study": "p",
        "EMPS 2020, Student Workshop": "s",
        "ABC 2020": "a",
    }  # fmt: skip
    found = joined(names)
    groups = {found[name] for name in names}
    assert len(groups) == 5
    for one, mine in names.items():
        for other, theirs in names.items():
            assert (found[one] == found[other]) == (mine == theirs), (one, other)


def test_density_takes_a_part_of_many_papers(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = np.arange(1, PAPERS + 1)
    matrix = vectors_of(library, library.models.active().version, ids)
    ground = clusters.Ground(matrix, find_neighbours(ids, matrix, 5), len(NAMES))
    whole = clusters.hdbscan(ground)(0)
    monkeypatch.setattr(clusters, "MOST_BY_DENSITY", 100)
    part = clusters.hdbscan(ground)(0)
    assert len(part) == PAPERS
    assert metrics.adjusted_rand_score(whole, part) > 0.6


def test_a_label_on_nearly_all_papers_is_left_out_and_said(library: Library) -> None:
    kind, there = KINDS["mesh"], np.arange(1, PAPERS + 1)
    labels = read_labels(library.database, kind)
    assert len(labels["water"]) == PAPERS
    chosen = choose(kind, labels, there)
    assert sorted(chosen.names) == sorted(NAMES)
    assert "“water” was left out: nearly all papers carry it" in chosen.notes[0]
    mostly = {"one": list(range(1, 146)), "two": list(range(146, PAPERS + 1))}
    alone = choose(kind, {**mostly, "two": list(range(121, PAPERS + 1))}, there)
    assert alone.names == ("one", "two"), "what most papers carry alone parts them"


def test_small_collections_count_with_the_one_above() -> None:
    labels = {
        "Water": [1],
        "Water/Ponds": list(range(2, 7)),
        "Water/Ponds/Reeds": list(range(5, 9)),
        "Water/Lakes": list(range(100, 120)),
        "Air/Birds": [200],
        "Fire": [300],
    }
    found = rolled_up(KINDS["collections"], labels)
    assert {name: sorted(papers) for name, papers in found.items()} == {
        "Water": list(range(1, 9)),
        "Water/Lakes": list(range(100, 120)),
        "Air": [200],
        "Fire": [300],
    }
    assert rolled_up(KINDS["tags"], labels) == labels


def test_a_label_is_drawn_for_each_paper_from_its_own(library: Library) -> None:
    labels = read_labels(library.database, KINDS["tags"])
    labelled = choose(KINDS["tags"], labels, np.arange(1, PAPERS + 1))
    draws = np.stack([labelled.drawn(seed) for seed in range(10)])
    assert labelled.member[np.arange(PAPERS), draws].all()
    single = labelled.member.sum(axis=1) == 1
    assert (draws[:, single] == draws[0, single]).all()
    assert len(np.unique(draws[:, ~single])) == 2
    assert int(labelled.sizes.sum()) == sum(SIZES) + len(BOTH)
