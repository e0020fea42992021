"""Tree screen: every turn and branch of a campaign, and what can be done with them.

It returns where the player wants to go; the compare and inspector screens open on top of it.
"""

from functools import partial
from typing import assert_never

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from talewright.faces.tui.app_port import TreeDeparture, run_in_background
from talewright.faces.tui.history.compare_screen import ComparedSide, CompareScreen
from talewright.faces.tui.history.inspector_screen import InspectorScreen, TurnInspector
from talewright.faces.tui.history.tree_actions import (
    PickedTurn,
    TreeAction,
    TreeCompare,
    TreeCursor,
    TreeInspect,
    TreeRemark,
    ask_about_action,
    ask_which_action,
)
from talewright.faces.tui.history.tree_list import (
    TreeList,
    UntakenRow,
    add_untaken,
    find_here,
    tell_minute,
)
from talewright.faces.tui.key_bindings import TREE_KEYS, bind
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.story.markdown_blocks import read_one_line
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.widgets.text_wrap import WrappedText
from talewright.faces.tui.words.history_words import HistoryWords, history_words
from talewright.play.campaign_past import CampaignPast, TreeRow
from talewright.play.session_inputs import Fork, Switch, Undo


class TreeScreen(Screen[TreeDeparture]):
    """The whole campaign; dismisses with Undo, Fork or Switch, or with None."""

    BINDINGS = bind(TREE_KEYS)
    DEFAULT_CSS = """
    TreeScreen {
        & > #head { height: 1; padding: 0 2; }
        & > #detail { height: 4; padding: 0 2; border-top: solid $border-blurred; }
    }
    """

    def __init__(
        self,
        past: CampaignPast,
        language: str,
        inspector: TurnInspector | None = None,
        *,
        untaken: bool = False,
    ) -> None:
        super().__init__()
        self._past, self._language = past, language
        self._inspector = inspector or past
        self._words = history_words(language)
        self._every = True
        self._untaken = untaken
        """Whether choices that were not taken are shown too."""

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(self._words.tree, "bold $primary"), id="head")
        yield TreeList(self._words)
        yield WrappedText(Content(self._words.looking), id="detail")
        yield KeyBar()

    def on_mount(self) -> None:
        """Load the tree after the first paint."""
        self.query_one(KeyBar).show(TREE_KEYS, self._language)
        self.query_one(TreeList).focus()
        run_in_background(self, self._load, "tree")

    async def _load(self) -> None:
        try:
            rows = await self._past.tree(every=self._every)
        except Exception as error:
            self._tell(describe_error(error, self._words.wrong, self._words.wrong_hint))
        else:
            self.query_one(TreeList).show(tuple(add_untaken(rows)) if self._untaken else rows)

    def _tell(self, told: Content) -> None:
        self.query_one("#detail", Static).update(told)

    def on_tree_list_moved(self) -> None:
        """Show the row under the cursor in full."""
        row, words = self.query_one(TreeList).row, self._words
        if row is None:
            return
        if isinstance(row, UntakenRow):
            told = words.untaken.format(turn=row.version)
            self._tell(Content("\n").join([Content.styled(safe_line(row.said), "bold"), Content(told)]))
            return
        if not row.commit:
            self._tell(Content(words.not_a_turn))
            return
        facts = [words.turn.format(turn=row.version), words.here if row.here else "", tell_minute(row.at)]
        said = f"› {safe_line(row.said)}" if row.said else words.start
        self._tell(
            Content("\n").join(
                [
                    Content.styled(words.join.join(fact for fact in facts if fact), "$text-muted"),
                    Content.styled(said, "bold"),
                    Content(read_one_line(safe_line(row.told))),
                ]
            )
        )

    def on_tree_list_taken(self) -> None:
        """Open the menu on a double click."""
        self.action_menu()

    def action_do(self, deed: str) -> None:
        """Carry out an action on the turn under the cursor."""
        run_in_background(self, partial(self._do, TreeAction(deed)), "asking")

    def action_menu(self) -> None:
        """Open the menu for the turn under the cursor, or expand the collapsed turns."""
        row = self.query_one(TreeList).row
        if isinstance(row, UntakenRow):
            self.action_do(TreeAction.FORK)
        elif row is not None and row.skipped:
            self.action_every()
        elif row is not None:
            run_in_background(self, self._ask, "asking")

    async def _ask(self) -> None:
        tree = self.query_one(TreeList)
        deed = await ask_which_action(self, TreeCursor(tree.rows, tree.cursor, tree.picked), self._words)
        if deed is not None:
            await self._do(deed)

    async def _do(self, deed: TreeAction) -> None:
        tree = self.query_one(TreeList)
        if tree.row is None:
            return
        match await ask_about_action(
            deed, self, TreeCursor(tree.rows, tree.cursor, tree.picked), self._words
        ):
            case TreeRemark(text):
                if text:
                    self._tell(Content.styled(f"! {text}", "$text-warning"))
            case PickedTurn(commit):
                tree.pick(commit)
                if commit:
                    self._tell(Content(self._words.pick_one.format(turn=tree.row.version)))
            case Undo() | Fork() | Switch() as departure:
                self.dismiss(departure)
            case TreeCompare(one, other):
                names = {row.commit: name_row(row, self._words) for row in tree.rows}
                sides = (ComparedSide(one, names[one]), ComparedSide(other, names[other]))
                self.app.push_screen(CompareScreen(self._past, sides, self._language))
            case TreeInspect(commit):
                self.app.push_screen(InspectorScreen(self._inspector, commit, self._language))
            case never:
                assert_never(never)

    def action_every(self) -> None:
        """Switch between every turn and only those where branches diverge."""
        self._every = not self._every
        run_in_background(self, self._load, "tree")

    def action_untaken(self) -> None:
        """Show or hide the choices that were not taken."""
        self._untaken = not self._untaken
        run_in_background(self, self._load, "tree")

    def action_here(self) -> None:
        """Go to the player's current turn."""
        tree = self.query_one(TreeList)
        tree.cursor = find_here(tree.rows)

    def action_back(self) -> None:
        """Close the screen without a request."""
        self.dismiss(None)


def name_row(row: TreeRow, words: HistoryWords) -> str:
    """Name a turn by its branch and number."""
    turn = words.turn.format(turn=row.version)
    return words.join.join([*(safe_line(name) for name in row.branches), turn])
