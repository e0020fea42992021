"""Checks: the assessment, the card, the four answers, and what each result demands."""

from fractions import Fraction

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import keep_waiting_call
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Option, Waiting
from talewright.kernel.system import Denial
from talewright.systems.spiral.checks import to_percent
from talewright.systems.spiral.slots import CONDITIONS_MAX, CONTEXT_LENGTH_MAX, GLITCHES_MAX
from tests.kernel.making import Scripted
from tests.systems.spiral.making import (
    READY,
    SPIRAL,
    assess,
    call,
    card,
    game_with,
    granted,
    read,
    refused,
    roll,
    sight,
    write,
)

GLITCHED = write(READY, {"player.glitch_tags": ["twisted ankle"]})
HURT = write(READY, {"player.conditions": ["broken rib"], "npcs.zogar-sag.active": True})
BEFRIENDED = write(
    READY,
    {"gm_pc": {"name": "Toren", "concept": "A sage", "inherent_tags": ["silver tongue"]}},
)

ODDS = "Yes, and...~17~%; Yes, but...~33~%; No, but...~17~%; No...~17~%; No, and...~17~%"
"""Of one die; `~` is a space at which no line ends."""


def test_a_check_that_was_not_confirmed_opens_a_card_and_draws_nothing() -> None:
    step = call(
        "roll_check", assess(["keen tracker", "morning mist"], ["patrol route"], 1), position=GLITCHED
    )
    found = card(step)
    assert (found.id, found.question, found.takes_note) == ("check", "sneak past the scout", True)
    assert found.note_with == "contest"
    assert found.lines == (
        "For you: keen tracker, morning mist (3\u00a0action)",
        "Against you: twisted ankle, patrol route (2\u00a0danger)",
        "Left to roll: 1d6, the highest counts",
        ODDS.replace("~", "\u00a0"),
    )
    assert found.options == (
        Option("roll", "Roll"),
        Option("roll_resist", "Roll, and spend 1 resist if it would cost a glitch (2\u00a0left)"),
        Option("contest", "Contest it, and say why"),
        Option("withdraw", "Withdraw: do something else"),
    )
    assert step.changes == ()


def test_the_card_speaks_chinese() -> None:
    answer = SPIRAL.judge(
        Call("roll_check", assess(["keen tracker"])), sight(language="zh-CN"), Scripted(), {}
    )
    assert not isinstance(answer, Denial)
    told = repr(answer).replace("\\xa0", "\u00a0")
    assert "有利：keen tracker（行动骰\u00a02）" in told
    assert "不利：无（危险骰\u00a00）" in told
    assert "掷骰；若会添隐患，就花\u00a01\u00a0点韧性（还剩\u00a02\u00a0点）" in told


def test_no_resist_is_offered_where_it_cannot_help() -> None:
    spent = write(READY, {"player.resist.current": 0})
    ids = [option.id for option in card(call("roll_check", assess(), position=spent)).options]
    assert ids == ["roll", "contest", "withdraw"]
    hopeless = call("roll_check", assess(danger=["patrol route", "strong current"]))
    assert [option.id for option in card(hopeless).options] == ids
    assert card(hopeless).lines[2:] == ("No dice are left: this is a botch without a roll. No, and...",)
    kind = game_with('---\noracle:\n  4: {word: "Yes"}\n  5: {word: "Yes"}\n---\n')
    clean = write(READY, {"spiral.prompt": ""})
    assert [o.id for o in card(call("roll_check", assess(), game=kind, position=clean)).options] == ids


def test_a_confirmed_check_gives_what_the_original_design_says() -> None:
    step = roll(READY, 4, 2)
    result = granted(step)
    assert {name: result[name] for name in ("net_dice", "rolls", "highest", "botch")} == {
        "net_dice": 2,
        "rolls": [4, 2],
        "highest": 4,
        "botch": False,
    }
    assert result["outcome"] == "Yes, but..."
    assert result["effects"] == ["add_glitch"]
    assert result["resist_spent"] is False
    assert result["text"] == "2\u00a0action against 0\u00a0danger: 2d6 (4, 2) = 4. Yes, but..."
    assert read(step.position, "check") == {
        "turn": 2,
        "answer": "rolled",
        "context": "sneak past the scout",
        "note": "",
        "highest": 4,
        "word": "Yes, but...",
        "owed": ["add_glitch"],
        "resist": False,
    }
    assert step.events == ()


