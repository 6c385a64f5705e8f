"""JabRef's and Mendeley's groups, ``crossref`` and ``xdata``."""

from __future__ import annotations

from collections.abc import Callable

from litscape.paper import ImportProblem, PaperDraft

Bib = Callable[[str], tuple[list[PaperDraft], list[ImportProblem]]]


def test_static_groups_are_collections_with_their_tree(bib: Bib) -> None:
    drafts, problems = bib(
        "@Article{g1, title = {A}, groups = {Rivers, Lakes}}\n"
        "@Article{g2, title = {B}, groups={Comma\\, group}}\n"
        "@Article{g3, title = {C}}\n@Article{g4, title = {D}, groups = {Unknown}}\n"
        "@Comment{jabref-meta: databaseType:bibtex;}\n@Comment{jabref-meta: grouping:\n"
        "0 AllEntriesGroup:;\n"
        "1 StaticGroup:Water\\;0\\;1\\;\\;\\;\\;;\n2 StaticGroup:Rivers\\;0\\;1\\;\\;\\;\\;;\n"
        "2 KeywordGroup:Salt\\;0\\;keywords\\;salt\\;0\\;0\\;;\n"
        "2 StaticGroup:Lakes\\;0\\;1\\;\\;\\;\\;;\n"
        "1 StaticGroup:Comma, group\\;0\\;1\\;\\;\\;\\;;\n}\n"
    )
    assert [draft.collections for draft in drafts] == [
        (("Water", "Rivers"), ("Water", "Lakes")),
        (("Comma, group",),),
        (),
        (("Unknown",),),
    ]
    assert not problems


def test_old_groups_list_their_keys_in_wrapped_lines(bib: Bib) -> None:
    drafts, _ = bib(
        "@article{a, title={A}}\n@article{b2010, title={B}}\n"
        "@comment{jabref-meta: groupstree:\n0 AllEntriesGroup:;\n"
        "1 ExplicitGroup:Top\\;0\\;b20\n10\\;a\\;;\n"
        "2 ExplicitGroup:Sub\\;0\\;b2010\\;;\n}\n"
    )
    assert [draft.collections for draft in drafts] == [(("Top",),), (("Top",), ("Top", "Sub"))]


def test_mendeley_groups_and_tags(bib: Bib) -> None:
    (draft,), _ = bib(
        "@article{a, title={A}, mendeley-groups = {Water/Rivers,Air}, mendeley-tags = {x,y}}"
    )
    assert draft.collections == (("Water", "Rivers"), ("Air",))
    assert draft.tags == ("x", "y")


PROCEEDINGS = (
    "@proceedings{Proc, title = {The Swan Meeting}, subtitle = {Part one}, editor = {Cob, Al},"
    " year = {2005}, publisher = {Lake Press}, doi = {10.5555/proc}, pages = {1--900},"
    " keywords = {swans}, series = {LNCS}}\n"
)


def test_children_take_what_they_lack_wherever_the_parent_stands(bib: Bib) -> None:
    drafts, problems = bib(
        "@inproceedings{kid1, title = {One}, crossref = {Proc}}\n"
        "@inproceedings{kid2, title = {Two}, year = {2006}, booktitle = {Own}, crossref = {proc}}\n"
        + PROCEEDINGS
    )
    kid, own, parent = drafts
    assert (kid.title, kid.venue, kid.year) == ("One", "The Swan Meeting: Part one", 2005)
    assert kid.publisher == "Lake Press"
    assert kid.raw_fields["series"] == "LNCS"
    assert (own.venue, own.year) == ("Own", 2006)
    assert (kid.doi, kid.pages, kid.keywords) == (None, None, ())
    assert parent.doi == "10.5555/proc"
    assert not problems


def test_what_a_reader_made_of_a_parent_is_not_the_childs(bib: Bib) -> None:
    marks = "readstatus={read}, ranking={rank5}, priority={prio1}, litscape-colour={red}"
    drafts, _problems = bib(
        f"@inbook{{kid, title={{A}}, crossref={{b}}}}\n@book{{b, title={{B}}, {marks}}}"
    )
    kid, book = drafts
    assert (book.read_state, book.rating, book.colour) == ("read", 5, "red")
    assert (kid.read_state, kid.rating, kid.colour) == (None, None, None)
    assert not {"readstatus", "ranking", "priority"} & kid.raw_fields.keys()


def test_an_unknown_parent_is_a_warning(bib: Bib) -> None:
    drafts, problems = bib("@inbook{kid, title = {A}, crossref = {nosuch}, xdata = {nor}}")
    assert drafts[0].title == "A"
    assert {(one.code, one.severity, one.line, one.citekey) for one in problems} == {
        ("crossref-missing", "warning", 1, "kid")
    }
    assert len(problems) == 2


def test_xdata_and_chains(bib: Bib) -> None:
    drafts, problems = bib(
        "@inproceedings{kid, title = {K}, xdata = {x1}, crossref = {Proc}}\n"
        "@xdata{x1, publisher = {X}, xdata={x2}}\n"
        "@xdata{x2, location = {Ghent}}\n@article{art, title={A}, crossref={per}}\n"
        "@periodical{per, title={The Journal}, year=2003}\n@book{vol, title={V}, crossref={mv}}\n"
        "@mvbook{mv, title={Many}, year=1970}\n" + PROCEEDINGS
    )
    kid, art, _, vol = drafts[:4]
    assert (kid.publisher, kid.raw_fields["location"]) == ("X", "Ghent")
    assert (art.venue, art.year) == ("The Journal", 2003)
    assert (vol.year, vol.raw_fields["maintitle"]) == (1970, "Many")
    assert not problems


def test_circles_and_endless_chains_end(bib: Bib) -> None:
    circle = "@inbook{a, title={A}, crossref={b}}\n@inbook{b, title={B}, crossref={a}}\n"
    chain = "".join(f"@xdata{{x{n}, xdata={{x{n + 1}}}}}\n" for n in range(3000))
    drafts, _ = bib(circle + chain + "@book{c, title={C}, xdata={x0}}")
    assert [draft.title for draft in drafts] == ["A", "B", "C"]
