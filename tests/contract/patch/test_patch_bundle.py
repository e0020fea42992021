"""Bundles: what counts must be right, what only advises is told once and left out."""

from collections.abc import Mapping

import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect import ModelAnswer, SuggestedChoice
from talewright.contract.patch.patch_bundle import read_attempt, read_bundle
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.story.triggers import Event
from tests.contract.chapel import ground, make_bundle, trying


def without(name: str) -> dict[str, Json]:
    bundle = make_bundle()
    del bundle[name]
    return bundle


def test_whole_bundle_is_read() -> None:
    mechanics: Json = {
        "skill_used": "perception",
        "skill_value": 30,
        "difficulty": 0.2,
        "rand": 0.1,
        "p": 0.9,
        "outcome": "success",
        "notes": "Easy spot",
    }
    bundle = make_bundle(
        {"op": "replace", "path": "/player/xp", "value": 1},
        events=["Found a coin", {"type": "loot", "message": "coin"}],
        next_actions=["Ask the merchant", " Talk  to\nthe guard "],
        mechanics=mechanics,
        more="x",
    )
    update = Update(Op.SET, "/player/xp", 1)
    answer = ModelAnswer(
        moves=(update,),
        choices=(
            SuggestedChoice("action_1", "Ask the merchant"),
            SuggestedChoice("action_2", "Talk to the guard"),
        ),
        events=(Event("info", "Found a coin", "model"), Event("loot", "coin", "model")),
        operation_id="find-coin-7f3",
        mechanics=mechanics,
    )
    assert read_bundle(bundle, ground()) == answer
    assert isinstance(mechanics, Mapping)
    judged = read_bundle(bundle, trying())
    assert judged.moves == (Call("attempt", mechanics, "find-coin-7f3"), update)
    assert read_bundle(bundle, trying(tools=())) == answer


def test_least_bundle_is_read() -> None:
    assert read_bundle(make_bundle(), trying()) == ModelAnswer(operation_id="find-coin-7f3")


NAME = "`operation_id` must be a text of 1 to 100 characters that no other bundle has, not "


@pytest.mark.parametrize(
    ("bundle", "told"),
    [
        (make_bundle(schema_version="1.1"), "`schema_version` must be \"1.2\", not '1.1'"),
        (without("schema_version"), '`schema_version` must be "1.2", not null'),
        (make_bundle(base_version=13), "`base_version` must be 12, not 13"),
        (make_bundle(base_version="12"), "`base_version` must be 12, not '12'"),
        (without("base_version"), "`base_version` must be 12, not null"),
        (without("patch"), "`patch` must be a list of operations in brackets [], not null"),
        (without("operation_id"), NAME + "null"),
        (make_bundle(operation_id=" "), NAME + "' '"),
        (make_bundle(operation_id=7), NAME + "7"),
        (make_bundle(operation_id="x" * 101), NAME + "'" + "x" * 56 + "..."),
    ],
)
def test_what_counts_must_be_right(bundle: dict[str, Json], told: str) -> None:
    flaws = read_bundle(bundle, ground()).flaws
    assert flaws == (Flaw(told),)


def test_name_is_used_once() -> None:
    answer = read_bundle(make_bundle(operation_id=" again "), ground(used_operations=frozenset({"again"})))
    told = "`operation_id` 'again' has been used already in this story; choose another"
    assert (answer.flaws, answer.operation_id) == ((Flaw(told),), "again")
    longest = read_bundle(make_bundle(operation_id="x" * 100), ground(used_operations=frozenset({"again"})))
    assert (longest.flaws, longest.operation_id) == ((), "x" * 100)
    assert read_bundle(make_bundle(operation_id="x" * 101), ground()).operation_id == ""


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"events": "x"}, "`events` must be a list in brackets [], not 'x'"),
        ({"events": ["x"] * 13}, "`events` has 13 elements; give at most 12"),
        ({"next_actions": {}}, "`next_actions` must be a list in brackets [], not an object"),
        ({"next_actions": list("abcdefg")}, "`next_actions` has 7 elements; give at most 6"),
        ({"next_actions": [" "]}, "`next_actions[0]` must be a text of 1 to 200 characters, not ' '"),
        ({"next_actions": ["a", 7]}, "`next_actions[1]` must be a text of 1 to 200 characters, not 7"),
        ({"mechanics": []}, "`mechanics` must be an object, not a list"),
        ({"mechanics": {"n": "x" * 3_992}}, "`mechanics` has more than 4000 characters"),
        ({"mechanics": {"p": "0.5"}}, "`mechanics.p` must be a number, not '0.5'"),
        ({"mechanics": {"rand": True}}, "`mechanics.rand` must be a number, not true"),
        ({"mechanics": {"skill_value": []}}, "`mechanics.skill_value` must be a number, not a list"),
        ({"mechanics": {"outcome": 1}}, "`mechanics.outcome` must be a text, not 1"),
        ({"mechanics": {"notes": 1}}, "`mechanics.notes` must be a text, not 1"),
    ],
)
def test_what_advises_is_told_once(members: dict[str, Json], told: str) -> None:
    assert read_bundle(make_bundle(**members), ground()).flaws == (Flaw(told, soft=True),)


