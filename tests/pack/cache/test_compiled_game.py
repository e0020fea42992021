"""Compiled games from strangers: conditions mean what their text says, or the game is refused."""

import copy
import gzip
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import installed_systems
from talewright.kernel.conditions.conditions import Condition, Formula
from talewright.pack.cache.compiled_game import find_formulas, pack_game, unpack_foreign_game, unpack_game
from talewright.pack.compiler import compile_folder

GAMES = Path(__file__).parents[3] / "games"
KEPT = {file.name: file for file in (Path(__file__).parents[2] / "kept_campaigns").glob("*/games/*.gz")}
"""Kept games by their digests: several sets have the same."""

DEEP: Any = ["not", True]
for _ in range(400):
    DEEP = ["not", DEEP]


@cache
def write(name: str) -> str:
    made = compile_folder(GAMES / name, installed_systems())
    assert made.game is not None
    return json.dumps(pack_game(made.game, made.texts, ()))


def pack(name: str) -> Any:
    """The form of a game, each time a new one."""
    return json.loads(write(name))


def walk(value: Any) -> Iterator[Any]:
    """Every list in a form."""
    if isinstance(value, list):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(part)


def is_formula(row: Any) -> bool:
    shapes = isinstance(row, list) and len(row) == 3 and isinstance(row[0], str)
    return bool(shapes and isinstance(row[1], list) and row[1] and isinstance(row[2], list) and row[2])


def lists_of(form: Any) -> list[Any]:
    """The rows of the conditions and expressions in a form."""
    return [row for row in walk(form["game"]) if is_formula(row) and all(isinstance(p, list) for p in row[2])]


@pytest.mark.parametrize("name", ["mist_harbor", "goblin_road"])
def test_a_game_that_nobody_changed_is_the_same_game(name: str) -> None:
    form = pack(name)
    game, texts, _ = unpack_foreign_game(pack(name), installed_systems())
    assert json.loads(json.dumps(pack_game(game, texts, ()))) == form
    found = list(find_formulas(game))
    assert len(found) >= len(lists_of(form)) > 50


@pytest.mark.parametrize("name", sorted(KEPT), ids=lambda name: name[:8])
def test_kept_games_are_believed(name: str) -> None:
    stored = json.loads(gzip.decompress(KEPT[name].read_bytes()))
    unpack_foreign_game(stored["value"], installed_systems())


ALTERATIONS: dict[str, Callable[[list[Any]], None]] = {
    "a tree that always holds": lambda row: row.__setitem__(1, True),
    "a number for a truth": lambda row: row.__setitem__(1, 1),
    "another comparison": lambda row: row.__setitem__(1, ["==", 1, 1]),
    "a tree that no text can have": lambda row: row.__setitem__(1, ["+", "a", ["turn"]]),
    "a tree that reads another path": lambda row: row.__setitem__(1, [".", "_engine", "scene"]),
    "a path of numbers": lambda row: row.__setitem__(1, [".", 1, None]),
    "a tree that is too deep": lambda row: row.__setitem__(1, DEEP),
    "a tree that is too wide": lambda row: row.__setitem__(1, ["and", *[True] * 5_000]),
    "a function with other arguments": lambda row: row.__setitem__(1, ["len"]),
    "no tree": lambda row: row.__setitem__(1, None),
    "a head that is none": lambda row: row.__setitem__(1, ["import", "os"]),
    "paths left out": lambda row: row.__setitem__(2, []),
    "more paths": lambda row: row.__setitem__(2, [*row[2], ["_engine", "scene"]]),
    "another text": lambda row: row.__setitem__(0, "true"),
    "a text that is no condition": lambda row: row.__setitem__(0, "__import__('os')"),
    "a text about nothing in the game": lambda row: row.__setitem__(0, "no_such_variable > 1"),
    "a text of a million characters": lambda row: row.__setitem__(0, "1 == 1 and " * 100_000 + "true"),
    "a number as the text": lambda row: row.__setitem__(0, 7),
    "no text": lambda row: row.__setitem__(0, None),
}


