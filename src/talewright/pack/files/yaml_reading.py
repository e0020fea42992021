"""YAML reading: a file's text into nodes, with everything refused that data does not need.

No anchors, aliases, tags, merges, second documents or double keys; nothing is ever unfolded.
"""

from collections.abc import Callable

import yaml

from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.composition import LimitError, NodeBudget, compose
from talewright.pack.files.core_types import NumberError, core_value
from talewright.pack.files.nodes import NOT_VERBATIM, BrokenNode, ListNode, MapNode, Node, Plain, ScalarNode
from talewright.pack.files.plain_text import FORBIDDEN
from talewright.pack.files.yaml_errors import report_error, report_limit

_MERGE = "<<"
_ANCHOR = "&"
_TAG = "!"


def read_yaml(
    name: str,
    text: str,
    desk: Desk,
    budget: NodeBudget,
    composer: Callable[[str, NodeBudget], yaml.Node | None] = compose,
) -> Node | None:
    """The root node of a decoded file, a scalar of None where it is empty; None where it is no YAML."""
    try:
        root = composer(text, budget)
    except LimitError as error:
        report_limit(name, error, desk)
        return None
    except yaml.YAMLError as error:
        report_error(name, text, error, desk)
        return None
    if root is None:
        return ScalarNode(name, 1, 1, None, "", False, NOT_VERBATIM)
    return _Reading(name, text, desk).convert(root)


class _Reading:
    """One file on its way from PyYAML's nodes to ours."""

    def __init__(self, name: str, text: str, desk: Desk) -> None:
        self._name = name
        self._text = text
        self._desk = desk
        self._refused: set[int] = set()

    def convert(self, node: yaml.Node) -> Node:
        mark = node.start_mark
        # Nothing else begins with these two, so what begins so has an anchor or a tag before it.
        # An alias gives the same node again: it is not gone into twice, or a bomb would unfold.
        if self._text[mark.index : mark.index + 1] in (_ANCHOR, _TAG):
            if id(node) in self._refused:
                return BrokenNode(self._name, mark.line + 1, mark.column + 1)
            self._refused.add(id(node))
            if self._refuse_property(mark) and isinstance(node, yaml.ScalarNode):
                # What type a tagged scalar was meant to have is not known without its tag.
                return BrokenNode(self._name, mark.line + 1, mark.column + 1)
        if isinstance(node, yaml.ScalarNode):
            return self._convert_scalar(node, mark)
        if isinstance(node, yaml.SequenceNode):
            items = list(map(self.convert, node.value))
            return ListNode(self._name, mark.line + 1, mark.column + 1, items)
        return self._convert_mapping(node, mark)

    def _convert_scalar(self, node: yaml.ScalarNode, mark: yaml.Mark) -> Node:
        text: str = node.value
        style = node.style
        value: Plain = text
        if not style:
            try:
                value = core_value(text)
            except NumberError:
                return self._refuse_number(mark)
        elif style == '"' and FORBIDDEN.search(text):
            return self._refuse_escape(mark)
        quotes = 1 if style else 0
        end = node.end_mark
        # An escape or a fold always makes the written form longer or puts it on several lines.
        if end.line == mark.line and end.column - mark.column == len(text) + 2 * quotes:
            return ScalarNode(self._name, mark.line + 1, mark.column + 1, value, text, quotes == 1, quotes)
        written = self._text[mark.index : end.index]
        return ScalarNode(
            self._name, mark.line + 1, mark.column + 1, value, text, quotes == 1, NOT_VERBATIM, written
        )

    def _convert_mapping(self, node: yaml.Node, mark: yaml.Mark) -> Node:
        converted = MapNode(self._name, mark.line + 1, mark.column + 1)
        entries = converted.entries
        marks = converted.marks
        for key, value in node.value:
            at = key.start_mark
            if not isinstance(key, yaml.ScalarNode):
                self._refuse_key(at)
                continue
            name: str = key.value
            if self._text[at.index : at.index + 1] in (_ANCHOR, _TAG):
                self._refuse_property(at)
            if name in entries:
                first = marks[name][0]
                self._report(
                    Code.DUPLICATE_KEY,
                    at,
                    f"`{name}` stands here twice",
                    f"Delete this one or that in line {first}.",
                )
            elif name == _MERGE and not key.style:
                self._report(Code.YAML_MERGE, at, "`<<` merges are not read", "Write the fields out.")
            else:
                marks[name] = (at.line + 1, at.column + 1)
                entries[name] = self.convert(value)
        if node.value and not entries:
            # Nothing of it could be read: `{{title}}` was never meant to be a mapping.
            return BrokenNode(self._name, mark.line + 1, mark.column + 1)
        return converted

    def _refuse_property(self, mark: yaml.Mark) -> bool:
        """Tell of a tag or an anchor; True for a tag."""
        if self._text[mark.index] == _TAG:
            suggestion = "Delete the word that begins with `!`, or put the whole text in quotes."
            self._report(Code.YAML_TAG, mark, "YAML tags are not read", suggestion)
            return True
        suggestion = "Write the value out each time, or put a text that begins with `&` in quotes."
        self._report(Code.YAML_ANCHOR, mark, "YAML anchors and aliases are not read", suggestion)
        return False

    def _refuse_key(self, mark: yaml.Mark) -> None:
        opening = self._text[mark.index]
        suggestion = f"Put a text that begins with `{opening}` in quotes."
        if opening not in "{[":
            suggestion = "Write a text before the colon."
        self._report(Code.KEY_NOT_TEXT, mark, "a key is a text, no list and no mapping", suggestion)

    def _refuse_number(self, mark: yaml.Mark) -> BrokenNode:
        self._report(
            Code.BAD_NUMBER,
            mark,
            "a number lies between -9007199254740991 and 9007199254740991 and is finite",
            "Write a smaller number, or put it in quotes if it is a text.",
        )
        return BrokenNode(self._name, mark.line + 1, mark.column + 1)

    def _refuse_escape(self, mark: yaml.Mark) -> BrokenNode:
        self._report(
            Code.CONTROL_CHARACTER,
            mark,
            "an escape in this text makes a character that no text may hold",
            "Delete the escape.",
        )
        return BrokenNode(self._name, mark.line + 1, mark.column + 1)

    def _report(self, code: Code, mark: yaml.Mark, message: str, suggestion: str) -> None:
        self._desk.report(code, SourcePlace(self._name, mark.line + 1, mark.column + 1), message, suggestion)