@pytest.mark.parametrize(
    ("face", "owed"),
    [
        (6, ["remove_glitch"]),
        (5, ["add_glitch"]),
        (4, ["add_glitch"]),
        (3, []),
        (2, ["flush"]),
        (1, ["flush", "condition"]),
    ],
)
def test_each_face_demands_its_effects(face: int, owed: list[str]) -> None:
    assert granted(roll(GLITCHED, face))["effects"] == owed


def test_nothing_is_demanded_where_there_is_nothing_to_do_it_to() -> None:
    assert granted(roll(READY, 6))["effects"] == []
    assert granted(roll(READY, 2))["effects"] == []
    assert granted(roll(READY, 1))["effects"] == ["condition"]
    full = write(READY, {"player.conditions": [f"c{n}" for n in range(CONDITIONS_MAX)]})
    assert granted(roll(full, 1))["effects"] == []
    laden = write(READY, {"player.glitch_tags": [f"g{n}" for n in range(GLITCHES_MAX)]})
    scene: list[Json] = [f"t{n}" for n in range(GLITCHES_MAX)]
    laden = write(laden, {"scene.positive_tags": scene})
    said = assess([str(tag) for tag in scene], glitches=GLITCHES_MAX)
    assert granted(roll(laden, 5, said=said))["effects"] == []


def test_a_botch_rolls_nothing_and_is_told() -> None:
    step = roll(READY, said=assess(danger=["patrol route"]))
    result = granted(step)
    assert (result["net_dice"], result["rolls"], result["highest"], result["botch"]) == (0, [], 1, True)
    assert result["text"] == "1\u00a0action against 1\u00a0danger: no dice left, a botch. No, and..."
    assert [event.text for event in step.events] == ["No dice were left: a botch. No, and..."]


def test_resist_is_spent_only_where_a_glitch_would_come() -> None:
    spent = roll(READY, 5, option="roll_resist")
    assert granted(spent)["resist_spent"] is True
    assert granted(spent)["effects"] == []
    assert read(spent.position, "player.resist.current") == 1
    assert [event.text for event in spent.events] == ["Resist spent: the glitch stays away (1\u00a0left)"]
    kept = roll(READY, 3, option="roll_resist")
    assert granted(kept)["resist_spent"] is False
    assert read(kept.position, "player.resist.current") == 2


def test_a_contested_check_brings_the_players_words_and_rolls_nothing() -> None:
    step = roll(READY, 6, option="contest", note=" the mist \n hides me ")
    assert granted(step) == {"contested": "the mist hides me"}
    assert read(step.position, "check.answer") == "contested"
    assert read(step.position, "check.note") == "the mist hides me"
    assert granted(roll(READY, 6, option="contest")) == {"contested": ""}


def test_a_withdrawn_check_never_was() -> None:
    step = roll(READY, 6, option="withdraw")
    assert granted(step) == {"withdrawn": True}
    assert read(step.position, "check.answer") == "withdrawn"


def test_another_answer_is_none() -> None:
    assert refused(roll(READY, 6, option="fudge")) == (
        "roll_check: the card knows roll, roll_resist, contest and withdraw"
    )


def test_tags_are_found_whatever_their_spelling() -> None:
    step = call("roll_check", assess([" KEEN  Tracker ", "Father's longbow"]))
    assert card(step).lines[0] == "For you: keen tracker, father's longbow (3\u00a0action)"


def test_conditions_and_those_present_count_and_glitches_only_once() -> None:
    said = assess(["arrogant"], ["broken rib", "commands serpents"])
    assert card(call("roll_check", said, position=HURT)).lines[:2] == (
        "For you: arrogant (2\u00a0action)",
        "Against you: broken rib, commands serpents (2\u00a0danger)",
    )
    named = {**assess(danger=["twisted ankle"]), "danger_dice": 1}
    assert "twisted ankle (1\u00a0danger)" in card(call("roll_check", named, position=GLITCHED)).lines[1]


def test_a_companions_tags_count_where_the_rules_say_so() -> None:
    assert (
        "silver tongue" in card(call("roll_check", assess(["silver tongue"]), position=BEFRIENDED)).lines[0]
    )
    told = write(BEFRIENDED, {"spiral.prompt": "---\ncompanion_dice: told\n---\n"})
    assert "no tag 'silver tongue'" in refused(call("roll_check", assess(["silver tongue"]), position=told))


