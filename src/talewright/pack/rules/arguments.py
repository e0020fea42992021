"""Arguments checked: what an author hands to a system's tool, held against the JSON Schema of the tool.

Only the words of JSON Schema that tools use are understood: type, properties, required, enum, minimum,
maximum, items and additionalProperties. Whatever else a schema asks for, the system judges in play.
"""

from collections.abc import Mapping, Sequence

from talewright.common.name_suggestions import listed, nearest
from talewright.kernel.state.documents import Json, equal
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import BrokenNode, ListNode, MapNode, Node, ScalarNode, describe, shorten

_NOUNS = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def check_arguments(schema: Json, node: Node, name: str, desk: Desk, under: str = "with") -> None:
    """Tell what of a value does not fit a schema; messages call it `name`; it stands under `under`."""
    if isinstance(node, BrokenNode) or not isinstance(schema, Mapping):
        return
    if not _fits_type(schema.get("type"), node):
        expected = " or ".join(_NOUNS.get(str(kind), str(kind)) for kind in _each(schema["type"]))
        message = f"`{name}`: expected {expected}, found {describe(node)}"
        desk.report(Code.WRONG_TYPE, node.place, message, f"Write {expected}.")
    elif isinstance(node, MapNode):
        _check_members(schema, node, name, desk, under)
    elif isinstance(node, ListNode):
        for item in node.items:
            check_arguments(schema.get("items"), item, name, desk, under)
    else:
        _check_scalar(schema, node, name, desk)


def _fits_type(wanted: Json, node: Node) -> bool:
    kinds = _kinds_of(node)
    return wanted is None or any(kind in kinds for kind in _each(wanted))


def _kinds_of(node: Node) -> tuple[str, ...]:
    """The names that JSON Schema has for a value."""
    match node:
        case MapNode():
            return ("object",)
        case ListNode():
            return ("array",)
        case ScalarNode(value=bool()):
            return ("boolean",)
        case ScalarNode(value=int()):
            return ("integer", "number")
        case ScalarNode(value=float()):
            return ("number",)
        case ScalarNode(value=str()):
            return ("string",)
        case _:
            return ("null",)


def _check_scalar(schema: Mapping[str, Json], node: ScalarNode, name: str, desk: Desk) -> None:
    value = node.value
    words = schema.get("enum")
    if isinstance(words, Sequence) and not any(equal(word, value) for word in words):
        known = [str(word) for word in words]
        message = f"`{name}`: expected one of {listed(known)}, found {describe(node)}"
        desk.report(Code.NOT_ONE_OF, node.place, message, desk.suggest(node.text, known, "words"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(low, int | float) and value < low:
        message = f"`{name}` is {low} or more, not {node.text}"
        desk.report(Code.OUT_OF_RANGE, node.place, message, f"Write {low} or more.")
    if isinstance(high, int | float) and value > high:
        message = f"`{name}` is {high} or less, not {node.text}"
        desk.report(Code.OUT_OF_RANGE, node.place, message, f"Write {high} or less.")


def _check_members(schema: Mapping[str, Json], node: MapNode, name: str, desk: Desk, under: str) -> None:
    fields = schema.get("properties")
    known = fields if isinstance(fields, Mapping) else {}
    further = schema.get("additionalProperties")
    missing = [str(field) for field in _each(schema.get("required")) if field not in node.entries]
    for key, inner in node.entries.items():
        if key in known:
            check_arguments(known[key], inner, key, desk, key)
        elif further is False:
            # A misspelt name is told once, and not as a missing one besides.
            meant = nearest(key, missing)
            missing = [field for field in missing if field != meant]
            suggestion = f"Write `{meant}`." if meant else desk.suggest(key, list(known), "arguments")
            message = f"`{name}` takes no `{shorten(key)}`"
            desk.report(Code.UNKNOWN_FIELD, node.key_place(key), message, suggestion)
        else:
            check_arguments(further, inner, key, desk, key)
    if missing:
        named = " and ".join(f"`{field}`" for field in missing)
        suggestion = f"Add {named} under `{under}`."
        desk.report(Code.MISSING_FIELD, node.place, f"`{name}` needs {named}", suggestion)


def _each(value: Json) -> Sequence[Json]:
    """One value or several, as several."""
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)
