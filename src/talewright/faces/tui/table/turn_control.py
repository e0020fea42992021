"""Turn control: submits one input at a time to the session, and shows the turn live and when it is finished.

It keeps no story; everything it shows comes from the session. What events show is a preview; the finished
turn is what counts.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Final, Literal, assert_never

from talewright.errors import TalewrightError
from talewright.faces.tui.story.story_widget import StoryWidget, show_roll
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.table.table_layout import TableLayout
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.faces.tui.words.shared_words import shared_words
from talewright.play.campaign_view import View
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
from talewright.play.session import InputResult, ResultKind, Session
from talewright.play.session_inputs import (
    AnswerDecision,
    Choose,
    GoOn,
    Navigation,
    PlayerInput,
    Retry,
    Say,
    navigate,
    submit_input,
)


def describe_input(given: PlayerInput, label: str) -> str:
    """Return the player's words while the turn is unfinished; `label` is the text of the offer."""
    match given:
        case Say(text) | Retry(text):
            return text
        case AnswerDecision(note=note):
            return f"{label}: {note}" if note else label
        case Choose() | GoOn():
            return label
        case _:
            assert_never(given)


def find_new_warnings(before: View | None, now: View) -> list[str]:
    """Describe what has just become critical."""
    known = {item.label for item in before.status if item.critical} if before is not None else set()
    return [f"{item.label} {item.text}" for item in now.status if item.critical and item.label not in known]


STORY_TURNS: Final = 40
"""How many turns are shown at first; earlier ones are fetched on scrolling."""

LEAVING: Final = "quit"
"""The reason of a result when a player leaves after a turn that failed."""

STOPPED: Final = frozenset({"cancelled", "skipped"})
"""The reasons of a result when the player did not want to wait for the turn."""


class TurnNewsListener:
    """Listens to one session, and shows a running turn in the story and the activity line as it happens."""

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


