"""Troubles of a campaign: recorded errors in its turns and background work.

For operators only: error messages may name hidden things, so players never see them.
"""

from collections.abc import Mapping

from talewright.chronicle.records import Aside, Attempt, AttemptVerdict
from talewright.chronicle.store import CampaignBook, UnknownCommitError
from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.turn.background.background_troubles import MESSAGE_LENGTH_MAX, TROUBLE
from talewright.turn.turn_outcomes import OutcomeReason

TURN = "turn"
"""Marks a trouble of a turn itself."""


@frozen
class CampaignTrouble:
    """One error, and how often it occurred."""

    what: str
    """`turn`, or a name from `turn.background.background_troubles.BackgroundWork`."""

    system: str
    """The system that caused it; empty for the engine itself, or if unknown."""

    message: str
    """Includes the name of the exception."""

    turn: int
    """The latest occurrence: the turn that failed, or the one after which it happened."""

    times: int = 1


async def find_troubles(book: CampaignBook) -> tuple[CampaignTrouble, ...]:
    """The errors in a campaign, newest last; repeated ones are listed once, with a count."""
    found: dict[tuple[str, str, str], CampaignTrouble] = {}
    async for record in book.records():
        if not isinstance(record, Aside | Attempt):
            continue
        trouble = _read_aside(record) if isinstance(record, Aside) else await _read_attempt(book, record)
        if trouble is not None:
            key = (trouble.what, trouble.system, trouble.message)
            before = found.pop(key, None)
            times = 1 if before is None else before.times + 1
            found[key] = CampaignTrouble(*key, trouble.turn, times)
    return tuple(found.values())


def _read_aside(aside: Aside) -> CampaignTrouble | None:
    body = aside.body
    if body.get("kind") != TROUBLE:
        return None
    turn = body.get("turn")
    message = f"{body.get('error', '')}: {body.get('message', '')}"
    return CampaignTrouble(
        clean_line(str(body.get("what", ""))),
        clean_line(str(body.get("system", ""))),
        _shorten(message),
        turn if isinstance(turn, int) else 0,
    )


async def _read_attempt(book: CampaignBook, attempt: Attempt) -> CampaignTrouble | None:
    body: Mapping[str, object] = attempt.body
    if attempt.verdict is not AttemptVerdict.FAILED or body.get("reason") != OutcomeReason.ERROR:
        return None
    try:
        turn = (await book.read(attempt.base)).version + 1
    except UnknownCommitError:
        turn = 0
    return CampaignTrouble(TURN, "", _shorten(str(body.get("detail", ""))), turn)


def _shorten(message: str) -> str:
    return clean_line(message)[:MESSAGE_LENGTH_MAX].rstrip(": ")
