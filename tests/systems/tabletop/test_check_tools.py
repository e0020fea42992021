"""Checks through the tools: by the tables that are written by hand, and fair dice over many calls."""

import pytest

from talewright.kernel.state.state import begin
from tests.sweep import tabletop_rolls
from tests.sweep.parts import SEED
from tests.systems.tabletop.check_tables import ROWS, list_cases
from tests.systems.tabletop.making import call, game_with, granted

FATE_SHIFT = 2
"""What a chance draws for a Fate die is higher than its face by this."""


@pytest.mark.parametrize("rule", ROWS)
def test_every_cell_of_the_tables_comes_out_of_skill_check(rule: str) -> None:
    skill = tabletop_rolls.SKILLS[rule]
    cases = 0
    for modifier in sorted({case.modifier for case in list_cases(rule)}):
        game = game_with(rule, f"# Ada\n- HP: 9\n- Skills: {skill} {modifier:+}\n")
        start = begin(game)
        for case in list_cases(rule):
            if case.modifier != modifier:
                continue
            said = {"skill": skill} | ({} if case.difficulty is None else {"difficulty": case.difficulty})
            faces = [face + FATE_SHIFT if rule == "fate" else face for face in case.dice]
            result = granted(call("skill_check", said, position=start, faces=faces, game=game))
            told = (result["outcome"], result["individualRolls"], result["modifier"])
            assert told == (case.outcome, list(case.dice), modifier), case
            assert result["total"] == sum(case.dice) + modifier
            cases += 1
    assert cases >= 100


def test_rolls_made_by_tools_are_fair() -> None:
    """The first of those that `make sweep` makes."""
    assert tabletop_rolls.run(2_000, SEED) == 2_000
