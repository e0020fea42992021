"""Store fixtures: sample records of no game in particular, and a store with one campaign open on it.

The same name always gives the same value; nothing here is random. They know no promise of a store; the
checks do.
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
"""A secret with every kind of byte in it: zero, newline, beyond ASCII."""

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
"""What JSON can hold and a careless store cannot."""


def digest(name: str) -> str:
    """64 hexadecimal digits for a name."""
    return hashlib.sha256(name.encode()).hexdigest()


def identify(name: str) -> str:
    """An id for a name: 32 hexadecimal digits, as random ids have."""
    return digest(name)[:32]


def moment(seconds: int) -> str:
    """A time, some seconds after the first one."""
    minutes, seconds = divmod(seconds, 60)
    return f"2026-01-01T00:{minutes:02}:{seconds:02}Z"


def make_founding(campaign: str, *, seconds: int = 0) -> Founding:
    """A campaign about to begin."""
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
    """A turn that follows a commit, on its branch unless another is named."""
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
    """The input that a turn answers."""
    return Accepted(turn.operation_id, turn.branch, turn.parent, {"say": f"前进 {turn.id}"}, turn.at)


def make_attempt(
    turn: Commit, verdict: AttemptVerdict = AttemptVerdict.COMMITTED, *, nth: int = 1
) -> Attempt:
    """A try at a turn."""
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
    """A background result made for a commit."""
    return Aside(identify(f"aside {name}"), commit.id, commit.at, {"summary": name})


def with_operation(turn: Commit, other: Commit) -> Commit:
    """A turn under the operation id of another."""
    return replace(turn, operation_id=other.operation_id)


Factory: TypeAlias = Callable[[], Awaitable[Store]]

CAMPAIGN = "harbor"
"""The campaign that a check works on."""


@frozen
class StoreFactories:
    """How the stores under check are made."""

    make: Factory
    """A new store in an empty place of its own."""

    reopen: Factory | None = None
    """Another store object in the place of the one made last; without it the same object is used again."""


Check: TypeAlias = Callable[[StoreFactories], Coroutine[None, None, None]]
"""Raises AssertionError where a store breaks a promise."""


@dataclass(slots=True)
class StoreUnderCheck:
    """One campaign, just begun, and its store."""

    ground: StoreFactories
    store: Store
    book: CampaignBook
    root: Commit

    async def reopen(self) -> None:
        """Close the campaign and open it again, as another run of the program would."""
        await self.book.close()
        if self.ground.reopen is not None:
            self.store = await self.ground.reopen()
        self.book = await self.store.open(CAMPAIGN)

    async def take_turn(self, parent: Commit, name: str, *, branch: str = "") -> Commit:
        """A whole turn: accepted, then committed."""
        turn = make_turn(parent, name, branch=branch)
        await self.book.accept(make_input(turn))
        return await self.book.commit(turn, make_attempt(turn))

    async def read_all(self) -> list[Record]:
        """All records, in their order."""
        return [record async for record in self.book.records()]


@asynccontextmanager
async def open_sample_campaign(ground: StoreFactories) -> AsyncIterator[StoreUnderCheck]:
    """A new store with one campaign open; it is closed at the end."""
    store = await ground.make()
    founding = make_founding(CAMPAIGN)
    desk = StoreUnderCheck(ground, store, await store.found(founding), founding.root)
    try:
        yield desk
    finally:
        await desk.book.close()
