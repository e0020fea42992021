"""Verification: a good campaign is called good, and every kind of wrong is found and named."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from talewright.chronicle.record_order_checks import Violation
from talewright.chronicle.records import Accepted, AttemptVerdict, Commit, Json, Record
from talewright.chronicle.store import DamagedError
from talewright.kernel.state.changes import Change, from_json
from talewright.play.verify import campaign_verification
from talewright.play.verify.campaign_verification import (
    INVARIANTS,
    Verification,
    find_unrecorded,
    verify,
)
from talewright.play.verify.verification_report import VerificationReport
from tests.play.history.campaigns import SECRET, Scribe
from tests.play.history.tiny import begin_tiny, drop, gain, pack, pay, run, take


async def campaign() -> Scribe:
    """Five turns, one of them with a roll, one after a failed try, two on a branch of their own."""
    scribe = await begin_tiny()
    one = await take(scribe, "walk", gain(5), pack("lamp"))
    document = scribe.position.state.document
    await take(scribe, "roll", pay(2), roll=True)
    await scribe.fail(AttemptVerdict.FAILED)
    await take(scribe, "drop", drop("rope"))
    await scribe.fork(one, "other", document)
    await take(scribe, "sing", roll=True)
    await take(scribe, "wait")
    return scribe


def records_of(scribe: Scribe) -> list[Record]:
    async def go() -> list[Record]:
        return [record async for record in scribe.book.records()]

    return run(go())


def check(
    records: list[Record], secret: bytes | None = SECRET, seen: tuple[str, ...] = ()
) -> VerificationReport:
    under_way = Verification(secret)
    for record in records:
        under_way.take(record)
    return under_way.finish(seen)


def tamper(records: list[Record], version: int, alter: Callable[[dict[str, Any]], object]) -> list[Record]:
    """The same records with the body of the first turn of a version altered."""
    tampered, done = [], False
    for record in records:
        if isinstance(record, Commit) and record.version == version and not done:
            body: dict[str, Any] = {**record.body}
            alter(body)
            record, done = replace(record, body=body), True
        tampered.append(record)
    return tampered


def invariants(report: VerificationReport) -> list[str]:
    return [violation.invariant for violation in report.violations]


def test_good_campaign_is_good_and_counted() -> None:
    async def go() -> tuple[VerificationReport, list[tuple[int, int]], list[str]]:
        scribe = await campaign()
        told: list[tuple[int, int]] = []
        ids = [r.id async for r in scribe.book.records() if isinstance(r, Commit)]
        report = await verify(
            scribe.book, secret=SECRET, seen=ids, progress=lambda *counts: told.append(counts)
        )
        return report, told, ids

    report, told, ids = run(go())
    assert report.violations == ()
    assert report.good
    assert report.checked == {
        "records": 14,
        "commits": 6,
        "attempts": 6,
        "changes": 4,
        "draws": 2,
        "derived draws": 2,
        "seen": 6,
    }
    assert told[-1] == (6, 6)
    assert len(ids) == 6


def test_without_the_secret_no_draw_is_derived() -> None:
    scribe = run(campaign())
    assert "derived draws" not in run(verify(scribe.book)).checked


def test_i1_what_a_client_saw_is_there_once() -> None:
    records = records_of(run(campaign()))
    last = next(record for record in reversed(records) if isinstance(record, Commit))
    report = check([*records, last], seen=(last.id, "never"))
    seen = [violation for violation in report.violations if violation.invariant == "I1"]
    assert seen == [
        Violation("I1", f"a client saw commit {last.id!r}, which is in the log 2 times", last.id),
        Violation("I1", "a client saw commit 'never', which is not in the log", "never"),
    ]


def test_i2_i3_i5_i12_come_from_the_records() -> None:
    records = records_of(run(campaign()))
    commit = next(r for r in records if isinstance(r, Commit) and r.version == 2)
    without = [record for record in records if record is not commit]
    assert {"I2", "I3"} <= set(invariants(check(without)))
    accepted = Accepted("twice", "main", commit.parent, None, "")
    assert "I5" in invariants(check([*records, accepted, accepted]))
    assert "I12" in invariants(check([*records, replace(accepted, base="gone")]))


def test_i3_damage_on_the_way_is_a_violation() -> None:
    scribe = run(campaign())

    class Torn:
        campaign = "first"

        async def look(self) -> object:
            return await scribe.book.look()

        async def records(self) -> AsyncIterator[Record]:
            async for record in scribe.book.records():
                if isinstance(record, Commit) and record.version == 3:
                    raise DamagedError("byte 7 is wrong")
                yield record

    report = run(verify(Torn()))  # type: ignore[arg-type]
    assert report.violations[-1] == Violation("I3", "byte 7 is wrong", "after record 7")


def test_i4_state_that_the_changes_do_not_give() -> None:
    records = records_of(run(campaign()))

    def more(body: dict[str, Any]) -> None:
        body["changes"] = [{**body["changes"][0], "value": 99}, *body["changes"][1:]]

    report = check(tamper(records, 1, more))
    turn = next(r for r in records if isinstance(r, Commit) and r.version == 1)
    where = f"turn 1 ({turn.id})"
    # The turns after it cannot be right and are not told again; that the next one remembers another purse is.
    assert report.violations[0] == Violation("I4", "its changes do not lead to the recorded state", where)
    assert [v.invariant for v in report.violations] == ["I4", "I10"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            [{"op": "replace", "path": "/nowhere", "value": 1, "was": 0, "reason": "", "cause": ""}],
            "nothing stands",
        ),
        ("text", "'op'"),
        ([{"op": "jump"}], "'op' of a change"),
        (7, "are a list"),
    ],
)
def test_i4_changes_that_cannot_be_made(changes: Json, why: str) -> None:
    records = records_of(run(campaign()))
    report = check(tamper(records, 2, lambda body: body.update(changes=changes)))
    assert [v.invariant for v in report.violations if v.invariant == "I4"] == ["I4"]
    assert "its changes cannot be applied: " in report.violations[0].what
    assert why in report.violations[0].what or changes == "text"


@pytest.mark.parametrize("root", [None, {}, {"document": 5}])
def test_i4_first_turn_without_a_state(root: Json) -> None:
    records = records_of(run(campaign()))
    report = check(tamper(records, 0, lambda body: body.update(root=root)), secret=None)
    assert report.violations[0].what == "its changes cannot be applied: the first turn has no state"
    assert invariants(report) == ["I4"]


def test_i8_version_moved_by_a_failed_try() -> None:
    records = records_of(run(campaign()))
    moved = [
        replace(r, version=4) if isinstance(r, Commit) and r.branch == "main" and r.version == 3 else r
        for r in records
    ]
    assert "a failed attempt before it changed the version" in [v.what for v in check(moved).violations]


@pytest.mark.parametrize("draw", [[2, 1, 6, 3, ""], [3, 0, 6, 3, ""]])
def test_i8_draws_that_do_not_count_from_zero(draw: list[Json]) -> None:
    records = records_of(run(campaign()))
    report = check(tamper(records, 2, lambda body: body.update(draws=[draw])), secret=None)
    assert [(v.invariant, v.what) for v in report.violations] == [
        ("I8", "its draws are not numbered from 0 in its own version")
    ]


@pytest.mark.parametrize(
    "draws", [[[2, 0, 6]], [[2, 0, 6, "x", ""]], [[2, 0, True, 3, ""]], [7], 7, [[2, 0, 6, 3, 5]]]
)
def test_i9_draws_that_cannot_be_read(draws: Json) -> None:
    records = records_of(run(campaign()))
    report = check(tamper(records, 2, lambda body: body.update(draws=draws)))
    assert [(v.invariant, v.what) for v in report.violations] == [("I9", "its draws cannot be read")]


def test_i9_roll_without_a_draw_and_draw_that_was_not_drawn() -> None:
    records = records_of(run(campaign()))
    report = check(tamper(records, 2, lambda body: body.pop("draws")))
    assert [(v.invariant, v.what) for v in report.violations] == [
        ("I9", "dice were rolled, but no draw is recorded")
    ]

    def cheat(body: dict[str, Any]) -> None:
        draw = body["draws"][0]
        body["draws"] = [[*draw[:3], draw[3] % 6 + 1, draw[4]]]

    report = check(tamper(records, 2, cheat))
    assert invariants(report) == ["I9"]
    assert report.violations[0].what.startswith("the secret gives ")
    assert check(tamper(records, 2, cheat), secret=None).good


@pytest.mark.parametrize(
    "roll",
    ["d6", {"kind": "trial", "text": "d6 blocked"}, {"kind": "roll", "text": "5 = 5"}, {"kind": "roll"}],
)
def test_i9_what_draws_nothing_needs_no_draw(roll: Json) -> None:
    records = records_of(run(campaign()))
    assert check(tamper(records, 1, lambda body: body.update(rolls=[roll]))).good


def test_i9_wrong_secret_is_told_once() -> None:
    report = check(records_of(run(campaign())), secret=b"another")
    assert [(v.invariant, v.what) for v in report.violations] == [
        ("I9", "this secret does not match the commitment")
    ]


def test_i10_money_that_nobody_recorded() -> None:
    records = records_of(run(campaign()))
    last = next(record for record in reversed(records) if isinstance(record, Commit))
    other = [replace(r, state_digest="0" * 64) if r is last else r for r in records]
    assert [(v.invariant, v.what) for v in check(other).violations] == [
        ("I4", "its changes do not lead to the recorded state"),
        ("I10", "the state differs, but no change is recorded"),
    ]


def test_i10_change_that_lies_about_what_was() -> None:
    records = records_of(run(campaign()))

    def lie(body: dict[str, Any]) -> None:
        body["changes"] = [{**body["changes"][0], "was": 999}]

    assert [(v.invariant, v.what) for v in check(tamper(records, 2, lie)).violations] == [
        ("I10", "/gold did not have the previous value that the change states")
    ]


def test_i10_is_checked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    records = records_of(run(campaign()))

    def lie(body: dict[str, Any]) -> None:
        body["changes"] = [{**body["changes"][0], "was": 999}]

    monkeypatch.setattr(campaign_verification, "find_unrecorded", lambda *_: None)
    assert [(v.invariant, v.what) for v in check(tamper(records, 2, lie)).violations] == [
        ("I10", "undoing its changes does not restore the previous state")
    ]


def test_unrecorded_changes_are_found_by_their_kind() -> None:

    def change(**members: Json) -> Change:
        return from_json({"reason": "", "cause": "", **members})

    document: Mapping[str, Json] = {"a": 1, "list": [1, 2]}
    good = [
        change(op="add", path="/b", value=2),
        change(op="replace", path="/b", value=3, was=2),
        change(op="remove", path="/b", was=3),
        change(op="remove", path="/list/0", was=1),
    ]
    assert find_unrecorded(document, good) is None
    for bad in (
        change(op="add", path="/a", value=2),
        change(op="add", path="/list/9", value=2),
        change(op="replace", path="/gone", value=2, was=1),
        change(op="remove", path="/list/0", was=2),
        change(op="replace", path="/a", value=2, was=True),
    ):
        assert find_unrecorded(document, [*good[:3], bad]) is bad


def test_invariants_are_those_of_the_issue() -> None:
    assert " ".join(INVARIANTS) == "I1 I2 I3 I4 I5 I8 I9 I10 I12 I14"


def test_i2_turn_that_was_not_made_of_its_input() -> None:
    records = records_of(run(campaign()))
    turn = next(r for r in records if isinstance(r, Commit) and r.version == 1)
    accepted = Accepted(turn.operation_id, turn.branch, turn.parent, {"kind": "say", "text": "run"}, "")
    report = check([records[0], accepted, *records[1:]])
    assert [v.what for v in report.violations] == ["it was not made from the accepted input"]
    meant = replace(accepted, input=turn.body["input"])
    assert check([records[0], meant, *records[1:]]).good
    for other in (
        replace(meant, branch="other"),
        replace(meant, base=turn.id),
        replace(meant, replaces=turn.parent),
    ):
        found = check([records[0], other, *records[1:]]).violations
        assert "it was not made from the accepted input" in [v.what for v in found]


@pytest.mark.parametrize(
    ("rolls", "good"),
    [
        ([{"kind": "roll", "text": "1d6 (4) = 4"}], True),
        ([{"kind": "roll", "text": "1d6 (5) = 5"}], False),
        ([{"kind": "roll", "text": "2d6 (4, 4) = 8"}], False),
        ([{"kind": "call", "result": {"rolls": [4, 2]}}], True),
        ([{"kind": "call", "result": {"rolls": [4, 5]}}], False),
    ],
)
def test_i9_no_face_is_shown_that_was_not_drawn(rolls: list[Json], good: bool) -> None:
    draws: list[Json] = [[1, 0, 6, 4, "x"], [1, 1, 6, 2, "x"]]
    turn = Commit("c", "p", "main", 1, "op", "", "game", "state", {"draws": draws, "rolls": rolls})
    assert campaign_verification._shows_undrawn(turn) is not good


def test_i14_engine_numbers_never_fall_along_a_chain() -> None:
    records = records_of(run(campaign()))
    numbers = {1: 2, 2: 1}
    numbered = [
        replace(r, body={**r.body, "engine": numbers[r.version]})
        if isinstance(r, Commit) and r.version in numbers and r.branch == "main"
        else r
        for r in records
    ]
    found = [(v.invariant, v.what) for v in check(numbered).violations]
    assert set(found) == {("I14", "an older engine made it than the previous turn")}
