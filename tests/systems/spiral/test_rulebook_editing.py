"""Editing: what a person changes by hand, taken up or refused with a reason."""

from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.system import Denial
from talewright.systems.spiral.rulebook import ClockTick, rules_in_force
from talewright.systems.spiral.slots import PROMPT_LENGTH_MAX
from tests.systems.spiral.making import GAME, READY, SPIRAL, call, read, sight


def test_only_the_prompt_may_be_edited() -> None:
    assert SPIRAL.editable(sight()) == {"prompt.md"}
    answer = SPIRAL.edited("state.json", "{}", sight())
    assert answer == Denial("state.json is made from the state; only prompt.md can be changed by hand")


def test_an_edit_holds_from_the_next_call_on() -> None:
    text = "---\r\ntick: half_day\r\n---\r\nNew words."
    updates = SPIRAL.edited("prompt.md", text, sight())
    assert not isinstance(updates, Denial)
    position = carry_out(GAME, READY, updates, "player-edit").position
    assert read(position, "spiral.prompt") == text.replace("\r\n", "\n")
    assert read(position, "spiral.rules") == "---\ntick: half_day\n---"
    assert SPIRAL.phase(sight(position)).text == "New words."
    evening = call("advance_time", {"reason": "on"}, position=position).position
    evening = call("advance_time", {"reason": "on"}, position=evening).position
    assert read(evening, "npcs.gorm.clock") == 4


def test_broken_rules_leave_those_from_before_and_take_the_words() -> None:
    first = SPIRAL.edited("prompt.md", "---\ntick: half_day\n---\nOne.", sight())
    assert not isinstance(first, Denial)
    position = carry_out(GAME, READY, first, "player-edit").position
    second = SPIRAL.edited("prompt.md", "---\ntick: hourly\n---\nTwo.", sight(position))
    assert not isinstance(second, Denial)
    position = carry_out(GAME, position, second, "player-edit").position
    own = position.state.document["spiral"]
    assert isinstance(own, dict)
    rules = rules_in_force(own, {}, "en")
    assert (rules.tick, rules.text) == (ClockTick.HALF_DAY, "Two.")


def test_what_cannot_be_taken_up_is_refused() -> None:
    assert SPIRAL.edited("prompt.md", " \n", sight()) == Denial(
        "prompt.md is empty; the one from before holds"
    )
    assert SPIRAL.edited("prompt.md", "x" * (PROMPT_LENGTH_MAX + 1), sight()) == Denial(
        "prompt.md has at most 40000 characters, this one has 40001; shorten it"
    )
