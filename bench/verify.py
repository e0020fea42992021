"""Verifying a campaign of Mist Harbor told by scenes: every turn played again, every draw derived.

The campaign is walked at random through the door that players use, and kept in a folder. Reading and checking
the hash chain are counted.
"""

import asyncio
import random
import statistics
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from bench.figures import at_least, report
from talewright.bootstrap import open_lobby
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.turn_proof import TurnStanding
from tests.opened import opened

TURNS = 300
ROUNDS = 3
SEED = 15
TURNS_PER_SECOND_MIN = 200
SECRET = bytes(range(32))
GAME = "mist_harbor"


async def play(lobby: StoreLobby) -> None:
    """Choose at random; where the story ends, go back some turns and on from there."""
    choose = random.Random(SEED)
    session = await opened(lobby.begin(GAME, "en", "walk"))
    taken = 1
    while taken < TURNS:
        view = await session.view()
        if view.choices:
            await session.choose(choose.choice(view.choices).id)
            taken += 1
        else:
            await session.undo(choose.randrange(1, view.version))
    await session.close()


async def measure(saves: Path) -> int:
    """Play, then verify a few times."""
    lobby = open_lobby(saves, git=False, language="en", secret=SECRET)
    begin = perf_counter()
    await play(lobby)
    print(f"seed {SEED}: {TURNS} turns played in {perf_counter() - begin:.1f} s")
    rates = []
    for _ in range(ROUNDS):
        book = await lobby.store.open("walk")
        start = process_time()
        found = await verify(book, editions=lobby.shelf, secret=SECRET)
        rates.append(len(found.turns) / (process_time() - start))
        await book.close()
        assert found.good, found.violations[:3]
        assert found.count(TurnStanding.PROVEN) == len(found.turns) == TURNS + 1
    print(f"{dict(found.checked)}")
    return report([at_least("verify_turns_per_second", statistics.median(rates), TURNS_PER_SECOND_MIN)])


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measure(Path(name)))


if __name__ == "__main__":
    raise SystemExit(main())
