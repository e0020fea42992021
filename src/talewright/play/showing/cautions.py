"""Cautions: the card a player answers when their words may lead beyond what a story is meant for.

No turn has been spent on the words. It is drawn and answered like any decision, by `Session.answer`.
"""

from enum import StrEnum

from talewright.play.showing.messages import explain, say
from talewright.play.showing.phrases import Phrase
from talewright.play.showing.wording import clean
from talewright.play.views import DecisionView
from talewright.turn.turn_outcomes import OutcomeReason

CAUTION = "engine.caution"
"""The id of the card, which belongs to the engine and to no system."""


class CautionAnswer(StrEnum):
    """What a player may do with words that were cautioned."""

    REPHRASE = "rephrase"
    """Without a note the words are given back to be put another way; a note is the other way."""

    GO_ON = "go_on"
    """The same words; the storyteller is reminded of the rating."""

    WITHDRAW = "withdraw"


def show_caution(said: str, language: str) -> DecisionView:
    """The card about some words."""
    options = (
        (CautionAnswer.REPHRASE, Phrase.CAUTION_REPHRASE),
        (CautionAnswer.GO_ON, Phrase.CAUTION_GO_ON),
        (CautionAnswer.WITHDRAW, Phrase.CAUTION_WITHDRAW),
    )
    return DecisionView(
        CAUTION,
        explain(language, OutcomeReason.RISKY),
        tuple(filter(None, (clean(said),))),
        tuple((option.value, say(language, label)) for option, label in options),
    )
