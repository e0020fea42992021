"""Container forms: lists, mappings with free keys, and fields that accept more than one shape.

A container continues after a bad element, so that all faults are reported at once.
"""

import re
from collections.abc import Callable
from typing import Generic, TypeVar

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.name_suggestions import nearest
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import (
    BrokenError,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    json_of,
    shorten,
)
from talewright.pack.files.yaml_slips import cut_entries, explain_comma, explain_no_list, explain_scalar
from talewright.pack.schema.scalar_forms import LINE, Form, Schema, Shared, UnreadableError, refuse

T = TypeVar("T")
U = TypeVar("U")


@frozen
class ListForm(Generic[T]):
    """A list whose elements all have the same form."""

    element: Form[T]
    count_max: int = 100
    count_min: int = 0
    noun: str = "texts"
    """What to call the elements, in the plural."""

    @property
    def expects(self) -> str:
        return f"a list of {self.noun}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> tuple[T, ...]:
        if not isinstance(node, ListNode):
            refuse(node, fault_list, name, self.expects, _dashes(node))
        if not self.count_min <= len(node.items) <= self.count_max:
            message = (
                f"`{name}` must have {self.count_min} to {self.count_max} {self.noun}, not {len(node.items)}"
            )
            remedy = f"Add {self.noun}." if len(node.items) < self.count_min else "Remove some."
            fault_list.report(FaultCode.BAD_LENGTH, node.place, message, remedy)
            raise UnreadableError
        read = self.element.read
        values: list[T] = []
        cut = _report_cuts(node, fault_list, name)
        for number, item in enumerate(node.items):
            if number in cut:
                continue
            try:
                values.append(read(item, fault_list, name))
            except UnreadableError:
                fault_list.stumbles += 1
        return tuple(values)

    def schema(self, shared: Shared) -> Schema:
        schema: Schema = {"type": "array", "items": self.element.schema(shared), "maxItems": self.count_max}
        return {**schema, "minItems": self.count_min} if self.count_min else schema


@frozen
class MapForm(Generic[T]):
    """A mapping whose keys the author chooses."""

    value: Form[T]
    count_max: int = 1_000
    key_pattern: str = r".{1,100}"
    """A regular expression for the whole key, valid in both Python and JavaScript."""

    noun: str = "texts"

    @property
    def expects(self) -> str:
        return f"a mapping of names to {self.noun}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> dict[str, T]:
        if not isinstance(node, MapNode):
            refuse(node, fault_list, name, self.expects)
        if len(node.entries) > self.count_max:
            message = f"`{name}` may have at most {self.count_max} {self.noun}, not {len(node.entries)}"
            fault_list.report(FaultCode.BAD_LENGTH, node.place, message, "Remove some.")
            raise UnreadableError
        values: dict[str, T] = {}
        for key, inner in node.entries.items():
            if (remedy := explain_comma(node, key)) and not isinstance(self.value, AnyValueForm):
                message = f"`{name}`: an unquoted comma turned the rest of a text into a key"
                fault_list.report(FaultCode.COMMA_IN_LIST, node.key_place(key), message, remedy)
                continue
            if not re.fullmatch(self.key_pattern, key):
                message = f'"{shorten(key)}" is not a valid name in `{name}`'
                fault_list.report(FaultCode.BAD_NAME, node.key_place(key), message, self._suggest(key, inner))
                continue
            try:
                values[key] = self.value.read(inner, fault_list, key)
            except UnreadableError:
                fault_list.stumbles += 1
        return values

    def _suggest(self, key: str, inner: Node) -> str:
        """What to write instead of an invalid key; a path is written out as a nested mapping."""
        parts = re.split(r"[./]", key.strip("/"))
        known = all(re.fullmatch(self.key_pattern, part) for part in parts)
        if not isinstance(self.value, AnyValueForm) or len(parts) < 2 or not known:
            return "Use ASCII letters, digits and _."
        value = shorten(inner.text) if isinstance(inner, ScalarNode) else "..."
        laid_out = "".join(f"{{{part}: " for part in parts[1:]) + value + "}" * (len(parts) - 1)
        return f"Write `{parts[0]}: {laid_out}`, with all members of the variable together."

    def schema(self, shared: Shared) -> Schema:
        return {
            "type": "object",
            "additionalProperties": self.value.schema(shared),
            "propertyNames": {"pattern": f"^(?:{self.key_pattern})$"},
            "maxProperties": self.count_max,
        }


