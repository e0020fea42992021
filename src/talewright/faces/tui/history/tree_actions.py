"""Tree actions: undo, fork, switch, pick, compare and inspect, and the questions asked before each.

Every question returns a request, or a remark to show instead. Nothing is carried out here.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias, assert_never

from textual.content import Content
from textual.screen import Screen

from talewright.common.frozen_values import frozen
from talewright.faces.tui.app_port import TreeDeparture
from talewright.faces.tui.history.tree_list import UntakenRow, count_turns_back, find_here
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.widgets.dialogs import Confirm, Menu, Question
from talewright.faces.tui.words.history_words import HistoryWords
from talewright.play.campaign_past import TreeRow
from talewright.play.session_inputs import Fork, Switch, Undo


@frozen
class TreeCompare:
    """Show two turns or branches side by side."""

    one: str
    other: str


@frozen
class TreeInspect:
    """Show everything recorded about a turn."""

    commit: str


TreeRequest: TypeAlias = Undo | Fork | Switch | TreeCompare | TreeInspect


class TreeAction(StrEnum):
    """What can be done with a turn in the tree."""

    UNDO = "undo"
    FORK = "fork"
    SWITCH = "switch"
    PICK = "pick"
    COMPARE = "compare"
    INSPECT = "inspect"


@frozen
class TreeCursor:
    """The tree and the player's position in it."""

    rows: Sequence[TreeRow]
    at: int
    picked: str = ""
    """The commit picked for comparison."""

    @property
    def row(self) -> TreeRow:
        """The row under the cursor."""
        return self.rows[self.at]

    @property
    def turns_back(self) -> int:
        """How many turns an undo to this row takes back; 0 where it cannot be undone to."""
        return count_turns_back(self.rows, self.at)

    @property
    def partner(self) -> TreeRow:
        """The row to compare with: the picked turn, or the player's current turn."""
        picked = (row for row in self.rows if row.commit and row.commit == self.picked)
        return next(picked, self.rows[find_here(self.rows)])


@frozen
class TreeRemark:
    """A remark to show instead of a request; empty when the player cancelled."""

    text: str = ""


@frozen
class PickedTurn:
    """A turn to remember for comparison; empty to forget it."""

    commit: str


TreeAnswer = TreeRequest | TreeRemark | PickedTurn


async def ask_about_action(
    deed: TreeAction, place: Screen[TreeDeparture], pointed: TreeCursor, words: HistoryWords
) -> TreeAnswer:
    """Ask what the action needs to know, and return the request."""
    row = pointed.row
    if isinstance(row, UntakenRow):
        if deed is TreeAction.FORK:
            return await _ask_fork(place, row, row.offered_by, words)
        return TreeRemark(words.untaken.format(turn=row.version))
    if not row.commit:
        return TreeRemark(words.not_a_turn)
    match deed:
        case TreeAction.UNDO:
            return await _ask_undo(place, pointed, words)
        case TreeAction.FORK:
            return await _ask_fork(place, row, row.commit, words)
        case TreeAction.SWITCH:
            return await _ask_switch(place, row, words)
        case TreeAction.PICK:
            return PickedTurn("" if pointed.picked == row.commit else row.commit)
        case TreeAction.COMPARE:
            partner = pointed.partner
            return TreeRemark(words.pick_first) if partner is row else TreeCompare(partner.commit, row.commit)
        case TreeAction.INSPECT:
            return TreeInspect(row.commit)
        case never:
            assert_never(never)


async def ask_which_action(
    place: Screen[TreeDeparture], pointed: TreeCursor, words: HistoryWords
) -> TreeAction | None:
    """Let the player choose from everything that can be done with a turn."""
    row = pointed.row
    items: list[tuple[TreeAction, str]] = []
    if pointed.turns_back:
        items.append((TreeAction.UNDO, words.undo_to.format(turn=row.version)))
    if row.branches and not row.here:
        branches = words.join.join(safe_line(name) for name in row.branches)
        items.append((TreeAction.SWITCH, words.switch_to.format(branch=branches)))
    items.append((TreeAction.FORK, words.fork_from.format(turn=row.version)))
    partner = pointed.partner
    if partner is not row:
        told = words.compare_picked if partner.commit == pointed.picked else words.compare_with
        items.append((TreeAction.COMPARE, told.format(turn=row.version, other=partner.version)))
    picks = words.unpick if pointed.picked == row.commit else words.pick_for.format(turn=row.version)
    items += [(TreeAction.PICK, picks), (TreeAction.INSPECT, words.inspect)]
    title = Content(words.what_now.format(turn=row.version))
    chosen: int | None = await place.app.push_screen_wait(Menu(title, [Content(name) for _, name in items]))
    return None if chosen is None else items[chosen][0]


async def _ask_undo(
    place: Screen[TreeDeparture], pointed: TreeCursor, words: HistoryWords
) -> Undo | TreeRemark:
    row, turns = pointed.row, pointed.turns_back
    if row.here:
        return TreeRemark(words.here_already)
    if not turns:
        return TreeRemark(words.not_behind.format(turn=row.version))
    title = Content(words.undo_question.format(count=turns))
    # Undoing a single turn is easily reversed, so only longer ones need a confirmation.
    sure = turns == 1 or await place.app.push_screen_wait(
        Confirm(title, Content(words.undo_text), words.yes, words.no)
    )
    return Undo(turns) if sure else TreeRemark()


async def _ask_fork(
    place: Screen[TreeDeparture], row: TreeRow, commit: str, words: HistoryWords
) -> Fork | TreeRemark:
    title = Content(words.fork_from.format(turn=row.version))
    text = Content(words.fork_text.format(turn=row.version))
    question = Question(title, text, words.fork_name, words.fork_hint, words.fork, words.cancel)
    name: str | None = await place.app.push_screen_wait(question)
    return TreeRemark() if name is None else Fork(commit, name)


async def _ask_switch(place: Screen[TreeDeparture], row: TreeRow, words: HistoryWords) -> Switch | TreeRemark:
    if len(row.branches) == 1:
        return TreeRemark(words.here_already) if row.here else Switch(row.branches[0])
    if not row.branches:
        return TreeRemark(words.no_branch)
    names = [Content(safe_line(name)) for name in row.branches]
    at: int | None = await place.app.push_screen_wait(Menu(Content(words.which_branch), names))
    return TreeRemark() if at is None else Switch(row.branches[at])
