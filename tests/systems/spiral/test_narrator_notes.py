"""Audits: an answer that leaves out what the dice demand is to be mended; every other one may stand."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call
from talewright.kernel.state.state import advance
from talewright.kernel.system import ProposedTelling
from talewright.systems.spiral.narrator_notes import effects_of
from talewright.systems.spiral.oracle import OracleEffect
from tests.systems.spiral.making import READY, SPIRAL, call, roll, sight, write

GLITCHED = write(READY, {"player.glitch_tags": ["twisted ankle"]})


def audit(telling: ProposedTelling, *faces: int, option: str = "roll", language: str = "en") -> list[str]:
    rolled = roll(GLITCHED, *faces, option=option).position
    return [flaw.message for flaw in SPIRAL.audit(telling, sight(rolled, language))]


def demand(highest: int, word: str, effects: str) -> list[str]:
    return [
        f"The dice of this turn, for `sneak past the scout`, showed {highest}: {word} This stands; "
        f"tell it so. It still demands: {effects}."
    ]


@pytest.mark.parametrize(
    ("face", "flaws"),
    [
        (6, demand(6, "Yes, and...", "update_player with remove_glitch, one of the glitches")),
        (5, demand(5, "Yes, but...", "add_glitch, unless the player spends resist")),
        (4, demand(4, "Yes, but...", "add_glitch, unless the player spends resist")),
        (3, []),
        (2, demand(2, "No...", "flush_glitches, and tell how each of them came home")),
        (
            1,
            demand(
                1,
                "No, and...",
                "flush_glitches, and tell how each of them came home; update_player with add_condition",
            ),
        ),
    ],
)
def test_a_missing_effect_is_a_flaw_that_says_what_to_call(face: int, flaws: list[str]) -> None:
    assert audit(ProposedTelling("It happens."), face) == flaws


def test_a_flaw_speaks_the_storytellers_language() -> None:
    (flaw,) = audit(ProposedTelling("成了。"), 4, language="zh-CN")
    assert flaw.endswith("它还要求：用 add_glitch 添一条隐患，除非玩家花韧性。")


@pytest.mark.parametrize(
    ("face", "calls"),
    [
        (6, [Call("update_player", {"remove_glitch": "twisted ankle"})]),
        (5, [Call("add_glitch", {"tag": "x"})]),
        (4, [Call("spend_resist", {"purpose": "negate_glitch"})]),
        (2, [Call("flush_glitches")]),
        (1, [Call("flush_glitches"), Call("update_player", {"add_condition": ["broken rib"]})]),
    ],
)
def test_effects_of_the_same_answer_count(face: int, calls: list[Call]) -> None:
    assert audit(ProposedTelling("It happens.", tuple(calls)), face) == []


def test_resist_that_was_spent_beforehand_leaves_nothing_to_demand() -> None:
    assert audit(ProposedTelling("Near."), 5, option="roll_resist") == []


def test_effects_that_happened_earlier_in_the_turn_count() -> None:
    rolled = roll(READY, 5).position
    after = call("add_glitch", {"tag": "wet boots"}, position=rolled).position
    assert SPIRAL.audit(ProposedTelling("So."), sight(after)) == ()


def test_an_answer_that_goes_on_is_not_audited_yet() -> None:
    assert audit(ProposedTelling("So.", final=False), 5) == []
    assert len(audit(ProposedTelling("So."), 5)) == 1


def test_what_was_granted_earlier_in_the_turn_counts() -> None:
    assert audit(ProposedTelling("So.", granted=(Call("add_glitch", {"tag": "x"}),)), 5) == []


def test_the_dice_of_another_turn_demand_nothing() -> None:
    rolled = roll(READY, 5).position
    assert SPIRAL.audit(ProposedTelling("So."), sight(advance(rolled))) == ()


@pytest.mark.parametrize(
    ("tool", "said", "effects"),
    [
        ("add_glitch", {}, (OracleEffect.ADD_GLITCH,)),
        ("spend_resist", {"purpose": "clear_condition"}, ()),
        ("update_player", {"add_inherent": ["x"], "add_condition": []}, ()),
        ("update_scene", {}, ()),
    ],
)
def test_what_a_call_would_bring_about(
    tool: str, said: dict[str, Json], effects: tuple[OracleEffect, ...]
) -> None:
    assert effects_of(Call(tool, said)) == effects
