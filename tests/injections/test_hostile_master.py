"""A hostile game master at the MCP server: no rule is broken, nothing is received, every refusal guides."""

import pytest

from tests.injections.hostile_master import besiege
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


@pytest.mark.slow
def test_no_rule_is_broken_and_nothing_is_received() -> None:
    # A hundredth of the sweep.
    print(f"seed {SEED}")
    sieges = [besiege(f"{SEED}:{number}") for number in range(COUNT)]
    assert [wrong for siege in sieges for wrong in siege.wrong] == []
    # Every field was poisoned, and turns were narrated all the same.
    assert set().union(*(siege.filled for siege in sieges)) >= FIELDS
    assert sum(siege.told for siege in sieges) > 2 * COUNT
    codes = set().union(*(siege.codes for siege in sieges))
    assert codes >= {"lease_lost", "not_wanted", "moved", "untold", "campaign_unknown", "decision_first"}
    assert codes >= {"player_decides", "not_allowed", "no_such_choice", "no_such_decision", "too_long"}
