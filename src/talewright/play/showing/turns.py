"""Turns in words: one finished turn as a viewer may look back on it.

It is made from the commit alone, with the game it was played with.
"""

from talewright.chronicle.records import Commit
from talewright.kernel.game import Game
from talewright.play.showing.happenings import tell_changes, tell_events, tell_refusals
from talewright.play.showing.rolls import tell_rolls
from talewright.play.showing.wording import Wording, clean, clean_line
from talewright.play.viewers import Viewer
from talewright.play.views import ChoiceView, DecisionView, EndView, TurnView
from talewright.turn.bodies import Body


def show_turn(commit: Commit, body: Body, game: Game, wording: Wording, viewer: Viewer) -> TurnView:
    """A finished turn."""
    return TurnView(
        commit.id,
        commit.version,
        clean(body.said),
        clean(body.narration),
        tell_rolls(body.rolls, wording, viewer),
        tell_changes(game, body.changes, wording, viewer),
        tell_events(body.events, wording, viewer),
        tell_refusals(game, body.rulings, wording, viewer),
    )


def show_choices(body: Body, wording: Wording) -> tuple[ChoiceView, ...]:
    """What lies on the table after a turn."""
    return tuple(
        ChoiceView(offer.id, wording.line(offer.label), wording.line(offer.hint), offer.risk)
        for offer in body.choices
    )


def show_decisions(body: Body, wording: Wording) -> tuple[DecisionView, ...]:
    """The cards that wait for an answer after a turn."""
    return tuple(
        DecisionView(
            decision.id,
            wording.text(decision.question),
            tuple(wording.line(line) for line in decision.lines),
            tuple((option.id, wording.line(option.label)) for option in decision.options),
            decision.takes_note,
        )
        for decision in body.decisions
    )


def show_end(body: Body) -> EndView | None:
    """How the game ended with a turn."""
    return None if body.end is None else EndView(clean_line(body.end.ending), clean_line(body.end.outcome))
