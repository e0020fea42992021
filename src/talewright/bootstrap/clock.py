"""The clock of this machine, as the engine is handed it.

Nothing below asks for the time itself.
"""

from datetime import UTC, datetime


def tell_time() -> str:
    """The time as ISO 8601 in UTC, to the microsecond."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
