"""Hostile game masters that send their calls by the official client, in both protocols."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolRequestParams

from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.play.campaign_view import Viewer
from talewright.play.sessions.store_lobby import StoreLobby
from tests.faces.mcp.serving import MODES, TOKEN
from tests.injections.hostile_master import besiege
from tests.injections.tool_callers import ToolCaller, make_service

SEED = "sent"
COUNT = 4
"""Sequences in each protocol."""


class Sent:
    """Calls that a client sends; what is no JSON is handed in directly."""

    def __init__(self, client: Client, service: ToolCaller) -> None:
        self._client, self._service = client, service

    async def call(self, context: Any, params: CallToolRequestParams) -> Any:
        try:
            CallToolRequestParams.model_validate_json(params.model_dump_json())
        except ValueError:
            return await self._service.call(context, params)
        return await self._client.call_tool(params.name, params.arguments)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_gets_no_further(mode: str) -> None:
    @asynccontextmanager
    async def reach(lobby: StoreLobby) -> AsyncIterator[ToolCaller]:
        asked = McpCommandOptions(role=Viewer.MASTER, saves=Path(), game="inn")
        server = await open_server(lobby, asked, find_token({"TALEWRIGHT_TOKEN": TOKEN}))
        async with Client(server, mode=mode) as client:
            yield Sent(client, await make_service(lobby, Viewer.MASTER, b"m" * 32))

    for number in range(COUNT):
        assert besiege(f"{SEED}:{mode}:{number}", reach).wrong == []
