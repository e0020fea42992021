"""The protocol server: a role's tables as an MCP server built on the official SDK, for both protocols.

It translates messages and decides nothing. A call that fails is answered with what would be accepted.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.server.context import ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from talewright.common.name_suggestions import listed
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.faces.mcp.campaign_resources import (
    CAMPAIGNS_LISTED_MAX,
    SCHEME,
    CampaignResources,
    ResourceKind,
    read_uri,
    resource_uri,
)
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.master_tools import find_open_turn
from talewright.faces.mcp.schema_shortening import SchemaShortening
from talewright.faces.mcp.story_prompts import (
    RECAP,
    STORY_PROMPTS,
    word_open_turn,
    write_guide,
)
from talewright.faces.mcp.table_app import (
    TABLE_KEY,
    TABLE_META,
    TABLE_URI,
    make_table_document,
    may_draw,
    shows_table,
    write_table,
)
from talewright.faces.mcp.tool_calling import (
    ArgumentCheck,
    ToolAnswer,
    ToolDescription,
    ToolRequest,
    normalize,
    refuse,
)
from talewright.faces.mcp.user_questions import ClientUser, InputNeeded
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import ENGINE_ERROR, write_error
from talewright.play.master_desk import drop_markers
from talewright.version import __version__

SERVER_NAME = "talewright"
STATE_SECONDS_MAX = 3600.0
"""How long a user may think about a question."""

COMPLETIONS_MAX = 100
"""As many as the protocol allows."""

ASSISTANT_ONLY = types.Annotations(audience=["assistant"])
"""For what a player must not read."""

TABLE_RESOURCE = types.Resource(
    uri=TABLE_URI,
    name="table",
    title="The table",
    description="What the player sees, drawn.",
    mime_type=APP_MIME_TYPE,
    _meta=dict(TABLE_META),
)

_LOG = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]


class ToolService:
    """The tools of one server."""

    def __init__(self, table: Sequence[ToolDescription]) -> None:
        self._table = {one.name: one for one in table}
        self._checks = {one.name: ArgumentCheck(one) for one in table}
        kinds = ((False, False), (True, False), (True, True))
        self._listed = {kind: _list_tools(table, draws=kind[0], has_app=kind[1]) for kind in kinds}

    async def list(self, context: Context, params: Any) -> types.ListToolsResult:
        """Every tool; clients that draw the table learn for which."""
        return self._listed[may_draw(context), shows_table(context)]

    async def call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run one tool."""
        tool, has_table = self._table.get(params.name), shows_table(context)
        if tool is None or (tool.for_app and not has_table):
            known = (name for name, one in self._table.items() if not one.for_app)
            raise MCPError(
                types.INVALID_PARAMS, f"there is no tool {params.name[:100]!r}; there are {listed(known)}"
            )
        try:
            arguments = {name: normalize(value) for name, value in (params.arguments or {}).items()}
            complaint = self._checks[tool.name].complain(arguments)
            if complaint:
                return _write(tool, refuse("not_wanted", complaint))
            answer = await tool.run(ToolRequest(arguments, ClientUser(context, params), has_table))
            drawn = answer.table if tool.draws and may_draw(context) else None
            return _write(tool, answer, None if drawn is None else write_table(drawn))
        except InputNeeded as needed:
            return needed.result
        except TalewrightError as error:
            return _write(tool, ToolAnswer({"error": dict(write_error(error))}, refused=True))
        except RecursionError:
            return _write(
                tool, refuse("not_wanted", f"`{tool.name}` is nested too deeply; give it flat values")
            )
        except Exception:
            _LOG.exception("the tool %s failed", tool.name)
            return _write(tool, refuse(ENGINE_ERROR, "an internal error; the server's log has the details"))


