"""Turn progress: what one try at a turn has brought about so far, its draws included.

It holds values that the kernel made and makes none itself; it is thrown away if the turn fails. When a
judgement is thrown away its draws are given back: asking again never changes what is drawn.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from talewright.common.json_values import Json
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.chance import Chance, Draw, Fate
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves_and_rulings import ENGINE, Decision, Ruling
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position
from talewright.kernel.story.scene_rules import TakenChoice
from talewright.kernel.story.scenes_and_endings import Check, Ladder
from talewright.kernel.story.triggers import Event
from talewright.prompt.memory_window import TranscriptWindow
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import ROLL, TRIAL


class OpenedChance(Chance, Protocol):
    """The chance of one judgement."""

    @property
    def draws(self) -> tuple[Draw, ...]:
        """What was drawn so far, in order."""


class RecordedDraws:
    """The draws of a finished turn, given back where its secret is not known."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = tuple(draws)
        self.exhausted = False
        """Whether more was drawn than is recorded: by a judgement that was thrown away, or in a forgery."""

    def find(self, index: int) -> int:
        """The face of a draw; one where nothing is recorded of it."""
        if index < len(self.draws):
            return self.draws[index].face
        self.exhausted = True
        return 1


class RecordedChance:
    """Draws as they were recorded, for one judgement."""

    def __init__(self, recorded: RecordedDraws, version: int, start: int) -> None:
        self._recorded = recorded
        self._version = version
        self._start = start
        self._drawn: list[Draw] = []

    def draw(self, sides: int, why: str = "") -> int:
        """The next face; whether it fits the die is for whoever compares to say."""
        index = self._start + len(self._drawn)
        face = min(max(self._recorded.find(index), 1), sides)
        self._drawn.append(Draw(self._version, index, sides, face, why))
        return face

    @property
    def draws(self) -> tuple[Draw, ...]:
        """What was drawn so far, in order."""
        return tuple(self._drawn)


class TurnDraws:
    """The draws of one turn."""

    def __init__(
        self, secret: bytes, version: int, nonce: bytes = b"", recorded: RecordedDraws | None = None
    ) -> None:
        """`recorded` is given back in place of what the secret gives."""
        self._secret = secret
        self._version = version
        self.nonce = nonce
        self._recorded = recorded
        self._kept: list[Draw] = []

    def open(self) -> OpenedChance:
        """A chance for one judgement, beginning where the kept draws end."""
        if self._recorded is not None:
            return RecordedChance(self._recorded, self._version, len(self._kept))
        return Fate(self._secret, self._version, self.nonce, start=len(self._kept))

    def keep(self, fate: OpenedChance) -> None:
        """Let the draws of a judgement stand."""
        self._kept += fate.draws

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws that stand, in order."""
        return tuple(self._kept)


PASSAGE_BREAK = "\n\n"
"""What stands between two passages."""


class TurnProgress:
    """The state of a turn under way."""

    def __init__(
        self, game: Game, position: Position, fortune: TurnDraws, engine: int = ENGINE_NUMBER
    ) -> None:
        self.engine = engine
        """The engine number of the turn: prompts of older ones are written as they were."""

        self.game = game
        self.position = position
        self.fortune = fortune
        self.changes: list[Change] = []
        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.rolls: list[Json] = []
        self.decisions: list[Decision] = []
        self.offers: tuple[SuggestedChoice, ...] = ()
        self.facts: tuple[str, ...] = ()
        self.asides: list[str] = []
        self.edits: list[Json] = []
        self.narration: list[str] = []
        """Passages, told one after the other."""

        self.events_at: int | None = None
        """How much of the narration is told before the events; None: all of it."""

        self.bundle = ""
        self.window = TranscriptWindow()
        self.lore: tuple[Json, ...] = ()
        self.cuts: list[Json] = []
        self.care = False
        """Whether the storyteller is to be reminded of the rating."""

        self.settled = False
        """Whether the player has taken a choice whose effects the author wrote."""

    def take(self, step: JudgedStep) -> None:
        """Let a judgement stand."""
        self.position = step.position
        self.rulings += step.rulings
        self.changes += step.changes
        self.events += step.events

    def place_events(self, passages: int) -> None:
        """Have the events told after so many passages: what comes later has seen them happen."""
        told = any(event.cause != ENGINE for event in self.events)
        if told and len(self.narration) > passages:
            self.events_at = len(PASSAGE_BREAK.join(self.narration[:passages]))

    def take_act(self, act: TakenChoice, check: object) -> None:
        """Let a choice that was carried out stand."""
        self.take(act.step)
        self.note_roll(act.roll, act.trial, check)

    def note_roll(self, roll: Roll | None, trial: Json, check: object) -> None:
        """Write down what fell, as the player is shown it."""
        if roll is not None:
            fell: dict[str, Json] = {"kind": ROLL, "text": str(roll), "total": roll.total}
            self.rolls.append({**fell, **_judge_roll(roll.total, check)})
        if isinstance(trial, Mapping):
            self.rolls.append({"kind": TRIAL, **trial})


def _judge_roll(total: int, check: object) -> dict[str, Json]:
    """What a total comes to."""
    if isinstance(check, Ladder):
        rung = check.reached(total)
        return {"success": rung.success, **({"word": rung.word} if rung.word else {})}
    assert isinstance(check, Check), "nothing else rolls"
    return {"needed": check.at_least, "success": total >= check.at_least}
