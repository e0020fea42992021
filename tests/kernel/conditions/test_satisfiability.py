"""Intervals: what is always true, never true, or open, given what slots may hold."""

import pathlib
from dataclasses import replace

import pytest

from talewright.kernel.conditions.conditions import parse_condition, parse_expression
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.conditions.satisfiability import (
    ROUNDS_MAX,
    STEPS_MAX,
    Outlook,
    judge_possible,
    possible_values,
)
from talewright.kernel.conditions.value_domains import (
    NULL,
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
)
from talewright.kernel.slots.slot_types import Carry, Layout, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string
from tests.sweep import intervals as sweep

CITY = {"a": record(b=integer(), c=boolean()), "d": integer(), "e": string(), "f": boolean()}
TIME = record(hour=integer(20), minute=replace(integer(10), carry=Carry("hour", 60)))
LAYOUT = Layout(
    {
        "hp": integer(80, 0, 100),
        "mp": integer(10, 0, 100),
        "gold": integer(12, 0),
        "luck": number(0.5, 0, 1),
        "name": string(max_length=10),
        "location": enum("dock", "tower", "bar"),
        "weather": enum("fog", "rain"),
        "flags": record(chased=boolean(), met=boolean()),
        "time": TIME,
        "bag": listing(string(max_length=5), max_items=20),
        "rolls": listing(integer(3, 1, 6), max_items=4),
        "marks": listing(boolean(), max_items=9),
        "visited": listing(enum("dock", "tower"), max_items=9),
        "people": opened(integer(50, 0, 100), max_items=3),
        "boat": replace(record(oars=integer(2, 0, 4)), nullable=True),
        "maybe": replace(integer(5, 0, 9), nullable=True),
        "perhaps": Slot(kind=SlotKind.BOOLEAN, nullable=True),
        "mute": replace(string(), nullable=True),
        "sack": replace(listing(string()), nullable=True),
        "crowd": listing(listing(integer(), max_items=500), max_items=500),
        "queue": listing(integer(), max_items=10_000),
        "throng": listing(integer(), max_items=10_001),
        "town": Slot(
            kind=SlotKind.OBJECT, fields={"a": record(b=integer())}, values=integer(), max_items=9_998
        ),
        "city": Slot(kind=SlotKind.OBJECT, fields=CITY, values=record(a=integer()), max_items=4_997),
        "state": Slot(
            kind=SlotKind.OBJECT, fields=CITY, values=listing(integer(), max_items=1), max_items=4_998
        ),
    }
)


