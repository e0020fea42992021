"""Every turn of the present engine number, made again from its record, is what was committed.

A failure here means that turns are judged, read or told otherwise than before: raise the number in
`turn/engine_number.py`, say why, and make a further set of kept campaigns.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.chronicle.records import Commit
from talewright.turn.engine_number import ENGINE_NUMBER, ENGINE_NUMBERS
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_context import Road
from tests.kept_campaigns.keeping import Kept, find_kept, lay_out
from tests.turn.differences import find_differences


@dataclass(frozen=True, slots=True)
class Again:
    """What came of making the turns of a campaign again."""

    made: int
    unlike: tuple[tuple[int, tuple[str, ...]], ...]
    """By their version the turns that came out otherwise, and in what."""


async def make_again(saves: Path, campaign: str) -> Again:
    """Make every turn of the present engine number again."""
    lobby = open_lobby(saves, git=False)
    book = await lobby.store.open(campaign)
    road = Road(book=book, editions=lobby.shelf, now=lobby.now, new_id=lobby.new_id)
    made, unlike = 0, []
    for commit in [record async for record in book.records() if isinstance(record, Commit)]:
        if commit.body.get("engine") != ENGINE_NUMBER:
            continue
        made += 1
        differences = find_differences(commit, await replay_turn(road, commit))
        if differences:
            unlike.append((commit.version, differences))
    await book.close()
    return Again(made, tuple(unlike))


@pytest.mark.process
def test_turns_of_a_moment_ago_are_made_again_as_they_were(made: list[Kept], tmp_path: Path) -> None:
    total = 0
    for kept in made:
        lay_out(kept, tmp_path)
        again = asyncio.run(make_again(tmp_path, kept.name))
        assert again.unlike == (), kept.name
        total += again.made
    assert total > 90


@pytest.mark.slow
def test_kept_turns_are_made_again_as_they_were(tmp_path: Path) -> None:
    made = 0
    for kept in find_kept():
        saves = tmp_path / kept.place.name
        lay_out(kept, saves)
        again = asyncio.run(make_again(saves, kept.name))
        assert again.unlike == (), kept
        made += again.made
    # Whoever raises the number makes a further set.
    assert made > 90


def test_numbers_only_rise() -> None:
    numbers = [one.number for one in ENGINE_NUMBERS]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [one.date for one in ENGINE_NUMBERS] == sorted(one.date for one in ENGINE_NUMBERS)
    assert all(one.reason for one in ENGINE_NUMBERS)
