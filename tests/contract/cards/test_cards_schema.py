import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from talewright.common.json_values import Json
from talewright.contract.cards.cards_schema import cards_schema
from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import AnswerGround
from talewright.kernel.slots.slot_types import Slot
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import Schema
from talewright.pack.compiler import compile_folder
from tests.contract.cards_making import choice, make_ground, members
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_game,
    make_layout,
    number,
    record,
    string,
)

FIRM = Profile("firm", AnswerMode.SCHEMA)
GAMES = Path(__file__).parents[3] / "games"

FIRST_TURN: dict[str, Json] = {
    "narrative_markdown": "黎安把一张折角的纸推到你手边。\n\n“有人在停电前进过电厂。”她说。",
    "choices": [
        choice("ask_lian_more", hint="可能加线索。", risk="medium", tags=["investigate", "relationship"]),
        choice("go_power_plant", risk="high", tags=["travel", "risk"]),
        choice("bribe_bartender", tags=["social", "resource"]),
        choice("lay_low", tags=["stealth"]),
    ],
    "state_updates": [
        {"op": "inc", "path": "clues", "value": 1, "reason": "获得巡检表线索"},
        {"op": "push", "path": "truth_map", "value": "有人走维修通道进入旧电厂。", "reason": "记录事实"},
        {"op": "set", "path": "flags.met_lian", "value": True, "reason": "与黎安接触"},
        {"op": "inc", "path": "time.minute", "value": 10, "reason": "交谈花费时间"},
    ],
    "new_facts": ["旧电厂有一条维修通道。", "有人在停电前进入旧电厂。"],
    "events": [{"type": "info", "message": "你拿到了巡检表复印件。"}],
    "end": {"is_game_over": False, "ending_id": "", "reason": ""},
}


@cache
def harbor() -> AnswerGround:
    game = compile_folder(GAMES / "mist_harbor", {}).game
    assert game is not None
    return make_ground(game, "zh-CN")


def fits(value: Json, schema: Schema) -> bool:
    jsonschema.Draft202012Validator.check_schema(dict(schema))
    return jsonschema.Draft202012Validator(dict(schema)).is_valid(value)


def update_schema(ground: AnswerGround) -> dict[str, Schema]:
    schema = json.loads(json.dumps(cards_schema(ground)))
    found: dict[str, Schema] = schema["properties"]["state_updates"]["items"]["properties"]
    return found


