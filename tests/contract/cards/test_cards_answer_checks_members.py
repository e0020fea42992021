from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.cards.cards_answer_checks import read_members
from talewright.contract.dialect import AnswerGround, ModelAnswer
from talewright.kernel.game import GameLimits
from talewright.kernel.judging.moves import End, Op, Update
from talewright.kernel.story.triggers import Event
from tests.contract.cards_making import choice, flaws, make_ground, make_well, members

GROUND = make_ground(make_well())
UPDATES = replace(GROUND, updates_only=True)
MOVES = replace(GROUND, moves_only=True)


def read(ground: AnswerGround = GROUND, **more: Json) -> ModelAnswer:
    return read_members(members(**more), ground)


def read_update(**fields: Json) -> tuple[tuple[object, ...], list[str]]:
    answer = read(state_updates=[fields])
    return answer.moves, flaws(answer)


def without(name: str, ground: AnswerGround = GROUND, **more: Json) -> list[str]:
    document = members(**more)
    del document[name]
    return flaws(read_members(document, ground))


def test_good_answer_has_no_flaws() -> None:
    answer = read()
    assert flaws(answer) == []
    assert (answer.prose, answer.moves, answer.facts, answer.events) == ("", (), (), ())
    assert [offer.id for offer in answer.choices] == ["on", "back", "up"]


def test_unknown_members_are_passed_over() -> None:
    update: Json = {"op": "inc", "path": "hp", "value": 1, "reason": "r", "confidence": 0.5}
    answer = read(mood="grim", state_updates=[update], choices=[choice("a", x=1), choice("b"), choice("c")])
    assert flaws(answer) == []
    assert answer.moves == (Update(Op.INC, "hp", 1, "r"),)


def test_needed_members_must_be_there() -> None:
    assert without("narrative_markdown") == ["`narrative_markdown` is missing"]
    assert without("choices") == ["`choices` is missing"]
    assert without("state_updates") == ["`state_updates` is missing"]
    for name in ("new_facts", "events", "end"):
        assert without(name) == []
    assert read_members({}, GROUND).choices == ()


def test_misspelt_member_is_recognised() -> None:
    assert without("narrative_markdown", narration_markdown="x") == [
        "`narrative_markdown` is missing; you wrote 'narration_markdown'"
    ]
    assert without("state_updates", state_update=[]) == [
        "`state_updates` is missing; you wrote 'state_update'"
    ]
    # A member that is right where it stands was not meant to be another.
    assert without("choices", choice=[]) == ["`choices` is missing; you wrote 'choice'"]


def test_null_is_nothing() -> None:
    answer = read(state_updates=None, new_facts=None, events=None, end=None)
    assert flaws(answer) == []
    assert answer.moves == ()
    assert flaws(read(choices=None)) == ["`choices` has 0 choices; give 3 to 6"]


@pytest.mark.parametrize(("value", "shown"), [(None, "null"), (5, "5"), (["x"], "a list"), ({}, "an object")])
def test_narrative_must_be_a_text(value: Json, shown: str) -> None:
    assert flaws(read(narrative_markdown=value)) == [
        f"`narrative_markdown` must be a text in quotes, not {shown}"
    ]


def test_narrative_must_not_be_empty() -> None:
    for value in ("", " \n", "\x00\x1b"):
        assert flaws(read(narrative_markdown=value)) == ["`narrative_markdown` is empty; tell what happens"]


def test_long_narrative_is_told_softly() -> None:
    assert flaws(read(narrative_markdown="x" * 1_500 + "\x00")) == []
    assert flaws(read(narrative_markdown="x" * 1_501)) == [
        "soft: `narrative_markdown` has 1501 characters; stay within 1500 from now on"
    ]


@pytest.mark.parametrize(("count", "told"), [(0, ["0"]), (2, ["2"]), (3, []), (6, [])])
def test_choices_are_three_to_six(count: int, told: list[str]) -> None:
    answer = read(choices=[choice(f"c{number}") for number in range(count)])
    assert flaws(answer) == [f"`choices` has {number} choices; give 3 to 6" for number in told]
    assert len(answer.choices) == count


def test_seven_choices_are_too_many() -> None:
    assert flaws(read(choices=[choice(name) for name in "abcdefg"])) == [
        "`choices` has 7 elements; give at most 6"
    ]


def test_choices_of_the_wrong_type_are_one_flaw() -> None:
    assert flaws(read(choices="on")) == ["`choices` must be a list in brackets [], not 'on'"]
    assert flaws(read(choices={"a": 1})) == ["`choices` must be a list in brackets [], not an object"]


def test_after_the_end_no_choices_are_needed() -> None:
    over: Json = {"is_game_over": True, "ending_id": " ashes ", "reason": "All burnt."}
    answer = read(choices=[], end=over)
    assert flaws(answer) == []
    assert answer.moves == (End("ashes", "All burnt."),)
    assert without("choices", end=over) == []
    assert len(read(choices=[choice("a")], end=over).choices) == 1


