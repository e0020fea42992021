"""A small system for games that a model plays by tools: a box with three dials and a lid.

It exists for the tests. Two of its three tools take no arguments, and what opens the box is a secret.
"""

from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.panel_parts import Meter, Panel
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.system import (
    AuthorFiles,
    Denial,
    Grant,
    Note,
    NoteAudience,
    Sight,
    SystemAnswer,
    Tool,
    deny_unknown,
)

DIALS = ("left", "middle", "right")
DIGIT_MAX = 9
PULLS_MAX = 12
"""Pulls after which the hinge is spent."""

COMBINATION = "417"
NOTHING: Json = {"type": "object", "properties": {}, "additionalProperties": False}


class Lock:
    """Turn the dials, listen, pull at the lid."""

    name = "lock"

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        dial = Slot(
            kind=SlotKind.INTEGER, default=0, minimum=0, maximum=DIGIT_MAX, clamp=False, readonly=True
        )
        fields = {
            **dict.fromkeys(DIALS, dial),
            "pulls": Slot(kind=SlotKind.INTEGER, default=0, minimum=0, maximum=PULLS_MAX, readonly=True),
            "open": Slot(kind=SlotKind.BOOLEAN, default=False, readonly=True),
            "combination": Slot(kind=SlotKind.STRING, default=COMBINATION, secret=True),
        }
        return {"box": Slot(kind=SlotKind.OBJECT, fields=fields)}

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        digit: Json = {"type": "integer", "minimum": 0, "maximum": DIGIT_MAX}
        turn: Json = {
            "type": "object",
            "properties": {"dial": {"type": "string", "enum": list(DIALS)}, "digit": digit},
            "required": ["dial", "digit"],
            "additionalProperties": False,
        }
        return (
            Tool("turn_dial", "Turn one dial of the box to a digit.", turn),
            Tool("listen", "Listen at the box: how many dials stand right.", NOTHING),
            Tool("pull", "Pull at the lid of the box: it opens if all dials stand right.", NOTHING),
        )

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        box = _box(sight)
        match call.tool:
            case "turn_dial":
                dial, digit = call.arguments.get("dial"), call.arguments.get("digit")
                if dial not in DIALS:
                    return Denial(f"there is no dial {dial!r}; there is {', '.join(DIALS)}")
                return Grant((Update(Op.SET, f"box.{dial}", digit),), {"dial": dial, "stands_at": digit})
            case "listen":
                return Grant(result={"dials_that_stand_right": _count_right(box)})
            case "pull":
                opens = _count_right(box) == len(DIALS)
                updates = (Update(Op.INC, "box.pulls", 1), Update(Op.SET, "box.open", opens))
                return Grant(updates, {"open": opens})
            case _:
                return deny_unknown(call)

    def notes(self, sight: Sight) -> Sequence[Note]:
        return (Note("A dial that stands right knocks once, like a polite visitor.", NoteAudience.EVERYONE),)

    def panels(self, sight: Sight) -> Sequence[Panel]:
        box = _box(sight)
        pulls = box["pulls"]
        assert isinstance(pulls, int)
        return (Panel("box", "The box", (Meter("Pulls", pulls, PULLS_MAX),)),)


def _box(sight: Sight) -> Mapping[str, Json]:
    box = sight.document["box"]
    assert isinstance(box, Mapping)
    return box


def _count_right(box: Mapping[str, Json]) -> int:
    return sum(str(box[dial]) == digit for dial, digit in zip(DIALS, str(box["combination"]), strict=True))
