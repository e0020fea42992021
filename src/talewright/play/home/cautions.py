"""Cautions at home: what comes of a player's answer about words that were held back.

Whether words are held back is the moderation's to say, and none of this happens without one.
"""

from dataclasses import replace

from talewright.play.home.seat import Meant, Seat
from talewright.play.lobby import Result, ResultKind, Stamp
from talewright.play.showing.cautions import CautionAnswer
from talewright.play.showing.messages import explain, say
from talewright.play.showing.phrases import Phrase
from talewright.play.showing.wording import clean
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.turn_outcomes import OutcomeReason


async def answer_caution(seat: Seat, option: str, note: str, stamp: Stamp | None) -> Result:
    """Do what the player wants with the words that were held back; the seat has some."""
    held = seat.cautioned
    assert held is not None
    # Where another turn came first, it must not be taken for the one that is taken again.
    given = stamp or Stamp(seat.road.new_id())
    stamp = replace(given, base=given.base or held.head)
    match option:
        case CautionAnswer.GO_ON:
            return await seat.take_from(Meant(replace(held.said, sure=True), held.base), stamp)
        case CautionAnswer.REPHRASE if note.strip():
            return await seat.take_from(Meant(Say(note), held.base), stamp)
        case CautionAnswer.REPHRASE:
            seat.cautioned = None
            message = say(seat.language, Phrase.REPHRASE)
            return Result(ResultKind.UNSPENT, option, message, text=clean(held.said.text))
        case CautionAnswer.WITHDRAW:
            seat.cautioned = None
            return Result(ResultKind.UNSPENT, option, say(seat.language, Phrase.WITHDRAWN))
        case _:
            reason = OutcomeReason.NO_SUCH_DECISION
            return Result(ResultKind.UNSPENT, reason.value, explain(seat.language, reason))
