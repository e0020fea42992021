"""Details of a campaign: turn, last line, model, cost and outcome, for the list in the lobby.

The head and what the tries have cost are read, not the story. Nothing is written.
"""

from collections.abc import Mapping

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.store import CampaignBook, DamagedError, Store
from talewright.common.safe_text import clean_line
from talewright.play.history.campaign_cost import Cost, add_up
from talewright.play.history.campaign_history import imported_of
from talewright.play.lobby import CampaignDetails
from talewright.turn.spending import read_spendings

LINE_LENGTH_MAX = 240
"""Characters of the last line that are told."""


class CampaignCostCache:
    """What campaigns have cost, counted once for as long as nothing more is written in them."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, str], Cost | None]] = {}

    async def count(self, book: CampaignBook, mark: tuple[int, str]) -> Cost | None:
        """What a campaign has cost; None where the records do not say. The mark changes with every write."""
        known = self._known.get(book.campaign)
        if known is None or known[0] != mark:
            known = self._known[book.campaign] = mark, await _add_up(book)
        return known[1]


async def find_details(
    store: Store,
    campaign: str,
    teller: str | None = None,
    at: str = "",
    tallies: CampaignCostCache | None = None,
) -> CampaignDetails:
    """What is known of a campaign; of a damaged one what is left.

    `teller` is who tells it from now on, in words; without one it is whoever told it last. `at` is when it
    was last written.
    """
    try:
        book = await store.open(campaign)
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    try:
        return await _find(book, teller, at, tallies or CampaignCostCache())
    except DamagedError:
        return CampaignDetails(campaign, model=teller or "")
    finally:
        await book.close()


async def _find(
    book: CampaignBook, teller: str | None, at: str, tallies: CampaignCostCache
) -> CampaignDetails:
    outlook = await book.look()
    branches = outlook.branches
    head = await book.read(branches[[MAIN, *branches][-1]])
    end = head.body.get("end")
    # A try of which no turn came moves no counter, but it has a time.
    cost = await tallies.count(book, (outlook.sequence, at))
    return CampaignDetails(
        book.campaign,
        head.version,
        _last_line(head),
        _model_of(head) if teller is None else teller,
        None if cost is None else cost.dollars,
        0 if cost is None else cost.uncached_tokens + cost.cached_tokens + cost.output_tokens,
        clean_line(str(end.get("outcome", ""))) if isinstance(end, Mapping) else "",
    )


async def _add_up(book: CampaignBook) -> Cost | None:
    """What everything has cost; None where the records do not say."""
    try:
        return add_up(one for record in await book.tries() for one in read_spendings(record.body))
    except DamagedError:
        return None


def _last_line(head: Commit) -> str:
    told = str(head.body.get("narration", ""))
    if not head.parent:
        # It came from a save game, and its first turn here is yet to come.
        history = imported_of(head).get("history")
        last = history[-1] if isinstance(history, list) and history else None
        told = str(last.get("narrative", "")) if isinstance(last, Mapping) else told
    lines = [line for line in map(clean_line, told.splitlines()) if line]
    return lines[-1][:LINE_LENGTH_MAX] if lines else ""


def _model_of(head: Commit) -> str:
    model = head.body.get("model")
    return clean_line(str(model.get("name", ""))) if isinstance(model, Mapping) else ""