ALL_HELP = (
    "there is `keen tracker`, `father's longbow`, `wilderness hardened`, `shallow ford`, `morning mist`"
)
REFUSED: list[tuple[dict[str, Json], str]] = [
    ({"action_dice": 1, "danger_dice": 0}, "roll_check needs `context`: what is tried, in a few words"),
    (assess(context="  "), "roll_check needs `context`: what is tried, in a few words"),
    (
        assess(["keen traker"]),
        "roll_check: `action_tags`: no tag 'keen traker' stands in the state; there is `keen tracker`",
    ),
    (assess(["zzz"]), f"roll_check: `action_tags`: no tag 'zzz' stands in the state; {ALL_HELP}"),
    (
        assess(danger=["commands serpents"]),
        "roll_check: `danger_tags`: no tag 'commands serpents' stands in the state; "
        "there is `patrol route`, `strong current`",
    ),
    (
        assess(["keen tracker", "Keen tracker"]),
        "roll_check: `action_tags`: `keen tracker` is named twice; a tag is one die",
    ),
    (
        {**assess(["keen tracker"]), "action_dice": 3},
        "roll_check: `action_dice` is 1 and one for each of `action_tags`, 2; not 3. "
        "Name the tags that count, or change the number",
    ),
    (
        {**assess(danger=["patrol route"]), "danger_dice": 0},
        "roll_check: `danger_dice` is every glitch (0) and one for each other of `danger_tags` (1), 1; not 0",
    ),
    ({**assess(), "action_dice": "1"}, "roll_check: `action_dice` is a whole number of 0 or more, not '1'"),
    ({**assess(), "action_tags": 3}, "roll_check: `action_tags` is a list of tags, not 3"),
    (
        {**assess(), "tags": []},
        "roll_check has no `tags`; it takes action_dice, danger_dice, context, action_tags, danger_tags",
    ),
]


@pytest.mark.parametrize(("said", "reason"), REFUSED)
def test_what_cannot_be_rolled_is_told_with_what_can(said: dict[str, Json], reason: str) -> None:
    assert refused(call("roll_check", said)) == reason


def test_glitches_always_count() -> None:
    assert "every glitch (1)" in refused(call("roll_check", assess(), position=GLITCHED))


def test_a_second_card_waits_for_the_first() -> None:
    waiting = call("roll_check", assess())
    (ruling,) = waiting.rulings
    assert isinstance(ruling, Waiting)
    held = keep_waiting_call(game_with(), waiting.position, ruling).position
    second = call("roll_check", assess(), position=held)
    assert refused(second) == "roll_check: a card lies before the player already; wait for the answer"
    assert card(call("roll_check", assess(), position=held, name="check")).id == "check"


def test_what_the_last_dice_demand_comes_before_new_ones() -> None:
    step = roll(READY, 5)
    assert refused(call("roll_check", assess(), position=step.position)) == (
        "roll_check: the check before this one still demands add_glitch; see to that first"
    )


def test_too_many_tags_are_too_many_dice() -> None:
    crowd: dict[str, Json] = {}
    for number in range(6):
        crowd[f"npcs.n{number}"] = {
            "name": f"N{number}",
            "negative_tags": [f"w{number}-{n}" for n in range(8)],
            "active": True,
        }
    tags = [f"w{number}-{n}" for number in range(6) for n in range(8)]
    step = call("roll_check", assess(tags), position=write(READY, crowd))
    assert refused(step) == "roll_check: `action_tags` names at most 40 tags, not 48"


def test_a_long_context_is_cut() -> None:
    assert len(card(call("roll_check", assess(context="x" * 999))).question) == CONTEXT_LENGTH_MAX


@pytest.mark.parametrize(
    ("share", "percent"),
    [
        (Fraction(0), 0),
        (Fraction(1), 100),
        (Fraction(1, 6**8), 1),
        (1 - Fraction(1, 6**8), 99),
        (Fraction(1, 8), 13),
        (Fraction(1, 3), 33),
    ],
)
def test_a_share_in_per_cent_never_claims_to_be_sure(share: Fraction, percent: int) -> None:
    assert to_percent(share) == percent
