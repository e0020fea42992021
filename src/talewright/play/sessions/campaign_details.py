"""Campaign details: turn, last line, model, cost and outcome, for the list in the lobby.

It reads the head, the costs and, for the endings that were found, the turns. Nothing is written.
"""

import re
from collections.abc import Mapping

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, CampaignStatus, DamagedError, Store
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.kernel.story.endings import ENDING_TITLE
from talewright.play.history.campaign_history import imported_of
from talewright.play.lobby import CampaignDetails
from talewright.play.playable_games import PinnedGames
from talewright.play.verify.receipts import find_secret, make_receipt
from talewright.turn.game_editions import Editions

RECORDS_READ_MAX = 3_000
"""Turns of a campaign that are searched for endings."""

LINE_LENGTH_MAX = 240
"""The maximum length of the last line."""

_SENTENCE_END = re.compile("[.!?][\"'”’]? +|[。！？][”’]?")


async def find_details(
    store: Store, campaign: str, teller: str | None = None, editions: Editions | None = None
) -> CampaignDetails:
    """The details of a campaign; for a damaged one, as far as they are known.

    `teller` is the current storyteller, in words; without one, the last storyteller is shown. Without
    editions, endings have no names.
    """
    try:
        book = await store.open(campaign)
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    try:
        return await _find(book, teller, editions)
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    finally:
        await book.close()


async def _find(book: CampaignBook, teller: str | None, editions: Editions | None) -> CampaignDetails:
    status = await book.look()
    head = await book.read(status.head)
    end = head.body.get("end")
    # The spending after the damage is unknown.
    spent = status.spent.whole if status.damage is None else None
    return CampaignDetails(
        book.campaign,
        head.version,
        _last_line(head),
        _model_of(head) if teller is None else teller,
        None if spent is None or spent.unpriced else spent.dollars,
        0 if spent is None else spent.input_tokens + spent.output_tokens,
        clean_line(str(end.get("outcome", ""))) if isinstance(end, Mapping) else "",
        "" if status.damage is not None or await find_secret(book) is None else await _make_first(book),
        "" if editions is None or not end else await _name_ending(book, head, editions),
        await _list_endings(book, status, head),
    )


async def _name_ending(book: CampaignBook, head: Commit, editions: Editions) -> str:
    """What the author calls the ending of a story; empty if the game cannot be read."""
    try:
        edition = await PinnedGames(book, editions).of(head)
    except TalewrightError:
        return ""
    words = edition.words(str(head.body.get("language", "")))
    return clean_line(words.find(f"{ENDING_TITLE}.{_ending_of(head)}"))


async def _list_endings(book: CampaignBook, status: CampaignStatus, head: Commit) -> tuple[str, ...]:
    """Every ending that was reached, also if it was taken back; of a very long campaign, the current one."""
    commits = [head]
    if status.damage is None and status.sequence <= RECORDS_READ_MAX:
        commits = [record async for record in book.records() if isinstance(record, Commit)]
    return tuple(dict.fromkeys(filter(None, map(_ending_of, commits))))


def _ending_of(commit: Commit) -> str:
    end = commit.body.get("end")
    return clean_line(str(end.get("ending", ""))) if isinstance(end, Mapping) else ""


async def _make_first(book: CampaignBook) -> str:
    return (await make_receipt(book, 1)).line


def _last_line(head: Commit) -> str:
    told = str(head.body.get("narration", ""))
    if not head.parent:
        # It came from a save game, and its first turn here has not been taken yet.
        history = imported_of(head).get("history")
        last = history[-1] if isinstance(history, list) and history else None
        told = str(last.get("narrative", "")) if isinstance(last, Mapping) else told
    lines = [line for line in map(clean_line, told.splitlines()) if line]
    return _keep_end(lines[-1]) if lines else ""


def _keep_end(line: str) -> str:
    """The last sentences of a line that is too long, as many as fit; its beginning if it is one sentence."""
    if len(line) <= LINE_LENGTH_MAX:
        return line
    starts = (match.end() for match in _SENTENCE_END.finditer(line))
    ends = (line[at:] for at in starts if at < len(line) <= at + LINE_LENGTH_MAX)
    return next(ends, line[:LINE_LENGTH_MAX])


def _model_of(head: Commit) -> str:
    model = head.body.get("model")
    return clean_line(str(model.get("name", ""))) if isinstance(model, Mapping) else ""
