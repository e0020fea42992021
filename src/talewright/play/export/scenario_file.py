"""Scenario files: the world of a campaign at one turn as the bytes of a JSON file, for other programs too.

It is made from the record and changes nothing. The game determines which system writes it.
"""

import json

from talewright.chronicle.records import Commit
from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import position_of
from talewright.kernel.system import HasScenarios, ScenarioError
from talewright.play.history.campaign_history import ArchivedCampaign
from talewright.turn.steps.recalling import fold

SCENARIO = "scenario"
"""The name of the format on the command line."""


async def export_scenario(
    past: ArchivedCampaign, last: Commit | None = None, *, spoilers: bool = False
) -> bytes:
    """The world after a turn, or as it is now; without `spoilers` only what the player knows.

    Raises ScenarioError if the game has no system that writes scenarios.
    """
    turn = past.history.head if last is None else last
    edition, wording = await past.read_with(turn)
    game, writer = edition.game, _find_writer(edition.game)
    state, _ = await fold(past.book, turn.id)
    position = position_of(game, state, wording.language, wording.texts)
    scenario = writer.write_scenario(WorkingState(game, position).sight(writer), spoilers=spoilers)
    return (json.dumps(scenario, indent=2, ensure_ascii=False) + "\n").encode()


def _find_writer(game: Game) -> HasScenarios:
    """The first system of a game that writes scenarios."""
    if game.parts.scenarios:
        return game.parts.scenarios[0]
    raise ScenarioError(
        f"the game {game.id!r} has no world that a scenario could describe",
        "Export it as a story: --format md, html or epub.",
    )
