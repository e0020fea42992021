"""Turn progress: what one try at a turn has brought about so far, its draws included.

It holds values that the kernel made and makes none itself; it is thrown away if the turn fails. When a
judgement is thrown away its draws are given back: asking again never changes what is drawn.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.chance import Draw, Fate
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves_and_rulings import Decision, Ruling
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position
from talewright.kernel.story.scene_rules import TakenChoice
from talewright.kernel.story.scenes_and_endings import Check, Ladder
from talewright.kernel.story.triggers import Event
from talewright.prompt.memory_window import TranscriptWindow
from talewright.turn.records.commit_body import ROLL, TRIAL


class TurnDraws:
    """The draws of one turn."""

    def __init__(self, secret: bytes, version: int, nonce: bytes = b"") -> None:
        self._secret = secret
        self._version = version
        self.nonce = nonce
        self._kept: list[Draw] = []

    def open(self) -> Fate:
        """A chance for one judgement, beginning where the kept draws end."""
        return Fate(self._secret, self._version, self.nonce, start=len(self._kept))

    def keep(self, fate: Fate) -> None:
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

    def __init__(self, game: Game, position: Position, fortune: TurnDraws) -> None:
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

        self.bundle = ""
        self.window = TranscriptWindow()
        self.lore: tuple[Json, ...] = ()
        self.cuts: list[Json] = []
        self.care = False
        """Whether the storyteller is to be reminded of the rating."""

    def take(self, step: JudgedStep) -> None:
        """Let a judgement stand."""
        self.position = step.position
        self.rulings += step.rulings
        self.changes += step.changes
        self.events += step.events

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
