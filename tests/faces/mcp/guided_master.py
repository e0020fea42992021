"""A guided game master: an MCP client that knows only what the server sends.

It finds tools by words of their descriptions, fills in arguments from their schemas, passes on what results
have named, and corrects refused calls with what the refusal says. A script gives it the player's words, and
what they mean: which kind of tool a turn calls for.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator
from mcp import Client

MIDDLING = 10
"""A score that is neither high nor low in most rulebooks."""

ABOUT = frozenset({"campaign", "turn"})
"""What results name for later calls."""

CORRECTIONS_MAX = 8
"""How often a call is corrected before the client gives up."""

_EXAMPLE = re.compile(r"such as ([^,.]+?)(?: or [^,.]+)?[,.]")
_LEADING_NUMBER = re.compile(r"(\d+)\b")
_TRUE = re.compile(r"(\w+): true")
_QUOTED = re.compile(r"`([^`]+)`")
_SCHEMA = re.compile(r"the answer to '(?P<id>\w+)': .* JSON Schema: (?P<schema>\{.*\})", re.DOTALL)
_SAID = re.compile(r'"([^"]+)"')
_COUNTED = re.compile(r"`(\w+)` is [^;]*?(\d+); not \d+")
_MISSING = re.compile(r"; ([\w, ]+) (?:are|is) missing")
_LIKE = re.compile(r"Write it like ([^, ]+),")
_UNKNOWN = re.compile(r"there is no (\w+) ['\"]")
_LISTED = re.compile(r"there (?:is|are) (?!no )([^;.]+)")


class LostError(AssertionError):
    """The server did not say enough to continue."""


@dataclass
class Refused(Exception):
    """A call was refused, in words."""

    words: str


@dataclass
class GuidedMaster:
    """The game master of one campaign."""

    client: Client
    known: dict[str, Any] = field(default_factory=dict)
    """What results have named, such as the campaign and the open turn, for later calls."""

    tools: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Schemas of the arguments, by tool, as the server lists them."""

    about: dict[str, str] = field(default_factory=dict)
    """Descriptions by tool; those of the game are described too."""

    of_game: set[str] = field(default_factory=set)
    """Tools that are called with another one."""

    handed_in: dict[str, Any] = field(default_factory=dict)
    """What the next call of a game's tool has besides its own arguments."""

    numbered: int = 0
    refusals: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """The tools that were called in this turn."""

    async def read_tools(self) -> None:
        """Read which tools there are."""
        for tool in (await self.client.list_tools()).tools:
            self.tools[tool.name], self.about[tool.name] = tool.input_schema, str(tool.description)

    async def read_game_tools(self) -> None:
        """Read the tools of the game, if the server does not list them."""
        if "describe_tools" in self.tools:
            for one in (await self.call("describe_tools"))["tools"]:
                self.tools[one["name"]], self.about[one["name"]] = one["arguments"], one["description"]
                self.of_game.add(one["name"])

    def find(self, words: str) -> str:
        """The tool whose description has these words."""
        found = [name for name, told in self.about.items() if words in told]
        if len(found) != 1:
            raise LostError(f"{len(found)} tools are described with {words!r}: {found}")
        return found[0]

    async def call(self, tool: str, **given: Any) -> Any:
        """Call a tool, with whatever else it needs; raises Refused."""
        arguments = self._complete(tool, given)
        Draft202012Validator(dict(self.tools[tool])).validate(arguments)
        self.calls.append(tool)
        if tool in self.of_game:
            inner = {"tool": tool, "arguments": arguments, **self.handed_in}
            self.handed_in = {}
            tool, arguments = "use_tool", self._complete("use_tool", inner)
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        told = json.loads(str(getattr(content, "text", "")))
        if result.is_error:
            error = told["error"]
            self.refusals.append(f"{error['message']} {error.get('hint', '')}".strip())
            raise Refused(self.refusals[-1])
        for name, value in told.items():
            if isinstance(value, str) and value and name in self._carried():
                self.known[name] = value
        return told

    async def use(self, words: str, **given: Any) -> Any:
        """Call the tool that is described with these words, and correct the call if it is refused."""
        return await self.use_tool(self.find(words), **given)

    async def use_tool(self, tool: str, **given: Any) -> Any:
        """Call a tool of the game, and correct the call if it is refused."""
        for _ in range(CORRECTIONS_MAX):
            try:
                return await self.call(tool, **given)
            except Refused as refused:
                corrected = self._correct(tool, given, refused.words)
                if corrected == given and not self.handed_in:
                    raise
                given = corrected
        raise LostError(f"{tool} was refused too often: {self.refusals[-CORRECTIONS_MAX:]}")

    async def start(self, title: str, language: str = "en") -> None:
        """Start a campaign of the game with a title."""
        await self.read_tools()
        games = (await self.call("list_games"))["games"]
        (game,) = [one["game"] for one in games if one["title"] == title]
        await self.call("start_campaign", game=game, language=language)
        await self.read_game_tools()

    async def read_briefing(self) -> Mapping[str, Any]:
        """What a game master needs before a turn; what was not described yet is read too."""
        briefing: Mapping[str, Any] = await self.call("briefing")
        if not set(briefing["tools"]) <= self.tools.keys():
            await self.read_game_tools()
        return briefing

    async def begin(self, **given: Any) -> Any:
        """Open a turn with what the player says, chooses or decides."""
        self.calls = []
        return await self.call("begin_turn", **given)

    async def finish(self, narration: str, **given: Any) -> Mapping[str, Any]:
        """Narrate the turn; if the rules still demand something, do that first."""
        for _ in range(CORRECTIONS_MAX):
            try:
                done: Mapping[str, Any] = await self.call("finish_turn", narration=narration, **given)
                self.known.pop("turn", None)
                return done
            except Refused as refused:
                wanted = [name for name in self.of_game if re.search(rf"\b{name}\b", refused.words)]
                if not wanted:
                    raise
                await self.use_tool(wanted[0])
        raise LostError(f"the turn could not be finished: {self.refusals[-CORRECTIONS_MAX:]}")

    def _carried(self) -> set[str]:
        """Arguments that say what a call is about, if a tool takes them."""
        return {name for schema in self.tools.values() for name in schema["properties"]} & ABOUT

    def _complete(self, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with everything that the schema requires, and nothing that it does not have."""
        schema = self.tools[tool]
        members: Mapping[str, Any] = schema["properties"]
        arguments = {name: value for name, value in given.items() if name in members}
        for name in schema.get("required", ()):
            if name not in arguments:
                arguments[name] = self._make(name, members[name])
        for name in ABOUT:
            if name in members and name in self.known:
                arguments.setdefault(name, self.known[name])
        return arguments

    def _make(self, name: str, schema: Mapping[str, Any]) -> Any:
        """A value that a schema accepts, as far as it says."""
        if name in self.known:
            return self.known[name]
        if "enum" in schema:
            return schema["enum"][0]
        if "anyOf" in schema:
            return None if {"type": "null"} in schema["anyOf"] else self._make(name, schema["anyOf"][0])
        told = str(schema.get("description", ""))
        kind = schema.get("type", "string")
        match kind if isinstance(kind, str) else kind[0]:
            case "integer" | "number":
                said = _LEADING_NUMBER.match(told)
                return int(said[1]) if said else max(1, schema.get("minimum", 1))
            case "boolean":
                return True
            case "array":
                items = schema.get("items", {})
                return [self._make(name, items)] if items.get("type") == "object" else []
            case "object":
                inner = schema.get("properties", {})
                return {one: self._make(one, inner[one]) for one in schema.get("required", ())}
            case _:
                self.numbered += 1
                example = _EXAMPLE.search(told)
                if example is None:
                    return f"{name.replace('_', ' ')} {self.numbered}"
                word = example[1].strip("`")
                return word if any(mark.isdigit() for mark in word) else f"{word}-{self.numbered}"

    def _correct(self, tool: str, given: Mapping[str, Any], words: str) -> dict[str, Any]:
        """Arguments as a refusal says that they would be accepted."""
        members: Mapping[str, Any] = self.tools[tool]["properties"]
        corrected = dict(given)
        asked, place = _SCHEMA.search(words), re.search(r"`(\w+)` too", words)
        if asked and place:
            schema, _ = json.JSONDecoder().raw_decode(asked["schema"])
            answer = self._make(asked["id"], schema)
            if said := _SAID.search(words):
                # What the question is about is the best word there is.
                answer |= {name: said[1] for name, value in answer.items() if isinstance(value, str)}
            self.handed_in = {place[1]: {asked["id"]: answer}}
            return corrected
        named = [one for one in _QUOTED.findall(words) if one in members]
        for flag in _TRUE.findall(words):
            if flag in members:
                corrected[flag] = True
        for name in named:
            if f"needs `{name}`" in words and members[name].get("type") == "array":
                corrected[name] = [self._make(name, members[name].get("items", {})) for _ in range(3)]
        for name, number in _COUNTED.findall(words):
            if name in members:
                corrected[name] = int(number)
        if missing := _MISSING.search(words):
            corrected |= self._fill_missing(members, re.split(r", | and ", missing[1]))
        required = self.tools[tool].get("required", ())
        if (like := _LIKE.search(words)) and len(required) == 1:
            corrected[required[0]] = like[1]
        listed = _LISTED.search(words)
        unknown = [one for one in _UNKNOWN.findall(words) if one in members]
        named = [one for one in (*unknown, *named) if members[one].get("type") == "string"]
        if listed and named:
            corrected[named[0]] = re.split(r",| and ", listed[1])[0].strip(" `'\"")
        return corrected

    def _fill_missing(self, members: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """The argument that has members with these names, with a middling number for each."""
        for name, schema in members.items():
            inside = schema.get("properties") or schema.get("propertyNames", {}).get("enum", ())
            if set(names) <= set(inside):
                return {name: dict.fromkeys(inside, MIDDLING)}
        return {}
