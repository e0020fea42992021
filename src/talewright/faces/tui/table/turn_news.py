"""Turn news: events of a running turn, shown in the story and the activity line as they happen.

This is only a preview; the finished turn is what counts, and `turn_control` shows it.
"""

from collections.abc import AsyncIterator, Callable

from talewright.faces.tui.story.story_widget import StoryWidget, show_roll
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.play.news import (
    AcceptedNews,
    ActivityNews,
    BackgroundNews,
    ChangeNews,
    CommittedNews,
    DeltaNews,
    DiceNews,
    News,
    ResetNews,
)
from talewright.play.played_turn import OperationEnds


class TurnNewsListener:
    """Listens to one session."""

    def __init__(self, story: StoryWidget, activity: ActivityLine, arrived: Callable[[str], None]) -> None:
        self._story = story
        self._activity = activity
        self._arrived = arrived
        """Called with the commit of a turn that was not taken here."""

        self.live = False
        """Whether a turn is being taken here."""

        self.pieces = 0
        """How many pieces the narration came in; a single piece was not read as it arrived."""

        self.ends = OperationEnds()
        """Operations that have ended: a result waits for its events."""

        self._following = ""
        """The operation that is shown while it runs; others may run at the same time."""

    async def listen(self, news: AsyncIterator[News]) -> None:
        """Listen until the events end."""
        async for one in news:
            self.take(one)
        self.ends.finish()

    def take(self, news: News) -> None:
        """Handle one event."""
        match news.event:
            case BackgroundNews(text) if not self.live:
                # It follows a turn, and the player waits to read that the turn is saved.
                if not self._activity.text:
                    self._activity.tell(text, done=True)
            case CommittedNews(_, commit) if not self.live:
                self._arrived(commit)
            case _ if self.live:
                self._follow(news)
            case _:
                # A turn taken elsewhere is shown when it is finished.
                pass
        self.ends.hear(news)

    def _follow(self, news: News) -> None:
        """Show the turn that is taken here: the first one accepted while it is live."""
        if self._following and news.operation_id != self._following:
            return
        if isinstance(news.event, AcceptedNews):
            self._following = news.operation_id
        elif news.ends_turn:
            self._following = ""
        else:
            self._take_live(news)

    def _take_live(self, news: News) -> None:
        match news.event:
            case DeltaNews(text):
                self.pieces += 1
                self._story.stream(text)
            case ResetNews(text, voids_rolls):
                self._story.restart(text, voids_rolls=voids_rolls)
            case DiceNews(roll) if news.is_live:
                show_roll(self._story, roll)
            case ActivityNews() as activity:
                self._activity.follow(activity)
            case BackgroundNews(text):
                self._activity.tell(text)
            case DiceNews(shown) | ChangeNews(shown):
                self._activity.tell(draw_arrows(shown.text))
            case _:
                # Refusals, triggers, decisions and choices are part of the finished turn.
                return
