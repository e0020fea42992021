"""Appraisals: what recorded rolls and events mean for the player, for showing them.

They are made from what is recorded, whenever it is shown, and are never recorded themselves.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


class Stance(StrEnum):
    """On whose side a roll was."""

    OWN = "own"
    """The player's, or for nobody: its success is good for the player."""

    AGAINST = "against"
    """Of someone who acts against the player: its success is bad."""

    APART = "apart"
    """Of someone else: it is neither good nor bad for the player."""


class Favor(StrEnum):
    """What something means for the player."""

    NEUTRAL = ""
    GOOD = "good"
    BAD = "bad"


@frozen
class RollAppraisal:
    """What one recorded roll means."""

    stance: Stance = Stance.OWN
    brief: str = ""
    """Its result in a few words, if it may be shown on one line with its neighbours; otherwise empty."""

    follows: bool = False
    """Whether it is shown after the words of its turn: they start what it belongs to."""


@frozen
class EventAppraisal:
    """What one recorded event means."""

    favor: Favor = Favor.NEUTRAL
    text: str = ""
    """Better words than the recorded ones; empty to keep them."""