def known_outlooks() -> list[tuple[str, Outlook]]:
    """Conditions under headings that say what can be said of them."""
    known: list[tuple[str, Outlook]] = []
    heading = ""
    for line in pathlib.Path(__file__).with_name("outlooks.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            known.append((line, Outlook(heading)))
    return known


@pytest.mark.parametrize(("text", "outlook"), known_outlooks())
def test_outlooks(text: str, outlook: Outlook) -> None:
    assert judge_possible(parse_condition(text, LAYOUT).tree, LAYOUT) is outlook


def choices(*values: bool | str, null: bool = False) -> ChoiceDomain:
    return ChoiceDomain(frozenset(values), null)


FACTS: list[tuple[str, Path, Domain, Outlook]] = [
    ("flags.met", ("flags", "met"), choices(False), Outlook.NEVER),
    ("not flags.met", ("flags", "met"), choices(False), Outlook.ALWAYS),
    ("flags.met", ("flags", "chased"), choices(False), Outlook.UNKNOWN),
    ("hp > 50", ("hp",), NumberDomain(0, 50, whole=True), Outlook.NEVER),
    ("hp < 51", ("hp",), NumberDomain(0, 50, whole=True), Outlook.ALWAYS),
    ("location == 'bar'", ("location",), choices("dock", "tower"), Outlook.NEVER),
    ("has(bag, 'key')", ("bag",), ContentsDomain(0, 20, choices("rope", "lamp")), Outlook.NEVER),
    ("has(bag, 'rope')", ("bag",), ContentsDomain(0, 20, choices("rope", "lamp")), Outlook.UNKNOWN),
    ("has(bag, 'rope')", ("bag",), ContentsDomain(0, 0, None), Outlook.NEVER),
    ("len(bag) == 0", ("bag",), ContentsDomain(0, 0, None), Outlook.ALWAYS),
    (
        "has(people, 'ann')",
        ("people",),
        ContentsDomain(1, 3, TextDomain(), frozenset({"ann"})),
        Outlook.ALWAYS,
    ),
    (
        "has(people, 'ann')",
        ("people",),
        ContentsDomain(1, 3, TextDomain(), frozenset({"ann"}), null=True),
        Outlook.UNKNOWN,
    ),
    (
        "has(people, 'bo')",
        ("people",),
        ContentsDomain(1, 3, TextDomain(), frozenset({"ann"})),
        Outlook.UNKNOWN,
    ),
    ("has(people, 'bo')", ("people",), ContentsDomain(1, 3, choices("ann")), Outlook.NEVER),
    ("has(people, 'bo')", ("people",), NULL, Outlook.NEVER),
    ("people.ann > 60", ("people", "ann"), NumberDomain(0, 60, whole=True), Outlook.NEVER),
    ("maybe > 3", ("maybe",), NULL, Outlook.NEVER),
    ("maybe != 3", ("maybe",), NULL, Outlook.ALWAYS),
    ("maybe == maybe", ("maybe",), NULL, Outlook.NEVER),
    ("perhaps", ("perhaps",), NULL, Outlook.NEVER),
    ("not perhaps", ("perhaps",), NULL, Outlook.ALWAYS),
    ("not perhaps", ("perhaps",), choices(False, null=True), Outlook.ALWAYS),
    ("len(mute) == 0", ("mute",), NULL, Outlook.ALWAYS),
    ("len(mute) == 3", ("mute",), choices("abc", null=True), Outlook.UNKNOWN),
    ("len(mute) == 1", ("mute",), choices("", "abc"), Outlook.UNKNOWN),
    ("turn > 9", TURN, NumberDomain(1, 9, whole=True), Outlook.NEVER),
    ("turn >= 1", TURN, NumberDomain(1, 9, whole=True), Outlook.ALWAYS),
]


@pytest.mark.parametrize(("text", "path", "domain", "outlook"), FACTS)
def test_facts_take_the_place_of_slots(text: str, path: Path, domain: Domain, outlook: Outlook) -> None:
    tree = parse_condition(text, LAYOUT).tree
    assert judge_possible(tree, LAYOUT, {path: domain}) is outlook
    assert judge_possible(tree, LAYOUT, {("nowhere",): domain}) is judge_possible(tree, LAYOUT)


DEFAULTS = Layout(
    {
        "row": listing(replace(integer(99), minimum=0, maximum=9)),
        "open": opened(replace(integer(99), minimum=0, maximum=9)),
        "bare": listing(Slot(kind=SlotKind.INTEGER, minimum=0, maximum=9)),
        "boat": replace(record(oars=replace(integer(99), minimum=0, maximum=9)), nullable=True),
        "ship": record(oars=replace(integer(99), minimum=0, maximum=9)),
        "deep": listing(record(a=record(b=replace(integer(99), minimum=0, maximum=9)))),
    }
)


@pytest.mark.parametrize("path", ["row.0", "open.x", "boat.oars", "deep.0.a.b"])
def test_a_path_that_may_break_off_may_give_its_default(path: str) -> None:
    assert judge_possible(parse(f"{path} > 9"), DEFAULTS) is Outlook.UNKNOWN
    assert judge_possible(parse(f"{path} > 99"), DEFAULTS) is Outlook.NEVER


def test_a_path_that_is_always_there_does_not() -> None:
    assert judge_possible(parse("ship.oars > 9"), DEFAULTS) is Outlook.NEVER


def test_a_default_of_null_may_have_no_answer() -> None:
    assert judge_possible(parse("bare.0 >= 0"), DEFAULTS) is Outlook.UNKNOWN
    assert judge_possible(parse("bare.0 > 9"), DEFAULTS) is Outlook.NEVER


VALUES: list[tuple[str, Domain | None]] = [
    ("hp", NumberDomain(0, 100, whole=True)),
    ("hp / 4 + luck", NumberDomain(0, 26)),
    ("-hp", NumberDomain(-100, 0, whole=True)),
    ("min(hp, mp - 50)", NumberDomain(-50, 50, whole=True)),
    ("max(luck, 0.5, hp)", NumberDomain(0.5, 100)),
    ("hp > 3", choices(True, False)),
    ("hp > 300", choices(False)),
    ("not (hp > 300)", choices(True)),
    ("1 / 0", None),
    ("not (1 / 0 > 1)", None),
    ("location", choices("dock", "tower", "bar")),
    ("name", TextDomain(10)),
    ("maybe", NumberDomain(0, 9, whole=True, null=True)),
    ("len(name)", NumberDomain(0, 10, whole=True)),
    ("len(location)", NumberDomain(3, 5, whole=True)),
    ("len(sack)", NumberDomain(0, 500, whole=True)),
    ("len(flags)", NumberDomain(2, 2, whole=True)),
    ("count(rolls, 3)", NumberDomain(0, 4, whole=True)),
    ("count(rolls, 9)", NumberDomain(0, 0, whole=True)),
    ("turn", NumberDomain(0, INTEGER_MAX, whole=True)),
    ("'a'", choices("a")),
    ("hp > 3 and hp < 2", choices(False)),
    ("hp > 3 or hp < 5", choices(True)),
]


@pytest.mark.parametrize(("text", "domain"), VALUES)
def test_possible_values(text: str, domain: Domain | None) -> None:
    assert possible_values(parse_expression(text, LAYOUT).tree, LAYOUT) == domain


def test_possible_values_take_facts() -> None:
    tree = parse_expression("hp * 2", LAYOUT).tree
    assert possible_values(tree, LAYOUT, {("hp",): NumberDomain(1, 2, whole=True)}) == NumberDomain(
        2, 4, whole=True
    )


def tangled(depth: int) -> str:
    """A condition that would take long to judge."""
    text = "hp > 0"
    for level in range(depth):
        text = f"({text} {'or' if level % 2 else 'and'} hp > {level})"
    return text


def test_what_takes_too_long_is_left_open() -> None:
    assert (STEPS_MAX, ROUNDS_MAX) == (3_000, 3)
    tree = parse(f"{tangled(22)} and hp > 100")
    assert judge_possible(parse("hp > 100"), LAYOUT) is Outlook.NEVER
    assert judge_possible(tree, LAYOUT) is Outlook.UNKNOWN
    assert possible_values(tree, LAYOUT) == choices(True, False)
    counted = parse(f"count(marks, {tangled(22)})")
    assert possible_values(counted, LAYOUT) == NumberDomain(-INTEGER_MAX, INTEGER_MAX)


def test_what_does_not_take_too_long_is_judged() -> None:
    assert judge_possible(parse(f"{tangled(4)} and hp > 100"), LAYOUT) is Outlook.NEVER


@pytest.fixture(scope="module")
def tally() -> sweep.Tally:
    found = sweep.Tally()
    assert sweep.run(2_000, 20_260_101, tally=found) == 2_000
    return found


def test_random_judgements_are_sound(tally: sweep.Tally) -> None:
    assert sum(tally.outlooks.values()) == 2_000


@pytest.mark.parametrize("outlook", list(Outlook))
def test_random_judgements_are_worth_something(tally: sweep.Tally, outlook: Outlook) -> None:
    assert tally.outlooks[outlook] >= 200


def test_the_sweep_tells_how_far_it_is() -> None:
    done: list[int] = []
    assert sweep.run(50, 1, done.append) == 50
    assert done == [40, 50]


def test_nodes_are_judged_as_they_come_from_the_cache() -> None:
    condition = parse_condition("hp > 50 and hp < 20", LAYOUT)
    restored = type(condition).restore(
        "", ["and", [">", [".", "hp"], 50], ["<", [".", "hp"], 20]], [], LAYOUT
    )
    assert judge_possible(restored.tree, LAYOUT) is Outlook.NEVER
