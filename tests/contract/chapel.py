"""A chapel: the small game that the tests of the patch and tools dialects are played in."""

import json
from collections.abc import Mapping
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround
from talewright.kernel.chance import Chance
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state import State, position_of
from talewright.kernel.story.endings import Outcome, Route
from talewright.kernel.system import AuthorFiles, Sight, System, SystemAnswer, Tool, deny_unknown
from talewright.kernel.system.system_parts import sort_systems
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    opened,
    record,
    string,
)
from tests.plugs.toll import Toll

VERSION = 12


class Trying:
    """A system with the tool that judges mechanics."""

    name = "trying"

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("attempt", "Try.", {"type": "object", "properties": {"skill": {"type": "string"}}}),)

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)


def thing() -> Slot:
    return record(id=string(), qty=integer(1, 0, 99))


def slots() -> dict[str, Slot]:
    dagger: Json = {"id": "rusty_dagger", "qty": 1}
    coin: Json = {"id": "copper_coin", "qty": 3}
    return {
        "player": record(
            xp=integer(0, 0, 100),
            mood=enum("calm", "afraid"),
            inventory=listing(thing(), dagger, coin),
            notes=listing(string(), "one", "two"),
        ),
        "flags": opened(boolean()),
        "npcs": opened(
            record(bag=listing(thing()), hp=integer(5)),
            {"guard": {"bag": [{"id": "key", "qty": 1}], "hp": 5}},
        ),
        "stash": replace(listing(thing(), {"id": "bone", "qty": 1}), secret=True),
    }


def chapel(*systems: System, plan: str = "one_ask", may_end: bool = False) -> Game:
    """The game, with some systems."""
    roots = slots()
    for system in sort_systems(systems).slots:
        roots |= system.slots({})
    layout = make_layout(roots)
    finale = Route("stay", "sainted", Outcome.WIN)
    endings = (
        make_ending(layout, "dead", "player.xp == 99"),
        make_ending(layout, "last", "player.xp == 98", Outcome.WIN, finale),
    )
    game = make_game(layout, endings=endings, systems=systems, model_may_end=may_end)
    return replace(game, plan=plan)


def ground(*systems: System, **more: object) -> AnswerGround:
    """The chapel at its version; all tools of its systems may be called."""
    game = chapel(*systems)
    position = position_of(game, State(game.initial, VERSION))
    made = AnswerGround(game, position, tools=tuple(game.tools))
    return replace(made, **more)  # type: ignore[arg-type]  # Whatever a test wants to differ.


def trying(**more: object) -> AnswerGround:
    """A chapel whose attempts are judged."""
    return ground(Trying(), **more)


def tolled(**more: object) -> AnswerGround:
    """A chapel with a bridge."""
    return ground(Toll(), **more)


def frame(*operations: Mapping[str, Json], version: int = VERSION) -> list[Json]:
    """A patch with its two operations on the version."""
    return [
        {"op": "test", "path": "/version", "value": version},
        *operations,
        {"op": "replace", "path": "/version", "value": version + 1},
    ]


def make_bundle(*operations: Mapping[str, Json], **more: Json) -> dict[str, Json]:
    """A bundle that is good but for what is said otherwise."""
    return {
        "schema_version": "1.2",
        "operation_id": "find-coin-7f3",
        "base_version": VERSION,
        "patch": frame(*operations),
        **more,
    }


def fence(bundle: Json, prose: str = "You wait.") -> str:
    """A reply: prose and one block."""
    return f"{prose}\n\n```json\n{json.dumps(bundle, ensure_ascii=False)}\n```"
