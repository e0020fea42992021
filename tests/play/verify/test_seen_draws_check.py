"""The check of what game masters saw: turns know all of it, and the abandoned turn can have had it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from talewright.chronicle.records import Aside, Commit, Record
from talewright.play.verify.seen_draws_check import SeenDrawsCheck
from tests.turn.game_master.cheats import play_looks

UNKNOWN = "it does not know all the dice that were seen in abandoned turns before it"
IMPOSSIBLE = "the abandoned turn cannot have had the dice that are listed"


@cache
def read_records() -> tuple[Record, ...]:
    async def play() -> tuple[Record, ...]:
        return tuple(await (await play_looks()).bench.records())

    return asyncio.run(play())


def find_wrong(records: Sequence[Record]) -> list[str]:
    check = SeenDrawsCheck()
    return [wrong for record in records for wrong in check.take(record)]


def alter(number: int, work: Callable[[Aside], Aside]) -> list[Record]:
    """The records with one of the asides altered."""
    asides = [one for one in read_records() if isinstance(one, Aside)]
    return [work(one) if one == asides[number] else one for one in read_records()]


def alter_look(**members: Any) -> Callable[[Aside], Aside]:
    def work(aside: Aside) -> Aside:
        checks: Any = aside.body["checks"]
        return replace(aside, body={**aside.body, "checks": [{**checks[0], **members}, *checks[1:]]})

    return work


def test_an_honest_campaign() -> None:
    assert find_wrong(read_records()) == []
    assert sum(isinstance(one, Aside) for one in read_records()) == 3


@pytest.mark.parametrize("number", range(3))
def test_a_turn_must_know_all_that_was_seen(number: int) -> None:
    asides = [one for one in read_records() if isinstance(one, Aside)]
    removed = [one for one in read_records() if one != asides[number]]
    assert UNKNOWN in find_wrong(removed)
    added = replace(asides[number], id="another")
    place = read_records().index(asides[number])
    assert UNKNOWN in find_wrong([*read_records()[:place], added, *read_records()[place:]])


def test_a_turn_that_does_not_say_what_it_knows() -> None:
    last = read_records()[-2]
    assert isinstance(last, Commit)
    silent = replace(last, body={name: part for name, part in last.body.items() if name != "seen"})
    assert find_wrong([*read_records()[:-2], silent]) == [UNKNOWN]
    # Turns that no game master narrated do not use what was seen, and older ones do not know of it.
    for members in ({"told": "model"}, {"engine": 3}):
        other = replace(silent, body={**silent.body, **members})
        assert find_wrong([*read_records()[:-2], other]) == []


def read_stream(number: int) -> str:
    body: Any = [one for one in read_records() if isinstance(one, Aside)][number].body
    return str(body["checks"][0]["stream"])


@pytest.mark.parametrize("number", range(3))
def test_an_abandoned_turn_has_its_own_dice(number: int) -> None:
    turn, check, count = read_stream(number).split(":")
    unfit = (
        f"{int(turn) + 1}:{check}:{count}",
        f"{turn}:{check}:{int(count) + 1}",
        f"{turn}:{'0' * 32}:{count}",
        f"0@{int(turn) - 1}:{check}:{count}",
        "",
        "dice",
    )
    for stream in unfit:
        assert find_wrong(alter(number, alter_look(stream=stream)))[:1] == [IMPOSSIBLE], stream
    assert find_wrong(alter(number, alter_look(sides=0))) == [IMPOSSIBLE]
    assert find_wrong(alter(number, alter_look(sides="many"))) == [IMPOSSIBLE]


@pytest.mark.parametrize("checks", [None, [], "all", {}, [{}], [1], 3])
def test_malformed_lists_are_not_believed(checks: Any) -> None:
    found = find_wrong(alter(0, lambda aside: replace(aside, body={**aside.body, "checks": checks})))
    assert found[:1] == [IMPOSSIBLE]


def test_it_is_listed_with_the_first_commit() -> None:
    head = read_records()[-2]
    assert isinstance(head, Commit)
    found = find_wrong(alter(0, lambda aside: replace(aside, commit=head.id)))
    assert found == ["dice of an abandoned turn are listed where nobody looks for them"]
