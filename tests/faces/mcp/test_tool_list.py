"""The list of tools: short enough to be read before every conversation, and valid JSON Schema 2020-12."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import ListToolsResult

from talewright.common.json_schema import fits, read_schema
from talewright.faces.mcp.schema_shortening import SchemaShortening
from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import LEGACY, ROOT, make_test_server
from tests.faces.mcp.test_table_app import APPS

ALL_GAMES = ""
GAMES = [ALL_GAMES, *sorted(one.parent.name for one in (ROOT / "games").glob("*/game.yaml"))]
LENGTH_MAX, WHOLE_LENGTH_MAX = 12_000, 24_000
"""Characters of `tools/list`: of names, descriptions and arguments, and of everything."""

READ = ("name", "description", "inputSchema")
"""What every client gives its model."""

FREE = frozenset({"result", "results", "answer_schema", "arguments", "errand_answers"})
"""Members that only a system, or its caller, can describe."""


def list_tools(saves: Path, game: str, role: Viewer, *, draws: bool = False) -> ListToolsResult:
    async def run() -> ListToolsResult:
        server = await make_test_server(saves, game, role)
        async with Client(server, mode=LEGACY, extensions=[APPS] if draws else []) as client:
            return await client.list_tools()

    return asyncio.run(run())


def write_compactly(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def walk(schema: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every part of a schema, with the name of its member."""
    yield name, schema
    for inner, part in schema.get("properties", {}).items():
        yield from walk(part, inner)
    for part in schema.get("anyOf", ()):
        yield from walk(part, name)
    if "items" in schema:
        yield from walk(schema["items"], name)


def measure(tools: ListToolsResult, members: Sequence[str] = ()) -> int:
    """Characters of a list as it is sent, or of some of its members."""
    listed = tools.model_dump(by_alias=True, exclude_none=True, mode="json")["tools"]
    return len(
        write_compactly([{name: one[name] for name in members or one if name in one} for one in listed])
    )


@pytest.mark.parametrize("draws", [False, True], ids=["text", "apps"])
@pytest.mark.parametrize("role", [Viewer.MASTER, Viewer.PLAYER])
@pytest.mark.parametrize("game", GAMES)
def test_lists_are_short_and_valid(game: str, role: Viewer, draws: bool, tmp_path: Path) -> None:
    tools = list_tools(tmp_path, game, role, draws=draws)
    assert measure(tools, READ) < LENGTH_MAX
    assert measure(tools) < WHOLE_LENGTH_MAX
    known: set[str] = set()
    for tool in tools.tools:
        assert tool.title
        assert tool.description
        assert tool.annotations is not None
        assert tool.output_schema is not None
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.input_schema["type"] == "object"
        for _, part in walk(tool.input_schema):
            # Some clients refuse a list without a word about its elements.
            assert "array" not in part.get("type", "") or "items" in part
        for name, part in walk(tool.output_schema):
            if name in FREE:
                assert part.get("type") in (None, "array")
                continue
            if part["type"] == "object" and name not in known:
                # Every member is named, by the first tool that returns it.
                assert part["properties"]
                assert part["additionalProperties"] is False
                known |= {name} - {""}


def test_annotations_say_what_a_tool_may_do(tmp_path: Path) -> None:
    noted = {
        one.name: one.annotations.model_dump(exclude_none=True)
        for role in (Viewer.PLAYER, Viewer.MASTER)
        for one in list_tools(tmp_path, "chapel_watch", role).tools
        if one.annotations is not None
    }
    world = {"open_world_hint": False}
    reading, harmless = {"read_only_hint": True, **world}, {"destructive_hint": False, **world}
    for name in ("view", "story", "sheet", "list_campaigns", "briefing"):
        assert noted[name] == reading
    for name in ("start_campaign", "begin_turn", "finish_turn", "say", "choose", "answer_decision", "go_on"):
        assert noted[name] == {"idempotent_hint": True, **harmless}
    for name in ("attempt", "propose_updates", "submit_summary"):
        assert noted[name] == harmless
    assert noted["abandon_turn"] == world
    assert noted["undo"] == {"idempotent_hint": True, **world}


FULL: dict[str, Any] = {
    "type": "object",
    "properties": {
        "stats": {
            "type": "object",
            "properties": {name: {"type": "integer", "minimum": 1} for name in ("STR", "DEX", "CON")},
            "additionalProperties": False,
        },
        "kind": {"type": "string", "enum": ["wolf", "goblin"], "description": "One of wolf, goblin."},
        "names": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string", "description": "Short."}}},
            "maxItems": 3,
        },
        "value": {
            "anyOf": [{"type": one} for one in ("number", "string", "boolean", "object", "null", "array")]
        },
    },
    "required": ["kind"],
    "additionalProperties": False,
}
ACCEPTED: list[Any] = [
    {"kind": "wolf"},
    {"kind": "goblin", "stats": {"STR": 3}, "names": [{"name": "Gruk"}], "value": [None]},
    {"kind": "goblin", "stats": {}, "names": [], "value": {"a": 1}},
]


def test_a_short_schema_accepts_all_that_the_whole_one_does() -> None:
    shortening = SchemaShortening()
    short = shortening.shorten(FULL, "Create somebody.")
    again = shortening.shorten(FULL, "Create somebody.")
    assert len(write_compactly(again)) < len(write_compactly(short)) < len(write_compactly(FULL))
    for value in ACCEPTED:
        assert fits(value, read_schema(FULL))
        for schema in (short, again):
            Draft202012Validator(dict(schema)).validate(value)
    told = write_compactly(short)
    assert "One of" not in told
    assert "Short." not in told
    with pytest.raises(Exception, match="wizard"):
        Draft202012Validator(dict(short)).validate({"kind": "wizard"})
