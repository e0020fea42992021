"""Background troubles: what went wrong in work that follows a turn, caught piece by piece, recorded and told.

A turn is never undone by it, and the next piece of work runs. What systems and disks throw is not ours to
foresee, so this is one of the places that catch everything.
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
"""An aside that says what went wrong: `{kind, what, system, error, message, turn}`; it changes nothing."""

MESSAGE_LENGTH_MAX = 300
"""Characters of an error's message that are kept."""


class BackgroundWork(StrEnum):
    """What may go wrong without harm to a turn."""

    PAGES = "pages"
    """The pages of the campaign's folder."""

    ERRANDS = "errands"
    SUMMARY = "summary"
    PANELS = "panels"
    """What a system shows beside the story."""

    AHEAD = "ahead"
    """Reading the next prompt ahead."""


@frozen
class BackgroundTrouble:
    """One thing that went wrong."""

    what: BackgroundWork
    system: str
    """Whose work it was; empty where it was the engine's own."""

    error: str
    """The name of the exception."""

    message: str


class BackgroundTroubles:
    """What went wrong so far, while every piece had its try."""

    def __init__(self) -> None:
        self.found: list[BackgroundTrouble] = []

    @contextmanager
    def catch(self, what: BackgroundWork, system: str = "") -> Iterator[None]:
        """Let a piece of work fail by itself."""
        try:
            yield
        except Exception as error:
            message = clean_line(str(error))[:MESSAGE_LENGTH_MAX]
            self.found.append(BackgroundTrouble(what, system, type(error).__name__, message))


async def record_troubles(road: Road, commit: Commit, found: Sequence[BackgroundTrouble]) -> None:
    """Write down, once, what went wrong after a turn, and tell it.

    A book that takes nothing more cannot be told so.
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
    """As it is kept in an aside."""
    return {
        "kind": TROUBLE,
        "what": trouble.what.value,
        "system": trouble.system,
        "error": trouble.error,
        "message": trouble.message,
        "turn": turn,
    }
