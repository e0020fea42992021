"""A solo campaign for the tests of the system: before setup, and ready to be played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import (
    JudgedStep,
    carry_out,
    drop_waiting_call,
    judge,
    keep_waiting_call,
    settle,
)
from talewright.kernel.judging.moves import ENGINE, MODEL, PLAYER, Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Granted, Refused, Waiting
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.state.state_paths import parse_path
from talewright.kernel.system import PastTurn, Sight
from talewright.systems.spiral.rulebook import parse_file
from talewright.systems.spiral.spiral_system import Spiral
from tests.kernel.making import Scripted, make_game, make_layout

SPIRAL = Spiral()
LAYOUT = make_layout(SPIRAL.slots({}))
PROMPT = "---\nflush_on: failure\n---\n\n# The Book\n\nBe fair.\n"
PROMPT_CHINESE = "---\nflush_on: failure\n---\n\n# 手册\n\n要公正。\n"


def game_with(prompt: str = PROMPT) -> Game:
    files = {"prompt.md": parse_file(prompt, "prompt.md")[0]} if prompt else {}
    files |= {"texts/zh-CN/prompt.md": parse_file(PROMPT_CHINESE, "prompt.md")[0]} if prompt else {}
    return replace(make_game(LAYOUT, systems=[SPIRAL]), files={"spiral": files})


GAME = game_with()
FIRST = begin(GAME)
"""Before anything was agreed."""


def write(position: Position, values: Mapping[str, Json], game: Game = GAME) -> Position:
    """A position with values that an author's scene has set."""
    step = carry_out(
        game, position, [Update(Op.SET, path, value) for path, value in values.items()], "scene:x"
    )
    assert not step.events, step.events
    return step.position


ZOGAR: Mapping[str, Json] = {
    "name": "Zogar Sag",
    "concept": "Shaman of the Wolf Clan",
    "positive_tags": ["commands serpents", "feared by all clans"],
    "negative_tags": ["arrogant"],
    "disposition": "hostile",
    "goal": "capture outsiders",
    "clock": 2,
    "clock_max": 4,
    "last_location": "",
    "active": False,
    "met": False,
}
GORM: Mapping[str, Json] = {
    **ZOGAR,
    "name": "Gorm",
    "goal": "burn the ferry",
    "clock": 3,
    "positive_tags": [],
}
READY = write(
    FIRST,
    {
        "meta.setup_complete": True,
        "meta.genre": "frontier fantasy",
        "player.name": "Kael",
        "player.concept": "A hunter",
        "player.inherent_tags": ["keen tracker", "father's longbow", "wilderness hardened"],
        "scene.location": "Wolf Clan border",
        "scene.positive_tags": ["shallow ford", "morning mist"],
        "scene.negative_tags": ["patrol route", "strong current"],
        "npcs.zogar-sag": ZOGAR,
        "npcs.gorm": GORM,
        "spiral.opened": True,
        "spiral.segment_starts": [1],
        "spiral.day_start": 1,
        "spiral.prompt": PROMPT,
    },
)
"""In the first morning of play."""


def call(
    tool: str,
    said: Mapping[str, Json] | None = None,
    *,
    position: Position = READY,
    faces: Sequence[int] = (),
    answers: Mapping[str, Json] | None = None,
    game: Game = GAME,
    name: str = "",
) -> JudgedStep:
    """One call of a storyteller, judged by the kernel."""
    return judge(game, position, [Call(tool, said or {}, name)], MODEL, Scripted(*faces), answers)


def granted(step: JudgedStep) -> dict[str, Json]:
    (ruling,) = step.rulings
    assert isinstance(ruling, Granted), ruling
    assert isinstance(ruling.result, dict)
    return ruling.result


def refused(step: JudgedStep) -> str:
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused), ruling
    assert ruling in step.mends
    assert step.changes == ()
    return ruling.reason


def card(step: JudgedStep) -> Decision:
    (ruling,) = step.rulings
    assert isinstance(ruling, Waiting), ruling
    assert isinstance(ruling.need, Decision)
    return ruling.need


def read(position: Position, path: str) -> Json:
    return cast(Json, position.state.read(parse_path(path)))


def assess(
    action: Sequence[str] = (),
    danger: Sequence[str] = (),
    glitches: int = 0,
    context: str = "sneak past the scout",
) -> dict[str, Json]:
    """What a storyteller says to propose a roll."""
    return {
        "action_dice": 1 + len(action),
        "danger_dice": glitches + len(danger),
        "context": context,
        "action_tags": list(action),
        "danger_tags": list(danger),
    }


def roll(
    position: Position,
    *faces: int,
    option: str = "roll",
    note: str = "",
    game: Game = GAME,
    said: Json = None,
) -> JudgedStep:
    """A check with as many dice as there are faces, proposed, held, answered on its card in the next turn."""
    glitches = cast(list[Json], read(position, "player.glitch_tags"))
    helping = ["keen tracker", "father's longbow", "wilderness hardened", "shallow ford", "morning mist"]
    wanted = len(faces) - 1 + len(glitches)
    arguments = said if isinstance(said, dict) else assess(helping[: max(wanted, 0)], glitches=len(glitches))
    waiting = call("roll_check", arguments, position=position, game=game)
    (ruling,) = waiting.rulings
    assert isinstance(ruling, Waiting), ruling
    held = keep_waiting_call(game, waiting.position, ruling).position
    free = drop_waiting_call(game, advance(held), "check").position
    answers: Mapping[str, Json] = {"check": option, **({"check.note": note} if note else {})}
    return judge(game, free, [Call("roll_check", arguments, "check")], PLAYER, Scripted(*faces), answers)


def sight(position: Position = READY, language: str = "en", game: Game = GAME) -> Sight:
    return replace(WorkingState(game, position).sight(SPIRAL), language=language)


def end_turn(position: Position, game: Game = GAME) -> JudgedStep:
    """What follows by itself at the end of a turn."""
    return settle(game, position, Scripted())


def past(version: int, said: str, told: str = "So it goes.", changes: Sequence[Change] = ()) -> PastTurn:
    return PastTurn(version, said, told, tuple(changes))


def took(path: str, was: Json, value: Json) -> Change:
    return Change("replace", path, value, was, "", ENGINE)
