"""Inventories: what is one, where its things stand, and what a patch may do with them."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.answer_schema import index_by_id, is_inventory
from talewright.contract.patch.patch_operations import check_write
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state_paths import parse_path
from tests.contract.chapel import ground, thing
from tests.kernel.making import enum, integer, listing, make_layout, number, opened, record, string


@pytest.mark.parametrize(
    ("slot", "is_one"),
    [
        (listing(thing()), True),
        (listing(record(id=enum("a"), qty=number())), True),
        (None, False),
        (integer(), False),
        (opened(thing()), False),
        (listing(string()), False),
        (listing(record(id=string())), False),
        (listing(record(qty=integer())), False),
        (listing(record(id=integer(), qty=integer())), False),
        (listing(record(id=string(), qty=string())), False),
        (listing(record(id=replace(string(), secret=True), qty=integer())), False),
        (replace(listing(thing()), secret=True), False),
    ],
)
def test_inventory_is_a_list_of_ids_and_quantities(slot: Slot | None, is_one: bool) -> None:
    assert is_inventory(slot) is is_one


def test_index_names_every_thing_but_secret_ones() -> None:
    where = ground()
    assert index_by_id(where.position.state.document, where.game.layout) == (
        "[INVENTORY_INDEX_BY_ID]\n"
        '{"/player/inventory": {"rusty_dagger": 0, "copper_coin": 1}, "/npcs/guard/bag": {"key": 0}}'
    )


def test_index_of_nothing_is_empty_and_of_an_empty_one_is_told() -> None:
    layout = make_layout({"hp": integer()})
    assert index_by_id(layout.defaults(), layout) == ""
    layout = make_layout({"bag": listing(thing())})
    assert index_by_id(layout.defaults(), layout) == '[INVENTORY_INDEX_BY_ID]\n{"/bag": {}}'


def test_index_takes_the_first_of_two_alike_and_passes_over_nothing_at_all() -> None:
    layout = make_layout(
        {
            "chests": listing(record(bag=replace(listing(thing()), nullable=True))),
            "bag": listing(replace(thing(), nullable=True)),
        }
    )
    coin: Json = {"id": "钱", "qty": 1}
    bag: Json = [None, coin, coin]
    chests: Json = [{"bag": [coin]}, {"bag": None}]
    document = {**layout.defaults(), "bag": bag, "chests": chests}
    assert index_by_id(document, layout) == (
        '[INVENTORY_INDEX_BY_ID]\n{"/chests/0/bag": {"钱": 0}, "/bag": {"钱": 1}}'
    )


COIN: Json = {"id": "copper_coin", "qty": 1}
ROPE: Json = {"id": "rope", "qty": 1}


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("/player/inventory/-", ROPE, ""),
        ("/player/inventory/2", ROPE, "a new thing goes to the end: add it at /player/inventory/-"),
        ("/player/inventory/0", COIN, "a new thing goes to the end: add it at /player/inventory/-"),
        ("/player/inventory/-", COIN, "'copper_coin' is there already: replace /player/inventory/1/qty"),
        ("/player/inventory/-", {"id": "rope", "qty": 0}, "a qty of 0 is nothing: leave 'rope' out"),
        ("/player/inventory/-", {"id": "rope", "qty": -0.5}, "a qty of -0.5 is nothing: leave 'rope' out"),
        ("/player/inventory/-", {"id": "rope", "qty": False}, ""),
        ("/player/inventory/-", {"id": "rope"}, ""),
        ("/player/inventory/-", {"id": ["rope"], "qty": 1}, ""),
        ("/player/inventory/-", "rope", ""),
        ("/npcs/nobody/bag/-", ROPE, ""),
        (
            "/npcs/guard/bag/-",
            {"id": "key", "qty": 2},
            "'key' is there already: replace /npcs/guard/bag/0/qty",
        ),
        ("/stash/0", {"id": "bone", "qty": 0}, ""),
        ("/player/notes/0", "x", ""),
        ("/nowhere/at/all", "x", ""),
        ("/flags/x", True, ""),
    ],
)
def test_adding(path: str, value: Json, problem: str) -> None:
    where = ground()
    document = where.position.state.document
    assert check_write(parse_path(path), value, document, where.game.layout, adding=True) == problem


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("/player/inventory/1", COIN, ""),
        (
            "/player/inventory/0",
            COIN,
            "/player/inventory/0 is 'rusty_dagger' and things keep their places: remove it and add "
            "'copper_coin' at /player/inventory/-",
        ),
        (
            "/player/inventory/1",
            {"qty": 1},
            "/player/inventory/1 is 'copper_coin' and things keep their places: remove it and add "
            "null at /player/inventory/-",
        ),
        (
            "/player/inventory/1",
            {"id": "copper_coin", "qty": 0},
            "a qty of 0 is nothing: remove /player/inventory/1",
        ),
        ("/player/inventory/7", COIN, ""),
        ("/player/inventory/1/qty", 1, ""),
        ("/player/inventory/1/qty", 0, "a qty of 0 is nothing: remove /player/inventory/1"),
        ("/player/inventory/1/qty", -2, "a qty of -2 is nothing: remove /player/inventory/1"),
        ("/player/inventory/1/qty", "none", ""),
        ("/player/inventory/1/id", "copper_coin", ""),
        ("/player/inventory/7/id", "rope", ""),
        ("/player/inventory/1/weight", 0, ""),
        (
            "/player/inventory/1/id",
            "rope",
            "/player/inventory/1 is 'copper_coin' and stays it: remove it, and add 'rope' at the end with -",
        ),
        (
            "/player/inventory",
            [],
            "/player/inventory has an inventory in it; add, replace and remove its things one by one",
        ),
        (
            "/player",
            {"xp": 1, "inventory": [COIN]},
            "/player has an inventory in it; add, replace and remove its things one by one",
        ),
        ("/player", {"xp": 1}, ""),
        ("/player", {"xp": 1, "nothing": []}, ""),
        ("/player", 7, ""),
        (
            "/npcs",
            {"guard": {"bag": [], "hp": 4}},
            "/npcs has an inventory in it; add, replace and remove its things one by one",
        ),
        ("/npcs", {"guard": {"bag": [{"id": "key", "qty": 1}], "hp": 4}, "monk": {"bag": [], "hp": 1}}, ""),
        ("/npcs/monk", {"bag": [ROPE], "hp": 1}, ""),
        ("/player/notes", ["x", "y"], ""),
    ],
)
def test_replacing(path: str, value: Json, problem: str) -> None:
    where = ground()
    assert check_write(parse_path(path), value, where.position.state.document, where.game.layout) == problem


def test_inventory_as_it_stands_may_be_written_again() -> None:
    where = ground()
    document = where.position.state.document
    assert check_write(("player",), document["player"], document, where.game.layout) == ""


def test_inventories_within_lists_are_found() -> None:
    layout = make_layout({"chests": listing(record(bag=listing(thing())), {"bag": [COIN]})})
    document = layout.defaults()
    told = "/chests has an inventory in it; add, replace and remove its things one by one"
    assert check_write(("chests",), [{"bag": []}], document, layout) == told
    assert check_write(("chests",), [{"bag": [COIN]}, {"bag": [ROPE]}], document, layout) == ""
