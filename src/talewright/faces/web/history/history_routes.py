"""Routes of the pages for looking back.

Only the owner can open them, and they show what a player sees.
"""

from starlette.routing import Route

from talewright.faces.web.history.book_pages import BookPages
from talewright.faces.web.history.history_pages import HistoryPages
from talewright.faces.web.history.receipt_pages import ReceiptPages
from talewright.faces.web.page_requests import KeptByOwner, owner_page
from talewright.faces.web.setup.campaign_list import CampaignCosts, ListGames

TABLE = "/play/{campaign}"
"""The address of a campaign.

The pages are below it.
"""


def make_history_routes(list_games: ListGames, costs: KeptByOwner[CampaignCosts]) -> list[Route]:
    """The routes of the tree, comparisons, the book, the ending and receipts."""
    history, book, receipts = HistoryPages(), BookPages(list_games, costs), ReceiptPages()
    # Pages to look at, and forms that are sent from them.
    shown = {
        "history": history.show_tree,
        "compare": history.show_comparison,
        "book": book.show_book,
        "ending": book.show_ending,
        "receipts": receipts.show_receipts,
        "receipts/download": receipts.send_receipt,
    }
    sent = {
        "fork": history.fork,
        "switch": history.switch,
        "back": history.go_back,
        "mark": history.mark,
        "receipts": receipts.verify,
        "ending/try": book.try_way,
    }
    return [
        *(Route(f"{TABLE}/{path}", owner_page(handle), methods=["GET"]) for path, handle in shown.items()),
        *(Route(f"{TABLE}/{path}", owner_page(handle), methods=["POST"]) for path, handle in sent.items()),
    ]
