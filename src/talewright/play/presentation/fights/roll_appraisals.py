"""Roll appraisals: what the systems of a game say about recorded rolls and events, for showing them.

Nothing here is recorded, and a system that says nothing leaves everything as it is recorded.
"""

from collections.abc import Sequence

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.system import EventAppraisal, Favor, RollAppraisal, Sight, Stance, System
from talewright.play.presentation.roll_chances import SUCCESSES
from talewright.play.presentation.value_wording import Wording
from talewright.turn.records.commit_body import TurnBody, split_rolls

NO_ROLL = RollAppraisal()
NO_EVENT = EventAppraisal()


def appraise_rolls(recorded: Json, game: Game, wording: Wording) -> tuple[tuple[Json, RollAppraisal], ...]:
    """The rolls of one recorded entry, each with what it means."""
    rolls = split_rolls(recorded)
    for system in game.parts.appraisals:
        found = tuple(system.appraise_rolls(recorded, _sight(game, system, wording)))
        if len(found) == len(rolls):
            return tuple(zip(rolls, found, strict=True))
    return tuple((roll, NO_ROLL) for roll in rolls)


def appraise_events(body: TurnBody, game: Game, wording: Wording) -> tuple[EventAppraisal, ...]:
    """What the events of a turn mean, one for each."""
    shown = [NO_EVENT] * len(body.events)
    for system in game.parts.appraisals:
        found: Sequence[EventAppraisal] = system.appraise_events(
            body.events, body.rolls, _sight(game, system, wording)
        )
        if len(found) == len(shown):
            shown = [one if one != NO_EVENT else old for one, old in zip(found, shown, strict=True)]
    return tuple(shown)


def favor_of(outcome: str, stance: Stance) -> Favor:
    """What an outcome means for the player."""
    if not outcome or stance is Stance.APART:
        return Favor.NEUTRAL
    good = (outcome in SUCCESSES) is (stance is Stance.OWN)
    known = outcome in SUCCESSES or "fail" in outcome or outcome == BLOCKED
    return (Favor.GOOD if good else Favor.BAD) if known else Favor.NEUTRAL


BLOCKED = "blocked"
"""The outcome of an attempt that was not possible."""


def _sight(game: Game, system: System, wording: Wording) -> Sight:
    return Sight({}, 0, game.files_of(system), game.chance.dice, wording.language, wording.texts)
