"""Condensing: what is done after a turn is safe, and kept as asides for the next one.

It moves no head and fails no turn. Without a storyteller there is nothing to condense with.
"""

from talewright.chronicle.records import Aside
from talewright.contract.dialects import DIALECTS
from talewright.kernel.documents import Json
from talewright.kernel.table import Table
from talewright.turn.asides import ERRAND, UNANSWERED
from talewright.turn.asking import Asker, Ledger
from talewright.turn.committing import write_cost
from talewright.turn.errands import run_errand
from talewright.turn.recalling import recall
from talewright.turn.road import Road
from talewright.turn.signals import BackgroundDone


async def condense(road: Road, branch: str) -> int:
    """Run the errands of the systems for a branch's newest turn; how many were answered."""
    if road.teller is None:
        return 0
    recalled = await recall(road, branch)
    game = recalled.edition.game
    known = await road.book.asides(frozenset({recalled.head.id}))
    done = {(aside.body.get("system"), aside.body.get("errand")) for aside in known}
    table = Table(game, recalled.position)
    wanted = [
        (system.name, errand)
        for system in game.systems
        for errand in system.errands(table.sight(system))
        if (system.name, errand.id) not in done
    ]
    made = 0
    for system, errand in wanted[: road.limits.errands_max]:
        ledger = Ledger()
        asker = Asker(road, DIALECTS[game.contract], (), ledger, f"errand {system} {errand.id}")
        answer = await run_errand(asker, road.teller, errand)
        body: dict[str, Json] = {"kind": UNANSWERED, "system": system, "errand": errand.id}
        if answer is not None:
            body |= {"kind": ERRAND, "answer": answer}
        await road.book.add(
            Aside(road.new_id(), recalled.head.id, road.now(), {**body, **write_cost(ledger)})
        )
        if answer is not None:
            road.listener(BackgroundDone(ERRAND))
            made += 1
    return made
