"""Commitments: which secret the dice of a turn follow from, in campaigns whose past was brought in."""

from dataclasses import replace
from typing import Any

import pytest

from talewright.chronicle.records import Commit, Json, Record
from talewright.chronicle.store import Founding
from talewright.kernel.chance import commitment
from talewright.play.verify.campaign_verification import Verification
from talewright.play.verify.dice_commitments import (
    EarlierDice,
    find_imported_through,
    read_commitments,
    renew_commitment,
)
from talewright.play.verify.verification_report import VerificationReport
from talewright.stores.memory_store import MemoryStore
from tests.play.history.campaigns import SECRET, Scribe
from tests.play.history.tiny import begin_tiny, gain, run, take

OWN = b"another secret"


def records_of(scribe: Scribe) -> list[Record]:
    async def go() -> list[Record]:
        return [record async for record in scribe.book.records()]

    return run(go())


async def rolled() -> Scribe:
    scribe = await begin_tiny()
    await take(scribe, "roll", gain(1), roll=True)
    await take(scribe, "again", gain(1), roll=True)
    return scribe


def imported(through: int) -> list[Record]:
    root, *rest = records_of(run(rolled()))
    assert isinstance(root, Commit)
    return [renew_commitment(root, commitment(OWN), through, "2026-02-01T00:00:00Z"), *rest]


def check(records: list[Record], secret: bytes | None) -> VerificationReport:
    verification = Verification(secret)
    for record in records:
        verification.take(record)
    return verification.finish()


def test_commitments_are_found_by_the_counter() -> None:
    root = imported(4)[0]
    assert isinstance(root, Commit)
    twice = renew_commitment(root, "newest", 9, "2026-03-01T00:00:00Z")
    found = read_commitments(twice)
    assert found.own == "newest"
    assert found.earlier == (
        EarlierDice(commitment(SECRET), 4, "2026-02-01T00:00:00Z"),
        EarlierDice(commitment(OWN), 9, "2026-03-01T00:00:00Z"),
    )
    assert [found.find(one) for one in (0, 4, 5, 9, 10)] == [
        *[commitment(SECRET)] * 2,
        *[commitment(OWN)] * 2,
        "newest",
    ]
    assert [found.is_imported(one) for one in (4, 9, 10)] == [True, True, False]
    assert all(map(found.has, ("newest", commitment(OWN), commitment(SECRET))))
    assert not found.has("another")


def test_dice_of_the_past_are_checked_as_recorded() -> None:
    report = check(imported(2), OWN)
    assert report.good
    assert (report.checked["imported draws"], report.checked.get("derived draws", 0)) == (2, 0)


def test_dice_of_the_past_are_derived_by_whoever_knows_their_secret() -> None:
    report = check(imported(2), SECRET)
    assert report.good
    assert (report.checked["derived draws"], report.checked.get("imported draws", 0)) == (2, 0)


def test_dice_after_the_past_must_follow_from_the_new_secret() -> None:
    report = check(imported(1), OWN)
    assert [one.invariant for one in report.violations] == ["I9"]
    assert "the secret gives" in report.violations[0].what
    assert report.checked["imported draws"] == 1


def test_a_secret_that_nothing_is_bound_to_is_refused() -> None:
    report = check(imported(2), b"another")
    assert [one.what for one in report.violations] == ["this secret does not match the commitment"]


@pytest.mark.parametrize(
    "earlier",
    [
        3,
        [3],
        [{"commitment": "x"}],
        [{"commitment": "x", "through": True, "at": ""}],
        [{"through": 1, "at": ""}],
    ],
)
def test_what_cannot_be_read_is_said(earlier: Json) -> None:
    root, *rest = imported(2)
    assert isinstance(root, Commit)
    held: Any = root.body["root"]
    odd = replace(root, body={**root.body, "root": {**held, "earlier": earlier}})
    with pytest.raises(ValueError, match="earlier commitment"):
        read_commitments(odd)
    report = check([odd, *rest], None)
    assert [one.invariant for one in report.violations] == ["I9"]


def test_the_end_of_an_imported_past_is_found() -> None:
    async def go() -> None:
        scribe = await rolled()
        assert await find_imported_through(scribe.book) == -1
        root = await anext(aiter(scribe.book.records()))
        assert isinstance(root, Commit)
        store, renewed = MemoryStore(), renew_commitment(root, commitment(OWN), 2, "2026-02-01T00:00:00Z")
        book = await store.found(Founding("copy", renewed, OWN))
        assert await find_imported_through(book) == 2

    run(go())
