"""A tabletop campaign for the tests of the system: with the seed's rulebook, or any other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, carry_out, judge, settle
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Granted, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, begin
from talewright.kernel.state.state_paths import parse_path
from talewright.kernel.system import Sight
from talewright.systems.tabletop.tabletop_system import Tabletop
from tests.kernel.making import Scripted, make_game, make_layout
from tests.systems.tabletop.rulebook_snapshots import BOOKS

TABLETOP = Tabletop()

ROWAN = """\
# Rowan
A ranger who came home.
- HP: 12
- AC: 14
- Stats: STR 12, DEX 16, CON 12, INT 10, WIS 14, CHA 8
- Attack: Longbow +5 (1d8+3 piercing), Dagger +5 (1d4+3 piercing)
- Skills: Stealth +5, Perception +4
- Inventory: rope, 3 torches, 2 healing potions (heals 2d4+2)
"""


def game_with(book: str = "seed_example", character: str = ROWAN, language: str = "en", **more: str) -> Game:
    """A game with one of the rulebooks of the tests."""
    files: dict[str, Json] = {"System.md": BOOKS[book].read_text("utf-8"), **more}
    if character:
        files["Character.md"] = character
    game = make_game(make_layout(TABLETOP.slots(files)), systems=[TABLETOP])
    return replace(game, files={"tabletop": files}, language=language)


GAME = game_with()
READY = begin(GAME)
"""Rowan is ready to go."""

OLDER = replace(READY, engine=4)
"""The same in a turn of an older engine."""


def older_slots(game: Game) -> Game:
    """A game as an older engine compiled it: a campaign that pinned it has no place for later members."""
    root = game.layout.roots["tabletop"]
    later = {"npc_count": "", "combat": "surprised", "npcs": "id"}
    kept = {name: slot for name, slot in root.fields.items() if name != "npc_count"}
    for name in ("combat", "npcs"):
        slot = kept[name] if kept[name].values is None else kept[name].values
        assert slot is not None
        fewer = replace(slot, fields={key: one for key, one in slot.fields.items() if key != later[name]})
        kept[name] = fewer if kept[name].values is None else replace(kept[name], values=fewer)
    layout = make_layout({"tabletop": replace(root, fields=kept)})
    return replace(make_game(layout, systems=[TABLETOP]), files=game.files, language=game.language)


NOBODY_GAME = game_with(character="")
NOBODY = begin(NOBODY_GAME)
"""Before there is a character."""

SHEET: Mapping[str, Json] = {
    "name": "Ada",
    "stats": {"STR": 10, "DEX": 14, "CON": 12, "INT": 16, "WIS": 10, "CHA": 8},
    "skills": {"Investigation": 5},
    "hp": 9,
    "attacks": [{"name": "Staff", "bonus": 2, "damage": "1d6"}],
    "inventory": ["3 torches", {"name": "Lamp", "quantity": 1}],
}


def call(
    tool: str,
    said: Mapping[str, Json] | None = None,
    *,
    position: Position = READY,
    faces: Sequence[int] = (),
    game: Game = GAME,
    cause: str = MODEL,
) -> JudgedStep:
    """One call, judged by the kernel, with these dice."""
    return judge(game, position, [Call(tool, said or {})], cause, Scripted(*faces))


def granted(step: JudgedStep) -> dict[str, Json]:
    """The result of a call that was granted."""
    (ruling,) = step.rulings
    assert isinstance(ruling, Granted), ruling
    return cast(dict[str, Json], ruling.result)


def refused(step: JudgedStep) -> str:
    """The reason of a call that was refused."""
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused), ruling
    return ruling.reason


def do(position: Position, tool: str, game: Game = GAME, faces: Sequence[int] = (), **said: Json) -> Position:
    """The position after a call that is granted."""
    step = call(tool, said, position=position, faces=faces, game=game)
    granted(step)
    return step.position


def end_turn(position: Position, game: Game = GAME) -> JudgedStep:
    """What happens automatically at the end of a turn."""
    return settle(game, position, Scripted())


def write(position: Position, values: Mapping[str, Json], game: Game = GAME) -> Position:
    """A position with values that an author's scene has set."""
    updates = [Update(Op.SET, path, value) for path, value in values.items()]
    step = carry_out(game, position, updates, "scene:x")
    assert not step.events, step.events
    return step.position


def read(position: Position, path: str) -> Json:
    """A value of the state."""
    value: Json = position.state.document
    for key in parse_path(path):
        value = value[int(key)] if isinstance(value, list) else cast(Mapping[str, Json], value)[key]
    return value


def sight(position: Position, game: Game = GAME, language: str = "en") -> Sight:
    """What the system sees."""
    return replace(WorkingState(game, position).sight(TABLETOP), language=language)
