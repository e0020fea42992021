"""Story widget: shows turns as rows, and a narration that grows as it arrives.

It holds no session: turns and texts are passed in, and older turns come from the function given to `open`.
"""

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import ClassVar, Final, TypeAlias
from zlib import crc32

from textual.binding import Binding, BindingType
from textual.timer import Timer

from talewright.errors import TalewrightError
from talewright.faces.tui.story.dice_animation import (
    FRAME_SECONDS,
    LAST_STEP,
    draw_animation_step,
    list_rolls,
)
from talewright.faces.tui.story.live_narration import LiveNarration
from talewright.faces.tui.story.story_column import StoryItem
from talewright.faces.tui.story.story_entries import NoticeKind, read_note, read_turn
from talewright.faces.tui.story.story_scroll_view import StoryScrollView
from talewright.faces.tui.story.styled_lines import StoryLine
from talewright.play.campaign_view import RollView, TurnView

OlderTurns: TypeAlias = Callable[[str, int], Awaitable[tuple[TurnView, ...]]]
"""Fetches up to a number of turns before a commit, newest last; none at the beginning."""

PAGE_TURNS: Final = 50
"""How many turns are fetched at once."""

FLOW_SECONDS: Final = 1 / 30
"""The minimum interval between layouts of a growing narration, in seconds."""

FLOW_SHARE: Final = 4
"""A slow layout is followed by a pause of this many times its duration, so that key presses are handled."""


