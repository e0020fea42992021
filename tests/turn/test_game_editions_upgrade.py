"""Adoption: what a campaign takes up of a game that has changed, and what it does not."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from talewright.chronicle.store import BlobKind
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state import State
from talewright.kernel.story.endings import Outcome as Kind
from talewright.kernel.story.endings import Route
from talewright.kernel.story.scenes import Choice
from talewright.turn.game_editions import Adoption, Edition, adopt
from talewright.turn.inputs.player_inputs import Choose, Opening
from tests.kernel.making import (
    boolean,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    make_scene,
    record,
    string,
)
from tests.turn.making import lay_bench, make_edition, plain

OLD: Mapping[str, Slot] = {
    "coins": integer(3, 0, 9),
    "bag": listing(record(name=string()), {"name": "rope"}),
    "double": replace(integer(0), derived="coins * 2"),
}


class Plain:
    """A system in name alone."""

    def __init__(self, name: str) -> None:
        self.name = name


def make(
    slots: Mapping[str, Slot],
    *,
    scenes: Sequence[str] = ("quay",),
    finale: str = "",
    derived: str = "coins * 2",
) -> Game:
    layout = make_layout(slots)
    route = Route("leave", "gone", Kind.WIN)
    return make_game(
        layout,
        scenes=[make_scene(layout, name, "coins >= 0", Choice("stay")) for name in scenes],
        endings=[make_ending(layout, finale, "coins >= 9", Kind.WIN, route)] if finale else (),
        derived=[("double", derived)] if derived else (),
    )


def edition(game: Game, digest: str) -> Edition:
    return make_edition(game, digest=digest)


PINNED = edition(make(OLD), "old")
STATE = State(
    {**PINNED.game.initial, "coins": 4, "double": 8, "bag": [{"name": "rope"}, {"name": "lamp"}]}, version=5
)


def standing(**memory: str) -> State:
    engine = {**plain(STATE.document["_engine"]), **memory}
    return State({**STATE.document, "_engine": engine}, 5)


def take(newer: Game, state: State = STATE) -> Adoption:
    found = adopt(PINNED, edition(newer, "new"), state)
    assert found is not None
    return found


def changes(found: Adoption) -> list[tuple[str, str, object]]:
    assert found.edition is not None, found.refused
    return [(change.op, change.path, change.value) for change in found.changes if change.op != "remove"]


def test_nothing_new() -> None:
    assert adopt(PINNED, None, STATE) is None
    assert adopt(PINNED, edition(make(OLD), "old"), STATE) is None


def test_texts_alone() -> None:
    found = take(make(OLD))
    assert (found.changes, found.state, found.refused) == ((), STATE, "")
    assert found.edition is not None
    assert found.edition.digest == "new"


def test_a_new_slot() -> None:
    found = take(make({**OLD, "lamp": integer(4)}))
    assert changes(found) == [("add", "/lamp", 4)]
    assert found.state.document["lamp"] == 4
    assert found.state.version == 5
    assert [(c.reason, c.cause) for c in found.changes] == [("the game has changed", "engine")]


def test_a_removed_slot() -> None:
    found = take(make({name: slot for name, slot in OLD.items() if name != "bag"}))
    (change,) = found.changes
    assert (change.op, change.path, change.was) == ("remove", "/bag", [{"name": "rope"}, {"name": "lamp"}])
    assert "bag" not in found.state.document


def test_a_list_of_objects_whose_elements_gain_a_field() -> None:
    found = take(make({**OLD, "bag": listing(record(name=string(), wet=boolean()))}))
    assert changes(found) == [("add", "/bag/0/wet", False), ("add", "/bag/1/wet", False)]
    assert found.state.document["bag"] == [{"name": "rope", "wet": False}, {"name": "lamp", "wet": False}]


def test_a_derived_slot_with_another_expression() -> None:
    found = take(make(OLD, derived="coins * 3"))
    assert changes(found) == [("replace", "/double", 12)]


OBSTACLES: list[tuple[str, Game, State, str]] = [
    (
        "type",
        make({**OLD, "coins": string()}, derived="", scenes=()),
        standing(),
        "coins is a text of at most 2000 characters, not 4",
    ),
    (
        "scene",
        make(OLD, scenes=("boat",)),
        standing(scene="quay"),
        "the scene 'quay', in which the campaign stands, is gone",
    ),
    (
        "finale",
        make(OLD, finale="other"),
        standing(finale="last"),
        "the finale 'last', in which the campaign stands, is gone",
    ),
    (
        "contract",
        replace(make(OLD), contract="patch"),
        standing(),
        "the contract is now 'patch', the campaign began with 'cards'",
    ),
    (
        "systems",
        replace(make(OLD), systems=(Plain("odds"),)),
        standing(),
        "the systems are now ['odds'], the campaign began with []",
    ),
]


@pytest.mark.parametrize(("what", "newer", "state", "why"), OBSTACLES, ids=lambda part: str(part)[:12])
def test_what_is_not_taken_up(what: str, newer: Game, state: State, why: str) -> None:
    assert take(newer, state) == Adoption(None, state, refused=why)


def test_where_the_campaign_stands_is_still_there() -> None:
    assert take(make(OLD, scenes=("boat", "quay")), standing(scene="quay")).edition is not None
    assert take(make(OLD, finale="last"), standing(finale="last")).edition is not None


def test_a_newer_edition_is_recorded_with_the_next_turn_and_kept() -> None:
    async def run() -> None:
        bench = await lay_bench(PINNED, opened=True)
        newer = edition(make({**OLD, "lamp": integer(4)}), "new")
        bench.library.put(newer)
        body = await bench.commit(Choose("stay"), "op")
        head = await bench.head()
        assert head.game_digest == "new"
        assert body.adopted == {"from": "old", "changes": 2}
        assert [change.path for change in body.changes[:2]] == ["/lamp", "/double"]
        assert await bench.book.kept(BlobKind.GAME, "new") == "new"
        assert (await bench.recall()).adoption is None
        assert (await bench.commit(Choose("stay"), "op2")).adopted is None

    asyncio.run(run())


def test_an_edition_that_does_not_fit_changes_nothing_and_says_why() -> None:
    async def run() -> None:
        bench = await lay_bench(PINNED)
        bench.library.put(edition(replace(make(OLD), contract="tools"), "new"))
        body = await bench.commit(Opening(), "op")
        assert (body.adopted, (await bench.head()).game_digest) == (None, "old")
        recalled = await bench.recall()
        assert recalled.adoption is not None
        assert recalled.adoption.refused.startswith("the contract is now 'tools'")
        assert await bench.book.kept(BlobKind.GAME, "new") is None

    asyncio.run(run())
