"""Turns in words: one finished turn as a viewer may look back on it.

It is made from the commit alone, with the game it was played with.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.records import Commit
from talewright.kernel.game import Game
from talewright.play.showing.happenings import tell_changes, tell_events, tell_refusals
from talewright.play.showing.rolls import tell_rolls
from talewright.play.showing.wording import Wording, clean, clean_line
from talewright.play.viewers import Viewer
from talewright.play.views import ChoiceView, DecisionView, EndView, RollView, TurnView
from talewright.turn.records.commit_body import CALL, MODEL, MOVES, ROUND, TurnBody

ANSWER = "answer"
"""The kind of an input that answers a card."""


def show_turn(commit: Commit, body: TurnBody, game: Game, wording: Wording, viewer: Viewer) -> TurnView:
    """A finished turn."""
    return TurnView(
        commit.id,
        commit.version,
        clean(body.said),
        clean(body.narration),
        _tell_rolls(body, wording, viewer),
        tell_changes(game, body.changes, wording, viewer),
        tell_events(body.events, wording, viewer),
        tell_refusals(game, body.rulings, wording, viewer),
    )


def _tell_rolls(body: TurnBody, wording: Wording, viewer: Viewer) -> tuple[RollView, ...]:
    early = _count_early(body)
    late = tell_rolls(body.rolls[early:], wording, viewer)
    return (*tell_rolls(body.rolls[:early], wording, viewer), *(replace(roll, late=True) for roll in late))


def _count_early(body: TurnBody) -> int:
    """How many rolls of a turn fell before it was told; they come first in its record."""
    purposes = {ask.get("purpose") for ask in body.exchanges if isinstance(ask, Mapping)}
    if body.told != MODEL or purposes.intersection((MOVES, ROUND)):
        return len(body.rolls)
    # What the player did comes first. A model that is asked once calls for dice in the reply that tells.
    calls = [isinstance(roll, Mapping) and roll.get("kind") == CALL for roll in body.rolls]
    answered = isinstance(body.input, Mapping) and body.input.get("kind") == ANSWER
    return calls.count(False) + (1 if answered else 0)


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


def show_end(body: TurnBody) -> EndView | None:
    """How the game ended with a turn."""
    return None if body.end is None else EndView(clean_line(body.end.ending), clean_line(body.end.outcome))
