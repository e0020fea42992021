"""Compare screen: two branches side by side, or stacked when the terminal is narrow.

The screen is read-only.
"""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from talewright.common.frozen_values import frozen
from talewright.faces.tui.app_port import run_in_background
from talewright.faces.tui.key_bindings import COMPARE_KEYS, bind
from talewright.faces.tui.safe_content import describe_error, plain, safe_line
from talewright.faces.tui.story.story_column import handle_pending
from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.faces.tui.widgets.text_wrap import WrappedText
from talewright.faces.tui.words.history_words import history_words
from talewright.play.campaign_past import CampaignPast, ComparisonView
from talewright.play.campaign_view import TurnView

WIDE_COLUMNS = 90
"""From this width on, the two stories are side by side."""

TURNS_AT_ONCE = 50
"""How many turns are added to the story before key presses are handled again."""


@frozen
class ComparedSide:
    """One side of the comparison: a commit or branch, and its display name."""

    commit: str
    name: str


class CompareScreen(Screen[None]):
    """Two branches: the turns only one of them has, and how their states differ."""

    BINDINGS = bind(COMPARE_KEYS)
    DEFAULT_CSS = """
    CompareScreen {
        & > #head { height: 1; padding: 0 2; }
        & > #parted { height: auto; padding: 0 2; color: $text-muted; }
        & > #sides { height: 2fr; layout: vertical; }
        & StoryWidget, & > #differences {
            border: round $border-blurred; border-title-color: $text-muted;
            &:focus { border: round $border; border-title-color: $primary; }
        }
        & StoryWidget { height: 1fr; }
        & > #differences {
            height: auto; max-height: 40%; min-height: 3; padding: 0 1; scrollbar-size-vertical: 1;
        }
        & > #sides.side { layout: horizontal; }
        & > #sides.side > StoryWidget { width: 1fr; }
    }
    """

    def __init__(self, past: CampaignPast, sides: tuple[ComparedSide, ComparedSide], language: str) -> None:
        super().__init__()
        self._past, self._sides, self._language = past, sides, language
        self._words = history_words(language)

    def compose(self) -> ComposeResult:
        words = self._words
        yield Static(Content.styled(words.compare_title, "bold $primary"), id="head")
        yield Static(Content(words.looking), id="parted")
        differences = VerticalScroll(WrappedText(id="told-differences"), id="differences")
        differences.border_title = Content(words.differences)
        yield Container(
            StoryWidget(animations=False, id="one"),
            StoryWidget(animations=False, id="other"),
            id="sides",
        )
        yield differences
        yield KeyBar()

    def on_mount(self) -> None:
        """Load the comparison after the first paint."""
        self.query_one(KeyBar).show(COMPARE_KEYS, self._language)
        for name, side in zip(("one", "other"), self._sides, strict=True):
            self.query_one(f"#{name}").border_title = plain(safe_line(side.name))
        self.query_one("#one").focus()
        run_in_background(self, self._load, "looking")

    def on_resize(self, event: events.Resize) -> None:
        """Put the stories side by side when there is room."""
        self.query_one("#sides").set_class(event.size.width >= WIDE_COLUMNS, "side")

    async def _load(self) -> None:
        one, other = self._sides
        try:
            found = await self._past.compare(one.commit, other.commit)
        except Exception as error:
            told = describe_error(error, self._words.wrong, self._words.wrong_hint)
            self.query_one("#parted", Static).update(told)
        else:
            await self._show(found)

    async def _show(self, found: ComparisonView) -> None:
        words = self._words
        self.query_one("#parted", Static).update(Content(words.parted.format(turn=found.parted)))
        for name, side, turns in zip(("one", "other"), self._sides, (found.one, found.other), strict=True):
            story = self.query_one(f"#{name}", StoryWidget)
            story.border_title = plain(words.alone.format(len(turns), name=safe_line(side.name)))
            # Reading starts where the branches diverge.
            story.replace(turns[:TURNS_AT_ONCE], from_start=bool(turns))
            if not turns:
                story.note(words.alone_none, "notice")
        lines = [draw_arrows(safe_line(line)) for line in found.differences] or [words.same]
        self.query_one("#told-differences", Static).update(Content("\n".join(lines)))
        await fill(self.query_one("#one", StoryWidget), found.one)
        await fill(self.query_one("#other", StoryWidget), found.other)

    def action_back(self) -> None:
        """Close the screen."""
        self.dismiss(None)


async def fill(story: StoryWidget, turns: Sequence[TurnView]) -> None:
    """Add the turns after the first batch, one batch at a time."""
    for first in range(TURNS_AT_ONCE, len(turns), TURNS_AT_ONCE):
        await handle_pending(story)
        story.grow(turns[first : first + TURNS_AT_ONCE])
