"""Callers of MCP tools for the tests of hostile game masters: a server's table, or whoever sends it calls."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias

from mcp_types import CallToolRequestParams, CallToolResult

from talewright.faces.mcp.campaign_sessions import CampaignSessions, ServedGame
from talewright.faces.mcp.desk_tool_table import describe_master_tools
from talewright.faces.mcp.master_tools import MasterTools
from talewright.faces.mcp.player_tools import PlayerTools, describe_player_tools
from talewright.faces.mcp.protocol_server import ToolService
from talewright.play.campaign_view import Viewer
from talewright.play.sessions.store_lobby import StoreLobby

NO_USER: Any = SimpleNamespace(
    session=SimpleNamespace(client_capabilities=None), protocol_version="2026-07-28", request_id=1
)
"""The context of a client that cannot ask its user."""


class ToolCaller(Protocol):
    """Runs one call: a server's tools, or a client that sends it to a server."""

    async def call(self, context: Any, params: CallToolRequestParams) -> Any:
        """The result of the call."""


Reach: TypeAlias = Callable[[StoreLobby], AbstractAsyncContextManager[ToolCaller]]
"""How a master's calls get to the tools of a lobby."""


def text_of(result: CallToolResult) -> str:
    """What an assistant reads."""
    (content,) = result.content
    assert content.type == "text"
    return content.text


async def make_service(lobby: StoreLobby, role: Viewer, key: bytes) -> ToolService:
    """The tools of a server of the inn."""
    campaigns = CampaignSessions(ServedGame(lobby, role, "inn", key))
    if role is Viewer.PLAYER:
        return ToolService(describe_player_tools(PlayerTools(campaigns)))
    tools = await lobby.master_tools("inn", "en")
    return ToolService(describe_master_tools(MasterTools(campaigns), tools))


@asynccontextmanager
async def reach_directly(lobby: StoreLobby) -> AsyncIterator[ToolCaller]:
    """The tools themselves."""
    yield await make_service(lobby, Viewer.MASTER, b"m" * 32)
