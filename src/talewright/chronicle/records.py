"""Records: the four kinds of records of a campaign, and the pointer records that move branches.

Values only. A record is never altered or deleted; later records show its consequences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Read-only for the type checker; plain dicts and lists at run time."""

MAIN = "main"
"""The branch every campaign starts on."""

QUICK = "quick"
"""The mark of a quick save."""


@frozen
class Accepted:
    """An accepted input; durable before any model is asked."""

    operation_id: str
    """Created by the client: the same id means the same request, however often it arrives."""

    branch: str
    base: str
    """The id of the commit the input was meant for."""

    input: Json
    at: str
    """When, as ISO 8601 in UTC."""

    replaces: str = ""
    """The id of the commit that the turn replaces. The branch then points at that commit instead of the base,
    which is its parent.
    """


@frozen
class Commit:
    """One finished turn."""

    id: str
    """Random: it reveals nothing about the commit."""

    parent: str
    """The id of the commit before it; empty for the first."""

    branch: str
    version: int
    """The depth on its branch; it may occur on several."""

    operation_id: str
    at: str
    game_digest: str
    """The pinned game that the turn was played with."""

    state_digest: str
    """SHA-256 of the state after it."""

    body: Mapping[str, Json] = field(default_factory=dict)
    """What happened, in a format defined by the turn layer."""

    sequence: int = 0
    """A counter that never decreases, assigned by the store."""

    replaces: str = ""
    """The id of the commit it replaced: the branch pointed at that one, which has the same parent."""

    def with_sequence(self, sequence: int) -> "Commit":
        """The same commit with its sequence number; `replace` would take three times as long."""
        return Commit(
            self.id,
            self.parent,
            self.branch,
            self.version,
            self.operation_id,
            self.at,
            self.game_digest,
            self.state_digest,
            self.body,
            sequence,
            self.replaces,
        )


class AttemptVerdict(StrEnum):
    """How an attempt ended."""

    COMMITTED = "committed"
    DEGRADED = "degraded"
    """No model could narrate it; the player was offered a retry."""

    FAILED = "failed"
    LOST = "lost"
    """Another turn moved the head first."""

    CANCELLED = "cancelled"
    """The player stopped it to say something else."""

    INTERRUPTED = "interrupted"
    """The session ended first, or the disk could not store the turn; the input waits to be continued."""

    UNSPENT = "unspent"
    """The input was not understood or not allowed, and used up no turn."""


CLOSING_VERDICTS = frozenset(AttemptVerdict) - {AttemptVerdict.INTERRUPTED}
"""Verdicts after which an accepted input no longer waits to be continued."""


@frozen
class Attempt:
    """One attempt at a turn, committed or not; the cost report reads these."""

    id: str
    operation_id: str
    branch: str
    base: str
    at: str
    verdict: AttemptVerdict
    body: Mapping[str, Json] = field(default_factory=dict)
    """Raw replies of an uncommitted attempt, usage, and why it ended."""


@frozen
class Aside:
    """A finished background result. It moves no head; the next turn uses it."""

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
    """A branch or mark was set to point at a commit. It is in the chain because its order matters."""

    kind: PointerKind
    name: str
    commit: str
    at: str


Record: TypeAlias = Accepted | Commit | Attempt | Aside | Pointing
