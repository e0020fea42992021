"""Turn progress: what one attempt at a turn has brought about so far, its draws included.

It only holds values made by the kernel, and is discarded if the turn fails. The draws of a discarded
judgement are returned: asking again never changes what is drawn.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from talewright.common.json_values import Json
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.chance import Chance, Draw, Fate
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves import ENGINE
from talewright.kernel.judging.rulings import Decision, Ruling
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position
from talewright.kernel.story.scene_rules import TakenChoice
from talewright.kernel.story.scenes import Check, Ladder
from talewright.kernel.story.triggers import Event
from talewright.prompt.past_turns_part import TranscriptWindow
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import ROLL, TRIAL


class OpenedChance(Chance, Protocol):
    """The chance of one judgement."""

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""


class RecordedDraws:
    """The recorded draws of a finished turn, for replays without its secret."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = tuple(draws)
        self.exhausted = False
        """Whether more was drawn than is recorded: by a discarded judgement, or in a forgery."""

    def find(self, index: int) -> int:
        """Return the face of a draw; 1 if it is not recorded."""
        if index < len(self.draws):
            return self.draws[index].face
        self.exhausted = True
        return 1


class RecordedChance:
    """Recorded draws for one judgement."""

    def __init__(self, recorded: RecordedDraws, version: int, start: int) -> None:
        self._recorded = recorded
        self._version = version
        self._start = start
        self._drawn: list[Draw] = []

    def draw(self, sides: int, why: str = "") -> int:
        """Return the next recorded face, limited to the sides of the die."""
        index = self._start + len(self._drawn)
        face = min(max(self._recorded.find(index), 1), sides)
        self._drawn.append(Draw(self._version, index, sides, face, why))
        return face

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""
        return tuple(self._drawn)


class TurnDraws:
    """The draws of one turn."""

    def __init__(
        self, secret: bytes, version: int, nonce: bytes = b"", recorded: RecordedDraws | None = None
    ) -> None:
        """If `recorded` is given, it replaces the draws derived from the secret."""
        self._secret = secret
        self._version = version
        self.nonce = nonce
        self._recorded = recorded
        self._kept: list[Draw] = []

    def open(self) -> OpenedChance:
        """Return a chance for one judgement, starting after the draws that were kept."""
        if self._recorded is not None:
            return RecordedChance(self._recorded, self._version, len(self._kept))
        return Fate(self._secret, self._version, self.nonce, start=len(self._kept))

    def keep(self, fate: OpenedChance) -> None:
        """Keep the draws of a judgement."""
        self._kept += fate.draws

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws that were kept, in order."""
        return tuple(self._kept)


PASSAGE_BREAK = "\n\n"
"""The text between two passages."""


class TurnProgress:
    """The state of a turn in progress."""

    def __init__(
        self, game: Game, position: Position, fortune: TurnDraws, engine: int = ENGINE_NUMBER
    ) -> None:
        self.engine = engine
        """The engine number of the turn: prompts of older ones are written as they were."""

        self.game = game
        self.game_digest = ""
        """The digest of the game's edition, for interfaces that show the rolls."""

        self.position = position
        self.fortune = fortune
        self.changes: list[Change] = []
        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.rolls: list[Json] = []
        self.reported_rolls = 0
        """How many rolls the listener has received."""

        self.decisions: list[Decision] = []
        self.offers: tuple[SuggestedChoice, ...] = ()
        self.facts: tuple[str, ...] = ()
        self.asides: list[str] = []
        self.edits: list[Json] = []
        self.narration: list[str] = []
        """Passages, in order."""

        self.events_at: int | None = None
        """How many characters of the narration come before the events; None: all of them."""

        self.bundle = ""
        self.window = TranscriptWindow()
        self.lore: tuple[Json, ...] = ()
        self.cuts: list[Json] = []
        self.care = False
        """Whether the storyteller is reminded of the rating."""

        self.settled = False
        """Whether the player has taken a choice whose effects the author wrote."""

    def take(self, step: JudgedStep) -> None:
        """Apply a judgement."""
        self.position = step.position
        self.rulings += step.rulings
        self.changes += step.changes
        self.events += step.events

    def place_events(self, passages: int) -> None:
        """Place the events after this many passages: later passages already know of them."""
        told = any(event.cause != ENGINE for event in self.events)
        if told and len(self.narration) > passages:
            self.events_at = len(PASSAGE_BREAK.join(self.narration[:passages]))

    def take_act(self, act: TakenChoice, check: object) -> None:
        """Apply a choice that was carried out."""
        self.take(act.step)
        self.note_roll(act.roll, act.trial, check)

    def note_roll(self, roll: Roll | None, trial: Json, check: object) -> None:
        """Record a roll as it is shown to the player."""
        if roll is not None:
            fell: dict[str, Json] = {"kind": ROLL, "text": str(roll), "total": roll.total}
            self.rolls.append({**fell, **_judge_roll(roll.total, check)})
        if isinstance(trial, Mapping):
            self.rolls.append({"kind": TRIAL, **trial})


def _judge_roll(total: int, check: object) -> dict[str, Json]:
    """Return the result of a total."""
    if isinstance(check, Ladder):
        rung = check.reached(total)
        return {"success": rung.success, **({"word": rung.word} if rung.word else {})}
    assert isinstance(check, Check), "nothing else rolls"
    return {"needed": check.at_least, "success": total >= check.at_least}