class TurnControl:
    """Connects one session and one table layout."""

    def __init__(
        self, session: Session, board: TableLayout, language: str, moved: Callable[[], None]
    ) -> None:
        self.session = session
        self.board = board
        self.hearing = TurnNewsListener(board.story, board.activity, self._hear_elsewhere)
        self.language = language
        self.running = False
        """Whether something is in progress; nothing else starts before it has ended."""

        self._moved = moved
        """Called when the story continued elsewhere."""

        self._noticed: set[str] = set()

    async def open(self, view: View) -> None:
        """Show the current state of the story."""
        past = self.session.past
        self.board.story.open(await past.turns(STORY_TURNS), lambda before, count: past.turns(count, before))
        noticed = self._notice(view)
        self.board.show(view, fresh=True)
        if not noticed:
            self.board.call_after_refresh(self.board.show_newest, warn=False)

    def claim(self) -> bool:
        """Start something; return False if something is in progress. Call it before awaiting anything."""
        if self.running:
            return False
        self.running = True
        return True

    async def take(
        self,
        given: PlayerInput,
        label: str = "",
        turn: Coroutine[None, None, InputResult | None] | None = None,
    ) -> InputResult | None:
        """Take a claimed turn and show the result; None if it failed.

        A turn that is already running, such as the opening, is passed in and shown.
        """
        board, said = self.board, describe_input(given, label)
        board.hand.set_busy(True)
        board.story.begin(said)
        board.activity.begin(board.words.working)
        self.hearing.live, self.hearing.pieces = True, 0
        try:
            result = await (turn or submit_input(self.session, given))
            if result is not None:
                await self.hearing.ends.wait_for(result)
                self.hearing.live = False
                await self._show_result(given, result)
            return result
        except Exception as error:
            self._break_off(error, given)
        finally:
            self._end()
        return None

    async def go(self, where: Navigation) -> None:
        """Go to another turn or branch, which was claimed, and show it."""
        board, words = self.board, self.board.words
        before = board.view.head if board.view is not None else ""
        try:
            view = await navigate(self.session, where)
            if view.head == before:
                board.activity.remark(words.at_start)
                board.show(view, fresh=False)
                return
            await self.reload(view)
            board.activity.tell(words.back_at.format(version=view.version), done=True)
        except Exception as error:
            self.tell_trouble(error)
        finally:
            self._end()

    async def mark(self, name: str) -> None:
        """Save this place under a name."""
        try:
            await self.session.mark(name)
            self.board.activity.tell(self.board.words.saved.format(name=name), done=True)
        except Exception as error:
            self.tell_trouble(error)

    async def reload(self, view: View, *, fresh: bool = False, degraded: bool = False) -> None:
        """Show the story again up to the current turn."""
        self.board.story.replace(await self.session.past.turns(STORY_TURNS))
        noticed = self._notice(view)
        self.board.show(view, fresh=fresh, degraded=degraded)
        if not noticed:
            self.board.call_after_refresh(self.board.show_newest, warn=fresh)

    async def look_again(self) -> None:
        """Show the current state after the story continued elsewhere."""
        view = await self.session.view()
        if self.board.view is not None and view.head != self.board.view.head:
            await self.reload(view, fresh=True)
            self.board.activity.remark(self.board.words.moved)

    async def _show_result(self, given: PlayerInput, result: InputResult) -> None:
        board, view = self.board, await self.session.view()
        before = board.view.head if board.view is not None else ""
        if result.kind is ResultKind.COMMITTED:
            board.activity.tell(board.words.done, done=True)
            if critical := find_new_warnings(board.view, view):
                board.activity.remark(board.words.critical.format(items=board.words.join.join(critical)))
            # A turn may automatically lead into another; then two turns have arrived.
            several = board.view is not None and view.version > board.view.version + 1
            anew = several or isinstance(given, Retry)
            if view.turn is None or anew or result.commit not in ("", view.turn.commit):
                board.story.drop()
                await self.reload(view, fresh=True)
            else:
                board.story.finish(view.turn)
                noticed = self._notice(view)
                board.show(view, fresh=True)
                if self.hearing.pieces <= 1 and not noticed:
                    board.call_after_refresh(board.show_newest)
            return
        degraded = result.kind is ResultKind.DEGRADED
        board.story.drop()
        board.activity.clear()
        if view.head != before:
            # Another turn came first, or the story was undone: the view is a different one.
            await self.reload(view, degraded=degraded)
        else:
            board.show(view, fresh=False, degraded=degraded)
        card = board.hand.offers.card
        # A card about the input already repeats these words.
        if result.message and (card is None or card.question != result.message):
            meant = result.kind is ResultKind.UNSPENT or result.reason in STOPPED
            self._tell(result.message, "notice" if meant else "trouble")
        said = result.text or (given.text if isinstance(given, Say | Retry) else "")
        # After a turn that failed, "Retry" already has the words.
        if said and card is None and not degraded:
            board.line.give_back(said)
            if result.kind is ResultKind.UNSPENT:
                board.line.reject()

    def _break_off(self, error: Exception, given: PlayerInput) -> None:
        self.board.story.drop()
        self.board.activity.clear()
        self.tell_trouble(error)
        if isinstance(given, Say | Retry):
            self.board.line.give_back(given.text)

    def _end(self) -> None:
        self.hearing.live = False
        self.running = False
        if self.board.is_attached:
            self.board.activity.end()
            self.board.hand.set_busy(False)

    def tell_trouble(self, error: Exception) -> None:
        """Show in the story what went wrong, and what to do about it."""
        words = shared_words(self.language)
        told = [words.wrong.format(error=f"{type(error).__name__}: {error}"), words.wrong_hint]
        if isinstance(error, TalewrightError):
            told = [error.message, error.hint]
        self._tell("\n".join(filter(None, told)), "trouble")

    def _tell(self, text: str, kind: Literal["notice", "trouble"]) -> None:
        """Show a message of the interface where it is seen."""
        self.board.story.note(text, kind)
        self.board.call_after_refresh(self.board.story.scroll_end, animate=False)

    def _notice(self, view: View) -> bool:
        """Show notices about the campaign, once each; return whether there were new ones."""
        new = [notice for notice in view.notices if notice not in self._noticed]
        self._noticed.update(new)
        for notice in new:
            self._tell(notice, "notice")
        return bool(new)

    def _hear_elsewhere(self, commit: str) -> None:
        view = self.board.view
        if view is not None and commit != view.head and not self.running:
            self._moved()
