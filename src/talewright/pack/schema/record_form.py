"""The record form: mappings with known fields, declared as dataclasses whose fields have forms.

The class name without `Source` is the record's name in the published JSON Schema.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final, Generic, TypeVar, cast, dataclass_transform

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import MapNode, Node, ScalarNode, shorten
from talewright.pack.files.yaml_slips import explain_key, explain_scalar, name_before_colon
from talewright.pack.schema.field_synonyms import find_meant_field
from talewright.pack.schema.scalar_forms import Form, Schema, Shared, UnreadableError, refuse

T = TypeVar("T")
S = TypeVar("S", bound="SourceRecord")
D = TypeVar("D")

_FORM: Final = "form"
_NONE: Final = frozenset[str]()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """The values of one mapping."""

    node: MapNode = field(repr=False, compare=False)
    """The mapping it was read from."""

    broken: frozenset[str] = field(default=_NONE, repr=False, compare=False)
    """Fields with a reported fault, including misspelt ones; checks across fields skip them."""

    def place(self, name: str) -> SourcePlace:
        """The place of a field's value; that of the record if the field is absent."""
        return self.node.value_place(name)


@frozen
class _Part:
    """One field of a record."""

    attribute: str
    name: str
    """As authors write it."""

    form: Form[object]
    description: str
    required: bool
    default: object


def needs(form: Form[T], description: str, name: str = "") -> T:
    """Declare a required field; `name` is how authors write it if that is a Python keyword."""
    return cast(T, field(metadata={_FORM: (name, form, description, True, None)}))


def takes(form: Form[T], default: D, description: str, name: str = "") -> T | D:
    """Declare an optional field and its default."""
    metadata = {_FORM: (name, form, description, False, default)}
    return cast(T, field(default_factory=lambda: default, metadata=metadata))


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(needs, takes))
def source(record: type[S]) -> type[S]:
    """Turn the declaration of a record into a dataclass."""
    # Records are never compared or printed, and creating these classes delays every command.
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)(record)


class SourceRecordForm(Generic[S]):
    """The form of a mapping with known fields."""

    def __init__(
        self,
        record: type[S],
        noun: str,
        *,
        called: str = "",
        check: Callable[[S, FaultList], None] | None = None,
        extra: Schema | None = None,
    ) -> None:
        """`called` names one of many such records; without it, messages use the name of the field."""
        self.expects = f"a mapping with {noun}"
        self._called = called
        self._name = record.__name__.removesuffix("Source")
        self._make: Callable[..., S] = record
        self._check = check
        self._extra = extra or {}
        self._parts = tuple(
            _Part(part.name, part.metadata[_FORM][0] or part.name, *part.metadata[_FORM][1:])
            for part in fields(record)
            if _FORM in part.metadata
        )
        self.names = tuple(part.name for part in self._parts)

    def read(self, node: Node, fault_list: FaultList, name: str) -> S:
        if not isinstance(node, MapNode):
            refuse(node, fault_list, name, self.expects, explain_scalar(node, self.names))
        values: dict[str, object] = {}
        broken: list[str] = []
        lost: list[_Part] = []
        known = 0
        stumbles = fault_list.stumbles
        for part in self._parts:
            inner = node.entries.get(part.name)
            if inner is None:
                values[part.attribute] = part.default
                if part.required:
                    lost.append(part)
                continue
            known += 1
            try:
                values[part.attribute] = part.form.read(inner, fault_list, part.name)
            except UnreadableError:
                fault_list.stumbles += 1
                values[part.attribute] = part.default
                if part.required:
                    lost.append(part)
            if fault_list.stumbles != stumbles:
                broken.append(part.name)
                stumbles = fault_list.stumbles
        if lost or known < len(node.entries):
            broken += self._report_fields(node, fault_list, name, lost)
            stumbles = fault_list.stumbles
        record = self._make(node=node, broken=frozenset(broken), **values)
        if self._check and not broken:
            self._check(record, fault_list)
            if fault_list.stumbles != stumbles:
                raise UnreadableError
        return record

    def schema(self, shared: Shared) -> Schema:
        if self._name not in shared:
            shared[self._name] = {}
            properties = {part.name: _field_schema(part, shared) for part in self._parts}
            schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
            required = [part.name for part in self._parts if part.required]
            if required:
                schema["required"] = required
            shared[self._name] = {**schema, **self._extra}
        return {"$ref": f"#/$defs/{self._name}"}

    def _report_fields(self, node: MapNode, fault_list: FaultList, name: str, lost: list[_Part]) -> list[str]:
        """Report unknown and missing fields; return the fields that unknown ones probably stand for."""
        guesses: list[str] = []
        missing = {part.name: part for part in lost if part.name not in node.entries}
        title = self._title(node, name)
        # If no key resembles the only field there is, reporting that field as missing is enough.
        alone = len(self._parts) == 1 and not any(nearest(key, missing) for key in node.entries)
        for key in node.entries:
            if key in self.names or (alone and missing):
                continue
            message = f"{title} has no field `{shorten(key)}`"
            meant, suggestion = self._suggest_field(node, key, missing, fault_list)
            if meant in node.entries:
                suggestion, meant = f"Delete it; `{meant}` is already there.", ""
            fault_list.report(FaultCode.UNKNOWN_FIELD, node.key_place(key), message, suggestion)
            missing.pop(meant, None)
            guesses += [meant] if meant else []
        if missing:
            noun = "field" if len(missing) == 1 else "fields"
            message = f"{title} is missing the {noun} {' and '.join(f'`{one}`' for one in missing)}"
            added = " and ".join(f"`{part.name}:` with {part.form.expects}" for part in missing.values())
            fault_list.report(FaultCode.MISSING_FIELD, node.place, message, f"Add {added}.")
        if lost:
            raise UnreadableError
        return guesses

    def _suggest_field(
        self, node: MapNode, key: str, missing: Mapping[str, _Part], fault_list: FaultList
    ) -> tuple[str, str]:
        """The field that an unknown one probably stands for, if any, and what to write."""
        if fault_list.full:
            return "", ""
        slip = explain_key(node, key, self.names)
        if slip:
            return name_before_colon(key), slip
        free = [name for name in self.names if name not in node.entries]
        foreign = find_meant_field(key, missing, free)
        meant = foreign or nearest(key, missing) or nearest(key, self.names)
        return meant, f"Write `{meant}`." if meant else fault_list.suggest(key, self.names, "fields")

    def _title(self, node: MapNode, name: str) -> str:
        """The name of the record in messages."""
        if not self._called:
            return f"`{name}`"
        written = node.entries.get("id")
        if isinstance(written, ScalarNode) and written.text:
            return f"the {self._called} `{shorten(written.text)}`"
        return f"this {self._called}"


def _field_schema(part: _Part, shared: Shared) -> Schema:
    schema: Schema = {**part.form.schema(shared), "description": part.description}
    if not part.required and isinstance(part.default, bool | int | float | str):
        schema["default"] = str(part.default) if isinstance(part.default, str) else part.default
    return schema
