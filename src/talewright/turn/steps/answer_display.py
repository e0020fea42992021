"""Answer display: the narration of a reply as the player sees it arrive, and a whole reply read at once.

The leak guard decides how much of it is shown.
"""

from talewright.common.frozen_values import frozen
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard
from talewright.llm.reply_chunks import (
    Again,
    Piece,
    Reply,
    Text,
)
from talewright.turn.records.commit_body import (
    replay,
)
from talewright.turn.turn_context import Road
from talewright.turn.turn_signals import NarrationDelta, NarrationReset


@frozen
class AnswerReading:
    """A whole reply, read."""

    answer: ModelAnswer
    shown: str
    """The narration as far as the guard lets it through."""

    leaked: bool


def read_answer(dialect: Dialect, ground: AnswerGround, veil: HiddenTexts, reply: Reply) -> AnswerReading:
    """Read a reply as a whole; how its text was cut into pieces makes no difference."""
    screen = AnswerDisplay(None, dialect, ground, veil)
    for chunk in replay(reply):
        screen.show(chunk)
    return screen.read()


class AnswerDisplay:
    """The narration of one reply as the player sees it arrive."""

    def __init__(self, road: Road | None, dialect: Dialect, ground: AnswerGround, veil: HiddenTexts) -> None:
        self._road = road
        self._dialect = dialect
        self._ground = ground
        self._veil = veil
        self._reader = dialect.reader(ground)
        self._guard = LeakGuard(veil)
        self.shown = ""
        self._heard: list[Piece] = []
        """The text that the reader was fed."""

        self._held = ""
        """The text that the guard released at the end and that was not shown yet."""

        self._answer: ModelAnswer | None = None

    @property
    def leaked(self) -> bool:
        return self._guard.leaked

    def show(self, chunk: Piece | Again) -> None:
        if isinstance(chunk, Again):
            self._start_over()
        else:
            self._heard.append(chunk)
            self._put(self._guard.feed(self._reader.feed(chunk)))

    def _start_over(self) -> None:
        """Another attempt at the same reply has begun; what was shown of the first is void."""
        if self.shown and self._road is not None:
            self._road.listener(NarrationReset(""))
        self._reader = self._dialect.reader(self._ground)
        self._guard = LeakGuard(self._veil)
        self._heard = []
        self.shown = ""

    def has_heard(self, reply: Reply) -> bool:
        """Whether it was fed exactly this reply, though perhaps in other pieces; never one with calls."""
        texts = [chunk.text for chunk in self._heard if isinstance(chunk, Text)]
        rest = [chunk for chunk in self._heard if not isinstance(chunk, Text)]
        return not reply.calls and (Text("".join(texts)), *rest) == replay(reply)

    def read(self) -> AnswerReading:
        """The whole reply, read from what was fed; nothing more is shown before `finish`."""
        if self._answer is None:
            self._answer = self._reader.finish()
            self._held = self._guard.finish()
        shown = (self.shown + self._held)[: len(self._answer.prose)]
        # A reply that reached its length limit may end before what was shown of it.
        return AnswerReading(self._answer, shown, self.leaked)

    def finish(self) -> ModelAnswer:
        answer = self.read().answer
        self._put(self._held)
        self._held = ""
        return answer

    def _put(self, text: str) -> None:
        self.shown += text
        if text and self._road is not None:
            self._road.listener(NarrationDelta(text))
