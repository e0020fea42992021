"""Lookups: reading a path from documents that fit and from those that do not."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import NoAnswerError
from talewright.kernel.conditions.conditions import reader
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.kernel.state.state_paths import parse_path
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string

MOOD = record(mood=integer(5), inner=record(deep=integer(6)))
LAYOUT = Layout(
    {
        "hp": integer(80),
        "luck": number(0.5),
        "name": string("Lian"),
        "location": enum("dock", "tower"),
        "flags": record(chased=boolean(True), count=integer(1)),
        "bag": listing(string("?"), "rope"),
        "people": opened(MOOD, {"ann": {"mood": 9}}),
        "guests": listing(replace(MOOD, default={"mood": 7})),
        "maybe": replace(integer(3), nullable=True),
        "nothing": Slot(kind=SlotKind.INTEGER, nullable=True),
        "boat": replace(record(oars=integer(2)), nullable=True),
        "bare": Slot(kind=SlotKind.STRING),
        "odd": Slot(kind=SlotKind.INTEGER, default="seven"),
        "grid": listing(listing(integer(4))),
        "tree": record(a=record(b=record(c=integer(11)))),
    }
)


def read(path: str, document: dict[str, Json]) -> Json:
    return reader(parse_path(path), LAYOUT)(document, 1, [0])


READINGS: list[tuple[str, dict[str, Json], Json]] = [
    ("hp", {"hp": 3}, 3),
    ("hp", {"hp": 3.5}, 3.5),
    ("luck", {"luck": 3}, 3),
    ("name", {"name": ""}, ""),
    ("location", {"location": "elsewhere"}, "elsewhere"),
    ("flags", {"flags": {}}, {}),
    ("flags.chased", {"flags": {"chased": False}}, False),
    ("bag", {"bag": []}, []),
    ("bag.0", {"bag": ["a", "b"]}, "a"),
    ("bag.1", {"bag": ["a", "b"]}, "b"),
    ("people.bo.mood", {"people": {"bo": {"mood": 2}}}, 2),
    ("tree.a.b.c", {"tree": {"a": {"b": {"c": 12}}}}, 12),
    ("grid.1.0", {"grid": [[1], [2]]}, 2),
    # Nothing there: the default of the slot at that key goes on.
    ("hp", {}, 80),
    ("location", {}, "dock"),
    ("flags.chased", {}, True),
    ("flags.chased", {"flags": {}}, True),
    ("bag", {}, ["rope"]),
    ("bag.0", {}, "rope"),
    ("bag.2", {"bag": ["a", "b"]}, "?"),
    ("bag.99999999999999999999", {"bag": ["a"]}, "?"),
    ("people.ann.mood", {}, 9),
    ("people.bo.mood", {}, 5),
    ("people.bo", {"people": {}}, {"mood": 5, "inner": {"deep": 6}}),
    ("people.bo.inner.deep", {"people": {"bo": {}}}, 6),
    ("guests.0.mood", {"guests": []}, 7),
    ("guests.0.mood", {"guests": [{}]}, 5),
    ("grid.1.0", {"grid": [[1]]}, 4),
    ("grid.0.7", {"grid": [[1]]}, 4),
    ("tree.a.b.c", {}, 11),
    ("tree.a.b.c", {"tree": {"a": {"b": {}}}}, 11),
    # Null, and null on the way.
    ("maybe", {"maybe": None}, None),
    ("maybe", {}, 3),
    ("nothing", {}, None),
    ("boat", {"boat": None}, None),
    ("boat.oars", {"boat": None}, 2),
    ("boat.oars", {"boat": {"oars": 4}}, 4),
    ("hp", {"hp": None}, None),
    ("bare", {}, None),
    # Something of another kind.
    ("hp", {"hp": True}, 80),
    ("hp", {"hp": "3"}, 80),
    ("hp", {"hp": [3]}, 80),
    ("name", {"name": 3}, "Lian"),
    ("flags.chased", {"flags": {"chased": 1}}, True),
    ("flags.chased", {"flags": [1]}, True),
    ("flags.chased", {"flags": "chased"}, True),
    ("flags.chased", {"flags": 3}, True),
    ("flags", {"flags": [1]}, {"chased": True, "count": 1}),
    ("bag", {"bag": "rope"}, ["rope"]),
    ("bag", {"bag": {"0": "a"}}, ["rope"]),
    ("bag.0", {"bag": "xyz"}, "?"),
    ("bag.0", {"bag": {"0": "a"}}, "?"),
    ("bag.0", {"bag": [3]}, "?"),
    ("people.0.mood", {"people": [{"mood": 1}]}, 5),
    ("tree.a.b.c", {"tree": {"a": {"b": 3}}}, 11),
    ("tree.a.b.c", {"tree": {"a": {"b": {"c": "x"}}}}, 11),
    ("odd", {"odd": "x"}, None),
    ("odd", {"odd": 4}, 4),
]


@pytest.mark.parametrize(("path", "document", "value"), READINGS)
def test_readings(path: str, document: dict[str, Json], value: Json) -> None:
    found = read(path, document)
    assert found == value
    assert type(found) is type(value)


def test_null_may_read_as_something_else() -> None:
    assert reader(("maybe",), LAYOUT, null=())({"maybe": None}, 1, [0]) == ()
    assert reader(("maybe",), LAYOUT, null=False)({"maybe": None}, 1, [0]) is False
    assert reader(("maybe",), LAYOUT, null=False)({"maybe": 4}, 1, [0]) == 4
    assert reader(("grid", "0", "0"), LAYOUT, null=7)({"grid": [[None]]}, 1, [0]) == 7


def test_null_may_have_no_answer() -> None:
    with pytest.raises(NoAnswerError):
        reader(("maybe",), LAYOUT, null_answers=False)({"maybe": None}, 1, [0])
    assert reader(("maybe",), LAYOUT, null_answers=False)({"maybe": 4}, 1, [0]) == 4
    assert reader(("maybe",), LAYOUT, null_answers=False)({}, 1, [0]) == 3
    assert issubclass(NoAnswerError, ArithmeticError)


def test_reading_changes_nothing() -> None:
    document: dict[str, Json] = {"people": {}}
    assert read("people.bo.mood", document) == 5
    assert document == {"people": {}}


class Straight(dict[str, Json]):
    """An object that must be read without asking first whether a key is there."""

    def __contains__(self, key: object) -> bool:
        raise AssertionError("this was the slow way")


@pytest.mark.parametrize("path", ["hp", "flags.count", "tree.a.b.c"])
def test_what_fits_is_read_straight(path: str) -> None:
    tree = Straight(a=Straight(b=Straight(c=3)))
    document = Straight(hp=3, flags=Straight(count=3), tree=tree)
    assert reader(parse_path(path), LAYOUT)(document, 1, [0]) == 3


@pytest.mark.parametrize("path", ["hp", "flags.count", "tree.a.b.c"])
def test_what_does_not_fit_is_not(path: str) -> None:
    with pytest.raises(AssertionError, match="slow way"):
        reader(parse_path(path), LAYOUT)(Straight(), 1, [0])
