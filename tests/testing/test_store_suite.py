"""The suite of stores: it lets a good store pass and finds every promise that a bad one breaks."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import replace

import pytest

from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import (
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    Json,
    Pointing,
    Record,
)
from talewright.chronicle.store import (
    Acceptance,
    BlobKind,
    CampaignBook,
    CampaignListing,
    CampaignStatus,
    ChronicleError,
    Founding,
    HeadMovedError,
    OperationTrail,
    Store,
    UnknownCommitError,
)
from talewright.stores.memory_store import MemoryBook, MemoryStore
from talewright.testing.expectations import NamedCheck, expect_equal, expect_raises
from talewright.testing.store_checks.store_fixtures import StoreFactories
from talewright.testing.store_suite import STORE_CHECKS, check_store
from tests.testing.broken_books import (
    Everywhere,
    Free,
    Growing,
    Late,
    Pointed,
    Trustful,
    Unbound,
    Unpaged,
)


class Overwriting(MemoryBook):
    """Moves the head without looking where it is."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        commit = replace(commit, sequence=self._volume.ledger.next_sequence)
        self._volume.append(commit, attempt)
        return commit


class Waiting(MemoryBook):
    """Looks at the head, gives way to others, and only then writes."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        head = (await self.branches()).get(commit.branch)
        await asyncio.sleep(0)
        if head != commit.parent:
            raise HeadMovedError(head or "")
        commit = replace(commit, sequence=self._volume.ledger.next_sequence)
        self._volume.append(commit, attempt)
        return commit


class Noting(MemoryBook):
    """Writes the attempts of those who lost, which is not its business."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        try:
            return await super().commit(commit, attempt)
        except HeadMovedError:
            await self.add(attempt)
            raise


class Trusting(MemoryBook):
    """Takes the counter that the caller gave."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        answer = await super().commit(commit, attempt)
        return replace(answer, sequence=commit.sequence or answer.sequence)


class AttemptFirst(MemoryBook):
    """Writes the attempt before its commit."""

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        if (await self.find(commit.operation_id)).commit is not None:
            return await super().commit(commit, attempt)
        self._expect(commit.branch, expected_head(commit))
        commit = replace(commit, sequence=self._volume.ledger.next_sequence)
        self._volume.append(attempt, commit)
        return commit


class Repeating(MemoryBook):
    """Writes an input each time it arrives."""

    async def accept(self, accepted: Accepted) -> Acceptance:
        self._volume.append(accepted)
        return replace(self._volume.ledger.answer(accepted), accepted=accepted)


class Patient(MemoryBook):
    """Takes inputs for a head that has moved on."""

    async def accept(self, accepted: Accepted) -> Acceptance:
        try:
            return await super().accept(accepted)
        except HeadMovedError:
            self._volume.append(accepted)
            return self._volume.ledger.answer(accepted)


class Losing(MemoryBook):
    """Forgets which inputs wait."""

    async def look(self, branch: str = "") -> CampaignStatus:
        return replace(await super().look(branch), waiting=())


class Careless(MemoryBook):
    """Points anywhere from anywhere."""

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        self._volume.append(pointing)


class Strict(MemoryBook):
    """Expects something of marks as well."""

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        if pointing.name in (await self.marks()):
            raise HeadMovedError("")
        await super().point(pointing, expected)


class Backwards(MemoryBook):
    """Gives a line oldest first."""

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        return (await super().back(commit, count))[::-1]


class Unsorted(MemoryBook):
    """Gives asides commit by commit."""

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        found = await super().asides(commits)
        return tuple(sorted(found, key=lambda aside: aside.commit))


class Silent(MemoryBook):
    """Says nothing of what is not there."""

    async def read(self, commit: str) -> Commit:
        try:
            return await super().read(commit)
        except UnknownCommitError:
            return Commit(commit, "", "main", 0, "", "", "", "")


class Shuffling(MemoryBook):
    """Gives the records in another order."""

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        for record in sorted([record async for record in super().records(after, limit)], key=repr):
            yield record


class Tidy(MemoryBook):
    """Drops attempts that came to nothing."""

    async def find(self, operation_id: str) -> OperationTrail:
        trail = await super().find(operation_id)
        return replace(
            trail, attempts=tuple(a for a in trail.attempts if a.verdict is AttemptVerdict.COMMITTED)
        )


class OneShelf(MemoryBook):
    """Puts everything on one shelf."""

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        return await super().kept(BlobKind.GAME, name) or await super().kept(BlobKind.SNAPSHOT, name)


class Blabbing(MemoryBook):
    """Makes up another secret."""

    async def secret(self) -> bytes:
        return bytes(32)


class ClosingOnce(MemoryBook):
    """Cannot be closed twice."""

    closed = False

    async def close(self) -> None:
        if self.closed:
            raise ChronicleError("closed already")
        self.closed = True


class Suspicious(MemoryBook):
    """Takes its own pages for somebody's edits."""

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        pages = self.projection.pages if self.projection is not None else {}
        return {path: pages[path] for path in paths if path in pages}


