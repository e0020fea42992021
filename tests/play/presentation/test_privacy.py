"""Privacy: slots decide, and what is around or within them counts."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.privacy import is_list_element, may_see, prune, prune_change, visible_path
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string

HIDDEN = replace(string("h"), hidden=True)
SECRET = replace(string("s"), secret=True)
GAME = make_game(
    make_layout(
        {
            "open": string(),
            "hidden": HIDDEN,
            "secret": SECRET,
            "mixed": record(a=integer(1), h=HIDDEN, s=SECRET),
            "crew": listing(record(rank=integer(), tie=HIDDEN)),
            "whispers": listing(HIDDEN),
            "dossier": opened(SECRET),
            "deep": replace(record(inner=record(x=integer())), hidden=True),
        }
    )
)


@pytest.mark.parametrize(
    ("slot", "seers"),
    [
        (string(), "player master author operator"),
        (HIDDEN, "master author operator"),
        (SECRET, "author operator"),
        (replace(HIDDEN, secret=True), "author operator"),
    ],
)
def test_each_viewer_sees_its_grade(slot: Slot, seers: str) -> None:
    assert " ".join(viewer for viewer in Viewer if may_see(slot, viewer)) == seers


@pytest.mark.parametrize(
    ("path", "seers"),
    [
        (("open",), "player master author operator"),
        (("hidden",), "master author operator"),
        (("secret",), "author operator"),
        (("mixed",), "player master author operator"),
        (("mixed", "h"), "master author operator"),
        (("crew", "0", "rank"), "player master author operator"),
        (("crew", "0", "tie"), "master author operator"),
        (("whispers", "0"), "master author operator"),
        (("dossier", "anything"), "author operator"),
        (("deep", "inner", "x"), "master author operator"),
        (("_engine",), "author operator"),
        (("_engine", "scene"), "author operator"),
        (("nowhere",), ""),
        (("open", "beneath"), ""),
        ((), ""),
    ],
)
def test_a_place_is_seen_where_nothing_on_the_way_is_private(path: tuple[str, ...], seers: str) -> None:
    assert " ".join(viewer for viewer in Viewer if visible_path(GAME, path, viewer)) == seers


def test_privacy_above_holds_beneath_even_where_it_was_not_inherited() -> None:
    layout = replace(GAME.layout, roots={"deep": replace(record(x=integer()), secret=True)})
    assert not visible_path(replace(GAME, layout=layout), ("deep", "x"), Viewer.PLAYER)


def _prune(name: str, value: Json) -> object:
    return prune(GAME.layout.roots[name], value, Viewer.PLAYER)


def test_values_lose_their_private_members() -> None:
    assert _prune("open", "x") == "x"
    assert _prune("hidden", "x") is ABSENT
    assert _prune("mixed", {"a": 1, "h": "x", "s": "y", "unknown": 2}) == {"a": 1}
    assert _prune("mixed", None) is None
    assert _prune("crew", [{"rank": 1, "tie": "x"}, {"rank": 2}]) == [{"rank": 1}, {"rank": 2}]
    assert _prune("whispers", ["x", "y"]) == []
    assert _prune("dossier", {"name": "x"}) == {}
    assert _prune("open", ["no", "list"]) == []


def test_a_change_is_shown_without_its_private_part() -> None:
    change = Change("replace", "/mixed", {"a": 2, "h": "new"}, {"a": 1, "h": "old"}, "r", "model", True)
    expected = Change("replace", "/mixed", {"a": 2}, {"a": 1}, "r", "model", True)
    assert prune_change(GAME, change, Viewer.PLAYER) == expected
    assert prune_change(GAME, change, Viewer.MASTER) == replace(
        change, value={"a": 2, "h": "new"}, was={"a": 1, "h": "old"}
    )


@pytest.mark.parametrize(
    "change",
    [
        Change("replace", "/hidden", "a", "b", "", "model"),
        Change("add", "/crew/0/tie", "a", ABSENT, "", "model"),
        Change("replace", "/mixed", {"a": 1, "h": "new"}, {"a": 1, "h": "old"}, "", "model"),
        Change("replace", "/whispers", ["a"], [], "", "model"),
        Change("add", "/dossier/name", "a", ABSENT, "", "model"),
        Change("replace", "/_engine/scene", "a", "b", "", "engine"),
        Change("remove", "/gone", ABSENT, "b", "", "engine"),
    ],
)
def test_a_change_of_which_nothing_may_be_seen_is_not_there(change: Change) -> None:
    assert prune_change(GAME, change, Viewer.PLAYER) is None


def test_additions_and_removals_keep_their_shape() -> None:
    added = Change("add", "/crew/0", {"rank": 1, "tie": "x"}, ABSENT, "", "model")
    assert prune_change(GAME, added, Viewer.PLAYER) == replace(added, value={"rank": 1})
    removed = Change("remove", "/crew/0", ABSENT, {"rank": 1, "tie": "x"}, "", "model")
    assert prune_change(GAME, removed, Viewer.PLAYER) == replace(removed, was={"rank": 1})


def test_elements_of_lists_are_told_from_members() -> None:
    assert is_list_element(GAME, ("crew", "0"))
    assert not is_list_element(GAME, ("mixed", "a"))
    assert not is_list_element(GAME, ("crew",))


def test_what_the_engine_keeps_is_closed_by_its_name_too() -> None:
    # Its slot is secret as well; this holds should that ever change.
    engine = replace(GAME.layout.roots["_engine"], secret=False, hidden=True)
    engine = replace(engine, fields={name: replace(one, secret=False) for name, one in engine.fields.items()})
    game = replace(GAME, layout=replace(GAME.layout, roots={**GAME.layout.roots, "_engine": engine}))
    for path in (("_engine",), ("_engine", "scene")):
        seers = " ".join(viewer for viewer in Viewer if visible_path(game, path, viewer))
        assert seers == "author operator"
