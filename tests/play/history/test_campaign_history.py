"""Histories: what is read of a campaign, and how turns are named."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from talewright.chronicle.records import AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignStatus, ChronicleError, DamagedError, UnknownCommitError
from talewright.play.history.campaign_history import (
    CampaignHistory,
    find_turn,
    imported_of,
    keep_quiet,
    open_campaign,
    read_history,
)
from talewright.stores.memory_store import MemoryStore
from tests.play.history.campaigns import Scribe, begin_campaign
from tests.play.history.tiny import TINY, begin_tiny, gain, run, take


async def forked() -> tuple[Scribe, CampaignHistory]:
    """0 - 1 - 2 - 3 on main, and 2' - 3' on the branch `other`, with marks."""
    scribe = await begin_tiny()
    one = await take(scribe, "walk", gain(1))
    document = scribe.position.state.document
    await scribe.mark("camp")
    await take(scribe, "run", gain(2))
    await scribe.fail(AttemptVerdict.DEGRADED)
    await take(scribe, "hide", gain(3))
    await scribe.fork(one, "other", document)
    await take(scribe, "sing", gain(4))
    await take(scribe, "dance", gain(5))
    return scribe, await read_history(scribe.book)


def test_history_holds_all_turns_in_order() -> None:
    _, history = run(forked())
    commits = list(history.commits.values())
    assert [commit.version for commit in commits] == [0, 1, 2, 3, 2, 3]
    assert history.branch == "other"
    assert history.head is commits[-1]
    assert [commit.version for commit in history.lineage(history.head)] == [0, 1, 2, 3]
    assert history.lineage(history.head)[2] is commits[4]
    assert history.children[commits[1].id] == (commits[2].id, commits[4].id)
    assert history.names(commits[1].id) == ((), ("camp",))
    assert history.names(commits[3].id) == (("main",), ())
    verdicts = [a.verdict.value for attempts in history.attempts.values() for a in attempts]
    assert verdicts == ["committed", "committed", "degraded", "committed", "committed", "committed"]
    assert history.damage == ""


def test_turns_are_found_by_every_name() -> None:
    _, history = run(forked())
    commits = list(history.commits.values())
    assert find_turn(history, "main") is commits[3]
    assert find_turn(history, "other") is commits[5]
    assert find_turn(history, "camp") is commits[1]
    assert find_turn(history, "0") is commits[0]
    assert find_turn(history, "2") is commits[4]
    assert find_turn(history, commits[2].id) is commits[2]
    assert find_turn(history, commits[2].id[:8]) is commits[2]


@pytest.mark.parametrize("name", ["4", "", "abc", "nobody", "٣", "00000000000000000"])
def test_unknown_names_are_refused_with_what_there_is(name: str) -> None:
    _, history = run(forked())
    with pytest.raises(UnknownCommitError) as caught:
        find_turn(history, name)
    assert caught.value.message == f"there is no turn {name!r} in the campaign 'first'"
    assert "0 to 3 on the branch 'other'" in caught.value.hint


def test_three_characters_of_an_id_are_too_few() -> None:
    _, history = run(forked())
    last = list(history.commits)[-1]
    with pytest.raises(UnknownCommitError):
        find_turn(history, last[:3])


def test_prefix_of_two_is_refused() -> None:
    _, history = run(forked())
    commits = list(history.commits.values())
    twins = CampaignHistory(
        "first", {"main": "abcd2"}, {}, {"abcd1": commits[0], "abcd2": commits[5]}, {}, {}
    )
    with pytest.raises(UnknownCommitError) as caught:
        find_turn(twins, "abcd")
    assert caught.value.message == "2 turns have an id that starts with 'abcd'"


def test_progress_is_told_for_every_turn() -> None:
    async def go() -> list[tuple[int, int]]:
        scribe, _ = await forked()
        told: list[tuple[int, int]] = []
        await read_history(scribe.book, lambda done, of: told.append((done, of)))
        return told

    assert run(go()) == [(number, 6) for number in range(1, 7)]
    keep_quiet(1, 2)


def test_last_played_campaign_is_the_default() -> None:
    async def go() -> None:
        store = MemoryStore()
        with pytest.raises(ChronicleError) as caught:
            await open_campaign(store)
        assert caught.value.message == "there is no campaign yet"
        await begin_campaign(store, TINY, campaign="old", prefix="a")
        await begin_campaign(store, TINY, campaign="new", prefix="b")
        assert (await open_campaign(store)).campaign == "new"
        assert (await open_campaign(store, "old")).campaign == "old"

    run(go())


def test_only_an_imported_campaign_had_a_life_before() -> None:
    _, history = run(forked())
    first = next(iter(history.commits.values()))
    assert imported_of(first) == {}
    assert imported_of(history.head) == {}
    assert imported_of(replace(first, body={"root": {"imported": {"turn_index": 3}}})) == {"turn_index": 3}


class Damaged:
    """A book that cannot be read to its end, though its outlook still says where the end was."""

    campaign = "first"

    def __init__(self, scribe: Scribe, good: int) -> None:
        self.scribe = scribe
        self.good = good

    async def look(self, branch: str = "") -> CampaignStatus:
        return await self.scribe.book.look()

    async def records(self) -> AsyncIterator[Record]:
        number = 0
        async for record in self.scribe.book.records():
            number += isinstance(record, Commit)
            if number > self.good:
                raise DamagedError("line 9 is wrong")
            yield record


@pytest.mark.parametrize(
    ("good", "branches", "marks"),
    [
        (6, {"main": 3, "other": 3}, ["camp"]),
        (4, {"main": 3}, ["camp"]),
        (2, {"main": 1}, ["camp"]),
        (1, {"main": 0}, []),
    ],
)
def test_what_lies_before_the_damage_can_be_looked_at(
    good: int, branches: dict[str, int], marks: list[str]
) -> None:
    async def go() -> CampaignHistory:
        scribe, _ = await forked()
        return await read_history(Damaged(scribe, good))  # type: ignore[arg-type]

    history = run(go())
    assert history.damage == ("line 9 is wrong" if good < 6 else "")
    found = {name: history.commits[at].version for name, at in history.branches.items()}
    # The branch `other` began at a good turn, and is held to that one while nothing of its own is good.
    assert {name: version for name, version in found.items() if name in branches} == branches
    assert list(history.marks) == marks
    assert history.head.id in history.commits


def test_nothing_that_can_be_read_is_an_error() -> None:
    async def go() -> None:
        scribe, _ = await forked()
        with pytest.raises(DamagedError) as caught:
            await read_history(Damaged(scribe, 0))  # type: ignore[arg-type]
        assert caught.value.message == "no record of the campaign 'first' can be read"
        assert "talewright saves recover first" in caught.value.hint

    run(go())
