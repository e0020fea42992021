"""Container forms: lists, mappings with free keys, and places that take more than one shape.

A container goes on after a bad element, so that all of them are told at once.
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
    """A list of which every element has one form."""

    element: Form[T]
    count_max: int = 100
    count_min: int = 0
    noun: str = "texts"
    """What the elements are, in the plural."""

    @property
    def expects(self) -> str:
        return f"a list of {self.noun}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> tuple[T, ...]:
        if not isinstance(node, ListNode):
            refuse(node, fault_list, name, self.expects, _dashes(node))
        if not self.count_min <= len(node.items) <= self.count_max:
            message = (
                f"`{name}` holds {self.count_min} to {self.count_max} {self.noun}, not {len(node.items)}"
            )
            remedy = "Add what is missing." if len(node.items) < self.count_min else "Take some out."
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
    """A regular expression that a whole key must match; the same in Python and in JavaScript."""

    noun: str = "texts"

    @property
    def expects(self) -> str:
        return f"a mapping of names to {self.noun}"

    def read(self, node: Node, fault_list: FaultList, name: str) -> dict[str, T]:
        if not isinstance(node, MapNode):
            refuse(node, fault_list, name, self.expects)
        if len(node.entries) > self.count_max:
            message = f"`{name}` holds at most {self.count_max} {self.noun}, not {len(node.entries)}"
            fault_list.report(FaultCode.BAD_LENGTH, node.place, message, "Take some out.")
            raise UnreadableError
        values: dict[str, T] = {}
        for key, inner in node.entries.items():
            if (remedy := explain_comma(node, key)) and not isinstance(self.value, AnyValueForm):
                message = f"`{name}`: a comma without quotes has made a key of the rest of a text"
                fault_list.report(FaultCode.COMMA_IN_LIST, node.key_place(key), message, remedy)
                continue
            if not re.fullmatch(self.key_pattern, key):
                message = f'"{shorten(key)}" is no name that can stand in `{name}`'
                fault_list.report(FaultCode.BAD_NAME, node.key_place(key), message, self._suggest(key, inner))
                continue
            try:
                values[key] = self.value.read(inner, fault_list, key)
            except UnreadableError:
                fault_list.stumbles += 1
        return values

    def _suggest(self, key: str, inner: Node) -> str:
        """What to write instead of a key that is none; a path where any value may stand is laid out."""
        parts = re.split(r"[./]", key.strip("/"))
        known = all(re.fullmatch(self.key_pattern, part) for part in parts)
        if not isinstance(self.value, AnyValueForm) or len(parts) < 2 or not known:
            return "Write ASCII letters, digits and _."
        value = shorten(inner.text) if isinstance(inner, ScalarNode) else "..."
        laid_out = "".join(f"{{{part}: " for part in parts[1:]) + value + "}" * (len(parts) - 1)
        return f"Write `{parts[0]}: {laid_out}`, the members of one variable together."

    def schema(self, shared: Shared) -> Schema:
        return {
            "type": "object",
            "additionalProperties": self.value.schema(shared),
            "propertyNames": {"pattern": f"^(?:{self.key_pattern})$"},
            "maxProperties": self.count_max,
        }


@frozen
class ListOrOtherForm(Generic[T, U]):
    """A place that takes a list or something else, told apart by the look of it."""

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
    """A mapping of one of two kinds, told apart by the fields that only the first has."""

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
        """The fields of all kinds; none of a kind whose keys the author chooses."""
        return (*getattr(self.marked, "names", ()), *getattr(self.other, "names", ()))

    def _is_marked(self, node: MapNode) -> bool:
        if any(mark in node.entries for mark in self.marks):
            return True
        # A field that no kind has may be a mark misspelt; then it is the marked kind that can say so.
        known = self.names
        return bool(known) and any(nearest(key, self.marks) for key in node.entries if key not in known)


@frozen
class LateForm(Generic[T]):
    """A form that is named before it stands, so that a form may hold itself."""

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
    """Any value; what it must be is decided by a slot."""

    expects: str = "a value"

    def read(self, node: Node, fault_list: FaultList, name: str) -> Json:
        try:
            return json_of(node)
        except BrokenError:
            raise UnreadableError from None

    def schema(self, shared: Shared) -> Schema:
        return {}


def _report_cuts(node: ListNode, fault_list: FaultList, name: str) -> set[int]:
    """Tell of texts that a bare comma has cut in two; gives the numbers of their parts."""
    cut: set[int] = set()
    for first, last, meant in cut_entries(node):
        message = f"`{name}`: a comma without quotes cuts this entry in two"
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
    return "Begin each entry with `- `." if isinstance(node, MapNode) else "Write [] for an empty list."


LINES = ListForm(LINE)
