"""A process that serves orders: `python -m tests.plays.process_driver`, a JSON object a line.

It knows nothing but what an order says: a folder with a campaign, and what is to be done there. Its ids and
its clock are handed in, so that whatever it takes from outside a second time shows.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from talewright.chronicle.records import MAIN
from talewright.errors import TalewrightError
from talewright.llm.requests import ToolCall
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_master.held_turns import TurnHandle
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    RoundResult,
    begin_outside,
    finish,
    propose,
)
from talewright.turn.inputs.player_inputs import from_json
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Unspent
from tests.plays.recorded_steps import RecordingRunner, SteppedStage
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import CAMPAIGN, Screen, Shelf

Order = Mapping[str, Any]


class Names:
    """Gives names one after the other."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._given = 0

    def __call__(self) -> str:
        self._given += 1
        return f"{self._seed}{self._given:04d}".encode().hex()[-32:].rjust(32, "0")


def write_result(result: OpenedTurn | Committed | Unspent | RoundResult) -> dict[str, Any]:
    """What came of an order, as JSON."""
    match result:
        case OpenedTurn(handle=handle):
            return {
                "opened": [handle.branch, handle.operation_id, handle.holder],
                "said": result.said,
                "rounds": result.rounds,
            }
        case Committed(commit=commit):
            return {"committed": commit.id, "repeated": result.repeated}
        case Unspent(reason=reason):
            return {"unspent": reason.value}
        case RoundResult():
            return {
                "results": [[one.call_id, one.text, one.refused] for one in result.results],
                "flaws": [flaw.message for flaw in result.flaws],
            }


async def serve_outside(road: Road, order: Order) -> dict[str, Any]:
    """One call of a game master outside."""
    calls = tuple(ToolCall(*call) for call in order.get("calls", ()))
    handed_in = OutsideRound(
        calls, order.get("answers", {}), order.get("text", ""), tuple(order.get("facts", ()))
    )
    match order["do"]:
        case "begin":
            given = from_json(order["given"])
            return write_result(
                await begin_outside(road, MAIN, given, order["operation"], holder=order.get("holder", ""))
            )
        case "propose":
            return write_result(await propose(road, TurnHandle(*order["handle"]), handed_in))
        case _:
            return write_result(await finish(road, TurnHandle(*order["handle"]), handed_in))


async def finish_recorded(order: Order) -> dict[str, Any]:
    """Finish a turn of a play from its recorded steps, as they stand in a file."""
    play = read_play(PLAYS / f"{order['play']}.yaml")
    recorded = json.loads(Path(order["steps"]).read_text(encoding="utf-8"))
    stage = SteppedStage(play, Path(order["root"]), 0)
    turn = play.turns[order["turn"]]
    left = replace(
        turn,
        replies=turn.replies[order["asked"] :],
        condense=turn.condense and turn.condense[order["condensed"] :],
    )
    runner = RecordingRunner(dict(recorded))
    outcome = await stage.go_on(left, order["operation"], runner)
    await stage.close()
    ran = [step for step in runner.ran if step in recorded]
    return {
        "outcome": type(outcome).__name__,
        "kept": runner.kept,
        "repeated": ran,
        "asked": stage.count_asked(),
    }


async def serve(order: Order) -> dict[str, Any]:
    """Do what an order says; an error that is ours is an answer."""
    if order["do"] == "finish recorded":
        return await finish_recorded(order)
    book = await FolderStore(Path(order["root"]), git=False).open(CAMPAIGN)
    road = Road(
        book=book,
        editions=Shelf(order["game"]),
        now=lambda: str(order["now"]),
        new_id=Names(order["ids"]),
        listener=Screen().hear,
    )
    try:
        return await serve_outside(road, order)
    except TalewrightError as error:
        return {"error": type(error).__name__, "message": error.message}
    finally:
        await book.close()


def main() -> None:
    """Serve orders until there are none."""
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(asyncio.run(serve(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
