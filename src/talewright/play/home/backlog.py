"""The backlog: what was committed since a watcher last listened, read from the chronicle.

Nothing is kept for watchers beforehand; the record is the only memory.
"""

from collections.abc import AsyncIterator

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.play.news import LIVE, STRIDE

LINEAGE_MAX = 256
"""Commits that are looked for along the branches; for more of them all records are read."""


def sequence_before(number: int) -> int:
    """The newest sequence of which nothing more can be missing after a number of news."""
    sequence, index = divmod(number, STRIDE)
    return sequence if index >= LIVE else sequence - 1


async def missed(book: CampaignBook, after: int) -> AsyncIterator[Commit]:
    """All commits with a greater sequence, in their order, on whatever branch they are."""
    outlook = await book.look()
    wanted = outlook.sequence - after
    if wanted <= 0:
        return
    if wanted <= LINEAGE_MAX:
        found: dict[int, Commit] = {}
        for head in reversed([*outlook.branches.values()]):
            line = await book.back(head, wanted)
            found |= {commit.sequence: commit for commit in line if commit.sequence > after}
            if len(found) == wanted:
                break
        if len(found) == wanted:
            for sequence in sorted(found):
                yield found[sequence]
            return
    # Some turns were undone and lie on no branch any more, or there are very many.
    try:
        async for record in book.records():
            if isinstance(record, Commit) and record.sequence > after:
                yield record
    except DamagedError:
        # What lies behind the damage cannot be told; the view says so.
        return
