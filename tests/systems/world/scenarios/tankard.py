"""A scenario with everything that the original design names, and ways to make a game of one."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import State, position_of
from talewright.pack.compiler import CompiledGame, compile_folder
from talewright.pack.game_folders import write_scenario_game
from tests.systems.world.making import WORLD

TANKARD: Mapping[str, Any] = {
    "title": 'The "Dusty" Tankard',
    "description": "A tavern at a crossroads.\n\nA dragon was seen: # not a comment, {not} YAML.",
    "initialNarrativeTime": "Late afternoon",
    "locations": [
        {"name": "The Dusty Tankard", "description": "Ale, smoke: and a - dash."},
        {"name": "The Crossroads", "description": "A signpost."},
        {"name": "酒窖", "description": "冷。"},
    ],
    "characters": [
        {
            "id": "player",
            "name": "You",
            "description": "A weary traveller.",
            "isPlayer": True,
            "isDiscovered": True,
            "initialLocationName": "The Dusty Tankard",
            "encounterChance": 1,
            "goals": "find a bed",
            "knowledge": [
                {
                    "id": "dragon",
                    "content": "A dragon was seen.",
                    "acquiredAt": 0,
                    "source": "told",
                    "sourceCharacterId": "grim",
                }
            ],
            "relationships": [],
        },
        {
            "id": "grim",
            "name": "Grim",
            "description": "The barkeep.",
            "isPlayer": False,
            "isDiscovered": True,
            "initialLocationName": "The Dusty Tankard",
            "encounterChance": 1,
            "goals": "Keep the peace",
            "knowledge": [
                {"id": "dragon", "content": "A dragon was seen.", "acquiredAt": 0, "source": "witnessed"},
                {"id": "rumour", "content": "It nests.", "acquiredAt": 0, "source": "told"},
            ],
            "relationships": [
                {"characterId": "sera", "sentiment": 0.4},
                {"characterId": "player", "sentiment": -0.25},
            ],
        },
        {
            "id": "sera",
            "name": "Sera",
            "description": "A stranger.",
            "isPlayer": False,
            "isDiscovered": False,
            "initialLocationName": "酒窖",
            "encounterChance": 0.3,
            "goals": "",
            "knowledge": [
                {"id": "hoard", "content": "There is a hoard.", "acquiredAt": 0, "source": "inferred"}
            ],
            "relationships": [],
        },
    ],
    "playerStartingLocation": "The Dusty Tankard",
}
BARE: Mapping[str, Any] = {
    **{name: TANKARD[name] for name in ("title", "description", "initialNarrativeTime", "locations")},
    "characters": [
        {"name": "You", "isPlayer": True, "initialLocationName": "The Dusty Tankard"},
        {"name": "Elda", "initialLocationName": "The Crossroads", "encounterChance": 0.5},
        {"name": "Grim", "initialLocationName": "The Dusty Tankard", "encounterChance": 1.0},
    ],
    "playerStartingLocation": "The Dusty Tankard",
}
"""Only what a scenario of the original has."""


def spell(scenario: object) -> bytes:
    return json.dumps(scenario, ensure_ascii=False).encode("utf-8", "surrogatepass")


def compile_scenario(data: bytes) -> CompiledGame:
    """The game that `talewright new --scenario` makes."""
    made = WORLD.read_scenario(data)
    with tempfile.TemporaryDirectory() as folder:
        write_scenario_game(Path(folder) / "tankard", "tankard", made.title, "world", made)
        return compile_folder(Path(folder) / "tankard", {"world": WORLD})


def write_start(compiled: CompiledGame, *, spoilers: bool = True) -> dict[str, Any]:
    """The scenario of a game nobody has played yet."""
    game = cast(Game, compiled.game)
    texts = compiled.texts[game.language]
    position = position_of(game, State(game.initial, version=0), texts.language, texts)
    sight = WorkingState(game, position).sight(WORLD)
    return cast(dict[str, Any], WORLD.write_scenario(sight, spoilers=spoilers))


def only(original: Any, written: Any) -> Any:
    """What was written, without members that the original does not have."""
    if isinstance(original, Mapping):
        return {name: only(value, written.get(name)) for name, value in original.items()}
    if isinstance(original, list):
        assert len(written) == len(original)
        return [only(*pair) for pair in zip(original, written, strict=True)]
    return written
