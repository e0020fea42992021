"""Tool calling: what an MCP tool is, how its arguments are checked, and what it answers.

It knows neither the protocol nor a particular tool. `protocol_server` turns rows and answers into messages.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field
from typing import Protocol, TypeAlias

from talewright.common.argument_messages import complain
from talewright.common.frozen_values import frozen
from talewright.common.json_schema import read_schema
from talewright.common.json_values import Json
from talewright.play.campaign_view import DecisionView, View
from talewright.play.master_desk import MASTER_OPERATION_LENGTH_MAX

JsonObject: TypeAlias = Mapping[str, Json]

CAMPAIGN = "campaign"
TURN = "turn"
"""Arguments that name what a call is about, since nothing depends on a connection.

Both may be left out where only one is meant.
"""

OPERATION = "operation_id"

NAME_LENGTH_MAX = 200


def text(description: str = "", **bounds: Json) -> JsonObject:
    """The schema of a text."""
    return _described({"type": "string", **bounds}, description)


def number(description: str = "", **bounds: Json) -> JsonObject:
    """The schema of a whole number."""
    return _described({"type": "integer", **bounds}, description)


def flag(description: str = "") -> JsonObject:
    """The schema of true or false."""
    return _described({"type": "boolean"}, description)


def each(items: JsonObject, description: str = "", **bounds: Json) -> JsonObject:
    """The schema of a list."""
    return _described({"type": "array", "items": items, **bounds}, description)


def record(members: Mapping[str, JsonObject], *optional: str, description: str = "") -> JsonObject:
    """The schema of an object with these members and no others."""
    required = [name for name in members if name not in optional]
    schema: dict[str, Json] = {"type": "object", "properties": dict(members), "additionalProperties": False}
    return _described(schema | ({"required": required} if required else {}), description)


def _described(schema: dict[str, Json], description: str) -> JsonObject:
    return schema | ({"description": description} if description else {})


CAMPAIGN_TEXT = text()
TURN_TEXT = text()
OPERATION_TEXT = text(
    "A new id of yours, to call again with if no answer came.",
    maxLength=MASTER_OPERATION_LENGTH_MAX,
    minLength=1,
)


@frozen
class UserAnswer:
    """How the client's user answered a decision."""

    option: str
    note: str = ""


class UserQuestion(Protocol):
    """Puts a decision to the client's user, past the assistant."""

    @property
    def can_ask(self) -> bool:
        """Whether the client shows questions to its user."""

    async def __call__(self, decision: DecisionView, head: str) -> UserAnswer | None:
        """The user's answer; None if the client cannot ask, or the user does not want to answer now."""


@frozen
class ToolRequest:
    """One call of a tool, with checked arguments."""

    arguments: JsonObject
    ask: UserQuestion
    has_table: bool = False
    """Whether the client shows the table, where the player answers decisions."""

    def text(self, name: str) -> str:
        """A text argument; empty if it was left out."""
        return str(self.arguments.get(name) or "")


@frozen
class ToolAnswer:
    """What a tool answers."""

    data: JsonObject
    refused: bool = False
    """Whether nothing was done; `data` then holds an error that says what would be accepted."""

    table: View | None = None
    """The player's view, for a client that draws it."""


def refuse(code: str, message: str, hint: str = "") -> ToolAnswer:
    """An answer that says what is wrong and what to do."""
    return ToolAnswer({"error": {"code": code, "message": message, "hint": hint}}, refused=True)


@frozen
class ToolDescription:
    """One row: a tool as the client sees it, and what it does."""

    name: str
    title: str
    description: str
    arguments: JsonObject
    """JSON Schema of the arguments."""

    output: JsonObject
    """JSON Schema of the answer."""

    run: Callable[[ToolRequest], Awaitable[ToolAnswer]]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    hidden: bool = True
    """Whether the answer may contain what only a narrator may know."""

    draws: bool = False
    """Whether clients with MCP Apps draw the table for it. The frame gets arguments and answer, so neither
    may hold anything hidden.
    """

    only_draws: bool = False
    """Whether other clients do not get it."""

    only_told: bool = False
    """Whether it is left out of the list where the table is drawn, which shows the same."""

    for_app: bool = False
    """Whether only the table calls it, and no assistant is shown it."""

    checks_itself: tuple[str, ...] = field(default=())
    """If set, only these arguments are checked here, and the engine checks the others."""


def normalize(value: Json) -> Json:
    """Arguments as the engine reads numbers: `2.0` is the whole number 2."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: normalize(inner) for name, inner in value.items()}
    return [normalize(inner) for inner in value] if isinstance(value, list) else value


class ArgumentCheck:
    """Checks the arguments of one tool; its schema is read once."""

    def __init__(self, tool: ToolDescription) -> None:
        self._name = tool.name
        self._members = tool.checks_itself
        wanted = record({name: text() for name in tool.checks_itself}, *tool.checks_itself)
        self._schema = read_schema(wanted if tool.checks_itself else tool.arguments)

    def complain(self, arguments: JsonObject) -> str:
        """What is wrong with arguments, and what would be accepted; empty if nothing is."""
        given = dict(arguments)
        if self._members:
            given = {name: given[name] for name in self._members if name in given}
        return complain(given, self._schema, self._name)