class ResourceService:
    """The resources and prompts of one server."""

    def __init__(self, resources: CampaignResources) -> None:
        self._resources = resources
        self._role = resources.campaigns.served.role
        self._guide = _write_guide(resources.campaigns)

    async def list(self, context: Context, params: Any) -> types.ListResourcesResult:
        """The resources of the most recently played campaigns."""
        campaigns = (await self._resources.campaigns.list())[:CAMPAIGNS_LISTED_MAX]
        found = [
            types.Resource(
                uri=resource_uri(one.name, kind.name),
                name=f"{one.name}/{kind.name}",
                title=drop_markers(f"{one.title}: {kind.title}"),
                description=kind.description,
                mime_type=kind.mime_type,
                annotations=self._mark(kind),
            )
            for one in campaigns
            for kind in self._resources.kinds()
        ]
        return types.ListResourcesResult(resources=[*found, *([TABLE_RESOURCE] if may_draw(context) else [])])

    async def list_templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:
        """The resources of every campaign."""
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=f"{SCHEME}{{campaign}}/{kind.name}",
                    name=kind.name,
                    title=kind.title,
                    description=kind.description,
                    mime_type=kind.mime_type,
                    annotations=self._mark(kind),
                )
                for kind in self._resources.kinds()
            ]
        )

    async def read(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """One resource."""
        if params.uri == TABLE_URI:
            document = make_table_document(self._role, self._resources.campaigns.served.table_proof)
            shown = types.TextResourceContents(
                uri=TABLE_URI, mime_type=APP_MIME_TYPE, text=document, _meta=dict(TABLE_META)
            )
            return types.ReadResourceResult(contents=[shown])
        named = read_uri(params.uri)
        kinds = {kind.name: kind for kind in self._resources.kinds()}
        if named is None or named[1] not in kinds:
            accepted = f"{SCHEME}CAMPAIGN/NAME, where NAME is one of {listed(kinds)}"
            raise MCPError(types.INVALID_PARAMS, f"there is no such resource; there are {accepted}")
        kind = kinds[named[1]]
        try:
            text = await self._resources.read(kind, named[0])
        except TalewrightError as error:
            raise MCPError(types.INVALID_PARAMS, f"{error.message}. {error.hint}") from None
        marks = {"audience": ["assistant"]} if self._resources.is_hidden(kind) else None
        contents = types.TextResourceContents(
            uri=params.uri, mime_type=kind.mime_type, text=drop_markers(text), _meta=marks
        )
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, context: Context, params: Any) -> types.ListPromptsResult:
        """Every prompt."""
        campaign = types.PromptArgument(name="campaign", description="Its name; the last played if left out.")
        game = types.PromptArgument(name="game", description="Its id; leave it out to choose.")
        otherwise = [game] if self._resources.campaigns.served.has_all_games else []
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[campaign] if prompt.needs_campaign else otherwise,
                )
                for prompt in STORY_PROMPTS.values()
            ]
        )

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """One prompt, in words to the assistant."""
        prompt = STORY_PROMPTS.get(params.name)
        if prompt is None:
            raise MCPError(
                types.INVALID_PARAMS, f"there is no such prompt; there are {listed(STORY_PROMPTS)}"
            )
        campaign = (params.arguments or {}).get("campaign", "")
        if prompt.needs_campaign and not campaign:
            campaign = next((one.name for one in await self._resources.campaigns.list()), "")
            if not campaign:
                raise MCPError(types.INVALID_PARAMS, "there is no campaign yet; use the prompt begin")
        story = ""
        if prompt.name == RECAP:
            try:
                story = await self._resources.read_recap(campaign)
            except TalewrightError as error:
                raise MCPError(types.INVALID_PARAMS, f"{error.message}. {error.hint}") from None
        words = prompt.write(self._role, campaign, self._guide, story)
        if game := (params.arguments or {}).get("game", ""):
            words = f"I want to play the game {clean_line(game)}. {words}"
        if prompt.continues and self._role is Viewer.MASTER:
            words = await self._name_open_turn(campaign, words)
        content = types.TextContent(text=drop_markers(words))
        message = types.PromptMessage(role="user", content=content)
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def _name_open_turn(self, campaign: str, words: str) -> str:
        """The words of a prompt, with the open turn of a campaign."""
        try:
            standing = await find_open_turn(self._resources.campaigns, campaign)
        except TalewrightError as error:
            raise MCPError(types.INVALID_PARAMS, f"{error.message}. {error.hint}") from None
        return words if standing is None else f"{word_open_turn(standing)}\n\n{words}"

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Names of campaigns or games that start with the typed text."""
        given, campaigns, names = params.argument, self._resources.campaigns, list[str]()
        if given.name == "campaign":
            names = [one.name for one in await campaigns.list()]
        elif given.name == "game":
            names = [one.id for one in await campaigns.games()]
        found = [name for name in names if name.startswith(given.value)][:COMPLETIONS_MAX]
        return types.CompleteResult(completion=types.Completion(values=found))

    def _mark(self, kind: ResourceKind) -> types.Annotations | None:
        return ASSISTANT_ONLY if self._resources.is_hidden(kind) else None


def _write_guide(campaigns: CampaignSessions) -> str:
    served = campaigns.served
    return write_guide(served.role, all_games=served.has_all_games, pasting=served.make_game is not None)


def make_server(campaigns: CampaignSessions, table: Sequence[ToolDescription]) -> Server[Any]:
    """A server for one role in the campaigns of one game, or of all games."""
    tools = ToolService(table)
    resources = ResourceService(CampaignResources(campaigns))

    @asynccontextmanager
    async def lifespan(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
        finally:
            await campaigns.close()

    served = campaigns.served
    server: Server[Any] = Server(
        SERVER_NAME,
        version=__version__,
        title="Talewright",
        instructions=_write_guide(campaigns),
        lifespan=lifespan,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_list_prompts=resources.list_prompts,
        on_get_prompt=resources.get_prompt,
        on_completion=resources.complete,
    )
    server.extensions[EXTENSION_ID] = {}
    security = RequestStateSecurity(keys=[served.key], ttl=STATE_SECONDS_MAX)
    server.middleware.append(RequestStateBoundary(security, default_audience=f"{SERVER_NAME} {served.role}"))
    return server


def _list_tools(table: Sequence[ToolDescription], *, draws: bool, has_app: bool) -> types.ListToolsResult:
    shortening = SchemaShortening()
    drawn = (one for one in table if not (one.only_told if draws else one.only_draws))
    shown = (one for one in drawn if has_app or not one.for_app)
    return types.ListToolsResult(tools=[_describe(one, shortening, draws=draws) for one in shown])


def _describe(tool: ToolDescription, shortening: SchemaShortening, *, draws: bool) -> types.Tool:
    ui: dict[str, Any] = {"resourceUri": TABLE_URI} if draws and tool.draws else {}
    if tool.for_app:
        ui["visibility"] = ["app"]
    return types.Tool(
        _meta={"ui": ui} if ui else None,
        name=tool.name,
        title=tool.title,
        # A game's tools name what its author, perhaps a stranger, has written.
        description=drop_markers(shortening.cut_lists(tool.description)),
        input_schema=dict(_spell(shortening.shorten(tool.arguments, tool.description))[1]),
        output_schema=dict(shortening.shorten_result(tool.output)),
        # Protocol defaults are left out, since assistants read every word of the list.
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only or None,
            destructive_hint=None if tool.destructive or tool.read_only else False,
            idempotent_hint=(tool.idempotent and not tool.read_only) or None,
            open_world_hint=False,
        ),
    )


def _write(
    tool: ToolDescription, answer: ToolAnswer, table: Mapping[str, Any] | None = None
) -> types.CallToolResult:
    told, data = _spell(answer.data)
    audience = ASSISTANT_ONLY if tool.hidden else None
    return types.CallToolResult(
        content=[types.TextContent(text=told, annotations=audience)],
        structured_content=None if answer.refused else data,
        is_error=answer.refused,
        _meta=None if table is None else {TABLE_KEY: table},
    )


def _spell(data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """JSON as text, and itself, without markers of chat templates: strangers may have written parts of it."""
    plain = json.dumps(data, ensure_ascii=False)
    told = drop_markers(plain)
    # No marker goes beyond a text, so this stays JSON.
    return told, data if told == plain else json.loads(told)
