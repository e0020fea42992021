"""Schemas: what an editor accepts is what the compiler accepts, file by file and value by value."""

import copy
import random
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect_table import DIALECTS
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import read_folder
from talewright.pack.files.yaml_nodes import NOT_VERBATIM, ListNode, MapNode, Node, ScalarNode, json_of
from talewright.pack.schema.file_names import sort_files
from talewright.pack.schema.file_schemas import DIALECT, FILE_KINDS, FileKind, schema_of
from talewright.pack.schema.game_fields import CONTRACTS
from talewright.pack.schema.scalar_forms import UnreadableError
from tests.pack.making import read
from tests.pack.samples import SAMPLES

ROOT = Path(__file__).parents[3]
GAME_NAMES = ("chapel_watch", "dusty_tankard", "goblin_road", "lantern_road", "mist_harbor", "solo")
GAMES = [
    *(ROOT / "games" / name for name in GAME_NAMES),
    ROOT / "src/talewright/pack/template",
]

MUTANTS = 60
"""Changed documents tried of each kind of file."""

VALIDATORS = {kind.role: jsonschema.Draft202012Validator(schema_of(kind)) for kind in FILE_KINDS}

KINDS = pytest.mark.parametrize("kind", FILE_KINDS, ids=lambda kind: kind.role.value)


def node_of(value: Json) -> Node:
    """The node of a JSON value, as a file would give it."""
    if isinstance(value, dict):
        node = MapNode("f.yaml", 1, 1)
        node.entries.update({key: node_of(inner) for key, inner in value.items()})
        node.marks.update(dict.fromkeys(value, (1, 1)))
        return node
    if isinstance(value, list):
        return ListNode("f.yaml", 1, 1, [node_of(item) for item in value])
    assert value is None or isinstance(value, bool | int | float | str)
    text = "" if value is None else str(value)
    return ScalarNode("f.yaml", 1, 1, value, text, isinstance(value, str), NOT_VERBATIM)


def form_takes(kind: FileKind, value: Json) -> bool:
    fault_list = FaultList()
    if value is None and kind.empty:
        return True
    try:
        kind.form.read(node_of(value), fault_list, "f.yaml")
    except UnreadableError:
        return False
    return fault_list.stumbles == 0


def sample(kind: FileKind) -> Json:
    return json_of(read(SAMPLES[kind.role]))


@KINDS
def test_a_schema_is_a_schema(kind: FileKind) -> None:
    schema = schema_of(kind)
    assert schema["$schema"] == DIALECT
    assert kind.pattern in str(schema["title"])
    jsonschema.Draft202012Validator.check_schema(schema)


@KINDS
def test_every_field_says_what_it_is_for(kind: FileKind) -> None:
    for name, field in fields_of(schema_of(kind)):
        assert str(field.get("description", "")).endswith((".", "...")), name


def fields_of(schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Every field of every record in a schema."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict) and schema.get("type") == "object":
            for name, field in properties.items():
                assert isinstance(field, dict)
                yield name, field
        for inner in schema.values():
            yield from fields_of(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from fields_of(inner)


def keys_of(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


@KINDS
def test_a_sample_uses_every_field_and_is_taken_by_both(kind: FileKind) -> None:
    document = sample(kind)
    names = {name for name, _ in fields_of(schema_of(kind))}
    assert names - set(keys_of(document)) == set()
    assert form_takes(kind, document)
    VALIDATORS[kind.role].validate(document)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_files_of_a_game_fit_their_schemas(game: Path) -> None:
    fault_list = FaultList()
    folder = read_folder(game, fault_list)
    assert folder is not None
    shelf = sort_files(folder, (), fault_list)
    assert shelf.kinds
    for name, kind in shelf.kinds.items():
        VALIDATORS[kind.role].validate(json_of(read(folder.files[name].decode())))


@KINDS
def test_an_empty_file_fits_where_it_may_be_empty(kind: FileKind) -> None:
    assert VALIDATORS[kind.role].is_valid(None) is kind.empty


SLIPS: list[Json] = [None, "", 3, [], {}]
LONG = "x" * 20_001
POOL: list[Json] = [
    *(None, True, False, 0, 1, -1, 2, 3.5, 100, 10_000_001, -(2**53) + 1, 1e-9),
    *(
        "",
        " ",
        "\n",
        "a",
        "a b",
        "井",
        "true",
        "1",
        "d6",
        "rope > 1",
        "zh-CN",
        "zh_CN",
        "-a",
        LONG,
        "x" * 501,
    ),
    *(
        [],
        ["a"],
        [1],
        [None],
        [["a"]],
        ["a"] * 101,
        [""],
        {},
        {"a": 1},
        {"a b": "c"},
        {"": "c"},
        {"type": "list"},
    ),
    *({"op": "set"}, {"op": "toggle", "path": "a"}, {"op": "set", "path": "a", "value": None}, {"text": "a"}),
]


def spots_of(value: Json) -> list[tuple[dict[str, Json] | list[Json], str | int]]:
    """Every place in a document where something else could stand."""
    found: list[tuple[dict[str, Json] | list[Json], str | int]] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += [(value, key), *spots_of(inner)]
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += [(value, index), *spots_of(inner)]
    return found


def put(holder: dict[str, Json] | list[Json], key: str | int, value: Json) -> None:
    match holder:
        case dict():
            holder[str(key)] = value
        case list():
            holder[int(key)] = value


def mutate(document: Json, chance: random.Random) -> Json:
    """A copy of a document with one thing changed."""
    changed = copy.deepcopy(document)
    holder, key = chance.choice(spots_of(changed))
    action = chance.randrange(6)
    if isinstance(holder, dict) and isinstance(key, str):
        if action == 0:
            del holder[key]
        elif action == 1:
            holder[f"{key}x"] = holder.pop(key)
        elif action == 2:
            holder["toggle" if key == "op" else "unknown"] = "a"
        else:
            holder[key] = chance.choice(POOL)
    elif isinstance(holder, list) and isinstance(key, int):
        if action == 0:
            del holder[key]
        elif action == 1:
            holder += [holder[key]] * 30
        else:
            holder[key] = chance.choice(POOL)
    return changed


@KINDS
def test_form_and_schema_agree_on_changed_documents(kind: FileKind) -> None:
    chance = random.Random(f"schemas {kind.role}")
    document = sample(kind)
    refused = 0
    for _ in range(MUTANTS):
        changed = mutate(document, chance)
        taken = form_takes(kind, changed)
        assert VALIDATORS[kind.role].is_valid(changed) is taken, changed
        refused += not taken
    assert 0 < refused < MUTANTS


@KINDS
def test_form_and_schema_agree_on_every_value_in_every_place(kind: FileKind) -> None:
    """The most common slips, tried at each place of the sample in turn."""
    document = sample(kind)
    for value in SLIPS:
        for number in range(len(spots_of(document))):
            changed = copy.deepcopy(document)
            holder, key = spots_of(changed)[number]
            put(holder, key, value)
            assert VALIDATORS[kind.role].is_valid(changed) is form_takes(kind, changed), (key, value)


def test_a_game_can_ask_only_for_answers_that_can_be_read() -> None:
    assert set(CONTRACTS) == set(DIALECTS)
