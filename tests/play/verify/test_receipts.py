"""Receipts: what was signed is found again, and whatever was altered before it is not."""

import hashlib
import hmac
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.records import Aside, Record
from talewright.chronicle.store import DamagedError
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import (
    CampaignReceipt,
    ReceiptError,
    check_receipt,
    find_secret,
    make_receipt,
    parse_receipt,
    sign,
)
from tests.play.history.campaigns import SECRET, Scribe
from tests.play.history.tiny import begin_tiny, gain, run, take


async def played(*gains: int) -> Scribe:
    scribe = await begin_tiny()
    for amount in gains:
        await take(scribe, "walk", gain(amount))
    return scribe


def test_a_receipt_is_an_hmac_over_the_head_hash_and_the_length() -> None:
    receipt = sign(SECRET, ChainEnd(7, "ab" * 32))
    message = b"talewright-receipt-1\n" + b"ab" * 32 + b" 7"
    assert receipt.mac == hmac.new(SECRET, message, hashlib.sha256).hexdigest()
    assert receipt.commitment == hashlib.sha256(SECRET).hexdigest()
    assert receipt.line == f"talewright-receipt-1:7:{receipt.mac}:{receipt.commitment}"
    assert "ab" * 32 not in receipt.line


def test_it_is_read_however_its_line_was_broken() -> None:
    receipt = sign(SECRET, ChainEnd(7, "ab" * 32))
    assert parse_receipt(f"  {receipt.line[:40]}\n {receipt.line[40:]}\n") == receipt


@pytest.mark.parametrize(
    "line",
    [
        "",
        "talewright-receipt-1:1:ab:cd",
        "talewright-receipt-2:1:" + "a" * 129,
        # The digit seven in Arabic.
        f"talewright-receipt-1:\u0667:{'a' * 64}:{'b' * 64}",
    ],
)
def test_what_is_no_receipt(line: str) -> None:
    with pytest.raises(ReceiptError, match="this is not a receipt"):
        parse_receipt(line)


def test_it_holds_while_the_campaign_goes_on() -> None:
    async def go() -> list[str]:
        scribe = await played(1)
        receipts = [await make_receipt(scribe.book, 1), await make_receipt(scribe.book)]
        await take(scribe, "run", gain(2))
        receipts.append(await make_receipt(scribe.book))
        assert [one.length for one in receipts] == [1, 3, 5]
        return [await check_receipt(scribe.book, one, SECRET) for one in receipts]

    assert run(go()) == ["", "", ""]


def test_what_a_receipt_shows_to_be_wrong() -> None:
    async def go() -> list[str]:
        honest, other = await played(1, 2), await played(1, 3)
        receipt = await make_receipt(honest.book)
        longer = sign(SECRET, ChainEnd(9, "00" * 32))
        elsewhere = replace(receipt, commitment="00" * 32)
        return [
            await check_receipt(other.book, receipt, SECRET),
            await check_receipt(honest.book, longer, SECRET),
            await check_receipt(honest.book, elsewhere, SECRET),
        ]

    assert run(go()) == [
        "one of the first 5 records has changed since the receipt was made",
        "there were 9 records when the receipt was made, but there are 5 now",
        "the receipt commits to other dice: it belongs to another campaign, or this one was started over",
    ]


@pytest.mark.parametrize("secret", [None, b"another"])
def test_without_the_secret_it_cannot_be_checked(secret: bytes | None) -> None:
    async def go() -> str:
        scribe = await played(1)
        return await check_receipt(scribe.book, await make_receipt(scribe.book), secret)

    with pytest.raises(ReceiptError, match="without the campaign's secret"):
        run(go())


@pytest.mark.parametrize("records", [(), (Aside("a", "c", "", {}),)])
def test_what_has_no_first_commit_commits_to_nothing(records: tuple[Record, ...]) -> None:
    class Empty:
        async def records(self, limit: int) -> AsyncIterator[Record]:
            for record in records:
                yield record

    receipt = CampaignReceipt(1, "0" * 64, "0" * 64)
    told = run(check_receipt(Empty(), receipt, SECRET))  # type: ignore[arg-type]
    assert told.startswith("the receipt commits to other dice")


def test_verify_checks_it() -> None:
    async def go() -> list[tuple[str, str]]:
        honest, other = await played(1, 2), await played(1, 3)
        receipt = await make_receipt(honest.book)
        assert (await verify(honest.book, secret=SECRET, receipt=receipt)).good
        found = await verify(other.book, secret=SECRET, receipt=receipt)
        return [(each.invariant, each.where) for each in found.violations]

    assert run(go()) == [("I15", "the receipt")]


def test_a_secret_that_is_not_there_is_none() -> None:
    class Copied:
        async def secret(self) -> bytes:
            raise DamagedError("the file is not there")

    assert run(find_secret(run(played()).book)) == SECRET
    assert run(find_secret(Copied())) is None  # type: ignore[arg-type]