BROKEN: dict[type[MemoryBook], set[str]] = {
    Overwriting: {"many at once", "one operation, one commit", "undoing"},
    Waiting: {"many at once", "one operation, one commit"},
    Noting: {"many at once"},
    Trusting: {"the counter"},
    AttemptFirst: {"records in their order"},
    Repeating: {"one operation, one input", "an input that comes late"},
    Patient: {"an input that comes late"},
    Losing: {"waiting inputs"},
    Careless: {"pointing"},
    Strict: {"marks"},
    Backwards: {"going back", "undoing"},
    Unsorted: {"asides"},
    Silent: {"what is not there"},
    Shuffling: {"records in their order"},
    Tidy: {"every try on its trail"},
    Growing: {"adding twice"},
    Unbound: {"the chain"},
    Late: {"records after a commit"},
    Trustful: {"open turns"},
    Unpaged: {"names in pages"},
    Everywhere: {"how a branch stands"},
    Pointed: {"a turn in the place of another"},
    Free: {"totals of spending"},
    OneShelf: {"shelves"},
    Blabbing: {"the secret"},
    ClosingOnce: {"closing"},
    Suspicious: {"edits"},
}
"""Books that break a promise, and checks that must say so."""


class Binding(MemoryStore):
    """A memory store whose books are of another kind."""

    def __init__(self, kind: type[MemoryBook]) -> None:
        super().__init__()
        self._kind = kind

    async def found(self, founding: Founding) -> CampaignBook:
        await super().found(founding)
        return await self.open(founding.campaign)

    async def open(self, campaign: str) -> CampaignBook:
        await super().open(campaign)
        return self._kind(self._volumes[campaign])


class LastNameFirst(MemoryStore):
    """Lists campaigns the wrong way round."""

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = 256
    ) -> tuple[CampaignListing, ...]:
        return (await super().campaigns(owner, after, limit))[::-1]


class Undated(MemoryStore):
    """Does not say which campaign was written last."""

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = 256
    ) -> tuple[CampaignListing, ...]:
        return tuple(replace(one, recency=()) for one in await super().campaigns(owner, after, limit))


class Replacing(MemoryStore):
    """Begins a campaign anew where there is one of its name."""

    async def found(self, founding: Founding) -> CampaignBook:
        self._volumes.pop(founding.campaign, None)
        return await super().found(founding)


class Deleting(MemoryStore):
    """Takes a removed campaign out of the list and lets whoever plays it play on."""

    async def remove(self, campaign: str, at: str) -> str:
        place = await super().remove(campaign, at)
        self.bin[place].removed = False
        return place


class Keeping(MemoryStore):
    """Says that it removes."""

    async def remove(self, campaign: str, at: str) -> str:
        return f"{campaign} {at}"


async def failures(make: Callable[[], Store], checks: Iterable[str] = STORE_CHECKS) -> set[str]:
    """Those of the checks that a store does not pass."""

    async def made() -> Store:
        return make()

    failed = set()
    for name in checks:
        try:
            await STORE_CHECKS[name](StoreFactories(made))
        except (AssertionError, ChronicleError):
            failed.add(name)
    return failed


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_broken_books_are_found(kind: type[MemoryBook]) -> None:
    assert asyncio.run(failures(lambda: Binding(kind), BROKEN[kind])) == BROKEN[kind]


def test_good_books_pass() -> None:
    assert asyncio.run(failures(lambda: Binding(MemoryBook))) == set()


def test_broken_stores_are_found() -> None:
    assert asyncio.run(failures(LastNameFirst)) == {"campaigns in pages"}
    assert asyncio.run(failures(Undated)) == {"the list of campaigns"}
    assert asyncio.run(failures(Replacing)) == {"names"}
    assert asyncio.run(failures(Deleting)) == {"removing"}
    assert asyncio.run(failures(Keeping)) == {"removing"}


def test_the_failing_check_is_named() -> None:
    async def make() -> Store:
        return Undated()

    with pytest.raises(
        AssertionError, match=r"^the list of campaigns: by founding: \['a', 'b', 'c'\] instead"
    ):
        asyncio.run(check_store(make))


def test_other_errors_get_a_note() -> None:
    with pytest.raises(KeyError) as caught, NamedCheck("shelves"):
        raise KeyError("x")
    assert caught.value.__notes__ == ["while checking the store: shelves"]


def test_reopening_is_used_where_it_is_there() -> None:
    stores = [MemoryStore()]
    reopened = []

    async def make() -> Store:
        stores.append(MemoryStore())
        return stores[-1]

    async def reopen() -> Store:
        reopened.append(stores[-1])
        return stores[-1]

    asyncio.run(check_store(make, reopen))
    assert len(reopened) >= len(STORE_CHECKS)


def test_expectations() -> None:
    async def nothing() -> None:
        """Raises nothing."""

    expect_equal("same", 1, 1)
    with pytest.raises(AssertionError, match=r"^thing: 1 instead of 2$"):
        expect_equal("thing", 1, 2)
    with pytest.raises(AssertionError) as caught:
        expect_equal("long", "x" * 700, "")
    assert str(caught.value) == f"long: '{'x' * 599}... instead of ''"
    with pytest.raises(AssertionError, match=r"^call: no KeyError$"):
        asyncio.run(expect_raises(KeyError, "call", nothing()))
