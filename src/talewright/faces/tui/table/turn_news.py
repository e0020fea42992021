"""Turn news: news of a running turn, brought to story and activity line while it happens.

What is heard is only ever a foretaste; the finished turn is what counts, and `turn_control` shows it.
"""

from collections.abc import AsyncIterator, Callable

from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.play.news import News, NewsKind


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

    async def listen(self, news: AsyncIterator[News]) -> None:
        """Until there are no more."""
        async for one in news:
            self.take(one)

    def take(self, news: News) -> None:
        """Bring one thing where it belongs."""
        text = _text(news, "text")
        match news.kind:
            case NewsKind.BACKGROUND if not self.live:
                # It follows upon a turn, and that the turn is saved is what the player waits to read.
                if not self._activity.text:
                    self._activity.tell(text, done=True)
            case NewsKind.TURN_COMMITTED if not self.live:
                self._arrived(_text(news, "commit"))
            case _ if self.live:
                self._take_live(news.kind, text)
            case _:
                # A turn that is taken elsewhere is shown when it is finished.
                return

    def _take_live(self, kind: NewsKind, text: str) -> None:
        match kind:
            case NewsKind.NARRATION_DELTA:
                self.pieces += 1
                self._story.stream(text)
            case NewsKind.NARRATION_RESET:
                self._story.restart(text)
            case NewsKind.ACTIVITY | NewsKind.DICE_ROLLED | NewsKind.CHANGE_APPLIED | NewsKind.BACKGROUND:
                self._activity.tell(draw_arrows(text))
            case _:
                # Refusals, triggers, decisions and choices stand in the finished turn.
                return


def _text(news: News, key: str) -> str:
    value = news.data.get(key)
    return value if isinstance(value, str) else ""
