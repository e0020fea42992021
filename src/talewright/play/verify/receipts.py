"""Receipts: one line by which it can be shown later that a campaign was not altered before it.

A receipt is an HMAC by the campaign's secret, so it betrays neither a hash nor a draw. Checking it needs the
secret as well.
"""

import hashlib
import hmac
import re

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.kernel.chance import commitment
from talewright.play.verify.campaign_replay import commitment_of

FORM = "talewright-receipt-1"
"""The name of the form. Receipts begin with it, and so does what is signed; no draw is derived from it."""

_LINE = re.compile(rf"{FORM}:(\d{{1,15}}):([0-9a-f]{{64}}):([0-9a-f]{{64}})")


class ReceiptError(TalewrightError):
    """A line is no receipt, or it cannot be checked here."""


@frozen
class CampaignReceipt:
    """What a receipt says."""

    length: int
    """How many records the campaign had."""

    mac: str
    """HMAC-SHA-256 by the campaign's secret over the form, a newline, the head hash, a space, the length."""

    commitment: str
    """SHA-256 of the secret, as the first commit has it."""

    @property
    def line(self) -> str:
        """The receipt as it is kept or sent to a friend."""
        return f"{FORM}:{self.length}:{self.mac}:{self.commitment}"


def sign(secret: bytes, end: ChainEnd) -> CampaignReceipt:
    """The receipt of a campaign whose chain ends so."""
    message = f"{FORM}\n{end.hash} {end.length}".encode()
    return CampaignReceipt(
        end.length, hmac.new(secret, message, hashlib.sha256).hexdigest(), commitment(secret)
    )


async def find_secret(book: CampaignBook) -> bytes | None:
    """The secret of a campaign; None where it is not there, as in a copy for a friend."""
    try:
        return await book.secret()
    except DamagedError:
        return None


async def make_receipt(book: CampaignBook, length: int | None = None) -> CampaignReceipt:
    """The receipt of a campaign as it stands, or as it stood after so many records."""
    return sign(await book.secret(), await book.chain(length))


def parse_receipt(text: str) -> CampaignReceipt:
    """Read a receipt, however its line was broken on the way; a ReceiptError where it is none."""
    found = _LINE.fullmatch("".join(text.split()))
    if found is None:
        raise ReceiptError("this is no receipt", f"A receipt is one line that begins with {FORM}:")
    return CampaignReceipt(int(found[1]), found[2], found[3])


async def check_receipt(book: CampaignBook, receipt: CampaignReceipt, secret: bytes | None) -> str:
    """What a receipt shows to be wrong; empty where everything before it is as it was.

    A ReceiptError where it cannot be checked, for it was made with a secret that is not here.
    """
    if receipt.commitment != await _read_commitment(book):
        return "the receipt commits to other dice: it is of another campaign, or this one was begun anew"
    if secret is None or commitment(secret) != receipt.commitment:
        raise ReceiptError(
            "without the campaign's secret a receipt cannot be checked",
            "Ask for the secret once the game is over, then: talewright verify --secret HEX --receipt LINE",
        )
    end = await book.chain(receipt.length)
    if end.length < receipt.length:
        return (
            f"there were {receipt.length} records when the receipt was made, and there are {end.length} now"
        )
    if not hmac.compare_digest(sign(secret, end).mac, receipt.mac):
        return f"one of the first {receipt.length} records is not what it was when the receipt was made"
    return ""


async def _read_commitment(book: CampaignBook) -> str:
    async for record in book.records(limit=1):
        return commitment_of(record) if isinstance(record, Commit) else ""
    return ""
