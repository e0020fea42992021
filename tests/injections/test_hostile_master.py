"""A hostile game master at the MCP server: no rule is broken, nothing is received, every refusal guides."""

from functools import cache

import pytest

from tests.injections.hostile_master import Siege, besiege
from tests.sweep import hostile_masters

SEED = "besieged"
COUNT = hostile_masters.FULL_COUNT // 100
FIELDS = {
    *("say", "choice", "decision note", "operation", "campaign", "handle", "argument", "tool name"),
    *("narration", "fact", "choice id", "choice label", "choice hint", "summary", "handed in"),
    *("path", "value", "reason", "ending", "end reason", "listen note", "ask note", "engrave words"),
    *("whisper words", "wager words", "cast words"),
}
"""Everything that a master can fill."""


@cache
def besiege_all() -> tuple[Siege, ...]:
    """A hundredth of the sweep."""
    print(f"seed {SEED}")
    return tuple(besiege(f"{SEED}:{number}") for number in range(COUNT))


@pytest.mark.slow
def test_no_rule_is_broken_and_nothing_is_received() -> None:
    assert [wrong for siege in besiege_all() for wrong in siege.wrong] == []


def test_every_field_was_poisoned_and_turns_were_told_all_the_same() -> None:
    sieges = besiege_all()
    assert set().union(*(siege.filled for siege in sieges)) >= FIELDS
    assert sum(siege.told for siege in sieges) > 2 * COUNT
    codes = set().union(*(siege.codes for siege in sieges))
    assert codes >= {"lease_lost", "not_wanted", "moved", "untold", "campaign_unknown", "decision_first"}
    assert codes >= {"player_decides", "not_allowed", "no_such_choice", "no_such_decision", "too_long"}