def walk(schema: object) -> Iterator[dict[str, object]]:
    """Every object within a schema."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from walk(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from walk(part)


def test_first_turn_of_the_harbor_fits() -> None:
    schema = CardsDialect().schema(harbor(), FIRM)
    assert schema is not None
    assert fits(FIRST_TURN, schema)
    assert list(json.loads(json.dumps(schema))["properties"]) == list(FIRST_TURN)
    wrong: Json = {"op": "inc", "path": "clue", "value": 1, "reason": ""}
    assert not fits({**FIRST_TURN, "state_updates": [wrong]}, schema)


def test_schema_of_a_small_game_is_exactly_this() -> None:
    text, flag = {"type": "string", "maxLength": 300}, {"type": "boolean"}
    game = make_game(make_layout({"hp": integer()}))
    assert cards_schema(make_ground(game)) == {
        "type": "object",
        "properties": {
            "narrative_markdown": {"type": "string", "maxLength": 1_500},
            "choices": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string", "maxLength": 100},
                        "label": {"type": "string", "maxLength": 200},
                        "hint": text,
                        "risk": {"type": "string", "maxLength": 6, "enum": ["low", "medium", "high"]},
                        "tags": {
                            "type": "array",
                            "items": {"type": "string", "maxLength": 50},
                            "maxItems": 8,
                        },
                    },
                    "required": ["id", "label", "hint", "risk", "tags"],
                    "additionalProperties": False,
                },
                "maxItems": 6,
                "minItems": 3,
            },
            "state_updates": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "op": {
                            "type": "string",
                            "maxLength": 6,
                            "enum": ["set", "inc", "dec", "push", "remove", "toggle"],
                        },
                        "path": {"type": "string", "maxLength": 2, "enum": ["hp"]},
                        "value": {"anyOf": [{"type": "null"}, {"type": "number"}]},
                        "reason": text,
                    },
                    "required": ["op", "path", "value", "reason"],
                    "additionalProperties": False,
                },
                "maxItems": 6,
            },
            "new_facts": {"type": "array", "items": {"type": "string", "maxLength": 500}, "maxItems": 12},
            "events": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "type": {"type": "string", "maxLength": 50},
                        "message": {"type": "string", "maxLength": 500},
                    },
                    "required": ["type", "message"],
                    "additionalProperties": False,
                },
                "maxItems": 12,
            },
            "end": {
                "type": "object",
                "properties": {
                    "is_game_over": flag,
                    "ending_id": {"type": "string", "maxLength": 100},
                    "reason": text,
                },
                "required": ["is_game_over", "ending_id", "reason"],
                "additionalProperties": False,
            },
        },
        "required": ["narrative_markdown", "choices", "state_updates", "new_facts", "events", "end"],
        "additionalProperties": False,
    }


def test_good_answer_fits_and_others_do_not() -> None:
    schema = cards_schema(make_ground())
    assert fits(members(), schema)
    assert not fits(members(choices=[]), schema)
    assert not fits(members(narrative_markdown="x" * 1_501), schema)
    assert not fits(members(mood=1), schema)
    assert not fits(members(new_facts=[1]), schema)


def test_secret_slots_are_not_named_and_hidden_ones_are() -> None:
    written = json.dumps(cards_schema(make_ground()))
    assert "plot" in written
    for name in ("doom", "Ahti", "fate", "_engine", "key"):
        assert name not in written


def test_paths_beneath_open_places_fit() -> None:
    path = update_schema(make_ground())["path"]
    for good in ("hp", "time.hour", "bonds", "bonds.Ann", "party.0.name", "bonds/x"):
        assert fits(good, path), good
    for wrong in ("h", "time", "doom", "doom.name", "bonds2.x", "x.bonds.y", "notes.0", "bonds." + "x" * 195):
        assert not fits(wrong, path), wrong
    assert fits("bonds." + "x" * 194, path)


def test_odd_names_are_escaped() -> None:
    odd = make_layout(
        {"a.b": listing(record(x=integer())), "c+(d)": listing(record(x=integer())), "雾": integer()}
    )
    path = update_schema(make_ground(make_game(odd)))["path"]
    for good in ("/a.b", "/a.b/0/x", "c+(d).0.x", "雾"):
        assert fits(good, path), good
    for wrong in ("/a-b/0/x", "cc(d).0.x", "雾.x"):
        assert not fits(wrong, path), wrong
    patterns = [part["pattern"] for part in walk(path) if "pattern" in part]
    assert patterns == [r"^(\/a\.b|c\+\(d\))[./]"]


@pytest.mark.parametrize(
    ("slots", "good", "wrong"),
    [
        ({"a": integer()}, [1, 1.5, None], [True, "x", [], {}]),
        ({"a": number()}, [1.5, None], [True, "x"]),
        ({"a": boolean()}, [True, None], [1, "x", []]),
        ({"a": string()}, ["x" * 500, None], [1, "x" * 501, ["x"]]),
        ({"a": enum("x", "y")}, ["x"], [1]),
        ({"a": listing(integer())}, [[1, None], [1] * 20, 1, "x"], [[1] * 21, [[1]], {}, [True]]),
        (
            {"a": listing(record(b=integer(), c=boolean()))},
            [{"b": 1, "c": True}, [{"b": 1}], {"b": [1]}, {str(n): 1 for n in range(20)}],
            [{"b": {}}, [[1]], {str(n): 1 for n in range(21)}, {"b": [{}]}],
        ),
        (
            {"a": replace(record(b=integer()), nullable=True)},
            [{"b": 1}, None, 1],
            [[1], {"b": {}}, {"b": [1]}],
        ),
    ],
)
def test_values_are_of_the_kinds_there_are(
    slots: dict[str, Slot], good: list[Json], wrong: list[Json]
) -> None:
    value = update_schema(make_ground(make_game(make_layout(slots))))["value"]
    assert [case for case in good if not fits(case, value)] == []
    assert [case for case in wrong if fits(case, value)] == []


def test_game_without_writable_places_takes_no_updates() -> None:
    ground = make_ground(make_game(make_layout({"a": replace(integer(), readonly=True)})))
    schema = cards_schema(ground)
    assert fits(members(), schema)
    assert not fits(members(state_updates=[{"op": "set", "path": "a", "value": None, "reason": ""}]), schema)
    assert update_schema(ground)["path"] == {"type": "string", "maxLength": 200}


def test_everything_in_it_is_bounded() -> None:
    for ground in (make_ground(), harbor()):
        for part in walk(cards_schema(ground)):
            if part.get("type") == "string":
                assert isinstance(part["maxLength"], int)
                assert part["maxLength"] <= 1_500
            elif part.get("type") == "array":
                assert isinstance(part["maxItems"], int)
            elif part.get("type") == "object":
                assert part["additionalProperties"] is False or "maxProperties" in part


def test_repairs_and_moves_ask_for_their_members_alone() -> None:
    whole = cards_schema(make_ground())
    parts = json.loads(json.dumps(whole))["properties"]
    repair = cards_schema(replace(make_ground(), updates_only=True))
    moves = cards_schema(replace(make_ground(), moves_only=True))
    for schema, names in ((repair, ["state_updates", "choices"]), (moves, ["state_updates", "end"])):
        assert schema["properties"] == {name: parts[name] for name in names}
        assert schema["required"] == names
        assert list(json.loads(json.dumps(schema))["properties"]) == names


def test_schema_is_narrowed_to_the_model() -> None:
    keywords = frozenset({"type", "properties", "required", "items", "enum", "anyOf"})
    schema = CardsDialect().schema(make_ground(), replace(FIRM, schema_keywords=keywords, enum_values_max=6))
    written = json.dumps(schema)
    assert not re.search("maxLength|maxItems|pattern|additionalProperties", written)
    assert '"toggle"' in written
    assert '"time.hour"' not in written
    assert schema is not None
    assert fits(members(), schema)
