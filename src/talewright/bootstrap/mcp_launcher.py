"""The launcher of the MCP face: connects lobby and server, and serves over stdio or on loopback.

Nothing is printed to standard output while it serves there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server

from talewright.common.frozen_values import frozen
from talewright.faces.mcp.campaign_sessions import CampaignSessions, ServedGame
from talewright.faces.mcp.master_tools import MasterTools, describe_master_tools
from talewright.faces.mcp.protocol_server import make_server
from talewright.play.campaign_view import Viewer
from talewright.play.local.local_lobby import LocalLobby


@frozen
class McpCommandOptions:
    """The options of the command line."""

    role: Viewer
    saves: Path
    key: bytes
    game: str = ""
    campaign: str = ""
    language: str = ""
    port: int | None = None
    """The port on loopback; None to serve over stdio."""


async def open_server(lobby: LocalLobby, asked: McpCommandOptions) -> Server[Any]:
    """The server of one role."""
    game = lobby.shelf.edition(asked.game).game.id
    served = ServedGame(lobby, asked.role, game, asked.key, asked.campaign, asked.language)
    campaigns = CampaignSessions(served)
    table = describe_master_tools(MasterTools(campaigns), await lobby.master_tools(game, asked.language))
    return make_server(campaigns, table, "")


def serve(lobby: LocalLobby, asked: McpCommandOptions, close: Callable[[], Awaitable[None]]) -> int:
    """Serve until the client goes away, or for good; return the exit code."""

    async def run() -> None:
        try:
            server = await open_server(lobby, asked)
            async with stdio_server() as (source, out):
                await server.run(source, out, server.create_initialization_options())
        finally:
            await close()

    asyncio.run(run())
    return 0
