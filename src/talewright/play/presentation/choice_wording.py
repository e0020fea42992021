"""Wording of choices and decisions: open cards, the caution card, and the choices after a failed turn.

Words under caution have not used a turn; the card is answered like any decision, by `Session.answer`.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from talewright.common.safe_text import clean
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Decision
from talewright.kernel.state.state import Position
from talewright.play.campaign_view import ChoiceView, DecisionView
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, explain, say
from talewright.turn.inputs.player_choices import SYSTEM, find_system_choices
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.turn_outcomes import OutcomeReason

CAUTION = "engine.caution"
"""The id of the caution card, which belongs to the engine and not to a system."""


class CautionAnswer(StrEnum):
    """What a player may do with words under caution."""

    REPHRASE = "rephrase"
    """Without a note, the words are returned for rephrasing; a note contains the new words."""

    GO_ON = "go_on"
    """Keep the words; the storyteller is reminded of the rating."""

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


def show_choices(
    body: TurnBody, wording: Wording, groups: Mapping[str, str] | None = None
) -> tuple[ChoiceView, ...]:
    """The choices after a turn; `groups` says what those of systems are about."""
    known = groups or {}
    return tuple(
        ChoiceView(
            offer.id, wording.line(offer.label), wording.line(offer.hint), offer.risk, known.get(offer.id, "")
        )
        for offer in body.choices
    )


def find_groups(game: Game, position: Position, body: TurnBody) -> Mapping[str, str]:
    """What the choices of systems are about, by id."""
    if all(offer.source != SYSTEM for offer in body.choices):
        return {}
    return {name: choice.group.value for name, choice in find_system_choices(game, position).items()}


def show_decisions(decisions: Sequence[Decision], wording: Wording) -> tuple[DecisionView, ...]:
    """Open cards."""
    return tuple(
        DecisionView(
            decision.id,
            wording.text(decision.question),
            tuple(wording.line(line) for line in decision.lines),
            tuple((option.id, wording.line(option.label)) for option in decision.options),
            decision.takes_note,
            decision.note_with,
        )
        for decision in decisions
    )


def find_named_choice(name: str, choices: Sequence[ChoiceView]) -> str:
    """The id of the one choice that names a place or a person, such as `Go to Market Square`; else empty."""
    wanted = name.casefold().strip()
    # Latin letters must not go on: Ann is not Anna. Chinese has no spaces between words.
    pattern = re.compile(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])")
    found = [choice.id for choice in choices if wanted and pattern.search(choice.label.casefold())]
    return found[0] if len(found) == 1 else ""


def fixed_choices(language: str) -> tuple[ChoiceView, ...]:
    """The choices after a failed turn."""
    return tuple(
        ChoiceView(choice.value, say(language, label), say(language, hint))
        for choice, label, hint in (
            (FixedChoice.RETRY, Phrase.RETRY, Phrase.RETRY_HINT),
            (FixedChoice.ROLLBACK, Phrase.ROLLBACK, Phrase.ROLLBACK_HINT),
            (FixedChoice.QUIT, Phrase.QUIT, Phrase.QUIT_HINT),
        )
    )
