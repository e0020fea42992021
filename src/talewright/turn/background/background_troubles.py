"""Background troubles: errors in the work that follows a turn, caught one by one, recorded and reported.

They never undo a turn, and the remaining work still runs. Systems and disks can raise anything, so this is
one of the places that catch every exception.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum

from talewright.chronicle.records import Aside, Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.turn.turn_context import Road
from talewright.turn.turn_signals import BackgroundFailed

TROUBLE = "trouble"
"""Kind of an aside that records an error: `{kind, what, system, error, message, turn}`; it has no effect."""

MESSAGE_LENGTH_MAX = 300
"""How many characters of an error message are recorded."""


class BackgroundWork(StrEnum):
    """Kinds of work that can fail without harm to a turn."""

    PAGES = "pages"
    """The pages of the campaign's folder."""

    ERRANDS = "errands"
    SUMMARY = "summary"
    PANELS = "panels"
    """The panels of a system."""

    AHEAD = "ahead"
    """Reading the next prompt ahead."""


@frozen
class BackgroundTrouble:
    """One error."""

    what: BackgroundWork
    system: str
    """The system whose work failed; empty for the engine's own work."""

    error: str
    """The name of the exception class."""

    message: str


class BackgroundTroubles:
    """Collects errors while every piece of work gets its chance to run."""

    def __init__(self) -> None:
        self.found: list[BackgroundTrouble] = []

    @contextmanager
    def catch(self, what: BackgroundWork, system: str = "") -> Iterator[None]:
        """Catch and collect any error of a piece of work."""
        try:
            yield
        except Exception as error:
            message = clean_line(str(error))[:MESSAGE_LENGTH_MAX]
            self.found.append(BackgroundTrouble(what, system, type(error).__name__, message))


async def record_troubles(road: Road, commit: Commit, found: Sequence[BackgroundTrouble]) -> None:
    """Record errors of the work that follows a turn, once each, and report them.

    If the book no longer accepts records, they are only reported.
    """
    for trouble in dict.fromkeys(found):
        body = write_trouble(trouble, commit.version)
        with BackgroundTroubles().catch(trouble.what):
            known = await road.book.asides(frozenset({commit.id}))
            if not any(aside.body == body for aside in known):
                await road.book.add(Aside(road.new_id(), commit.id, road.now(), body))
        road.listener(
            BackgroundFailed(trouble.what.value, trouble.system, commit.branch, commit.operation_id)
        )


def write_trouble(trouble: BackgroundTrouble, turn: int) -> dict[str, Json]:
    """Return an error as stored in an aside."""
    return {
        "kind": TROUBLE,
        "what": trouble.what.value,
        "system": trouble.system,
        "error": trouble.error,
        "message": trouble.message,
        "turn": turn,
    }
