"""The lease of an open turn: how long an external game master may leave it open before it expires.

Every call renews the lease. While it lasts, nobody else can take a turn on the branch; when it has ended, the
next caller settles the turn, and the game master must begin it again.
"""

from datetime import UTC, datetime, timedelta

from talewright.chronicle.open_turns import OpenTurn
from talewright.errors import TalewrightError

LEASE_SECONDS_MAX = 1_800.0
"""How long a turn narrated from outside may stay open after a call: the default of
`TurnLimits.lease_seconds_max`.
"""

MASTER_OPERATION_LENGTH_MAX = 39
"""Maximum length of the operation id of a game master's turn, in characters: a UUID has 36."""

HOLDER_LENGTH_MAX = 200
"""Maximum length of a game master's name, in characters."""


ABANDONED = "abandoned"
"""The part of an open turn that says that nobody can continue it any more."""


class LeaseError(TalewrightError):
    """The open turn does not, or no longer, belong to the caller."""


def lease_end(now: str, seconds: float) -> str:
    """When a lease that is renewed now ends, as ISO 8601 in UTC."""
    until = datetime.fromisoformat(now) + timedelta(seconds=seconds)
    return until.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def is_held(lease: OpenTurn, head: str, now: str) -> bool:
    """Whether an open turn holds its branch: it was not abandoned, has not expired, and no turn came in
    between.
    """
    return not is_abandoned(lease) and not is_expired(lease, now) and lease.body.get("head") == head


def is_abandoned(lease: OpenTurn) -> bool:
    """Whether an open turn was abandoned; it is removed once what was seen in it is recorded."""
    return bool(lease.body.get(ABANDONED))


def is_expired(lease: OpenTurn, now: str) -> bool:
    """Whether an open turn has expired."""
    return datetime.fromisoformat(now) > datetime.fromisoformat(lease.until)
