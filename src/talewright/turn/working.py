"""Working: what one try at a turn has brought about so far; thrown away if the turn fails.

It holds values that the kernel made and makes none itself.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from talewright.contract.answers import Offer
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves_and_rulings import (
    Call,
    Decision,
    End,
    Granted,
    Move,
    Refused,
    Ruling,
    Update,
)
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state import Position
from talewright.kernel.story.scene_rules import TakenChoice
from talewright.kernel.story.scenes_and_endings import Check, Ladder
from talewright.kernel.story.triggers import Event
from talewright.turn.bodies import ROLL, TRIAL
from talewright.turn.fortune import Fortune
from talewright.turn.windows import Window


class Working:
    """The state of a turn under way."""

    def __init__(self, game: Game, position: Position, fortune: Fortune) -> None:
        self.game = game
        self.position = position
        self.fortune = fortune
        self.changes: list[Change] = []
        self.rulings: list[Ruling] = []
        self.events: list[Event] = []
        self.rolls: list[Json] = []
        self.decisions: list[Decision] = []
        self.offers: tuple[Offer, ...] = ()
        self.facts: tuple[str, ...] = ()
        self.asides: list[str] = []
        self.edits: list[Json] = []
        self.narration: list[str] = []
        """Passages, told one after the other."""

        self.bundle = ""
        self.window = Window()
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


def write_rulings(rulings: Sequence[Ruling], changes: Sequence[Change]) -> tuple[Json, ...]:
    """Rulings as they are kept: what a granted move changed stands there by its numbers among the changes."""
    numbers = {id(change): number for number, change in enumerate(changes)}
    written = []
    for ruling in rulings:
        raw = write_ruling(ruling)
        if isinstance(ruling, Granted) and ruling.changes:
            raw["changes"] = [numbers[id(change)] for change in ruling.changes]
        written.append(raw)
    return tuple(written)


def write_ruling(ruling: Ruling) -> dict[str, Json]:
    """A ruling without what it changed."""
    match ruling:
        case Granted(move, _, result):
            raw: dict[str, Json] = {"ruling": "granted", "move": write_move(move)}
            if result is not None:
                raw["result"] = result
            return raw
        case Refused(move, grade, reason):
            return {"ruling": "refused", "grade": grade.value, "reason": reason, "move": write_move(move)}
        case _:
            return {"ruling": "waiting", "for": ruling.need.id, "move": write_move(ruling.move)}


def write_move(move: Move) -> dict[str, Json]:
    """A move as it is kept."""
    match move:
        case Update(op, path, value, reason):
            return {"op": op.value, "path": path, "value": value, "reason": reason}
        case Call(tool, arguments, name):
            return {"call": tool, "arguments": dict(arguments), "id": name}
        case End(ending, reason):
            return {"end": ending, "reason": reason}
        case _:
            assert_never(move)
