"""Table offers: what the player can do in a view, as one card or a list of choices.

Pure functions: a view in, offers out. The interface's own questions have ids that no game can use.
"""

from enum import StrEnum
from typing import Final

from talewright.common.frozen_values import frozen
from talewright.faces.tui.words.table_words import TableWords
from talewright.play.campaign_view import ChoiceView, DecisionView, EndView, View

UNFINISHED: Final = "\n unfinished"
"""Id of the card that offers to continue an interrupted turn."""

ENDING: Final = "\n ending"
CAUTION: Final = "engine.caution"
"""Id of the engine's card about a cautioned input, which may also be rephrased by typing."""


class FaceCardOption(StrEnum):
    """Options of the interface's own cards."""

    GO_ON = "go_on"
    LEAVE = "leave"
    AGAIN = "again"
    TREE = "tree"
    UNDO = "undo"
    LOBBY = "lobby"


@frozen
class TableOffers:
    """What the player can do."""

    card: DecisionView | None = None
    choices: tuple[ChoiceView, ...] = ()
    line: str = ""
    """The placeholder of the empty input line."""

    accepts: bool = True
    """Whether anything can be typed."""

    speaks: bool = True
    """Whether free text is accepted, and not only numbers."""

    guarded: int | None = None
    """Index of the card's answer that Enter does not give."""

    @property
    def ended(self) -> bool:
        """Whether the card is the one at the end of a story."""
        return self.card is not None and self.card.id == ENDING

    @property
    def numbers(self) -> int:
        """How many numbers mean something."""
        return len(self.card.options) if self.card is not None else len(self.choices)


def make_table_offers(view: View, words: TableWords, *, degraded: bool, left: str) -> TableOffers:
    """Return what can be done in a view; `left` is the head at which the player dropped an unfinished turn.

    After a turn that failed, the choices are the three fixed ones.
    """
    if view.read_only:
        return TableOffers(line=words.line_read_only, accepts=False, speaks=False)
    if view.unfinished and view.head != left and not degraded:
        return TableOffers(_unfinished(view.unfinished, words), line=words.line_decision, speaks=False)
    if view.decisions and not degraded:
        card = view.decisions[0]
        anew = card.id == CAUTION
        return TableOffers(card, line=words.line_free if anew else words.line_decision, speaks=anew)
    if view.end is not None and not degraded:
        card = _ending(view.end, words)
        again = [option for option, _ in card.options].index(FaceCardOption.AGAIN)
        return TableOffers(card, line=words.line_ended, accepts=False, speaks=False, guarded=again)
    if not view.choices:
        return TableOffers(line=words.line_words if view.free_text else words.nothing_to_choose)
    return TableOffers(None, view.choices, words.line_free if view.free_text else words.line_fixed)


def _unfinished(said: str, words: TableWords) -> DecisionView:
    options = (
        (FaceCardOption.GO_ON.value, words.unfinished_yes),
        (FaceCardOption.LEAVE.value, words.unfinished_no),
    )
    return DecisionView(UNFINISHED, words.unfinished, (said,), options)


def _ending(end: EndView, words: TableWords) -> DecisionView:
    told = {"win": words.won, "lose": words.lost}.get(end.outcome, words.ended)
    options = (
        (FaceCardOption.AGAIN.value, f"{words.end_again} ({words.end_again_hint})"),
        (FaceCardOption.TREE.value, words.end_tree),
        (FaceCardOption.UNDO.value, words.end_undo),
        (FaceCardOption.LOBBY.value, words.end_lobby),
    )
    return DecisionView(ENDING, end.title or told, (told,) if end.title else (), options)
