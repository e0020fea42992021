"""Briefing: what the storyteller is told beside the state, and for whose ears."""

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, advance
from talewright.kernel.system import NoteAudience
from tests.systems.spiral.making import FIRST, READY, SPIRAL, call, roll, sight, write

FAIR = "A tag counts where half a sentence says how it bears on the act."


def told(position: Position = READY, language: str = "en") -> list[str]:
    return [note.text for note in SPIRAL.notes(sight(position, language))]


def test_nothing_is_said_before_play() -> None:
    assert told(FIRST) == []


def test_how_readily_tags_count_is_always_said() -> None:
    assert told() == [FAIR]
    strict = write(READY, {"spiral.prompt": "---\nrelevance: strict\n---\n"})
    assert told(strict) == ["Tags count strictly here: only where the act could not be told without them."]
    assert told(write(READY, {"spiral.prompt": "---\nrelevance: generous\n---\n"}), "zh-CN") == [
        "本局标签从宽：玩家说得在理，就算。"
    ]


def test_the_opening_is_asked_for_once() -> None:
    fresh = write(READY, {"spiral.opened": False})
    assert told(fresh)[-1].startswith("This is the first turn of play")


def test_a_morning_is_told_with_its_conditions_and_full_clocks() -> None:
    night = write(READY, {"meta.segment": 4, "player.conditions": ["broken rib"]})
    morning = advance(call("advance_time", {"reason": "sleep"}, position=night).position)
    _, waking, clocks = told(morning)
    assert "the conditions by name (broken rib)" in waking
    assert clocks.startswith(
        "These clocks are full, the goal behind each has been reached: Gorm (gorm): burn the ferry. "
    )
    later = told(advance(morning))
    assert len(later) == 2
    assert later[1] == clocks
    reset = call("update_npc", {"id": "gorm", "clock_delta": -4, "goal": "build a boat"}, position=morning)
    assert told(advance(reset.position)) == [FAIR]


def test_the_dice_of_the_turn_stand() -> None:
    rolled = roll(READY, 4).position
    notes = SPIRAL.notes(sight(rolled))
    assert notes[-1].ear is NoteAudience.EVERYONE
    assert notes[-1].text == (
        "The dice of this turn, for `sneak past the scout`, showed 4: Yes, but... This stands; tell it so. "
        "It still demands: add_glitch, unless the player spends resist."
    )
    assert told(roll(READY, 3).position)[-1].endswith("showed 3: No, but... This stands; tell it so.")
    assert told(advance(rolled)) == [FAIR]
    spent = told(roll(READY, 4, option="roll_resist").position)
    assert spent[-1] == "Resist was spent: the act succeeds and no glitch comes of it. Tell the near miss."


def test_a_contested_and_a_withdrawn_check_are_told() -> None:
    contested = roll(READY, 4, option="contest", note="the mist hides me").position
    assert "(in their words: the mist hides me). Nothing was rolled." in told(contested)[-1]
    assert "原话：没有多说" in told(roll(READY, 4, option="contest").position, "zh-CN")[-1]
    withdrawn = roll(READY, 4, option="withdraw").position
    assert told(withdrawn)[-1].startswith("The player withdraws from `sneak past the scout`.")


REVIEW: dict[str, Json] = {
    "for_turn": 1,
    "stale": [{"section": "Active Threads", "entry": "the ferry", "reason": "burnt"}],
    "consolidate": [{"entries": ["a", "b"], "suggested": "ab"}],
    "contradictions": [{"a": "x", "b": "y", "note": "which?"}],
    "missing": ["the promise (Day 1, Seg 3)"],
}


def test_a_review_is_shown_once() -> None:
    reviewed = write(READY, {"spiral.review": REVIEW})
    assert told(reviewed)[-1] == (
        "A review of your scratchpad, shown this once. Take what is right in it with the scratchpad tool:\n"
        "- Stale, in `Active Threads`: the ferry (burnt)\n"
        "- One instead of several: a; b -> ab\n"
        "- These contradict each other: x / y (which?)\n"
        "- Missing: the promise (Day 1, Seg 3)"
    )
    assert told(advance(reviewed)) == [FAIR]
    assert told(write(READY, {"spiral.review": {**REVIEW, "for_turn": 9}})) == [FAIR]
    assert told(write(READY, {"spiral.review.for_turn": 1})) == [FAIR]


def test_rules_with_a_mistake_are_told_of() -> None:
    broken = write(READY, {"spiral.prompt": "---\ntick: never\n---\n"})
    assert told(broken)[0] == (
        "prompt.md:2:7: `tick` cannot be `never`. The rules from before hold until this is mended."
    )
