"""What is asked before a wish at the tree is one: how to go back, how a branch is called, which is meant.

Each question ends in a wish, or in what is to be told instead. Nothing is done here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from textual.content import Content
from textual.screen import Screen

from talewright.faces.tui.hall.asking import Confirm, Menu, Question
from talewright.faces.tui.past.tree_rows import count_turns_back, find_here
from talewright.faces.tui.past.wishes import Compare, Departure, GoTo, Inspect, Switch, Undo, Wish
from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.words.past import PastWords
from talewright.play.campaign_past import TreeRow


class Deed(StrEnum):
    """What can be done with a turn of the tree."""

    UNDO = "undo"
    FORK = "fork"
    SWITCH = "switch"
    PICK = "pick"
    COMPARE = "compare"
    INSPECT = "inspect"


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where the player points, in which tree."""

    rows: Sequence[TreeRow]
    at: int
    picked: str = ""
    """The commit that was picked before."""

    @property
    def row(self) -> TreeRow:
        """The row under the cursor."""
        return self.rows[self.at]

    @property
    def turns_back(self) -> int:
        """How many turns it lies behind; 0 where it does not."""
        return count_turns_back(self.rows, self.at)

    @property
    def partner(self) -> TreeRow:
        """What it is compared with: the picked turn, or where the player stands."""
        picked = (row for row in self.rows if row.commit and row.commit == self.picked)
        return next(picked, self.rows[find_here(self.rows)])


@dataclass(frozen=True, slots=True)
class Told:
    """No wish, but something to say; nothing where the player left it."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Picked:
    """A turn to remember for comparing; empty to forget it."""

    commit: str


Answer = Wish | Told | Picked


async def ask(deed: Deed, place: Screen[Departure], pointed: Pointed, words: PastWords) -> Answer:
    """Ask what has to be asked, and say what is wished for."""
    row = pointed.row
    if not row.commit:
        return Told(words.not_a_turn)
    match deed:
        case Deed.UNDO:
            return await _ask_undo(place, pointed, words)
        case Deed.FORK:
            return await _ask_fork(place, row, words)
        case Deed.SWITCH:
            return await _ask_switch(place, row, words)
        case Deed.PICK:
            return Picked("" if pointed.picked == row.commit else row.commit)
        case Deed.COMPARE:
            partner = pointed.partner
            return Told(words.pick_first) if partner is row else Compare(partner.commit, row.commit)
        case Deed.INSPECT:
            return Inspect(row.commit)
        case never:
            assert_never(never)


async def ask_deed(place: Screen[Departure], pointed: Pointed, words: PastWords) -> Deed | None:
    """Everything that can be done with a turn, to choose from."""
    row = pointed.row
    items: list[tuple[Deed, str]] = []
    if pointed.turns_back:
        items.append((Deed.UNDO, words.undo_to.format(turn=row.version)))
    if row.branches and not row.here:
        branches = words.join.join(safe_line(name) for name in row.branches)
        items.append((Deed.SWITCH, words.switch_to.format(branch=branches)))
    items.append((Deed.FORK, words.fork_from.format(turn=row.version)))
    partner = pointed.partner
    if partner is not row:
        told = words.compare_picked if partner.commit == pointed.picked else words.compare_with
        items.append((Deed.COMPARE, told.format(turn=row.version, other=partner.version)))
    picks = words.unpick if pointed.picked == row.commit else words.pick_for.format(turn=row.version)
    items += [(Deed.PICK, picks), (Deed.INSPECT, words.inspect)]
    title = Content(words.what_now.format(turn=row.version))
    chosen: int | None = await place.app.push_screen_wait(Menu(title, [Content(name) for _, name in items]))
    return None if chosen is None else items[chosen][0]


async def _ask_undo(place: Screen[Departure], pointed: Pointed, words: PastWords) -> Undo | Told:
    row, turns = pointed.row, pointed.turns_back
    if row.here:
        return Told(words.here_already)
    if not turns:
        return Told(words.not_behind.format(turn=row.version))
    title = Content(words.undo_question.format(count=turns))
    # One turn is gone back and forth quickly; more are asked about.
    sure = turns == 1 or await place.app.push_screen_wait(
        Confirm(title, Content(words.undo_text), words.yes, words.no)
    )
    return Undo(turns) if sure else Told()


async def _ask_fork(place: Screen[Departure], row: TreeRow, words: PastWords) -> GoTo | Told:
    title = Content(words.fork_from.format(turn=row.version))
    text = Content(words.fork_text.format(turn=row.version))
    question = Question(title, text, words.fork_name, words.fork_hint, words.fork, words.back)
    name: str | None = await place.app.push_screen_wait(question)
    return Told() if name is None else GoTo(row.commit, name)


async def _ask_switch(place: Screen[Departure], row: TreeRow, words: PastWords) -> Switch | Told:
    if len(row.branches) == 1:
        return Told(words.here_already) if row.here else Switch(row.branches[0])
    if not row.branches:
        return Told(words.no_branch)
    names = [Content(safe_line(name)) for name in row.branches]
    at: int | None = await place.app.push_screen_wait(Menu(Content(words.which_branch), names))
    return Told() if at is None else Switch(row.branches[at])