def test_end_comes_after_the_updates() -> None:
    update: Json = {"op": "dec", "path": "hp", "value": 80}
    answer = read(state_updates=[update], end={"is_game_over": True})
    assert answer.moves == (Update(Op.DEC, "hp", 80), End("", ""))


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ({}, []),
        ({"is_game_over": None}, []),
        ({"is_game_over": False, "ending_id": "x"}, []),
        ({"is_game_over": "true"}, ["`end.is_game_over` must be true or false, not 'true'"]),
        ({"is_game_over": 1}, ["`end.is_game_over` must be true or false, not 1"]),
        (
            {"is_game_over": False, "ending_id": 1, "reason": 2},
            [
                "`end.ending_id` must be a text in quotes, not 1",
                "`end.reason` must be a text in quotes, not 2",
            ],
        ),
        (
            {"ending_id": "x" * 101, "reason": "x" * 301},
            [
                "`end.ending_id` has 101 characters; write at most 100",
                "`end.reason` has 301 characters; write at most 300",
            ],
        ),
        (
            False,
            [
                '`end` must be an object such as {"is_game_over": false, "ending_id": "", "reason": ""}, '
                "not false"
            ],
        ),
    ],
)
def test_end_that_is_none(end: Json, told: list[str]) -> None:
    answer = read(end=end)
    assert flaws(answer) == told
    assert answer.moves == ()


@pytest.mark.parametrize("op", ["set", "inc", "dec", "push", "remove"])
def test_updates_are_read(op: str) -> None:
    moves, told = read_update(op=op, path=" flags.met ", value={"a\x00": ["b\x1b", 1]}, reason=" Why\x00 ")
    assert told == []
    assert moves == (Update(Op(op), "flags.met", {"a": ["b", 1]}, "Why"),)


def test_toggle_takes_no_value() -> None:
    for more in ({}, {"value": True}, {"value": None}):
        assert read_update(op="toggle", path="flags.met", **more) == ((Update(Op.TOGGLE, "flags.met"),), [])
    assert read_update(op="toggle") == (
        (),
        ["`state_updates[0].path` is missing or empty; it must be a text"],
    )


def test_null_may_be_set_and_op_is_read_in_any_case() -> None:
    assert read_update(op=" SET ", path="hp", value=None, reason=None) == ((Update(Op.SET, "hp", None),), [])


@pytest.mark.parametrize(
    ("op", "shown"),
    [
        ("Increment", "'Increment'; did you mean inc?"),
        ("delete", "'delete'; did you mean remove for lists, set for others?"),
        ("add", "'add'; did you mean inc for numbers, push for lists?"),
        ("insert", "'insert'; did you mean push?"),
        ("append", "'append'; did you mean push?"),
        *((word, f"'{word}'; did you mean set?") for word in ("assign", "replace", "update")),
        *((word, f"'{word}'; did you mean dec?") for word in ("decrease", "decrement", "subtract")),
        ("increase", "'increase'; did you mean inc?"),
        ("test", "'test'"),
        ("togle", "'togle'; did you mean toggle?"),
        ("", "''"),
        (None, "null"),
        (1, "1"),
    ],
)
def test_wrong_op_is_a_flaw(op: Json, shown: str) -> None:
    moves, told = read_update(op=op, path="hp", value=1)
    assert moves == ()
    assert told == [f"`state_updates[0].op` must be one of set, inc, dec, push, remove, toggle, not {shown}"]


def test_value_must_be_there() -> None:
    assert read_update(op="inc", path="hp") == ((), ["`state_updates[0].value` is missing; inc needs one"])
    assert read_update(op="set", path="hp", vaule=1, reason="r") == (
        (),
        ["`state_updates[0].value` is missing; you wrote 'vaule'"],
    )
    assert read_update(op="set", path="hp", new_values=1)[1] == [
        "`state_updates[0].value` is missing; you wrote 'new_values'"
    ]
    moves, told = read_update(path="hp")
    assert moves == ()
    assert told[1] == "`state_updates[0].value` is missing; an update needs one"


def test_path_must_be_a_text() -> None:
    assert read_update(op="set", path=1, value=1) == (
        (),
        ["`state_updates[0].path` must be a text in quotes, not 1"],
    )
    assert read_update(op="set", path="p" * 500, value=1, reason="r" * 300)[1] == []
    assert read_update(op="set", path="p" * 501, value=1, reason="r" * 301)[1] == [
        "`state_updates[0].path` has 501 characters; write at most 500",
        "`state_updates[0].reason` has 301 characters; write at most 300",
    ]


