"""Moderation: the port through which a host objects to words that go in or come out.

By default nobody objects. A player's words are heard here; a narration is read in `repairing`, before it is
committed.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.turn.inputs.player_inputs import AnswerDecision, Input, Say
from talewright.turn.turn_outcomes import OutcomeReason, Unspent


@frozen
class Objection:
    """Words that are not let through."""

    reason: str
    """For the player, or for the model that should tell it otherwise."""

    grave: bool = True
    """Not grave is a caution about what a player says: it may be put another way, withdrawn, or gone on with;
    the storyteller is then reminded of the rating."""


class Moderation(Protocol):
    """Whoever decides what may be said."""

    async def hear(self, text: str) -> Objection | None:
        """Judge what a player says."""

    async def read(self, text: str) -> Objection | None:
        """Judge a narration before it is committed."""


class NoModeration:
    """Lets everything through."""

    async def hear(self, text: str) -> Objection | None:
        return None

    async def read(self, text: str) -> Objection | None:
        return None


async def hear_input(moderation: Moderation, given: Input) -> Objection | None:
    """What the host has against the words of an input."""
    said = given.text if isinstance(given, Say) else given.note if isinstance(given, AnswerDecision) else ""
    return await moderation.hear(said) if said else None


def refuse_input(objection: Objection | None, given: Input) -> Unspent | None:
    """What becomes of an input to which the host objects; None lets it through."""
    # Whoever is sure of words under caution goes on with them.
    if objection is None or not (objection.grave or (isinstance(given, Say) and not given.sure)):
        return None
    reason = OutcomeReason.NOT_ALLOWED if objection.grave else OutcomeReason.RISKY
    return Unspent(reason, objection.reason)
