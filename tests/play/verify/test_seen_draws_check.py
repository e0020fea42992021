"""The check of what game masters saw: turns know all of it, and the abandoned turn can have had it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from talewright.chronicle.records import Aside, Commit, Record
from talewright.kernel.game import FateKind
from talewright.play.verify.seen_draws_check import SeenDrawsCheck
from tests.turn.game_master.cheats import play_looks

UNKNOWN = "it does not know all the dice that were seen in abandoned turns before it"
IMPOSSIBLE = "the abandoned turn cannot have had the dice that are listed"
USED = "its dice are listed for an abandoned turn that cannot have had them"


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
        f"0@{turn}:{check}:{count}",
        f"AB@{turn}:{check}:{count}",
        f"@{turn}:{check}:{count}",
        f"0{turn}:{check}:{count}",
        f"{turn}:{check}:0{count}",
        f"{turn}:{check}:+{count}",
        f"{turn}:{check}:{count} ",
        f"{turn}:{check}:{chr(0x660 + int(count))}",
        f"{chr(0x6F0 + int(turn))}:{check}:{count}",
        f"{turn}:{check}:{count}:d20",
        "",
        "dice",
    )
    for stream in unfit:
        assert find_wrong(alter(number, alter_look(stream=stream)))[:1] == [IMPOSSIBLE], stream
    found = find_wrong(alter(number, alter_look(sides=20)))
    assert (found[0], set(found)) == (IMPOSSIBLE, {IMPOSSIBLE, USED})


@pytest.mark.parametrize("number", range(3))
def test_seen_dice_are_named_by_what_they_were_for(number: int) -> None:
    body: Any = [one for one in read_records() if isinstance(one, Aside)][number].body
    what = body["checks"][0]["for"]
    unfit: tuple[Any, ...] = (
        {**what, "check": ["skill_check", {"skill": "luck"}]},
        {**what, "terms": {"difficulty": 30}},
        {**what, "more": 1},
        {"check": None, "terms": None},
        {"check": what["check"]},
        "all",
        None,
    )
    for other in unfit:
        assert find_wrong(alter(number, alter_look(**{"for": other})))[:1] == [IMPOSSIBLE], other
    assert find_wrong(alter(number, alter_look(more=1)))[:1] == [IMPOSSIBLE]


@pytest.mark.parametrize("members", [{"base": "unknown"}, {"operation_id": "unknown"}, {"base": None}])
def test_an_abandoned_turn_began_with_an_input(members: dict[str, Any]) -> None:
    found = find_wrong(alter(0, lambda aside: replace(aside, body={**aside.body, **members})))
    assert found[:1] == [IMPOSSIBLE]


@pytest.mark.parametrize("checks", [None, [], "all", {}, [{}], [1], 3])
def test_malformed_lists_are_not_believed(checks: Any) -> None:
    found = find_wrong(alter(0, lambda aside: replace(aside, body={**aside.body, "checks": checks})))
    assert found[:1] == [IMPOSSIBLE]


def test_it_is_listed_with_the_first_commit() -> None:
    head = read_records()[-2]
    assert isinstance(head, Commit)
    found = find_wrong(alter(0, lambda aside: replace(aside, commit=head.id)))
    assert found == ["dice of an abandoned turn are listed where nobody looks for them"]


def test_only_dice_of_a_fresh_fate_have_a_nonce() -> None:
    def find_odd(records: Sequence[Record], *fates: FateKind) -> list[str]:
        check = SeenDrawsCheck()
        assert not [wrong for record in records for wrong in check.take(record) if wrong == IMPOSSIBLE]
        games = sorted({one.game_digest for one in records if isinstance(one, Commit)})
        known = dict(zip([*games, "another"], fates, strict=False))
        return [aside for aside, _ in check.find_odd_nonces(known)]

    asides = [one.id for one in read_records() if isinstance(one, Aside)]
    assert find_odd(read_records(), FateKind.FIXED) == []
    assert find_odd(read_records(), FateKind.FRESH) == asides
    nonced = alter(2, alter_look(stream=f"{'ab' * 16}@{read_stream(2)}"))
    assert find_odd(nonced, FateKind.FIXED) == asides[2:]
    assert find_odd(nonced, FateKind.FRESH) == asides[:2]
    # A newer edition may have another fate, and about a game that cannot be opened nobody knows.
    assert find_odd(nonced, FateKind.FIXED, FateKind.FRESH) == []
    assert find_odd(nonced) == []
