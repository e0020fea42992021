"""Wording of decisions and choices: cards that wait, the caution card, choices after an untold turn.

No turn has been spent on words under caution; the card is answered like any decision, by `Session.answer`.
"""

from enum import StrEnum

from talewright.common.safe_text import clean
from talewright.play.campaign_view import ChoiceView, DecisionView
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, explain, say
from talewright.turn.records.commit_body import TurnBody
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


def show_choices(body: TurnBody, wording: Wording) -> tuple[ChoiceView, ...]:
    """What lies on the table after a turn."""
    return tuple(
        ChoiceView(offer.id, wording.line(offer.label), wording.line(offer.hint), offer.risk)
        for offer in body.choices
    )


def show_decisions(body: TurnBody, wording: Wording) -> tuple[DecisionView, ...]:
    """The cards that wait for an answer after a turn."""
    return tuple(
        DecisionView(
            decision.id,
            wording.text(decision.question),
            tuple(wording.line(line) for line in decision.lines),
            tuple((option.id, wording.line(option.label)) for option in decision.options),
            decision.takes_note,
            decision.note_with,
        )
        for decision in body.decisions
    )


def fixed_choices(language: str) -> tuple[ChoiceView, ...]:
    """What a player may do after a turn that nobody could tell."""
    return tuple(
        ChoiceView(choice.value, say(language, label), say(language, hint))
        for choice, label, hint in (
            (FixedChoice.RETRY, Phrase.RETRY, Phrase.RETRY_HINT),
            (FixedChoice.ROLLBACK, Phrase.ROLLBACK, Phrase.ROLLBACK_HINT),
            (FixedChoice.QUIT, Phrase.QUIT, Phrase.QUIT_HINT),
        )
    )
