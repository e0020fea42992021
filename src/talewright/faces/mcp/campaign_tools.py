"""The tools that every role has: list games, make one, start a campaign, and list those to continue.

What a role may do with a campaign is in its own tools. A server for one campaign leaves out
`start_campaign`, and one for a single game has no tools for games.
"""

import hashlib
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.faces.mcp.answer_shapes import (
    CAMPAIGN_ROW,
    GAME_ROW,
    WORDS,
    write_campaign,
    write_game,
    write_started,
)
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.tool_calling import (
    CAMPAIGN,
    CAMPAIGN_TEXT,
    OPERATION,
    OPERATION_TEXT,
    JsonObject,
    ToolAnswer,
    ToolDescription,
    ToolRequest,
    each,
    number,
    record,
    refuse,
    text,
)
from talewright.play.campaign_view import TurnView, View
from talewright.play.playable_games import PastedGame
from talewright.play.session import FollowingSession

GAME = "game"
PREMISE_LENGTH_MAX = 20_000
RULES_LENGTH_MAX = 200_000
"""Characters that can be pasted."""

STORY_TURNS = 10
STORY_TURNS_MAX = 50
"""Turns in one answer."""

STORY_ARGUMENTS = record(
    {CAMPAIGN: CAMPAIGN_TEXT, "turns": number(minimum=1, maximum=STORY_TURNS_MAX)}, CAMPAIGN, "turns"
)
UNDO_ARGUMENTS = record({CAMPAIGN: CAMPAIGN_TEXT, "version": number("The turn to go back to.")}, CAMPAIGN)

_START = {OPERATION: OPERATION_TEXT, "language": text("Such as en or zh-CN.")}

CAMPAIGN_LIST = record({"campaigns": each(CAMPAIGN_ROW)})
"""The schema of what `list_campaigns` returns."""


OPERATION_DIGITS = 12

TAKE_OVER = "take_over"
"""The argument that passes on that the player wants another game master's turn to end."""


def name_operation(request: ToolRequest) -> str:
    """The engine's id for what a call does; without an id of the caller's, a new one.

    It also depends on the input: a call that was refused can be corrected under the same id.
    """
    named = request.text(OPERATION)
    if not named:
        return secrets.token_hex(OPERATION_DIGITS // 2)
    others = {OPERATION, CAMPAIGN, TAKE_OVER}
    given = {name: value for name, value in request.arguments.items() if name not in others}
    words = json.dumps([named, given], sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()[:OPERATION_DIGITS]


@frozen
class CampaignTools:
    """What the tools of every role do."""

    campaigns: CampaignSessions

    @asynccontextmanager
    async def use(self, request: ToolRequest) -> AsyncIterator[FollowingSession]:
        """The session of the campaign that a call means."""
        async with self.campaigns.use(await self.campaigns.find(request.text(CAMPAIGN))) as session:
            yield session

    async def start_campaign(self, request: ToolRequest) -> ToolAnswer:
        """Start a campaign, or return the one this operation has already started."""
        operation = request.text(OPERATION) or name_operation(request)
        view = await self.campaigns.start(operation, request.text("language"), request.text(GAME))
        return ToolAnswer(write_started(view))

    async def list_campaigns(self, request: ToolRequest) -> ToolAnswer:
        """The campaigns that can be continued."""
        return ToolAnswer({"campaigns": [write_campaign(one) for one in await self.campaigns.list()]})

    async def read_turns(self, request: ToolRequest) -> tuple[TurnView, ...]:
        """The last turns of a campaign, as many as a call asks for."""
        count = cast(int, request.arguments.get("turns", STORY_TURNS))
        async with self.use(request) as session:
            return await session.past.turns(count)

    async def list_games(self, request: ToolRequest) -> ToolAnswer:
        """The games that can be started."""
        return ToolAnswer({"games": [write_game(one) for one in await self.campaigns.games()]})

    async def create_game(self, request: ToolRequest) -> ToolAnswer:
        """Make a game of what the user has pasted."""
        make = self.campaigns.served.make_game
        assert make is not None, "the tool is listed only if games can be made"
        pasted = PastedGame(
            request.text("title"),
            request.text("language"),
            request.text("premise"),
            request.text("place"),
            request.text("rules"),
        )
        made = await make(pasted)
        return ToolAnswer({GAME: made.id, "folder": made.folder, "warnings": list(made.warnings)})


async def go_back(session: FollowingSession, version: int) -> View | ToolAnswer:
    """Go back to an earlier turn; returns the view of it, or why that is not possible."""
    view = await session.view()
    if not 1 <= version <= view.version:
        return refuse("turn_unknown", f"there is no turn {version}", f"Give 1 to {view.version}.")
    return await session.undo(view.version - version)


def start_arguments(tools: CampaignTools) -> JsonObject:
    """The schema of the arguments of `start_campaign`."""
    if tools.campaigns.served.has_all_games:
        return record({GAME: text("Its id in list_games."), **_START}, OPERATION, "language")
    return record(_START, OPERATION, "language")


def describe_game_tools(tools: CampaignTools) -> tuple[ToolDescription, ...]:
    """The tools for games, which only a server of all games has."""
    served = tools.campaigns.served
    if not served.has_all_games:
        return ()
    listing = ToolDescription(
        "list_games",
        "List games",
        "The games that can be started.",
        record({}),
        record({"games": each(GAME_ROW)}),
        tools.list_games,
        read_only=True,
        hidden=False,
    )
    return (listing,) if served.make_game is None else (listing, _describe_creation(tools))


def _describe_creation(tools: CampaignTools) -> ToolDescription:
    return ToolDescription(
        "create_game",
        "Create a game",
        "Make a game of a premise or of rules that the user has pasted, for start_campaign. It becomes a "
        "folder among their games. Pass on their texts whole, as they are.",
        record(
            {
                "title": text(),
                "language": text("Of the texts, such as en or zh-CN."),
                "premise": text("What the story is about.", maxLength=PREMISE_LENGTH_MAX),
                "place": text("The name of the place where it begins."),
                "rules": text("A rulebook in Markdown (System.md).", maxLength=RULES_LENGTH_MAX),
            },
            "premise",
            "place",
            "rules",
        ),
        record({GAME: text(), "folder": text(), "warnings": WORDS}),
        tools.create_game,
        idempotent=True,
        hidden=False,
    )
