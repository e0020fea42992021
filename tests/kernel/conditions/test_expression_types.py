"""Value types: what expressions give, and every way in which one means nothing for its game."""

import pytest

from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import ExpressionError, ValueType
from talewright.kernel.conditions.expression_types import check, check_fit, type_of
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string

LAYOUT = Layout(
    {
        "hp": integer(),
        "luck": number(),
        "name": string(),
        "location": enum("dock", "tower"),
        "weather": enum("fog", "rain"),
        "flags": record(chased=boolean(), met_lian=boolean()),
        "bag": listing(string()),
        "rolls": listing(integer()),
        "marks": listing(boolean()),
        "visited": listing(enum("dock", "tower")),
        "paths": listing(listing(string())),
        "people": opened(record(mood=integer())),
        "mixed": Slot(kind=SlotKind.OBJECT, fields={"a": integer()}, values=integer()),
        "letters": enum(*"abcdefghijklmnop"),
    }
)
NUMBER, BOOLEAN, TEXT, LIST, OBJECT = ValueType

TYPES: list[tuple[str, ValueType]] = [
    ("1", NUMBER),
    ("0.5", NUMBER),
    ("'a'", TEXT),
    ("true", BOOLEAN),
    ("turn", NUMBER),
    ("hp", NUMBER),
    ("luck", NUMBER),
    ("name", TEXT),
    ("location", TEXT),
    ("flags", OBJECT),
    ("flags.chased", BOOLEAN),
    ("bag", LIST),
    ("bag.3", TEXT),
    ("rolls.0", NUMBER),
    ("people.ann", OBJECT),
    ("people.ann.mood", NUMBER),
    ("mixed.a", NUMBER),
    ("mixed.z", NUMBER),
    ("-hp", NUMBER),
    ("hp + luck * 2 / 3 - 1", NUMBER),
    ("min(1, hp)", NUMBER),
    ("max(1, hp, luck)", NUMBER),
    ("len(bag)", NUMBER),
    ("len(flags)", NUMBER),
    ("len(name)", NUMBER),
    ("len('abc')", NUMBER),
    ("count(bag, 'rope')", NUMBER),
    ("count(rolls, hp + 1)", NUMBER),
    ("count(paths, bag)", NUMBER),
    ("has(bag, name)", BOOLEAN),
    ("has(visited, location)", BOOLEAN),
    ("has(visited, name)", BOOLEAN),
    ("has(visited, 'dock')", BOOLEAN),
    ("has(marks, hp > 1)", BOOLEAN),
    ("has(people, 'ann')", BOOLEAN),
    ("has(mixed, 'zoe')", BOOLEAN),
    ("has(flags, 'chased')", BOOLEAN),
    ("has(flags, name)", BOOLEAN),
    ("'rope' in bag", BOOLEAN),
    ("'rope' not in bag", BOOLEAN),
    ("not flags.chased", BOOLEAN),
    ("flags.chased and true or hp > 1", BOOLEAN),
    ("hp >= luck", BOOLEAN),
    ("name == 'x'", BOOLEAN),
    ("'x' != name", BOOLEAN),
    ("location == 'dock'", BOOLEAN),
    ("'tower' != location", BOOLEAN),
    ("location == name", BOOLEAN),
    ("location == weather", BOOLEAN),
    ("bag == bag", BOOLEAN),
    ("flags != flags", BOOLEAN),
    ("flags.chased == (hp > 1)", BOOLEAN),
]


def test_types_have_plain_names() -> None:
    assert [str(given) for given in ValueType] == ["number", "boolean", "text", "list", "object"]


@pytest.mark.parametrize(("text", "given"), TYPES)
def test_types(text: str, given: ValueType) -> None:
    tree = parse(text)
    assert check(tree, LAYOUT) is given
    assert type_of(tree, LAYOUT) is given


ORDERED = "Compare other values with `==` and `!=`."

