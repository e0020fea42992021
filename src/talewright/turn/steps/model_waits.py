"""Waiting for a model: what a waiting player learns about one ask, and how long asks usually take.

It only reports. It stops nothing, and forgets what it has learnt when the process ends.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Again, CallPart, Chunk, PromptProgress, Reply, Text
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_usage
from talewright.turn.turn_signals import Activity, Doing, RepairCause, SignalListener

ASKS_REMEMBERED = 7
"""How many asks of one kind are needed to predict how long the next one will take."""

USUAL_ANSWER_SHARE = 0.6
"""How much of the allowed length an answer usually has, before the first answer is known."""


@frozen
class AskSeconds:
    """How long an ask takes: until the first word, and from there to the last."""

    reading: float | None = None
    writing: float | None = None

    @property
    def total(self) -> float | None:
        """Both together; None if either is unknown."""
        return None if self.reading is None or self.writing is None else self.reading + self.writing


NOT_KNOWN = AskSeconds()


class AskPaces:
    """How long the asks of one campaign have taken in this process, by model and kind."""

    def __init__(self) -> None:
        self._reading: dict[tuple[str, Doing], deque[float]] = defaultdict(_remember)
        """A repair is read faster: most of it was read before."""

        self._writing: dict[str, deque[float]] = defaultdict(_remember)

    def note(self, model: str, doing: Doing, reading: float, writing: float) -> None:
        """Remember how long a finished answer took."""
        self._reading[model, doing].append(reading)
        self._writing[model].append(writing)

    def expect(self, profile: Profile, request: Request, doing: Doing) -> AskSeconds:
        """How long an ask will take: based on earlier ones, or else on measured speeds."""
        # Imported here: it takes long to load, and no first turn of a game waits for a model.
        from statistics import median

        read, written = self._reading[profile.name, doing], self._writing[profile.name]
        prompt = estimate_usage(request, Reply()).input_tokens
        answer = (request.max_output_tokens or profile.output_tokens_max) * USUAL_ANSWER_SHARE
        return AskSeconds(
            median(read) if read else _divide(prompt, profile.read_tokens_per_second),
            median(written) if written else _divide(answer, profile.write_tokens_per_second),
        )


def _remember() -> deque[float]:
    return deque(maxlen=ASKS_REMEMBERED)


def _divide(tokens: float, speed: float | None) -> float | None:
    return tokens / speed if speed else None


@dataclass(slots=True)
class ModelWait:
    """One ask, as reported to those who wait for it."""

    listener: SignalListener
    clock: Callable[[], float]
    paces: AskPaces
    profile: Profile
    request: Request
    can_skip: bool = False
    """Whether a scene can narrate the turn instead."""

    why: RepairCause | None = None
    """Why the model is asked again; None if it is asked for the first time."""

    before: float = 0.0
    """Seconds that earlier asks of the turn took."""

    begun: float = 0.0
    expected: AskSeconds = NOT_KNOWN
    first: float | None = None
    """When the first word came."""

    report: tuple[float, int] | None = None
    """When the first report of progress came, and what had been read by then."""

    @property
    def doing(self) -> Doing:
        """What is going on before the first word."""
        return Doing.READING if self.why is None else Doing.MENDING

    def begin(self, before: float) -> None:
        """The model is asked; `before` is how long earlier asks of the turn took."""
        self.before, self.begun = before, self.clock()
        self.expected = self.paces.expect(self.profile, self.request, self.doing)
        self._tell(self.doing, self.expected.total)

    def hear(self, chunk: Chunk) -> None:
        """Something came."""
        match chunk:
            case PromptProgress(read, total):
                self._progress(read, total)
            case Again():
                self.first = self.report = None
                self.why = RepairCause.BROKEN
                self._tell(self.doing, self.expected.total)
            case Text() | CallPart() if self.first is None:
                self.first = self.clock()
                writing = self.expected.writing
                taken = self.first - self.begun
                self._tell(Doing.TELLING, None if writing is None else taken + writing)
            case _:
                pass

    def end(self) -> None:
        """The answer has ended."""
        if self.first is not None:
            taken = self.first - self.begun, self.clock() - self.first
            self.paces.note(self.profile.name, self.doing, *taken)

    def _progress(self, read: int, total: int) -> None:
        now = self.clock()
        since, had = self.report = self.report or (now, read)
        # The speed at which this server reads now counts more than the speed measured earlier.
        speed = (read - had) / (now - since) if read > had and now > since else None
        left = _divide(total - read, speed or self.profile.read_tokens_per_second)
        usual = self.expected.total
        if left is not None and self.expected.writing is not None:
            usual = now - self.begun + left + self.expected.writing
        self._tell(self.doing, usual, read / total)

    def _tell(self, doing: Doing, seconds: float | None, share: float | None = None) -> None:
        usual = None if seconds is None else self.before + seconds
        why = None if doing is Doing.TELLING else self.why
        self.listener(Activity(doing, share=share, usual_seconds=usual, why=why, can_skip=self.can_skip))
