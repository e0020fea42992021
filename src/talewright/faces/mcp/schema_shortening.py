"""Schema shortening: tool schemas as an assistant reads them before every conversation.

Only what a caller cannot guess is listed, and only once in the whole list. The engine checks every argument
against the full schema and says what it accepts, so a shortened one may allow more, but never less.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from talewright.common.json_values import Json
from talewright.faces.mcp.tool_calling import JsonObject

UNLISTED = frozenset({"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"})
"""Bounds that only matter to a caller who exceeds them."""

EVERY_TYPE = frozenset({"string", "number", "boolean", "null", "object", "array"})

DESCRIBED_DEPTH = 1
"""How deep members are described; further inside, their names say enough."""

TOLD_LENGTH_MIN = 41
"""Characters of a description; a shorter one says no more than the name."""

LISTED_LENGTH_MIN = 25
"""Characters of a list of words that is not repeated."""

ALIKE_MIN = 3
"""Members with the same schema that are listed by their names alone."""

RESULT_KEYWORDS = frozenset({"type", "additionalProperties"})
"""What is listed of the schema of a result besides its members: which of them are required, nobody asks."""

SPELLED_OUT_LENGTH_MIN = 50
"""Characters of a member's schema that is not repeated under the same name."""


class SchemaShortening:
    """Shortens the schemas of one list of tools, in its order."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()
        """Members, with a description or a whole schema that an earlier tool has."""

        self._returned: set[tuple[str, str]] = set()
        """The same for results."""

        self._members: set[str] = set()
        """Members that an earlier tool has, under any schema."""

        self._listed: set[str] = set()
        """Words that an earlier schema lists, as in a sentence."""

    def shorten(self, schema: JsonObject, description: str) -> JsonObject:
        """A schema that accepts everything the given one does, in fewer words, for a tool so described."""
        members = cast(Mapping[str, JsonObject], schema.get("properties", {}))
        short = {name: self._describe(name, _shorten(one, 1), description) for name, one in members.items()}
        listed: dict[str, Json] = {"type": "object", "properties": short}
        required = schema.get("required")
        return {**listed, "required": required} if required else listed

    def cut_lists(self, description: str) -> str:
        """The description of a tool without words that an earlier schema lists."""
        for words in self._listed:
            description = description.replace(f": {words}", "")
        return description

    def shorten_result(self, schema: JsonObject, name: str = "") -> JsonObject:
        """The schema of a result without what an earlier tool has spelled out under the same name."""
        short = {keyword: value for keyword, value in schema.items() if keyword in RESULT_KEYWORDS}
        described = (name, str(schema.get("description", "")))
        if "description" in schema and described not in self._returned:
            short["description"] = schema["description"]
            self._returned.add(described)
        spelled = (name, json.dumps({**schema, "description": ""}))
        if len(spelled[1]) >= SPELLED_OUT_LENGTH_MIN and name:
            if spelled in self._returned:
                return {"type": schema["type"]}
            self._returned.add(spelled)
        if isinstance(members := schema.get("properties"), Mapping):
            inside = {key: self.shorten_result(cast(JsonObject, one), key) for key, one in members.items()}
            short["properties"] = inside
        if isinstance(items := schema.get("items"), Mapping):
            short["items"] = self.shorten_result(items)
        return short

    def _describe(self, name: str, member: JsonObject, description: str) -> Json:
        told = str(member.get("description", ""))
        short = {keyword: value for keyword, value in member.items() if keyword != "description"}
        spelled = json.dumps(short)
        if len(spelled) >= SPELLED_OUT_LENGTH_MIN and not self._is_new(name, spelled):
            # Some clients refuse lists without a word about their elements.
            bare = {"type": short.get("type"), "items": {} if "array" in str(short.get("type")) else None}
            short = {keyword: value for keyword, value in bare.items() if value is not None}
        short = cast(dict[str, Json], self._drop_listed(short))
        members = short.get("properties")
        if isinstance(members, Mapping):
            inside = {key: self._describe(key, cast(JsonObject, one), "") for key, one in members.items()}
            short = self._name_members({**short, "properties": inside})
        self._members.add(name)
        told = _cut_list(told, description, member.get("enum"))
        says_more = len(told) >= TOLD_LENGTH_MIN and not _only_asks(member, told)
        return short | ({"description": told} if says_more and self._is_new("", told) else {})

    def _name_members(self, schema: dict[str, Json]) -> dict[str, Json]:
        """An object by the names of its members, if earlier tools have most of them."""
        names = list(cast(JsonObject, schema["properties"]))
        known = len(self._members.intersection(names))
        if "required" in schema or len(names) < ALIKE_MIN or known * 2 <= len(names):
            self._members.update(names)
            return schema
        rest = {keyword: value for keyword, value in schema.items() if keyword != "properties"}
        return {**rest, "propertyNames": {"enum": cast(Json, names)}}

    def _drop_listed(self, schema: Json) -> Json:
        """A schema without lists of words that an earlier one has."""
        if isinstance(schema, list):
            return [self._drop_listed(one) for one in schema]
        if not isinstance(schema, Mapping):
            return schema
        words = ", ".join(map(str, cast(Sequence[Json], schema.get("enum", ()))))
        known = len(words) >= LISTED_LENGTH_MIN and words in self._listed
        self._listed |= {words} if len(words) >= LISTED_LENGTH_MIN else set()
        kept = {key: self._drop_listed(one) for key, one in schema.items() if not (known and key == "enum")}
        return {key: one for key, one in kept.items() if not (key == "propertyNames" and one == {})}

    def _is_new(self, name: str, what: str) -> bool:
        new = (name, what) not in self._told
        self._told.add((name, what))
        return new


def _shorten(schema: JsonObject, depth: int) -> JsonObject:
    short: dict[str, Json] = {}
    for keyword, value in schema.items():
        if keyword in UNLISTED or (keyword == "additionalProperties" and value is False):
            continue
        if keyword == "description" and (depth > DESCRIBED_DEPTH or _repeats_words(schema)):
            continue
        if keyword == "anyOf" and _find_types(value) == EVERY_TYPE:
            continue
        if keyword == "items" and isinstance(value, Mapping) and isinstance(value.get("type"), list):
            # Elements of several types are told apart by the description, if at all.
            short[keyword] = {}
            continue
        short[keyword] = _shorten_part(keyword, value, depth)
    return _list_alike(short)


def _shorten_part(keyword: str, value: Json, depth: int) -> Json:
    if keyword == "properties" and isinstance(value, Mapping):
        return {name: _shorten(cast(JsonObject, inner), depth + 1) for name, inner in value.items()}
    if isinstance(value, Mapping):
        return _shorten(value, depth + 1)
    if keyword == "anyOf" and isinstance(value, Sequence):
        return [_shorten(cast(JsonObject, inner), depth + 1) for inner in value]
    return value


def _find_types(branches: Json) -> set[Json]:
    """The types that are accepted in any case."""
    each = cast(Sequence[JsonObject], branches)
    return {branch.get("type") for branch in each if set(branch) <= {"type", "items"}}


def _only_asks(member: JsonObject, told: str) -> bool:
    """Whether a description only turns the name of something true or false into a question."""
    return member.get("type") == "boolean" and ";" not in told


def _cut_list(told: str, description: str, words: Json) -> str:
    """A description without a list of words that already appears elsewhere."""
    about, colon, tail = told.partition(": ")
    listed = isinstance(words, list) and all(str(word) in tail for word in words)
    return f"{about}." if colon and (listed or tail.rstrip(".") in description) else told


def _repeats_words(schema: JsonObject) -> bool:
    """Whether a description only lists the words that are allowed."""
    words, told = schema.get("enum"), str(schema.get("description", ""))
    return isinstance(words, list) and told == f"One of {', '.join(str(word) for word in words)}."


def _list_alike(schema: dict[str, Json]) -> JsonObject:
    """Members that are all alike, by their names."""
    members = schema.get("properties")
    if not isinstance(members, Mapping) or len(members) < ALIKE_MIN or "required" in schema:
        return schema
    first, *others = members.values()
    if any(other != first for other in others):
        return schema
    rest = {keyword: value for keyword, value in schema.items() if keyword != "properties"}
    return {**rest, "propertyNames": {"enum": list(members)}, "additionalProperties": first}
