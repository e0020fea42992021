"""Short forms: rules, schemas, demands and bundles for slow and small models."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from talewright.common.json_values import Json
from talewright.contract.dialect import Dialect
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.patch.patch_bundle import complete_bundle, read_bundle
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.token_estimate import estimate_tokens
from tests.contract.cards_making import make_ground
from tests.contract.chapel import VERSION, chapel, ground, tolled
from tests.kernel.making import integer, make_game, make_layout

SHORT = Profile("slow", AnswerMode.SCHEMA, short_prompts=True, list_items_max=1, string_length_max=300)
HELD = replace(SHORT, takes_grammar=True)
TOKENS_MAX = 180
"""Of the rules of any dialect."""


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_rules_are_short(name: str, language: str) -> None:
    dialect, game = DIALECTS[name], chapel()
    held, short, whole = (dialect.rules(game, language, profile) for profile in (HELD, SHORT, Profile("x")))
    assert estimate_tokens(held) <= estimate_tokens(short) <= TOKENS_MAX
    assert whole == dialect.rules(game, language)
    assert estimate_tokens(short) < estimate_tokens(whole)


def test_a_short_card_has_three_members_and_choices_that_are_labels() -> None:
    where = replace(make_ground(), short=True)
    schema = DIALECTS["cards"].schema(where, SHORT)
    assert schema is not None
    good = {
        "narrative_markdown": "You wait.",
        "choices": ["Go on", "Go back", "Wait"],
        "state_updates": [{"op": "dec", "path": "hp", "value": 5}],
    }
    check = Draft202012Validator(json.loads(json.dumps(schema)))
    assert check.is_valid(good)
    assert not check.is_valid({**good, "state_updates": [{"op": "dec", "path": "hp", "value": 50}]})
    assert not check.is_valid({**good, "state_updates": [{"op": "dec", "path": "fate", "value": 1}]})
    assert not check.is_valid({**good, "new_facts": []})
    noted = [{"op": "push", "path": "notes", "value": "A cold trail"}]
    assert check.is_valid({**good, "state_updates": noted})
    assert set(schema["properties"]) == set(good)  # type: ignore[call-overload]


def test_a_schema_without_a_place_to_write_to_allows_no_update() -> None:
    closed = make_ground(make_game(make_layout({"fate": replace(integer(), readonly=True)})))
    schema = DIALECTS["cards"].schema(replace(closed, moves_only=True), SHORT)
    assert schema is not None
    check = Draft202012Validator(json.loads(json.dumps(schema)))
    assert check.is_valid({"state_updates": []})
    assert not check.is_valid({"state_updates": [None]})


def test_a_short_bundle_leaves_out_what_the_engine_knows() -> None:
    change: dict[str, Json] = {"op": "replace", "path": "/player/xp", "value": 1}
    where = replace(ground(), short=True)
    answer = read_bundle({"patch": [change], "next_actions": ["Wait"]}, where)
    assert answer.flaws == ()
    assert len(answer.moves) == 1
    assert answer.operation_id == f"turn-{VERSION + 1}"
    used = replace(where, used_operations=frozenset({answer.operation_id}))
    assert read_bundle({"patch": []}, used).operation_id == f"turn-{VERSION + 1}b"
    assert read_bundle({}, where).flaws == ()
    assert read_bundle({"patch": "none"}, where).hard_flaws
    assert read_bundle({"patch": [change]}, ground()).hard_flaws


def test_a_whole_bundle_stays_as_it_is() -> None:
    whole: dict[str, Json] = {
        "schema_version": "1.2",
        "operation_id": "x",
        "base_version": VERSION,
        "patch": [],
    }
    assert complete_bundle(whole, replace(ground(), short=True)) == whole


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("form", [{}, {"updates_only": True}, {"moves_only": True}])
def test_a_demand_for_a_short_bundle_is_short(language: str, form: dict[str, bool]) -> None:
    dialect: Dialect = DIALECTS["patch"]
    whole = replace(ground(), language=language, **form)  # type: ignore[arg-type]
    short = replace(whole, short=True)
    assert len(dialect.demand((), short)) < len(dialect.demand((), whole))
    assert "- wrong" in dialect.demand((Flaw("wrong"),), short)


def test_the_engines_own_tools_are_left_out_where_there_are_others() -> None:
    tools = DIALECTS["tools"]
    assert [tool.name for tool in tools.tools(tolled(), SHORT)] == ["pay", "gamble", "ask_keeper"]
    assert "offer_choices" in [tool.name for tool in tools.tools(ground(), SHORT)]
    assert tools.grammar(tolled(), HELD) == ""
