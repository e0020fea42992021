"""A process of its own that takes turns in a campaign as fast as it can, for tests of concurrency.

Arguments: the database's address, the campaign, the process's name, the number of turns.
"""

import asyncio
import sys

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import HeadMovedError
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.shards import single_database
from talewright.testing.store_checks.store_fixtures import make_attempt, make_input, make_turn
from tests.stores.postgres.stores import KEYS


async def take_turns(url: str, campaign: str, name: str, turns: int) -> None:
    """Take turns until so many of ours were committed; each is printed once it is acknowledged."""
    store = await connect(single_database(url), KEYS)
    book = await store.open(campaign)
    taken = tries = 0
    while taken < turns:
        head = await book.read((await book.look(MAIN)).head)
        turn = make_turn(head, f"{name} {tries}")
        tries += 1
        try:
            await book.accept(make_input(turn))
            done = await book.commit(turn, make_attempt(turn))
        except HeadMovedError:
            continue
        taken += 1
        print(done.id, flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(take_turns(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
