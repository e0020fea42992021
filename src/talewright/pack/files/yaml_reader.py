"""YAML reader: text to nodes with places; YAML 1.2 core types, no anchors, tags, merges or duplicate keys.

PyYAML parses, within limits of depth and size. The values are not interpreted here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from talewright.errors import SourcePlace
from talewright.kernel.state.documents import normal_number
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import find_forbidden
from talewright.pack.files.yaml_errors import DEPTH_MAX, NODES_MAX, YamlLimitError, report_error, report_limit
from talewright.pack.files.yaml_nodes import (
    NOT_VERBATIM,
    BrokenNode,
    ListNode,
    MapNode,
    Node,
    Plain,
    ScalarNode,
)

try:
    from yaml._yaml import CParser
except ImportError:  # pragma: no cover - PyYAML was built without libyaml
    CParser = None  # type: ignore[assignment, misc]  # compose_pure replaces it


@dataclass(slots=True)
class NodeBudget:
    """How many keys and values may still be read."""

    left: int = NODES_MAX


class _Limits:
    """Counts nodes in the resolver hooks that both parsers call around every node."""

    depth = 0
    budget: NodeBudget

    def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
        self.depth += 1
        self.budget.left -= 1
        if self.depth > DEPTH_MAX or self.budget.left < 0:
            raise YamlLimitError(parent, deep=self.depth > DEPTH_MAX)

    def ascend_resolver(self) -> None:
        self.depth -= 1

    def resolve(self, kind: type[yaml.Node], value: object, implicit: object) -> str:
        """Resolve no types; that happens when nodes are converted."""
        return ""


class _PureComposer(_Limits, Reader, Scanner, Parser, Composer):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


def compose_pure(text: str, budget: NodeBudget) -> yaml.Node | None:
    """Like `compose`, but with the parser written in Python: the same tree, ten times slower."""
    composer = _PureComposer(text)
    composer.budget = budget
    return composer.get_single_node()


if CParser is not None:

    class _FastComposer(_Limits, CParser):
        pass

    def compose(text: str, budget: NodeBudget) -> yaml.Node | None:
        """Parse a text; None if it contains nothing but comments."""
        composer = _FastComposer(text)
        composer.budget = budget
        return composer.get_single_node()

else:  # pragma: no cover - as above
    compose = compose_pure

NUMBER_LENGTH_MAX = 400
"""Characters in a number. No number that JSON stores exactly needs more."""

_WORDS: dict[str, Plain] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER_STARTS = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class YamlNumberError(ValueError):
    """The scalar is a number that a state cannot store."""


def core_value(text: str) -> Plain:
    """The value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if len(text) > NUMBER_LENGTH_MAX:
        if _FLOAT.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
            raise YamlNumberError
        return text
    number = _number(text)
    if number is None:
        if _NOT_FINITE.fullmatch(text):
            raise YamlNumberError
        return text
    normal = normal_number(number)
    if normal is None:
        raise YamlNumberError
    return normal


def _number(text: str) -> int | float | None:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    return None


_COMMENT = re.compile(r"[ \t]+#[^\n]*")
_MERGE = "<<"
_ANCHOR = "&"
_TAG = "!"


def read_yaml(
    name: str,
    text: str,
    fault_list: FaultList,
    budget: NodeBudget,
    composer: Callable[[str, NodeBudget], yaml.Node | None] = compose,
) -> Node | None:
    """The root node of a decoded file, a null scalar if it is empty; None if it is not valid YAML."""
    try:
        root = composer(text, budget)
    except YamlLimitError as error:
        report_limit(name, error, fault_list)
        return None
    except yaml.YAMLError as error:
        report_error(name, text, error, fault_list)
        return None
    if root is None:
        return ScalarNode(name, 1, 1, None, "", False, NOT_VERBATIM)
    return _Reading(name, text, fault_list).convert(root)