REFUSALS: list[tuple[str, str, int, str]] = [
    ("-name", "`-` takes a number, not a text", 2, ""),
    ("not hp", "`not` takes true or false, not a number", 5, ""),
    ("true and hp", "`and` takes true or false, not a number", 10, ""),
    ("bag or true", "`or` takes true or false, not a list", 1, ""),
    ("name + 1", "`+` takes a number, not a text", 1, ""),
    ("1 - flags", "`-` takes a number, not an object", 5, ""),
    ("1 * true", "`*` takes a number, not true or false", 5, ""),
    ("hp / (1 > 2)", "`/` takes a number, not true or false", 9, ""),
    ("hp == 'a'", "`==` compares values of the same type, not a number with a text", 4, ""),
    (
        "flags.chased == 'no'",
        "`==` compares values of the same type, not true or false with a text",
        14,
        "Write `not flags.chased`.",
    ),
    (
        "flags.chased != 'No'",
        "`!=` compares values of the same type, not true or false with a text",
        14,
        "Write `flags.chased`.",
    ),
    (
        "'yes' == flags.chased",
        "`==` compares values of the same type, not a text with true or false",
        7,
        "Write `flags.chased`.",
    ),
    (
        "flags.chased == 0",
        "`==` compares values of the same type, not true or false with a number",
        14,
        "Write `not flags.chased`.",
    ),
    (
        "flags.chased == 'soon'",
        "`==` compares values of the same type, not true or false with a text",
        14,
        "Write `flags.chased` or `not flags.chased`.",
    ),
    (
        "hp == '3'",
        "`==` compares values of the same type, not a number with a text",
        4,
        "Write `3`, without quotes.",
    ),
    (
        "name == 3",
        "`==` compares values of the same type, not a text with a number",
        6,
        'Write `"3"`, in quotes.',
    ),
    (
        "location == 3",
        "`==` compares values of the same type, not a text with a number",
        10,
        "The values are dock, tower.",
    ),
    ("name == true", "`==` compares values of the same type, not a text with true or false", 6, ""),
    ("flags != bag", "`!=` compares values of the same type, not an object with a list", 7, ""),
    ("hp > true", "`>` compares values of the same type, not a number with true or false", 4, ""),
    ("name > 'a'", "`>` compares numbers, not a text", 6, ORDERED),
    ("true <= false", "`<=` compares numbers, not true or false", 6, ORDERED),
    ("bag < bag", "`<` compares numbers, not a list", 5, ORDERED),
    ("location == 'docks'", "`docks` is not a value of this enum", 13, 'Write `"dock"`.'),
    ("'Tower' == location", "`Tower` is not a value of this enum", 1, 'Write `"tower"`.'),
    ("location != 'zzz'", "`zzz` is not a value of this enum", 13, "The values are dock, tower."),
    (
        "letters == 'zzz'",
        "`zzz` is not a value of this enum",
        12,
        "The values are a, b, c, d, e, f, g, h, i, j, k, l, ....",
    ),
    ("has(visited, 'dok')", "`dok` is not a value of this enum", 14, 'Write `"dock"`.'),
    ("'zzz' in visited", "`zzz` is not a value of this enum", 1, "The values are dock, tower."),
    ("visited.0 == 'zzz'", "`zzz` is not a value of this enum", 14, "The values are dock, tower."),
    ("len(hp)", "`len` takes a list or an object or a text, not a number", 5, ""),
    ("count(flags, 'a')", "`count` takes a list, not an object", 7, ""),
    ("has(name, 'a')", "`has` takes a list or an object, not a text", 5, ""),
    ("1 in hp", "`has` takes a list or an object, not a number", 6, ""),
    ("len(bag, bag)", "`len` takes 1 arguments, not 2", 1, "Write `len(list)`."),
    ("1 + count(bag)", "`count` takes 2 arguments, not 1", 5, "Write `count(list, value)`."),
    ("has(bag, 'a', 'b')", "`has` takes 2 arguments, not 3", 1, "Write `has(list, value)`."),
    ("min(1)", "`min` takes 2 or more arguments, not 1", 1, "Write `min(a, b)`."),
    ("max(1)", "`max` takes 2 or more arguments, not 1", 1, "Write `max(a, b)`."),
    ("min(1, 'a')", "`min` takes a number, not a text", 8, ""),
    ("max(true, 1)", "`max` takes a number, not true or false", 5, ""),
    ("count(bag, 1)", "the elements of this list are each a text, not a number", 12, ""),
    ("has(rolls, true)", "the elements of this list are each a number, not true or false", 12, ""),
    ("has(paths, 'a')", "the elements of this list are each a list, not a text", 12, ""),
    ("has(flags, 1)", "a key of an object is a text, not a number", 12, ""),
    ("has(people, true)", "a key of an object is a text, not true or false", 13, ""),
    ("has(flags, 'chasd')", "this object never has a key `chasd`", 12, 'Write `"chased"`.'),
    ("'zzz' in flags", "this object never has a key `zzz`", 1, "Its keys are chased, met_lian."),
    ("hpp > 1", "there is no `hpp` in the state", 1, "Write `hp`."),
    ("1 < chased", "there is no `chased` in the state", 5, "Write `flags.chased`."),
    ("xyz > 1", "there is no `xyz` in the state", 1, ""),
    ("hp.x > 1", "there is no `hp.x` in the state", 1, "Write `hp`."),
    ("bag.first == 'a'", "there is no `bag.first` in the state", 1, ""),
    ("turn.x > 1", "there is no `turn.x` in the state", 1, ""),
    ("True", "there is no `True` in the state", 1, "Write `true` in lower case."),
    (
        "hp == None",
        "there is no `None` in the state",
        7,
        "There is no null; an empty text, list or object has",
    ),
    ("len(nowhere)", "there is no `nowhere` in the state", 5, ""),
    ("has(bag, nowhere)", "there is no `nowhere` in the state", 10, ""),
    ("-nowhere", "there is no `nowhere` in the state", 2, ""),
]


