"""Receipts: one line that later proves that a campaign's records up to then are unaltered.

A receipt is an HMAC under the campaign's secret, so it reveals neither a hash nor a draw. Checking it needs
the secret too.
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
"""The format's name. Receipts and the signed message start with it, so no draw is derived from the same
message.
"""

_LINE = re.compile(rf"{FORM}:([0-9]{{1,15}}):([0-9a-f]{{64}}):([0-9a-f]{{64}})")


class ReceiptError(TalewrightError):
    """The line is not a receipt, or it cannot be checked here."""


@frozen
class CampaignReceipt:
    """The content of a receipt."""

    length: int
    """How many records the campaign had."""

    mac: str
    """HMAC-SHA-256 under the campaign's secret over the format's name, a newline, the last hash, a space, the
    length.
    """

    commitment: str
    """SHA-256 of the secret, as in the first commit."""

    @property
    def line(self) -> str:
        """The receipt as one line of text."""
        return f"{FORM}:{self.length}:{self.mac}:{self.commitment}"


def sign(secret: bytes, end: ChainEnd) -> CampaignReceipt:
    """The receipt for a campaign with this chain end."""
    message = f"{FORM}\n{end.hash} {end.length}".encode()
    return CampaignReceipt(
        end.length, hmac.new(secret, message, hashlib.sha256).hexdigest(), commitment(secret)
    )


async def find_secret(book: CampaignBook) -> bytes | None:
    """The secret of a campaign; None if it is not there, as in a copy for a friend."""
    try:
        return await book.secret()
    except DamagedError:
        return None


async def make_receipt(book: CampaignBook, length: int | None = None) -> CampaignReceipt:
    """The receipt of a campaign now, or after its first `length` records."""
    return sign(await book.secret(), await book.chain(length))


def parse_receipt(text: str) -> CampaignReceipt:
    """Parse a receipt, ignoring line breaks and spaces. Raises ReceiptError if it is not one."""
    found = _LINE.fullmatch("".join(text.split()))
    if found is None:
        raise ReceiptError("this is not a receipt", f"A receipt is one line that starts with {FORM}:")
    return CampaignReceipt(int(found[1]), found[2], found[3])


async def check_receipt(book: CampaignBook, receipt: CampaignReceipt, secret: bytes | None) -> str:
    """What a receipt proves to be wrong; empty if every record before it is unaltered.

    Raises ReceiptError if it cannot be checked, because the secret it was made with is not here.
    """
    if receipt.commitment != await _read_commitment(book):
        return (
            "the receipt commits to other dice: it belongs to another campaign, or this one was started over"
        )
    if secret is None or commitment(secret) != receipt.commitment:
        raise ReceiptError(
            "a receipt cannot be checked without the campaign's secret",
            "Ask for the secret after the game, then run: talewright verify --secret HEX --receipt LINE",
        )
    end = await book.chain(receipt.length)
    if end.length < receipt.length:
        return (
            f"there were {receipt.length} records when the receipt was made, but there are {end.length} now"
        )
    if not hmac.compare_digest(sign(secret, end).mac, receipt.mac):
        return f"one of the first {receipt.length} records has changed since the receipt was made"
    return ""


async def _read_commitment(book: CampaignBook) -> str:
    async for record in book.records(limit=1):
        return commitment_of(record) if isinstance(record, Commit) else ""
    return ""