class StoryWidget(StoryScrollView):
    """The story so far."""

    DEFAULT_CSS = """
    StoryWidget {
        overflow-x: hidden;
        overflow-y: scroll;
        padding: 0 1;
        background: $background;
        color: $foreground;
        scrollbar-size-vertical: 1;
        scrollbar-background: $background;
        scrollbar-color: $surface-lighten-2;
        &:focus { scrollbar-color: $primary; }
        & > .story--said { color: $text-muted; text-style: italic; }
        & > .story--told { color: $foreground; }
        & > .story--heading { color: $text-primary; text-style: bold; }
        & > .story--quote { color: $text-secondary; }
        & > .story--code { color: $text-accent; }
        & > .story--sign { color: $text-muted; }
        & > .story--event { color: $text-accent; }
        & > .story--good { color: $text-success; }
        & > .story--bad { color: $text-error; }
        & > .story--refusal { color: $text-warning; }
        & > .story--change { color: $text-muted; }
        & > .story--notice { color: $text-muted; }
        & > .story--trouble { color: $text-error; text-style: bold; }
        & > .story--emphasis { text-style: italic; }
        & > .story--strong { text-style: bold; }
        & > .story--literal { color: $text-accent; }
        & > .story--unseen { color: $text-primary; background: $primary-muted; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Up", show=False),
        Binding("down", "scroll_down", "Down", show=False),
        Binding("pageup", "page_up", "Page up", show=False),
        Binding("pagedown", "page_down", "Page down", show=False),
        Binding("home", "scroll_home", "Beginning", show=False),
        Binding("end", "scroll_end", "End", show=False),
    ]

    def __init__(
        self,
        *,
        unseen: str = "↓ new",
        animations: bool = True,
        clock: Callable[[], float] = monotonic,
        id: str | None = None,  # noqa: A002 - the name is Textual's.
    ) -> None:
        super().__init__(unseen=unseen, clock=clock, id=id)
        self.animations = animations
        """Whether dice are animated."""

        self._more: OlderTurns | None = None
        self._live: StoryItem | None = None
        self._flowing: Timer | None = None
        self._pause_until = 0.0

    @property
    def live(self) -> LiveNarration | None:
        """The turn being narrated; None if there is none."""
        return None if self._live is None else self._live.live

    def open(self, turns: tuple[TurnView, ...], more: OlderTurns) -> None:
        """Show the last turns of a campaign; older ones are fetched on scrolling."""
        self._more = more
        self.replace(turns)

    def replace(self, turns: Sequence[TurnView], *, from_start: bool = False) -> None:
        """Show other turns of the same campaign, from their end or from their beginning."""
        if from_start:
            self.scroll_to(y=0, animate=False, force=True)
        self.at_end, self.unseen = not from_start, False
        with self.changing():
            for item in list(self.column.items):
                self.column.remove(item)
            self._live = None
            self.older = self._more is not None and bool(turns)
            self.column.put(map(_make_item, turns))

    def grow(self, turns: Sequence[TurnView]) -> None:
        """Append turns that continue those shown; they do not count as new."""
        with self.changing():
            self.column.put(map(_make_item, turns))

    def begin(self, said: str) -> None:
        """Start a turn whose narration is about to arrive."""
        self.drop()
        self._live = StoryItem(live=LiveNarration(said))
        self.at_end = True
        self._append(self._live)

    def stream(self, text: str) -> None:
        """Append to the narration."""
        if self.live is None:
            self.begin("")
        assert self.live is not None
        self.live.draft.add(text)
        self.schedule_layout()

    def restart(self, text: str, *, voids_rolls: bool = False) -> None:
        """Replace the narration of this turn so far, and discard its dice if they are void."""
        if self.live is not None:
            self.live.restart(text)
            if voids_rolls:
                self.live.discard_rolls()
            self.schedule_layout()

    def finish(self, turn: TurnView) -> None:
        """Replace the narrated turn with its finished view."""
        item, self._live = self._live, None
        step, rested = 0, 0
        if item is None:
            item = _make_item(turn)
            self._append(item)
        else:
            if item.live is not None and item.live.rolls:
                step, rested = item.live.step % LAST_STEP, item.live.rested
            with self.changing():
                item.live, item.entries, item.commit = None, read_turn(turn), turn.commit
                self.column.forget(item)
                self.unseen = self.unseen or not self.at_end
        moving = any(roll.faces for roll in list_rolls(item.entries)[rested:])
        if self.animations and self.column.width and moving:
            animate_dice(self, item, list(self.column.lay(item).lines), step, rested)

    def drop(self) -> None:
        """Remove the turn that was being narrated."""
        if self._live is not None:
            with self.changing():
                self.column.remove(self._live)
                self._live = None

    def note(self, text: str, kind: NoticeKind = "notice") -> None:
        """Add a message, an event or an error at the end."""
        self._append(StoryItem((read_note(text, kind),)))

    async def fetch(self) -> Sequence[StoryItem]:
        """Fetch the turns before the first one shown."""
        first = next((item.commit for item in self.column.items if item.commit), "")
        if self._more is None or not first:
            self.older = False
            return ()
        try:
            turns = await self._more(first, PAGE_TURNS)
        except TalewrightError as error:
            self.older = False
            return (StoryItem((read_note(str(error), "trouble"),)),)
        self.older = bool(turns)
        return [_make_item(turn) for turn in turns]

    def _append(self, item: StoryItem) -> None:
        with self.changing():
            self.column.put([item])
            self.unseen = self.unseen or not self.at_end

    def schedule_layout(self) -> None:
        """Schedule a layout of what has arrived: at once after a pause, else at a limited rate."""
        if self._flowing is None and self.is_attached:
            self._flowing = self.set_timer(max(0.001, self._pause_until - self.clock()), self._flow)

    def _flow(self) -> None:
        self._flowing = None
        item = self._live
        if item is None or not self.column.width:
            return
        begun = self.clock()
        first = 0

        def find_dirty() -> int:
            return self.column.top(item) + first

        with self.changing(find_dirty):
            first = self.column.flow(item)
            self.unseen = self.unseen or not self.at_end
        taken = self.clock() - begun
        self._pause_until = begun + max(FLOW_SECONDS, taken * (1 + FLOW_SHARE))


def show_roll(story: StoryWidget, roll: RollView) -> None:
    """Show dice as they fall, before the narration they decide; late ones come with the finished turn."""
    if roll.late:
        return
    if story.live is None:
        story.begin("")
    live = story.live
    assert live is not None
    moving = live.step < LAST_STEP
    live.roll(roll, moving=moving or (story.animations and bool(roll.faces) and not roll.brief))
    story.schedule_layout()
    if live.step < LAST_STEP and not moving:
        story.set_timer(FRAME_SECONDS, lambda: animate_live_dice(story, live))


def animate_live_dice(story: StoryWidget, live: LiveNarration) -> None:
    """Show the next frame of dice that fell while the turn is running, and schedule the one after it."""
    if story.live is not live or live.step >= LAST_STEP:
        return
    live.show_step(live.step + 1)
    story.schedule_layout()
    if live.step < LAST_STEP:
        story.set_timer(FRAME_SECONDS, lambda: animate_live_dice(story, live))


def animate_dice(
    story: StoryWidget, item: StoryItem, still: Sequence[StoryLine], step: int, rested: int = 0
) -> None:
    """Show a frame of the dice animation and schedule the next; a change of width ends it.

    The first `rested` rolls do not move.
    """
    column = story.column
    if item not in column.items or column.width != item.width:
        return
    laid = column.lay(item)
    seed = crc32(item.commit.encode())
    laid.lines = draw_animation_step(still, item.entries, column.width, step, seed, rested)
    laid.strips.clear()
    story.refresh_lines(column.top(item), item.height)
    if step < LAST_STEP:
        story.set_timer(FRAME_SECONDS, lambda: animate_dice(story, item, still, step + 1, rested))


def _make_item(turn: TurnView) -> StoryItem:
    return StoryItem(read_turn(turn), turn.commit)
