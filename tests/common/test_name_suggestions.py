"""Spelling: suggestions for wrong names and paths."""

import pytest

from talewright.common.name_suggestions import (
    NAME_LENGTH_MAX,
    NAMES_COMPARED_MAX,
    NAMES_LISTED_MAX,
    listed,
    nearest,
)
from talewright.kernel.conditions.expression_types import nearest_path
from talewright.kernel.slots.slot_types import Layout
from tests.kernel.making import boolean, enum, integer, listing, opened, record, string


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("suspicon", ["suspicion", "hp"], "suspicion"),
        ("HP", ["gold", "hp"], "hp"),
        ("ｈｐ", ["gold", "hp"], "hp"),
        ("straße", ["STRASSE"], "STRASSE"),
        ("xyz", ["hp", "gold"], ""),
        ("", ["hp"], ""),
        ("hp", [], ""),
        ("码投", ["灯塔", "码头"], "码头"),
        ("abcx", ["abyz"], ""),
        ("abc", ["aby"], "aby"),
        ("abc", ["axxbx"], "axxbx"),
        ("abcd", ["xabxxx"], ""),
        ("ab", ["axbyz"], "axbyz"),
        ("abc", ["xyc"], ""),
        ("tower", ["Tower", "TOWER"], "Tower"),
    ],
)
def test_nearest(word: str, known: list[str], near: str) -> None:
    assert nearest(word, known) == near


def test_nearest_looks_at_so_many_names_and_characters() -> None:
    assert (NAMES_COMPARED_MAX, NAME_LENGTH_MAX) == (500, 100)
    names = [f"variable_{number:05}" for number in range(NAMES_COMPARED_MAX)]
    assert nearest("lantern", [*names[1:], "lantern"]) == "lantern"
    assert nearest("lantern", [*names, "lantern"]) == ""
    long = "a" * NAME_LENGTH_MAX
    assert nearest(long + "b" * 1_000, [long + "c" * 1_000]) == long + "c" * 1_000


LAYOUT = Layout(
    {
        "hp": integer(),
        "flags": record(chased=boolean(), met_lian=boolean()),
        "time": record(hour=integer(), clock=record(hand=integer())),
        "bag": listing(string()),
        "people": opened(record(mood=integer())),
        "location": enum("dock"),
    }
)


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("hq", "hp"),
        ("chased", "flags.chased"),
        ("clock.hand", "time.clock.hand"),
        ("hand", "time.clock.hand"),
        ("flags.chasd", "flags.chased"),
        ("flag.chased", "flags.chased"),
        ("flag.nothing", "flags"),
        ("time.clok.hand", "time.clock.hand"),
        ("time.clock.hnd", "time.clock.hand"),
        ("hp.max", "hp"),
        ("location.x.y", "location"),
        ("bag.O", ""),
        ("bag.00", "bag.0"),
        ("people.ann.mod", "people.ann.mood"),
        ("flags.xyz", ""),
        ("xyz", ""),
        ("hp", "hp"),
        ("time.clock", "time.clock"),
    ],
)
def test_nearest_path(path: str, near: str) -> None:
    assert nearest_path(tuple(path.split(".")), LAYOUT) == near


def test_listed() -> None:
    names = [str(number) for number in range(NAMES_LISTED_MAX + 1)]
    assert listed(["a", "b"]) == "a, b"
    assert listed([]) == ""
    assert listed(names[:-1]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert listed(names) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ..."
