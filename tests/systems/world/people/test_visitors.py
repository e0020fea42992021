"""Visitors: the index of who may be at a place never leaves somebody out."""

import random

from talewright.systems.world.authored.authored_world import PersonNeed, ScheduleEntry, hours_between
from talewright.systems.world.people.whereabouts import find_person, list_present
from tests.systems.world.making import Play
from tests.systems.world.random_worlds import make_files, make_world_game


def test_everybody_who_is_there_is_found() -> None:
    for number in range(30):
        state = Play(make_world_game(make_files(random.Random(number)))).state
        for tick in random.Random(number).sample(range(20_000), 40):
            for place in state.places:
                found = {person.id for person in list_present(state, place, tick)}
                there = {one.id for one in state.people.values() if find_person(state, one, tick) == place}
                assert found == there, f"world {number}, tick {tick}, {place}"


def test_hours_of_entries_and_needs() -> None:
    assert hours_between(0, 60) == {0}
    assert hours_between(59, 61) == {0, 1}
    assert hours_between(1_430, 1_450) == {23, 0}
    assert ScheduleEntry(1_320, 90, "x").hours() == {22, 23, 0, 1}
    assert [ScheduleEntry(1_320, 90, "x").fills(hour) for hour in (21, 22, 0, 1)] == [
        False,
        True,
        True,
        False,
    ]
    assert not ScheduleEntry(0, 1_440, "x", (1,)).fills(3)
    assert PersonNeed("n", "x", 7 * 60, 60).hours() == set(range(24))
    assert PersonNeed("n", "x", 720, 60, 30).hours() == {11, 12, 23, 0}


def test_every_minute_of_an_entry_is_in_its_hours() -> None:
    chance = random.Random(5)
    for _ in range(200):
        entry = ScheduleEntry(chance.randrange(1_440), chance.randrange(1_441), "x")
        covered = {minute // 60 for minute in range(1_440) if entry.covers(3, minute)}
        assert covered <= entry.hours()
        for hour in range(24):
            whole = all(entry.covers(3, minute) for minute in range(hour * 60, hour * 60 + 60))
            assert entry.fills(hour) is whole
        need = PersonNeed("n", "x", chance.choice((60, 120, 700, 1_440, 2_880)), 60, chance.randrange(60))
        felt = {
            minute % 1_440 // 60
            for minute in range(10_000)
            if (minute + need.shift) % need.every_minutes < need.minutes
        }
        assert felt <= need.hours()
