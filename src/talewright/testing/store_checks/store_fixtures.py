"""Store fixtures: sample records of no particular game, and a store with one open campaign.

The same name always gives the same value; nothing is random. The promises of a store are in the checks.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from talewright.chronicle.records import MAIN, Accepted, Aside, Attempt, AttemptVerdict, Commit, Json, Record
from talewright.chronicle.save_format import FORMAT, FORMAT_NUMBER
from talewright.chronicle.store import CampaignBook, Founding, Store
from talewright.common.frozen_values import frozen

SECRET = bytes(range(32))
"""A secret with every kind of byte: zero, newline, non-ASCII."""

ODD_VALUES: Json = {
    "empty": ["", [], {}, None],
    "truth": [True, False],
    "numbers": [0, -1, 2**53 - 1, 0.1, -2.5, 1e-300, 1e300, 1.0],
    "中文": "雾港的钟敲了十三下。“谁在那儿？”",
    "emoji": "🕯️👩‍👩‍👧 \U0001f9d9",
    "escapes": 'a "quote", a \\ and a /, \t, \n, \r, \0, \x1f, \x7f, \u2028, \ufeff',
    "like a frame": '"}\n{"chain":"',
    "": {"": {"": "a key without a character"}},
    "nested": [[[[[[[["deep"]]]]]]]],
}
"""Values that JSON can hold and a careless store cannot."""


def digest(name: str) -> str:
    """Return 64 hexadecimal digits for a name."""
    return hashlib.sha256(name.encode()).hexdigest()


def identify(name: str) -> str:
    """Return an id for a name: 32 hexadecimal digits, like random ids."""
    return digest(name)[:32]


def moment(seconds: int) -> str:
    """Return a time some seconds after the first one."""
    minutes, seconds = divmod(seconds, 60)
    return f"2026-01-01T00:{minutes:02}:{seconds:02}Z"


def make_founding(campaign: str, *, seconds: int = 0) -> Founding:
    """Make the founding of a campaign."""
    root = Commit(
        id=identify(f"{campaign} root"),
        parent="",
        branch=MAIN,
        version=0,
        operation_id=identify(f"{campaign} founding"),
        at=moment(seconds),
        game_digest=digest("game"),
        state_digest=digest(f"{campaign} root"),
        body={FORMAT: FORMAT_NUMBER, "state": {"place": "港口"}},
    )
    return Founding(campaign, root, SECRET, {"game": "harbor", "title": "雾港 🌫", "language": "zh-CN"})


def make_turn(
    parent: Commit, name: str, *, branch: str = "", body: Mapping[str, Json] | None = None
) -> Commit:
    """Make a turn that follows a commit, on its branch unless another is named."""
    return Commit(
        id=identify(f"commit {name}"),
        parent=parent.id,
        branch=branch or parent.branch,
        version=parent.version + 1,
        operation_id=identify(f"operation {name}"),
        at=moment(parent.version + 1),
        game_digest=parent.game_digest,
        state_digest=digest(f"state {name}"),
        body={"narration": name} if body is None else body,
    )


def make_input(turn: Commit) -> Accepted:
    """Make the input that a turn answers."""
    return Accepted(turn.operation_id, turn.branch, turn.parent, {"say": f"前进 {turn.id}"}, turn.at)


def make_attempt(
    turn: Commit, verdict: AttemptVerdict = AttemptVerdict.COMMITTED, *, nth: int = 1
) -> Attempt:
    """Make an attempt at a turn."""
    return Attempt(
        id=identify(f"attempt {nth} {turn.id}"),
        operation_id=turn.operation_id,
        branch=turn.branch,
        base=turn.parent,
        at=turn.at,
        verdict=verdict,
        body={"usage": {"input": 10, "cost": 0.25}, "raw": turn.id},
    )


def make_aside(commit: Commit, name: str) -> Aside:
    """Make a background result for a commit."""
    return Aside(identify(f"aside {name}"), commit.id, commit.at, {"summary": name})


def with_operation(turn: Commit, other: Commit) -> Commit:
    """Return a turn with the operation id of another."""
    return replace(turn, operation_id=other.operation_id)


Factory: TypeAlias = Callable[[], Awaitable[Store]]

CAMPAIGN = "harbor"
"""The campaign the checks work on."""


@frozen
class StoreFactories:
    """How the stores under test are created."""

    make: Factory
    """Creates a new store in an empty place."""

    reopen: Factory | None = None
    """Creates another store object on the place of the last one; without it the same object is reused."""


Check: TypeAlias = Callable[[StoreFactories], Coroutine[None, None, None]]
"""Raises AssertionError if a store breaks a promise."""


@dataclass(slots=True)
class StoreUnderCheck:
    """A new campaign and its store."""

    ground: StoreFactories
    store: Store
    book: CampaignBook
    root: Commit

    async def reopen(self) -> None:
        """Close the campaign and reopen it, as another run of the program would."""
        await self.book.close()
        if self.ground.reopen is not None:
            self.store = await self.ground.reopen()
        self.book = await self.store.open(CAMPAIGN)

    async def take_turn(self, parent: Commit, name: str, *, branch: str = "") -> Commit:
        """Take a whole turn: accept its input, then commit it."""
        turn = make_turn(parent, name, branch=branch)
        await self.book.accept(make_input(turn))
        return await self.book.commit(turn, make_attempt(turn))

    async def read_all(self) -> list[Record]:
        """Read all records, in order."""
        return [record async for record in self.book.records()]


@asynccontextmanager
async def open_sample_campaign(ground: StoreFactories) -> AsyncIterator[StoreUnderCheck]:
    """Open a new store with one campaign; it is closed at the end."""
    store = await ground.make()
    founding = make_founding(CAMPAIGN)
    desk = StoreUnderCheck(ground, store, await store.found(founding), founding.root)
    try:
        yield desk
    finally:
        await desk.book.close()
