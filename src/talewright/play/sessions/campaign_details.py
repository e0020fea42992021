"""Campaign details: turn, last line, model, cost and outcome, for the list in the lobby.

It reads the head and the costs, not the whole story. Nothing is written.
"""

from collections.abc import Mapping

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, DamagedError, Store
from talewright.common.safe_text import clean_line
from talewright.play.history.campaign_history import imported_of
from talewright.play.lobby import CampaignDetails
from talewright.play.verify.receipts import find_secret, make_receipt

LINE_LENGTH_MAX = 240
"""The maximum length of the last line."""


async def find_details(store: Store, campaign: str, teller: str | None = None) -> CampaignDetails:
    """The details of a campaign; for a damaged one, as far as they are known.

    `teller` is the current storyteller, in words; without one, the last storyteller is shown.
    """
    try:
        book = await store.open(campaign)
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    try:
        return await _find(book, teller)
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    finally:
        await book.close()


async def _find(book: CampaignBook, teller: str | None) -> CampaignDetails:
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
    )


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
    return lines[-1][:LINE_LENGTH_MAX] if lines else ""


def _model_of(head: Commit) -> str:
    model = head.body.get("model")
    return clean_line(str(model.get("name", ""))) if isinstance(model, Mapping) else ""
