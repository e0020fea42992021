"""Scenario games: makes a game in the user's folder from the bytes of a scenario.

The first installed system that reads scenarios is used. An existing game is never overwritten, and no listed
game is replaced by one with its id.
"""

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from talewright.chronicle.store import NameTakenError, UnfitNameError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.kernel.system import HasScenarios, ScenarioError, System
from talewright.pack.game_folders import write_scenario_game
from talewright.play.lobby import GameInfo
from talewright.play.serving.served_jobs import JobKind, JobRunner

SCENARIO_BYTES_MAX = 16 * 1024 * 1024
"""The maximum size in bytes of a scenario."""

GAME_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""What the id of a new game may look like."""

GAME_ID_RULE = "Use up to 40 lowercase letters, digits and underscores, starting with a letter"
NO_NAME = "scenario"
"""The id of a game whose title has no letters allowed in an id."""


def find_scenario_reader(systems: Mapping[str, System]) -> HasScenarios:
    """The first system that reads scenarios."""
    for name in systems:
        with suppress(TalewrightError):
            system = systems[name]
            if isinstance(system, HasScenarios):
                return system
    raise TalewrightError("no installed system reads scenarios", "Reinstall Talewright.")


@frozen
class ScenarioImporter:
    """Makes games from scenarios, for faces that receive them as bytes."""

    games: Path
    """The folder in which the games are made."""

    systems: Mapping[str, System]
    list_games: Callable[[], tuple[GameInfo, ...]]
    """The games that are listed already, in this folder or another; called in another thread."""

    jobs: JobRunner | None = None
    """On a server, makes the games in another process."""

    async def __call__(self, data: bytes, name: str = "") -> str:
        """Make a game; returns its id. Without a name, it is named after its title."""
        if self.jobs is not None:
            asked: dict[str, Json] = {"games": str(self.games), "name": name}
            return cast(str, (await self.jobs.run(JobKind.IMPORT_SCENARIO, asked, data)).value)
        return await asyncio.to_thread(
            make_scenario_game, self.games, self.systems, self.list_games, data, name
        )


def make_scenario_game(
    games: Path,
    systems: Mapping[str, System],
    list_games: Callable[[], tuple[GameInfo, ...]],
    data: bytes,
    name: str,
) -> str:
    """Make a game in the folder `games`; returns its id."""
    if len(data) > SCENARIO_BYTES_MAX:
        raise ScenarioError("the scenario is too large", f"The limit is {SCENARIO_BYTES_MAX // 2**20} MiB.")
    reader = find_scenario_reader(systems)
    scenario = reader.read_scenario(data)
    made = name or find_id(scenario.title, NO_NAME)
    if not GAME_ID.fullmatch(made):
        raise UnfitNameError(f"{made!r} cannot be the id of a game", f"{GAME_ID_RULE}.")
    folder = games / made
    if os.path.lexists(folder) or any(info.id == made for info in list_games()):
        raise NameTakenError(f"a game {made!r} already exists", "Choose another name.")
    try:
        games.mkdir(parents=True, exist_ok=True)
        write_scenario_game(folder, made, scenario.title, reader.name, scenario)
    except OSError as error:
        raise TalewrightError(
            f"the game could not be written: {error.strerror or error}", f"Check the folder {games}."
        ) from error
    return made


def find_id(title: str, otherwise: str) -> str:
    """The id of a game with a title; `otherwise` if no letter of the title can be in an id."""
    words = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:40]
    return words if GAME_ID.fullmatch(words) else otherwise