def test_updates_stand_at_their_places() -> None:
    good: Json = {"op": "inc", "path": "hp", "value": 1}
    answer = read(state_updates=[good, 5, good])
    assert answer.moves == (Update(Op.INC, "hp", 1), Update(Op.INC, "hp", 1))
    assert flaws(answer) == [
        "`state_updates[1]` must be an object such as "
        '{"op": "inc", "path": "...", "value": 1, "reason": "..."}, not 5'
    ]
    assert flaws(read(state_updates="none")) == ["`state_updates` must be a list in brackets [], not 'none'"]


def test_updates_are_bounded_by_the_game() -> None:
    ground = make_ground(replace(make_well(), limits=GameLimits(moves_max=2)))
    good: Json = {"op": "inc", "path": "hp", "value": 1}
    assert flaws(read(ground, state_updates=[good] * 2)) == []
    answer = read(ground, state_updates=[good] * 3)
    assert flaws(answer) == ["`state_updates` has 3 elements; give at most 2"]
    assert len(answer.moves) == 2


def test_facts_are_read_once_each() -> None:
    assert read(new_facts=[" a\x00 ", "", "b", "a"]).facts == ("a", "b")
    assert read(new_facts="alone").facts == ("alone",)
    answer = read(new_facts=["f" * 501, 2, *(str(number) for number in range(11))])
    assert flaws(answer) == [
        "`new_facts` has 13 elements; give at most 12",
        "`new_facts[0]` has 501 characters; write at most 500",
        "`new_facts[1]` must be a text in quotes, not 2",
    ]
    assert len(answer.facts) == 11
    assert flaws(read(new_facts=["f" * 500, *(str(number) for number in range(11))])) == []


def test_events_are_read() -> None:
    answer = read(
        events=[{"type": "clue", "message": " Found. "}, "Heard.", {"message": "Seen."}, {"type": "x"}]
    )
    assert flaws(answer) == []
    assert answer.events == (
        Event("clue", "Found.", "model"),
        Event("info", "Heard.", "model"),
        Event("info", "Seen.", "model"),
    )


def test_wrong_events_are_named() -> None:
    assert flaws(read(events=[{"type": "t" * 50, "message": "m" * 500}] * 12)) == []
    answer = read(
        events=[5, {"type": "t" * 51, "message": "m" * 501}, {"type": 1, "message": 2}, *"abcdefghij"]
    )
    assert flaws(answer) == [
        "`events` has 13 elements; give at most 12",
        '`events[0]` must be an object such as {"type": "info", "message": "..."}, not 5',
        "`events[1].type` has 51 characters; write at most 50",
        "`events[1].message` has 501 characters; write at most 500",
        "`events[2].type` must be a text in quotes, not 1",
        "`events[2].message` must be a text in quotes, not 2",
    ]
    assert len(answer.events) == 10


def test_flaws_follow_the_answer() -> None:
    answer = read_members({"choices": [], "new_facts": 1, "events": 1, "end": 1}, GROUND)
    assert [message.split("`")[1] for message in flaws(answer)] == [
        "narrative_markdown",
        "end",
        "choices",
        "state_updates",
        "new_facts",
        "events",
    ]


def test_repair_of_updates_reads_updates_choices_and_end_alone() -> None:
    update: Json = {"op": "inc", "path": "hp", "value": 1}
    document: dict[str, Json] = {
        "state_updates": [update],
        "narrative_markdown": 5,
        "new_facts": 1,
        "events": 1,
    }
    assert read_members(document, UPDATES) == ModelAnswer(moves=(Update(Op.INC, "hp", 1),))
    over: Json = {"is_game_over": True, "ending_id": "lost"}
    ended = read_members({**document, "end": over}, UPDATES)
    assert ended == ModelAnswer(moves=(Update(Op.INC, "hp", 1), End("lost", "")))
    answer = read_members({**document, "choices": [choice("a")]}, UPDATES)
    assert flaws(answer) == []
    assert [offer.id for offer in answer.choices] == ["a"]
    assert flaws(read_members({}, UPDATES)) == ["`state_updates` is missing"]
    assert flaws(read_members({"state_updates": 1, "choices": 1}, UPDATES)) == [
        "`state_updates` must be a list in brackets [], not 1",
        "`choices` must be a list in brackets [], not 1",
    ]


def test_moves_alone_read_updates_and_the_end() -> None:
    update: Json = {"op": "inc", "path": "hp", "value": 1}
    document: dict[str, Json] = {
        "state_updates": [update],
        "narrative_markdown": 5,
        "choices": 1,
        "new_facts": 1,
    }
    document["end"] = {"is_game_over": True, "ending_id": "ashes"}
    assert read_members(document, MOVES) == ModelAnswer(moves=(Update(Op.INC, "hp", 1), End("ashes")))
    assert flaws(read_members({"end": 1}, MOVES)) == [
        "`state_updates` is missing",
        '`end` must be an object such as {"is_game_over": false, "ending_id": "", "reason": ""}, not 1',
    ]
