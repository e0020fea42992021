"""Moderation: the port through which a host objects to inputs and narrations.

By default there are no objections. Inputs are checked here, a narration in `repairing`, before it is
committed.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.turn.inputs.player_inputs import AnswerDecision, Input, Say
from talewright.turn.turn_outcomes import OutcomeReason, Unspent


@frozen
class Objection:
    """An objection to a text."""

    reason: str
    """A message for the player, or for the model that should rewrite the narration."""

    grave: bool = True
    """If False, a caution about an input: the player may rephrase, withdraw or confirm it; if confirmed, the
    storyteller is reminded of the rating."""


class Moderation(Protocol):
    """Decides which texts are acceptable."""

    async def hear(self, text: str) -> Objection | None:
        """Check what a player says."""

    async def read(self, text: str) -> Objection | None:
        """Check a narration before it is committed."""


class NoModeration:
    """Accepts everything."""

    async def hear(self, text: str) -> Objection | None:
        return None

    async def read(self, text: str) -> Objection | None:
        return None


async def hear_input(moderation: Moderation, given: Input) -> Objection | None:
    """Return the host's objection to the words of an input."""
    said = given.text if isinstance(given, Say) else given.note if isinstance(given, AnswerDecision) else ""
    return await moderation.hear(said) if said else None


def refuse_input(objection: Objection | None, given: Input) -> Unspent | None:
    """Return the outcome of an input to which the host objects; None lets it through."""
    # A player who confirms a cautioned input may continue with it.
    if objection is None or not (objection.grave or (isinstance(given, Say) and not given.sure)):
        return None
    reason = OutcomeReason.NOT_ALLOWED if objection.grave else OutcomeReason.RISKY
    return Unspent(reason, objection.reason)
