"""Records: the four kinds of things a campaign remembers, and the pointings by which branches move.

Values only. A record is never altered and never deleted; what follows from it is found by reading on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Read-only in its type; at run time plain dicts and lists."""

MAIN = "main"
"""The branch every campaign begins on."""

QUICK = "quick"
"""The mark of a quick save."""


@frozen
class Accepted:
    """An input that was taken in; durable before any model is asked."""

    operation_id: str
    """Made by the client: the same id is the same wish, however often it arrives."""

    branch: str
    base: str
    """The id of the commit the input was meant for."""

    input: Json
    at: str
    """When, as ISO 8601 in UTC."""

    replaces: str = ""
    """The id of the commit the turn is to take the place of, where the branch stands on that one and not on
    the base: the base is its parent."""


@frozen
class Commit:
    """One finished turn."""

    id: str
    """Random: it tells nothing about what it names."""

    parent: str
    """The id of the commit before it; empty for the first."""

    branch: str
    version: int
    """The depth on its branch; it may occur on several."""

    operation_id: str
    at: str
    game_digest: str
    """Which pinned game the turn was played with."""

    state_digest: str
    """SHA-256 of the state after it."""

    body: Mapping[str, Json] = field(default_factory=dict)
    """What happened, in the words of whoever took the turn."""

    sequence: int = 0
    """A counter that never goes back, given by the store."""

    replaces: str = ""
    """The id of the commit it took the place of: the branch stood on that one, whose parent is its own."""


class AttemptVerdict(StrEnum):
    """How a try ended."""

    COMMITTED = "committed"
    DEGRADED = "degraded"
    """Nobody could tell it; the player was offered to try again."""

    FAILED = "failed"
    LOST = "lost"
    """Another turn moved the head first."""

    CANCELLED = "cancelled"
    """The player stopped it and means to say something else."""

    INTERRUPTED = "interrupted"
    """The session or its process ended first; the input waits to be gone on with."""

    UNSPENT = "unspent"
    """The input was not understood or not allowed, and no turn was spent on it."""


CLOSING_VERDICTS = frozenset(AttemptVerdict) - {AttemptVerdict.INTERRUPTED}
"""Verdicts after which an accepted input no longer waits to be gone on with."""


@frozen
class Attempt:
    """One try at a turn, committed or not; the cost ledger reads these."""

    id: str
    operation_id: str
    branch: str
    base: str
    at: str
    verdict: AttemptVerdict
    body: Mapping[str, Json] = field(default_factory=dict)
    """Raw replies of a try that was not committed, usage, why it ended."""


@frozen
class Aside:
    """A finished background result. It moves no head; the next turn takes it up."""

    id: str
    commit: str
    """The id of the commit it was made for."""

    at: str
    body: Mapping[str, Json] = field(default_factory=dict)


class PointerKind(StrEnum):
    """What can point at a commit."""

    BRANCH = "branch"
    MARK = "mark"


@frozen
class Pointing:
    """A branch or a mark was made to point at a commit. It stands in the chain for the sake of its order."""

    kind: PointerKind
    name: str
    commit: str
    at: str


Record: TypeAlias = Accepted | Commit | Attempt | Aside | Pointing
