"""Books that break a promise of what is bounded, chained, counted or held open; each one breaks one."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Record
from talewright.chronicle.spending_totals import SpendingTotals
from talewright.chronicle.store import Acceptance, CampaignStatus
from talewright.stores.memory_store import MemoryBook


class Growing(MemoryBook):
    """Writes what is added each time."""

    async def add(self, record: Attempt | Aside) -> None:
        self._volume.append(record)


class Unbound(MemoryBook):
    """Binds nothing."""

    async def chain(self, length: int | None = None) -> ChainEnd:
        return ChainEnd(len(self._volume.records), "0" * 64)


class Late(MemoryBook):
    """Begins with the commit that was named."""

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        async for record in super().records(max(after - 1, -1), limit):
            yield record


class Trustful(MemoryBook):
    """Lets anybody write an open turn."""

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        known = await self.open_turn(turn.branch)
        return await super().write_open_turn(turn, 0 if known is None else known.revision)


class Unpaged(MemoryBook):
    """Has one page of everything."""

    async def branches(self, after: str = "", limit: int = 0) -> Mapping[str, str]:
        return self._volume.ledger.branches


class Everywhere(MemoryBook):
    """Tells how the branch stands that moved last, whichever was asked for."""

    async def look(self, branch: str = "") -> CampaignStatus:
        return await super().look()


class Pointed(MemoryBook):
    """Expects the parent at the end of the branch, whatever the turn replaces."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        self._expect(commit.branch, commit.parent)
        return await super().commit(commit, attempt)


class Free(MemoryBook):
    """Counts no money."""

    async def accept(self, accepted: Accepted) -> Acceptance:
        return replace(await super().accept(accepted), spent=SpendingTotals())
