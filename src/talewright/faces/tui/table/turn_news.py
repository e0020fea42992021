"""Turn news: news of a running turn, brought to story and activity line while it happens.

What is heard is only ever a foretaste; the finished turn is what counts, and `turn_control` shows it.
"""

from collections.abc import AsyncIterator, Callable

from talewright.faces.tui.story.story_widget import StoryWidget
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
    NewsEvent,
    ResetNews,
)
from talewright.play.operation_ends import OperationEnds


class TurnNewsListener:
    """One ear at one session."""

    def __init__(self, story: StoryWidget, activity: ActivityLine, arrived: Callable[[str], None]) -> None:
        self._story = story
        self._activity = activity
        self._arrived = arrived
        """Told the commit of a turn that was not taken here."""

        self.live = False
        """Whether a turn is being taken here."""

        self.pieces = 0
        """In how many pieces the narration came; what comes in one was not read while it was told."""

        self.ends = OperationEnds()
        """Which operations have ended: a result waits for its news."""

        self._following = ""
        """The operation that is shown while it is told; others may be told at the same time."""

    async def listen(self, news: AsyncIterator[News]) -> None:
        """Until there are no more."""
        async for one in news:
            self.take(one)
        self.ends.finish()

    def take(self, news: News) -> None:
        """Bring one thing where it belongs."""
        match news.event:
            case BackgroundNews(text) if not self.live:
                # It follows upon a turn, and that the turn is saved is what the player waits to read.
                if not self._activity.text:
                    self._activity.tell(text, done=True)
            case CommittedNews(_, commit) if not self.live:
                self._arrived(commit)
            case _ if self.live:
                self._follow(news)
            case _:
                # A turn that is taken elsewhere is shown when it is finished.
                pass
        self.ends.hear(news)

    def _follow(self, news: News) -> None:
        """Show what belongs to the turn that is taken here, the first that is accepted while it is live."""
        if self._following and news.operation_id != self._following:
            return
        if isinstance(news.event, AcceptedNews):
            self._following = news.operation_id
        elif news.ends_turn:
            self._following = ""
        else:
            self._take_live(news.event)

    def _take_live(self, event: NewsEvent) -> None:
        match event:
            case DeltaNews(text):
                self.pieces += 1
                self._story.stream(text)
            case ResetNews(text):
                self._story.restart(text)
            case ActivityNews():
                self._activity.follow(event)
            case BackgroundNews(text):
                self._activity.tell(text)
            case DiceNews(shown) | ChangeNews(shown):
                self._activity.tell(draw_arrows(shown.text))
            case _:
                # Refusals, triggers, decisions and choices stand in the finished turn.
                return
