"""The page about MCP shows a session as it is: every call in it is made, and every answer is compared."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from mcp import Client

from talewright.cli.serving.client_configs import MCP_CLIENTS
from tests.faces.mcp.serving import MODERN, ROOT, make_test_server, text_of

PAGE = (ROOT / "docs" / "play" / "mcp.md").read_text(encoding="utf-8")
SESSION = re.compile(r"^```text session\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HANDLE = "HANDLE"
SHORTENED = "..."
SECRET = b"the lamp at the end of pier 0004"
"""With it, the attempt on the page succeeds."""


def fits(shown: Any, found: Any) -> bool:
    """Whether what is shown is a part of what was found: members, the first elements, the start of a text."""
    match shown:
        case dict():
            return all(name in found and fits(value, found[name]) for name, value in shown.items())
        case list():
            return len(shown) <= len(found) and all(map(fits, shown, found))
        case str() if shown == HANDLE:
            return bool(found)
        case str() if shown.endswith(SHORTENED):
            return str(found).startswith(shown.removesuffix(SHORTENED).rstrip())
        case _:
            return bool(shown == found)


def test_the_session_is_as_it_is_shown(tmp_path: Path) -> None:
    lines = [line for block in SESSION.findall(PAGE) for line in block.splitlines()]

    async def run() -> None:
        server, handle, answer = await make_test_server(tmp_path, "chapel_watch", secret=SECRET), "", ""
        async with Client(server, mode=MODERN) as client:
            for line in lines:
                mark, _, rest = line.partition(" ")
                if mark == ">":
                    name, _, arguments = rest.partition(" ")
                    given = json.loads(arguments.replace(HANDLE, handle))
                    answer = text_of(await client.call_tool(name, given))
                    handle = json.loads(answer).get("turn", handle)
                else:
                    assert fits(json.loads(rest), json.loads(answer)), f"{rest}\n{answer}"

    assert len(lines) == 18
    asyncio.run(run())


def test_parts_are_told_from_what_is_no_part() -> None:
    assert fits({"a": [1], "b": "You ..."}, {"a": [1, 2], "b": "You are", "c": 3})
    assert not any(fits(shown, {"a": [1], "b": "You"}) for shown in ({"a": [2]}, {"b": "He ..."}, {"c": 1}))


def test_every_client_is_listed_with_its_place() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    for name, client in MCP_CLIENTS.items():
        (row,) = [row for row in rows if f"`{name}`" in row]
        assert row.startswith(f"| {client.title} |")