@pytest.mark.parametrize(("text", "message", "column", "hint"), REFUSALS)
def test_refusals(text: str, message: str, column: int, hint: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        check(parse(text), LAYOUT)
    assert (refused.value.message, refused.value.column) == (message, column)
    assert refused.value.suggestion.startswith(hint) if hint else refused.value.suggestion == ""


FITTING: list[tuple[str, Slot]] = [
    ("hp / 2", integer()),
    ("hp + 0.5", number()),
    ("hp > 1", boolean()),
    ("flags.chased", boolean()),
    ("name", string()),
    ("location", string()),
    ("'dock'", string()),
    ("'dock'", enum("dock", "tower")),
    ("location", enum("dock", "tower")),
    ("location", enum("tower", "attic", "dock")),
]


@pytest.mark.parametrize(("text", "slot"), FITTING)
def test_what_fits_a_derived_slot(text: str, slot: Slot) -> None:
    check_fit(parse(text), LAYOUT, slot)


DERIVABLE = "A derived variable is a number, an integer, a boolean, a string or an enum."
CANNOT = "which a derived variable of the type"

MISFITS: list[tuple[str, Slot, str, int, str]] = [
    ("1 + hp", boolean(), f"this gives a number, {CANNOT} boolean cannot hold", 3, DERIVABLE),
    ("hp > 1", integer(), f"this gives true or false, {CANNOT} integer cannot hold", 4, DERIVABLE),
    ("name", number(), f"this gives a text, {CANNOT} number cannot hold", 1, DERIVABLE),
    ("hp", string(), f"this gives a number, {CANNOT} string cannot hold", 1, DERIVABLE),
    ("hp", enum("a"), f"this gives a number, {CANNOT} enum cannot hold", 1, DERIVABLE),
    ("bag", listing(string()), f"this gives a list, {CANNOT} list cannot hold", 1, DERIVABLE),
    ("flags", record(), f"this gives an object, {CANNOT} object cannot hold", 1, DERIVABLE),
    ("'dok'", enum("dock", "tower"), "`dok` is not a value of this enum", 1, 'Write `"dock"`.'),
    ("name", enum("dock"), "`name` may hold a value that is not in this enum", 1, "The values are dock."),
    (
        "location",
        enum("dock"),
        "`location` may hold a value that is not in this enum",
        1,
        "The values are dock.",
    ),
    (
        "weather",
        enum("dock", "fog"),
        "`weather` may hold a value that is not in this enum",
        1,
        "The values are d",
    ),
    ("nowhere", integer(), "there is no `nowhere` in the state", 1, ""),
]


@pytest.mark.parametrize(("text", "slot", "message", "column", "hint"), MISFITS)
def test_what_fits_no_derived_slot(text: str, slot: Slot, message: str, column: int, hint: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        check_fit(parse(text), LAYOUT, slot)
    assert (refused.value.message, refused.value.column) == (message, column)
    assert refused.value.suggestion.startswith(hint)