@pytest.mark.parametrize("what", ALTERATIONS)
@pytest.mark.parametrize("name", ["lantern_road", "dusty_tankard"])
def test_a_condition_that_does_not_mean_what_it_says_is_refused(name: str, what: str) -> None:
    count = len(lists_of(pack(name)))
    for number in (0, count // 2, count - 1):
        form = pack(name)
        ALTERATIONS[what](lists_of(form)[number])
        with pytest.raises((ValueError, TypeError, LookupError, AttributeError, RecursionError)):
            unpack_foreign_game(form, installed_systems())


def test_a_stored_tree_is_not_used() -> None:
    """What is evaluated was parsed here, whatever tree was stored."""
    game, _, _ = unpack_foreign_game(pack("mist_harbor"), installed_systems())
    trusted, _, _ = unpack_game(pack("mist_harbor"), installed_systems())
    for checked, restored in zip(find_formulas(game), find_formulas(trusted), strict=True):
        assert (checked.source, checked.reads) == (restored.source, restored.reads)
        # Only a tree that was parsed knows in which column each part of the text is.
        assert checked.tree.column > 0
        assert restored.tree.column == 0


def test_formulas_are_found_wherever_they_are() -> None:
    made = compile_folder(GAMES / "mist_harbor", installed_systems())
    assert made.game is not None
    found = list(find_formulas(made.game))
    conditions = {one.source for one in found if isinstance(one, Condition)}
    assert {trigger.when.source for trigger in made.game.triggers} <= conditions
    assert {ending.when.source for ending in made.game.endings} <= conditions
    choices = [choice for scene in made.game.scenes.values() for choice in scene.choices]
    assert {choice.when.source for choice in choices if choice.when is not None} <= conditions
    assert {lore.when.source for lore in made.game.lore if lore.when is not None} <= conditions
    assert all(isinstance(one, Formula) for one in found)
    assert [one for one in found if not isinstance(one, Condition)] == [
        derived.expression for derived in made.game.derived
    ]


def derived_rows(form: Any) -> list[Any]:
    """The rows of derived variables: a path, and its expression."""
    return [row for row in walk(form["game"]) if len(row) == 2 and is_formula(row[1])]


def make_derived(tmp_path: Path) -> Any:
    text = "game_id: sums\ntitle: Sums\nvariables:\n"
    text += "  - {id: a, type: integer, default: 2}\n  - {id: name, type: string, default: x}\n"
    text += "  - {id: total, type: integer, derived: a + 1}\n"
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    (tmp_path / "world.md").write_text("Sums.", "utf-8")
    made = compile_folder(tmp_path, {})
    assert made.game is not None, made.faults
    return json.loads(json.dumps(pack_game(made.game, made.texts, ())))


def test_a_derived_variable_is_computed_as_its_slot_says(tmp_path: Path) -> None:
    good = make_derived(tmp_path)
    unpack_foreign_game(copy.deepcopy(good), {})
    (row,) = derived_rows(good)
    assert row == [["total"], ["a + 1", ["+", [".", "a"], 1], [["a"]]]]
    wrong: dict[str, Callable[[Any], object]] = {
        "a value of another type": lambda form: derived_rows(form)[0].__setitem__(
            1, ["name", [".", "name"], [["name"]]]
        ),
        "another expression": lambda form: derived_rows(form)[0].__setitem__(
            1, ["a + 2", ["+", [".", "a"], 2], [["a"]]]
        ),
        "another path": lambda form: derived_rows(form)[0].__setitem__(0, ["a"]),
        "no such path": lambda form: derived_rows(form)[0].__setitem__(0, ["b"]),
        "none at all": lambda form: next(
            row for row in walk(form["game"]) if row == derived_rows(form)
        ).clear(),
    }
    for what, alter in wrong.items():
        form = copy.deepcopy(good)
        alter(form)
        assert form != good, what
        with pytest.raises(ValueError, match=r"derived|expression|stored|text"):
            unpack_foreign_game(form, {})
