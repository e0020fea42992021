"""The protocol server: the tables of a role as an MCP server of the official SDK, for both protocols.

It translates messages and decides nothing. Errors of a call are answers that say what would be accepted.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from talewright import __version__
from talewright.common.name_suggestions import listed
from talewright.errors import TalewrightError
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.tool_table import ToolAnswer, ToolDescription, ToolRequest, refuse
from talewright.faces.mcp.user_questions import ClientUser, InputNeeded
from talewright.play.error_codes import ENGINE_ERROR, write_error

SERVER_NAME = "talewright"
STATE_SECONDS_MAX = 3600.0
"""How long a user may think about a question."""

ASSISTANT_ONLY = types.Annotations(audience=["assistant"])
"""For what a player must not read."""

_LOG = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]


class ToolService:
    """The tools of one server."""

    def __init__(self, table: Sequence[ToolDescription]) -> None:
        self._table = {one.name: one for one in table}
        self._listed = types.ListToolsResult(tools=[_describe(one) for one in table])

    async def list(self, context: Context, params: Any) -> types.ListToolsResult:
        """Every tool."""
        return self._listed

    async def call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run one tool."""
        tool = self._table.get(params.name)
        if tool is None:
            raise MCPError(
                types.INVALID_PARAMS, f"there is no tool {params.name[:100]!r}; there are {listed(self._table)}"
            )
        arguments = params.arguments or {}
        try:
            complaint = tool.complain(arguments)
            if complaint:
                return _write(tool, refuse("not_wanted", complaint))
            return _write(tool, await tool.run(ToolRequest(arguments, ClientUser(context, params))))
        except InputNeeded as needed:
            return needed.result
        except TalewrightError as error:
            return _write(tool, ToolAnswer({"error": dict(write_error(error))}, refused=True))
        except RecursionError:
            return _write(tool, refuse("not_wanted", f"`{tool.name}` is nested too deeply; give it flat values"))
        except Exception:
            _LOG.exception("the tool %s failed", tool.name)
            return _write(tool, refuse(ENGINE_ERROR, "an internal error; the server's log has the details"))


def make_server(campaigns: CampaignSessions, table: Sequence[ToolDescription], instructions: str) -> Server[Any]:
    """A server for one role in the campaigns of one game."""
    tools = ToolService(table)

    @asynccontextmanager
    async def lifespan(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            await campaigns.close()

    server: Server[Any] = Server(
        SERVER_NAME,
        version=__version__,
        title="Talewright",
        instructions=instructions,
        lifespan=lifespan,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    security = RequestStateSecurity(keys=[campaigns.served.key], ttl=STATE_SECONDS_MAX)
    server.middleware.append(RequestStateBoundary(security, default_audience=SERVER_NAME))
    return server


def _describe(tool: ToolDescription) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.arguments),
        output_schema=dict(tool.output),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent or tool.read_only,
            open_world_hint=False,
        ),
    )


def _write(tool: ToolDescription, answer: ToolAnswer) -> types.CallToolResult:
    data: Mapping[str, Any] = answer.data
    words = json.dumps(data, ensure_ascii=False)
    audience = ASSISTANT_ONLY if tool.hidden else None
    return types.CallToolResult(
        content=[types.TextContent(text=words, annotations=audience)],
        structured_content=None if answer.refused else data,
        is_error=answer.refused,
    )
