"""Offers: what the player can do where the story stands, as one card or a list of choices.

Pure: a view in, offers out. Questions of the face's own have ids that no game can give.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from talewright.faces.tui.words.table import TableWords
from talewright.play.campaign_view import ChoiceView, DecisionView, EndView, View

UNFINISHED: Final = "\n unfinished"
"""The id of the card that offers to go on with what was said before the program stopped."""

ENDING: Final = "\n ending"
CAUTION: Final = "engine.caution"
"""The id of the engine's card about words that were held back; they may also just be said anew."""


class Offered(StrEnum):
    """What the face's own cards offer."""

    GO_ON = "go_on"
    LEAVE = "leave"
    AGAIN = "again"
    TREE = "tree"
    UNDO = "undo"
    LOBBY = "lobby"


@dataclass(frozen=True, slots=True)
class Offers:
    """What is on the table."""

    card: DecisionView | None = None
    choices: tuple[ChoiceView, ...] = ()
    line: str = ""
    """What stands in the empty input line."""

    accepts: bool = True
    """Whether anything can be typed."""

    speaks: bool = True
    """Whether words of the player's own are taken, and not only numbers."""

    @property
    def numbers(self) -> int:
        """How many numbers mean something."""
        return len(self.card.options) if self.card is not None else len(self.choices)


def offer(view: View, words: TableWords, *, degraded: bool, left: str) -> Offers:
    """What can be done at a view; `left` is the head at which the player left an unfinished turn alone.

    After a turn that nobody could tell, the choices are the three fixed ones.
    """
    if view.read_only:
        return Offers(line=words.line_read_only, accepts=False, speaks=False)
    if view.unfinished and view.head != left and not degraded:
        return Offers(_unfinished(view.unfinished, words), line=words.line_decision, speaks=False)
    if view.decisions and not degraded:
        card = view.decisions[0]
        anew = card.id == CAUTION
        return Offers(card, line=words.line_free if anew else words.line_decision, speaks=anew)
    if view.end is not None and not degraded:
        return Offers(_ending(view.end, words), line=words.line_ended, accepts=False, speaks=False)
    if not view.choices:
        return Offers(line=words.line_words if view.free_text else words.nothing_to_choose)
    return Offers(None, view.choices, words.line_free if view.free_text else words.line_fixed)


def _unfinished(said: str, words: TableWords) -> DecisionView:
    options = ((Offered.GO_ON.value, words.unfinished_yes), (Offered.LEAVE.value, words.unfinished_no))
    return DecisionView(UNFINISHED, words.unfinished, (said,), options)


def _ending(end: EndView, words: TableWords) -> DecisionView:
    told = {"win": words.won, "lose": words.lost}.get(end.outcome, words.ended)
    options = (
        (Offered.AGAIN.value, f"{words.end_again} ({words.end_again_hint})"),
        (Offered.TREE.value, words.end_tree),
        (Offered.UNDO.value, words.end_undo),
        (Offered.LOBBY.value, words.end_lobby),
    )
    return DecisionView(ENDING, told, (), options)
