"""Rolls and checks through the tools: recorded, by the rulebook, and never a number that a caller brings."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.state.state import begin
from tests.systems.tabletop.making import (
    OLDER,
    READY,
    TABLETOP,
    call,
    do,
    game_with,
    granted,
    read,
    refused,
    sight,
)

FATE_GAME = game_with("fate", character="")
FATE = do(begin(FATE_GAME), "set_character", FATE_GAME, name="Ines", skills={"Notice": 2}, hp=3)
PBTA_GAME = game_with("pbta", character="")
STATS: dict[str, Json] = {"Bold": 2, "Strong": 1, "Sharp": 1, "Warm": 0, "Strange": -1}
PBTA = do(begin(PBTA_GAME), "set_character", PBTA_GAME, name="Ines", stats=STATS, hp=8)


def test_a_roll_is_reported_and_recorded() -> None:
    step = call("roll_dice", {"expression": "2d6+1d4+5", "context": "Rubble"}, faces=[3, 6, 2])
    assert granted(step) == {
        "expression": "2d6+1d4+5",
        "individualRolls": [3, 6, 2],
        "modifiers": 5,
        "total": 16,
        "visible": True,
        "logId": "r1",
        "text": "Rubble: 2d6 (3, 6) + 1d4 (2) + 5 = 16",
    }
    assert read(step.position, "tabletop.rolls.0.total") == 16
    assert read(step.position, "tabletop.roll_count") == 1


def test_a_hidden_roll_is_counted_apart_and_marked() -> None:
    step = call("roll_dice", {"expression": "d20", "visible": False}, faces=[4])
    told = granted(step)
    assert (told["hidden"], told["logId"]) == (True, "h1")
    assert read(step.position, "tabletop.rolls") == []
    assert read(step.position, "tabletop.roll_count") == 0
    assert step.events == ()
    after = call("roll_dice", {"expression": "d20"}, position=step.position, faces=[4])
    assert granted(after)["logId"] == "r1", "no gap in the numbers betrays it"


def test_only_the_last_rolls_are_remembered() -> None:
    position = READY
    for _ in range(15):
        position = do(position, "roll_dice", faces=[1], expression="d4")
    rolls = read(position, "tabletop.rolls")
    assert isinstance(rolls, list)
    assert [one["id"] for one in rolls if isinstance(one, dict)] == [f"r{number}" for number in range(4, 16)]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("d7", "roll_dice: d7 is not a die of this system: d4, d6, d8, d10, d12, d20, d100, dF"),
        ("2d", "Write it like 2d6+3"),
        ("-2d6 oops", "Write it like 2d6+3"),
        ("", "Write it like 2d6+3"),
    ],
)
def test_what_cannot_be_rolled_is_refused_with_what_can(expression: str, reason: str) -> None:
    assert reason in refused(call("roll_dice", {"expression": expression}))


def test_a_learned_skill_counts_as_it_is() -> None:
    told = granted(call("skill_check", {"skill": "stealth", "difficulty": 15}, faces=[10]))
    assert (told["skill"], told["attribute"], told["modifier"], told["total"]) == ("Stealth", "DEX", 5, 15)
    assert (told["outcome"], told["margin"], told["success"]) == ("success", 0, True)
    assert told["text"] == "Rowan, Stealth: 1d20 (10) + 5 = 15"
    assert told["needed"] == 15


def test_without_a_skill_the_attribute_behind_it_counts() -> None:
    told = granted(call("skill_check", {"skill": "Athletics", "difficulty": 10}, faces=[8]))
    assert (told["modifier"], told["outcome"], told["margin"]) == (1, "failure", -1)


def test_another_attribute_may_be_used_with_what_was_learned() -> None:
    said: dict[str, Json] = {"skill": "Stealth", "attribute": "STR", "difficulty": 10}
    # What was learned is +2 beyond the +3 of dexterity; strength gives +1.
    assert granted(call("skill_check", said, faces=[8]))["modifier"] == 3


def test_naturals_advantage_and_disadvantage() -> None:
    best: dict[str, Json] = {"skill": "Stealth", "difficulty": 30, "advantage": True}
    told = granted(call("skill_check", best, faces=[3, 20]))
    assert (told["outcome"], told["individualRolls"]) == ("critical_success", [3, 20])
    worst: dict[str, Json] = {"skill": "Stealth", "difficulty": 1, "disadvantage": True}
    assert granted(call("skill_check", worst, faces=[1, 20]))["outcome"] == "critical_failure"
    both: dict[str, Json] = {**best, "disadvantage": True}
    assert granted(call("skill_check", both, faces=[9]))["individualRolls"] == [9]


def test_an_npc_is_checked_like_the_player() -> None:
    position = do(READY, "create_npc", name="Gruk", templateName="Goblin")
    said: dict[str, Json] = {"skill": "Stealth", "difficulty": 12, "npcName": "gruk", "visible": False}
    told = granted(call("skill_check", said, position=position, faces=[6]))
    assert (told["modifier"], told["outcome"], told["hidden"]) == (6, "success", True)
    assert "there is no NPC 'Grok'; there is Gruk; did you mean Gruk?" in refused(
        call("skill_check", {**said, "npcName": "Grok"}, position=position)
    )


def test_refusals_name_skills_attributes_and_difficulties() -> None:
    assert "there is no skill 'Lockpicking'; there is Athletics, Stealth" in refused(
        call("skill_check", {"skill": "Lockpicking", "difficulty": 10})
    )
    assert "there is no attribute 'LUCK'; there is STR, DEX" in refused(
        call("skill_check", {"skill": "Stealth", "attribute": "LUCK", "difficulty": 10})
    )
    assert "needs `difficulty`, the number to reach; 10 is easy" in refused(
        call("skill_check", {"skill": "Stealth"})
    )
    assert "skill_check needs `skill`" in refused(call("skill_check", {"difficulty": 3}))


@pytest.mark.parametrize(
    ("faces", "outcome"), [((5, 3), "success"), ((3, 2), "partial_success"), ((1, 2), "failure")]
)
def test_pbta_has_three_bands(faces: tuple[int, int], outcome: str) -> None:
    said: dict[str, Json] = {"skill": "Brave the Danger"}
    told = granted(call("skill_check", said, position=PBTA, game=PBTA_GAME, faces=faces))
    assert (told["modifier"], told["outcome"]) == (2, outcome)
    assert "difficulty" not in told


def test_pbta_may_roll_a_stat_itself() -> None:
    told = granted(call("skill_check", {"skill": "Sharp"}, position=PBTA, game=PBTA_GAME, faces=[5, 4]))
    assert (told["skill"], told["modifier"], told["outcome"]) == ("Sharp", 1, "success")


def test_fate_compares_with_a_step_of_the_ladder() -> None:
    said: dict[str, Json] = {"skill": "Notice", "difficulty": "fair"}
    tied = granted(call("skill_check", said, position=FATE, game=FATE_GAME, faces=[2, 2, 2, 2]))
    assert (tied["difficulty"], tied["total"], tied["outcome"]) == (2, 2, "partial_success")
    style = granted(call("skill_check", said, position=FATE, game=FATE_GAME, faces=[3, 3, 3, 2]))
    assert (style["outcome"], style["margin"]) == ("critical_success", 3)
    assert "no step of the ladder: terrible, poor" in refused(
        call("skill_check", {**said, "difficulty": "tough"}, position=FATE, game=FATE_GAME)
    )


@pytest.mark.parametrize(
    ("expression", "face"),
    [("d4", 4), ("d6", 6), ("d8", 8), ("d10", 10), ("d12", 12), ("d20", 20), ("d100", 100), ("dF", 3)],
)
def test_the_usual_dice_always_roll(expression: str, face: int) -> None:
    # The rulebook names d4, d6 and d20 only.
    assert granted(call("roll_dice", {"expression": expression}, faces=[face]))["logId"] == "r1"


@pytest.mark.parametrize("expression", ["-2d6", "3+-1d4"])
def test_a_negative_number_of_dice_is_an_error(expression: str) -> None:
    reason = refused(call("roll_dice", {"expression": expression}))
    assert reason.startswith("roll_dice: the number of dice cannot be negative")


def test_subtracted_dice_are_no_modifier() -> None:
    told = granted(call("roll_dice", {"expression": "2d6-1d4+1"}, faces=[5, 4, 3]))
    assert (told["total"], told["modifiers"], told["individualRolls"]) == (7, 1, [5, 4, 3])


def test_turns_of_older_engines_roll_as_they_did() -> None:
    assert "d8 is not a die of this system: d4, d6, d20" in refused(
        call("roll_dice", {"expression": "d8"}, position=OLDER)
    )
    told = granted(call("roll_dice", {"expression": "2d6-1d4"}, position=OLDER, faces=[5, 4, 3]))
    assert (told["total"], told["modifiers"]) == (6, -6)
    assert granted(call("roll_dice", {"expression": "-1d4"}, position=OLDER, faces=[3]))["total"] == -3


@pytest.mark.parametrize("attribute", ["STR", "str", "Strength", "力量"])
def test_an_attribute_has_several_names(attribute: str) -> None:
    said: dict[str, Json] = {"skill": "Stealth", "attribute": attribute, "difficulty": 10}
    told = granted(call("skill_check", said, faces=[8]))
    assert (told["attribute"], told["modifier"]) == ("STR", 3)


def test_an_attribute_may_be_rolled_by_its_full_name() -> None:
    told = granted(call("skill_check", {"skill": "dexterity", "difficulty": 10}, faces=[8]))
    assert (told["skill"], told["modifier"], "note" in told) == ("DEX", 3, False)


def test_another_skill_needs_an_attribute_and_says_so() -> None:
    said: dict[str, Json] = {"skill": "Lockpicking", "difficulty": 15}
    assert refused(call("skill_check", said)).endswith(
        "For any other skill, name the `attribute` that decides it"
    )
    close: dict[str, Json] = {**said, "skill": "Stealt"}
    assert "did you mean Stealth? For any other skill" in refused(call("skill_check", close))
    told = granted(call("skill_check", {**said, "attribute": "Dexterity"}, faces=[12]))
    assert (told["skill"], told["attribute"], told["modifier"], told["total"]) == (
        *("Lockpicking", "DEX"),
        *(3, 15),
    )
    assert told["note"] == "Lockpicking is no skill of this rulebook; DEX was rolled for it"
    assert told["text"] == "Rowan, Lockpicking: 1d20 (12) + 3 = 15"


def test_other_words_for_such_a_skill_are_the_same_check() -> None:
    said: dict[str, Json] = {"difficulty": 15, "attribute": "Dexterity"}
    meant = [
        TABLETOP.argument_meanings(Call("skill_check", {**said, "skill": skill}), sight(READY))
        for skill in ("Lockpicking", "Picking locks", "dex")
    ]
    assert meant[0] == meant[1] == meant[2]
    assert (meant[0]["skill"], meant[0]["attribute"]) == ("DEX", None)


def test_turns_of_older_engines_know_only_the_skills_of_the_rulebook() -> None:
    said: dict[str, Json] = {"skill": "Lockpicking", "difficulty": 15, "attribute": "DEX"}
    assert "there is no skill 'Lockpicking'" in refused(call("skill_check", said, position=OLDER))
    with pytest.raises(Refusal):
        TABLETOP.argument_meanings(Call("skill_check", said), sight(OLDER))