def test_what_advises_is_kept_as_far_as_it_fits() -> None:
    answer = read_bundle(
        make_bundle(
            events=["x"] * 13,
            next_actions=["a", 7, "a", "b" * 200, "b" * 201, "c", "d"],
            mechanics={"skill_used": "stealth", "difficulty": 0.6, "p": "?", "rand": None, "more": [1]},
        ),
        trying(),
    )
    assert [offer.id for offer in answer.choices] == ["action_1", "action_2", "action_3"]
    assert [offer.label for offer in answer.choices] == ["a", "b" * 200, "c"]
    assert len(answer.events) == 12
    kept: dict[str, Json] = {"skill_used": "stealth", "difficulty": 0.6, "rand": None, "more": [1]}
    assert answer.mechanics == kept
    assert answer.moves == (Call("attempt", kept, "find-coin-7f3"),)
    assert not answer.hard_flaws


@pytest.mark.parametrize(
    "members",
    [
        {"mechanics": {"n": "x" * 3_991}},
        {"mechanics": {"n": "雾" * 3_991}},
        {"events": ["x"] * 12},
        {"next_actions": list("abcdef")},
        {"events": [], "next_actions": [], "mechanics": {}},
    ],
)
def test_what_just_fits_is_not_told(members: dict[str, Json]) -> None:
    answer = read_bundle(make_bundle(**members), ground())
    assert answer.flaws == ()
    assert (len(answer.events), len(answer.choices)) == tuple(
        len(listed) if isinstance(listed := members.get(name), list) else 0
        for name in ("events", "next_actions")
    )


@pytest.mark.parametrize(
    ("event", "read"),
    [
        (" Found it ", Event("info", "Found it", "model")),
        ({"type": " loot ", "text": "coin", "message": 1}, Event("loot", "coin", "model")),
        ({"type": "", "description": "coin"}, Event("info", "coin", "model")),
        ({"type": 7, "message": "a", "text": "b"}, Event("info", "a", "model")),
        ({"gain": "钱"}, Event("info", '{"gain": "钱"}', "model")),
        (["a"], Event("info", '["a"]', "model")),
        (7, Event("info", "7", "model")),
        ("x" * 501, Event("info", "x" * 500, "model")),
        ({"type": "t" * 51, "message": "m"}, Event("t" * 50, "m", "model")),
        (" ", None),
        ({"message": ""}, None),
    ],
)
def test_events_are_words_or_objects(event: Json, read: Event | None) -> None:
    found = read_bundle(make_bundle(events=[event]), ground())
    assert found.events == (() if read is None else (read,))
    assert found.flaws == ()


def test_first_ask_brings_the_attempt_alone() -> None:
    mechanics: dict[str, Json] = {"skill_used": "stealth", "difficulty": "hard"}
    assert read_attempt({"mechanics": mechanics}, trying()) == ModelAnswer(
        moves=(Call("attempt", mechanics),), mechanics=mechanics
    )
    named = read_attempt({"mechanics": mechanics, "operation_id": " x ", "patch": []}, trying())
    assert named == ModelAnswer(moves=(Call("attempt", mechanics, "x"),), mechanics=mechanics)
    assert read_attempt({"mechanics": None}, trying()) == ModelAnswer()
    assert read_attempt({"mechanics": {"skill": "stealth", "difficulty": 0.2}}, ground()).moves == ()
    assert read_attempt({"mechanics": {"skill": "stealth", "difficulty": 0}}, ground()).flaws == ()


def test_first_ask_without_an_attempt_is_flawed() -> None:
    told = "`mechanics` is missing; name skill_used and difficulty, or give null if nothing is tried"
    assert read_attempt({}, trying()).flaws == (Flaw(told),)
    told = "`mechanics.{}` is missing; without it the attempt cannot be judged"
    answer = read_attempt({"mechanics": {"skill_used": "", "difficulty": None}}, trying())
    assert answer.flaws == (Flaw(told.format("skill_used")), Flaw(told.format("difficulty")))
    told = "`patch` was passed over; it comes with the narration, once the outcome is known"
    assert read_attempt(make_bundle(mechanics=None), trying()).flaws == (Flaw(told, soft=True),)
