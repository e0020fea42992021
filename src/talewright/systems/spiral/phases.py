"""Phases: making ready, and play; what the storyteller is told in each, and which tools there are.

Play begins with a turn of its own, the opening scene, unless a scene of the author has told it.
"""

from talewright.kernel.system import Phase
from talewright.systems.spiral.rulebook import Rulebook
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.tools import IN_PLAY, IN_SETUP
from talewright.systems.spiral.words.words import Words

SETUP, PLAY = "setup", "play"


def phase_of(standing: Standing, rules: Rulebook, words: Words) -> Phase:
    """The phase that holds now."""
    if standing.is_set_up:
        return Phase(PLAY, tools=IN_PLAY, text=rules.text, opens=standing.own["opened"] is not True)
    return Phase(SETUP, tools=IN_SETUP, text=words.setup)