@frozen
class ListOrOtherForm(Generic[T, U]):
    """A list, or something else."""

    listing: Form[T]
    other: Form[U]

    @property
    def expects(self) -> str:
        return f"{self.other.expects} or {self.listing.expects}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> T | U:
        if isinstance(node, ListNode):
            return self.listing.read(node, fault_list, name)
        return self.other.read(node, fault_list, name)

    def schema(self, shared: Shared) -> Schema:
        return {"anyOf": [self.other.schema(shared), self.listing.schema(shared)]}


@frozen
class MarkedOrOtherForm(Generic[T, U]):
    """A mapping of one of two kinds; the first is recognized by its `marks`, fields that only it has."""

    marks: tuple[str, ...]
    marked: Form[T]
    other: Form[U]

    @property
    def expects(self) -> str:
        return f"{self.other.expects}, or {self.marked.expects}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> T | U:
        if not isinstance(node, MapNode):
            refuse(node, fault_list, name, self.expects, explain_scalar(node, self.names))
        return (self.marked if self._is_marked(node) else self.other).read(node, fault_list, name)

    def schema(self, shared: Shared) -> Schema:
        return {
            "if": {"anyOf": [{"required": [mark]} for mark in self.marks]},
            "then": self.marked.schema(shared),
            "else": self.other.schema(shared),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of both kinds; none for a kind whose keys the author chooses."""
        return (*getattr(self.marked, "names", ()), *getattr(self.other, "names", ()))

    def _is_marked(self, node: MapNode) -> bool:
        if any(mark in node.entries for mark in self.marks):
            return True
        # An unknown field may be a misspelt mark; the marked kind can then report it.
        known = self.names
        return bool(known) and any(nearest(key, self.marks) for key in node.entries if key not in known)


@frozen
class LateForm(Generic[T]):
    """A form that is looked up when it is used, so that a form can contain itself."""

    form: Callable[[], Form[T]]

    @property
    def expects(self) -> str:
        return self.form().expects

    def read(self, node: Node, fault_list: FaultList, name: str) -> T:
        return self.form().read(node, fault_list, name)

    def schema(self, shared: Shared) -> Schema:
        return self.form().schema(shared)


@frozen
class AnyValueForm:
    """Any value; its slot checks it later."""

    expects: str = "a value"

    def read(self, node: Node, fault_list: FaultList, name: str) -> Json:
        try:
            return json_of(node)
        except BrokenError:
            raise UnreadableError from None

    def schema(self, shared: Shared) -> Schema:
        return {}


def _report_cuts(node: ListNode, fault_list: FaultList, name: str) -> set[int]:
    """Report texts that an unquoted comma splits; return the indexes of their parts."""
    cut: set[int] = set()
    for first, last, meant in cut_entries(node):
        message = f"`{name}`: an unquoted comma splits this entry in two"
        quotes = "'" if '"' in meant else '"'
        remedy = f"Put the whole entry in quotes: {quotes}{shorten(meant)}{quotes}."
        fault_list.report(FaultCode.COMMA_IN_LIST, node.items[first].place, message, remedy)
        cut.update(range(first, last + 1))
    return cut


def _dashes(node: Node) -> str:
    if remedy := explain_no_list(node):
        return remedy
    if isinstance(node, ScalarNode) and node.value is not None:
        return f"Write it as a list: [{shorten(node.text)}]."
    return "Start each entry with `- `." if isinstance(node, MapNode) else "Write [] for an empty list."


LINES = ListForm(LINE)