class _Reading:
    """Converts the nodes of one file from PyYAML's to ours."""

    def __init__(self, name: str, text: str, fault_list: FaultList) -> None:
        self._name = name
        self._text = text
        self._desk = fault_list
        self._refused: set[int] = set()

    def convert(self, node: yaml.Node) -> Node:
        mark = node.start_mark
        # Only anchors and tags start with these two characters. An alias repeats the same node, which
        # is converted only once: otherwise nested aliases would expand exponentially.
        if self._text[mark.index : mark.index + 1] in (_ANCHOR, _TAG):
            if id(node) in self._refused:
                return BrokenNode(self._name, mark.line + 1, mark.column + 1)
            self._refused.add(id(node))
            if self._refuse_property(mark) and isinstance(node, yaml.ScalarNode):
                # Without its tag, the intended type of a scalar is unknown.
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
            except YamlNumberError:
                return self._refuse_number(mark)
        elif style == '"' and find_forbidden(text):
            return self._refuse_escape(mark)
        quotes = 1 if style else 0
        end = node.end_mark
        # Escaping and folding always make the source longer or spread it over several lines.
        offset, written = quotes, ""
        if end.line != mark.line or end.column - mark.column != len(text) + 2 * quotes:
            offset, written = NOT_VERBATIM, self._text[mark.index : end.index]
        made = ScalarNode(
            self._name, mark.line + 1, mark.column + 1, value, text, quotes == 1, offset, written
        )
        if value is text and not style and (comment := _COMMENT.match(self._text, end.index)):
            made.comment = comment[0]
        return made

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
                    FaultCode.DUPLICATE_KEY,
                    at,
                    f"`{name}` appears twice",
                    f"Delete this one or the one on line {first}.",
                )
            elif name == _MERGE and not key.style:
                self._report(
                    FaultCode.YAML_MERGE, at, "`<<` merges are not supported", "Write the fields out."
                )
            else:
                marks[name] = (at.line + 1, at.column + 1)
                entries[name] = self.convert(value)
        if node.value and not entries:
            # For example `{{title}}`, which was not meant to be a mapping.
            return BrokenNode(self._name, mark.line + 1, mark.column + 1)
        return converted

    def _refuse_property(self, mark: yaml.Mark) -> bool:
        """Report a tag or an anchor; return True for a tag."""
        if self._text[mark.index] == _TAG:
            suggestion = "Delete the word that starts with `!`, or put the whole text in quotes."
            self._report(FaultCode.YAML_TAG, mark, "YAML tags are not supported", suggestion)
            return True
        suggestion = "Write the value out each time. If it is a text that starts with `&`, put it in quotes."
        self._report(FaultCode.YAML_ANCHOR, mark, "YAML anchors and aliases are not supported", suggestion)
        return False

    def _refuse_key(self, mark: yaml.Mark) -> None:
        opening = self._text[mark.index]
        suggestion = f"If this is a text that starts with `{opening}`, put it in quotes."
        if opening not in "{[":
            suggestion = "Write a text before the colon."
        self._report(
            FaultCode.KEY_NOT_TEXT, mark, "a key must be a text, not a list or a mapping", suggestion
        )

    def _refuse_number(self, mark: yaml.Mark) -> BrokenNode:
        self._report(
            FaultCode.BAD_NUMBER,
            mark,
            "a number must be finite and between -9007199254740991 and 9007199254740991",
            "Write a smaller number, or put it in quotes if it is a text.",
        )
        return BrokenNode(self._name, mark.line + 1, mark.column + 1)

    def _refuse_escape(self, mark: yaml.Mark) -> BrokenNode:
        self._report(
            FaultCode.CONTROL_CHARACTER,
            mark,
            "an escape in this text stands for a character that is not allowed",
            "Delete the escape.",
        )
        return BrokenNode(self._name, mark.line + 1, mark.column + 1)

    def _report(self, code: FaultCode, mark: yaml.Mark, message: str, suggestion: str) -> None:
        self._desk.report(code, SourcePlace(self._name, mark.line + 1, mark.column + 1), message, suggestion)
