"""The build context: what all builders share, and methods to read conditions, paths and dice.

The kernel parses conditions, paths and dice; this module reports their faults.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import listed
from talewright.kernel.conditions.conditions import Condition, parse_condition
from talewright.kernel.conditions.expression_tree import TURN, ExpressionError
from talewright.kernel.conditions.expression_types import nearest_path
from talewright.kernel.dice.dice_parser import parse as parse_dice
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS, DiceError
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state_paths import Path, PathError, dotted, parse_path
from talewright.pack.build.system_builder import GameTools
from talewright.pack.build.variable_builder import BuiltLayout
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.record_form import SourceRecord
from talewright.pack.texts.text_catalogue import TextCatalogue

_WORDS = re.compile(r"[^\W\d]\w*")
_PATH = re.compile(r"[^\W\d]\w*(\.\w+)*")
_LOOK = "A condition looks like `hp <= 0 and flags.met_lian`."


@frozen
class LocatedCondition:
    """A valid condition and its place."""

    condition: Condition
    node: ScalarNode


@dataclass(slots=True)
class BuildContext:
    """The state of building one game."""

    fault_list: FaultList
    ground: BuiltLayout
    dice: Collection[int | str] | None = None
    """The dice this game allows; None allows all."""

    tools: GameTools = field(default_factory=GameTools)
    """The tools of this game's systems."""

    catalogue: TextCatalogue = field(default_factory=TextCatalogue)
    """Every text of the game; filled while the rules are built."""

    asked: list[LocatedCondition] = field(default_factory=list)
    """Every condition, in the order of reading."""

    _known: dict[str, Condition] = field(default_factory=dict)

    def condition(self, node: ScalarNode) -> Condition | None:
        """Read a condition; None after a fault."""
        text = node.text
        condition = self._known.get(text)
        if condition is None:
            try:
                condition = self._known[text] = parse_condition(text, self.ground.layout)
            except ExpressionError as error:
                self.report_expression(node, error)
                return None
        self.asked.append(LocatedCondition(condition, node))
        return condition

    def report_expression(self, node: ScalarNode, error: ExpressionError) -> None:
        """Report what is wrong in a condition, at its column."""
        if self.is_unsure(node.text):
            self.fault_list.stumbles += 1
            return
        index = error.column - 1
        suggestion = self._suggest_name(node.text, index, error.suggestion) or _LOOK
        if node.text[index : index + 1] == "'":
            # In a double-quoted YAML text, double quotes in a suggestion would end the condition.
            suggestion = suggestion.replace('"', "'")
        self.fault_list.report(FaultCode.BAD_CONDITION, node.place_at(index), error.message, suggestion)

    def place_slot(self, source: SourceRecord, name: str, text: str) -> tuple[Path, Slot] | None:
        """The slot at a path in a record's field; None after a fault."""
        try:
            path = parse_path(text)
        except PathError as error:
            suggestion = "Write it like `time.minute`."
            self.fault_list.report(FaultCode.BAD_NAME, source.place(name), str(error), suggestion)
            return None
        layout = self.ground.layout
        slot = layout.find(path)
        if slot is not None and path[0] != ENGINE_ROOT and path[0] not in self.ground.unsure:
            return path, slot
        if self.is_unsure(path[0]):
            self.fault_list.stumbles += 1
            return None
        # A JSON pointer, as in JSON Patch: `/flags/met_lian`.
        pointed = tuple(text.strip("/").split("/"))
        suggestion = self._suggest_path(path if layout.find(pointed) is None else pointed)
        self.fault_list.report(
            FaultCode.UNKNOWN_PATH, source.place(name), f"there is no `{text}`", suggestion
        )
        return None

    def check_dice(self, node: ScalarNode) -> None:
        """Report what is wrong with dice, at their column."""
        try:
            parse_dice(node.text, DEFAULT_LIMITS, self.dice)
        except DiceError as error:
            suggestion = error.hint or "Write it like `2d6+1`."
            if self.dice is not None and _is_roll(node.text):
                suggestion = "Use other dice, or add this one to `chance` in game.yaml."
            self.fault_list.report(
                FaultCode.BAD_DICE, node.place_at(error.column - 1), error.message, suggestion
            )

    def is_unsure(self, text: str) -> bool:
        """Whether a text refers to a variable that has a fault."""
        unsure = self.ground.unsure
        if self.ground.blind:
            known = self.ground.layout.roots
            return any(word in unsure or word not in known for word in _WORDS.findall(text))
        return bool(unsure) and any(word in unsure for word in _WORDS.findall(text))

    def _suggest_name(self, text: str, index: int, suggestion: str) -> str:
        """What to write instead of an unknown path in a condition; otherwise the given suggestion."""
        found = _PATH.match(text, index)
        path = tuple(found[0].split(".")) if found else TURN
        if path == TURN or self.ground.layout.find(path) is not None:
            return suggestion
        if any(path == (value,) for _, slot in self.ground.layout.walk() for value in slot.enum_values):
            return f'Write `"{path[0]}"`, in quotes.'
        return suggestion or self._suggest_path(path)

    def _suggest_path(self, path: Path) -> str:
        layout = self.ground.layout
        near = nearest_path(path, layout) if path[0] != ENGINE_ROOT else ""
        if near:
            return f"Write `{near}`."
        for size in range(len(path) - 1, 0, -1):
            holder = layout.find(path[:size])
            if holder is not None and holder.fields and path[0] != ENGINE_ROOT:
                return f"The members of `{dotted(path[:size])}` are: {listed(holder.fields)}."
        roots = [root for root in layout.roots if root != ENGINE_ROOT]
        return (
            f"The variables are: {listed(roots)}." if roots else "Declare it under `variables:` in game.yaml."
        )


def _is_roll(text: str) -> bool:
    """Whether these are valid dice in general."""
    try:
        parse_dice(text, DEFAULT_LIMITS)
    except DiceError:
        return False
    return True
