"""The player's tools: a companion sees the campaign as the player does, and takes turns for them.

It sees what a player sees and nothing else. The player's usual storyteller narrates.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import listed
from talewright.faces.mcp.answer_shapes import (
    INPUT_RESULT,
    STARTED,
    TURN_ROW,
    VIEW,
    write_turn,
    write_view,
)
from talewright.faces.mcp.campaign_tools import (
    CAMPAIGN_LIST,
    STORY_ARGUMENTS,
    UNDO_ARGUMENTS,
    CampaignTools,
    describe_game_tools,
    go_back,
    name_operation,
    start_arguments,
)
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
    record,
    refuse,
    text,
)
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.session import FollowingSession, wait_for_opening


@frozen
class PlayerTools(CampaignTools):
    """What the tools of role player do."""

    async def view(self, request: ToolRequest) -> ToolAnswer:
        """What the player sees now."""
        async with self.use(request) as session:
            return _write_seen(await session.view())

    async def story(self, request: ToolRequest) -> ToolAnswer:
        """The last turns."""
        return ToolAnswer({"turns": [write_turn(one) for one in await self.read_turns(request)]})

    async def say(self, request: ToolRequest) -> ToolAnswer:
        """Take a turn with the player's words."""
        return await self._take(request, lambda session, stamp: session.say(request.text("text"), stamp))

    async def choose(self, request: ToolRequest) -> ToolAnswer:
        """Take a turn with a choice."""
        return await self._take(request, lambda session, stamp: session.choose(request.text("choice"), stamp))

    async def go_on(self, request: ToolRequest) -> ToolAnswer:
        """Take a turn without an input, or finish the one that was interrupted."""
        return await self._take(request, lambda session, stamp: session.go_on(stamp))

    async def answer_decision(self, request: ToolRequest) -> ToolAnswer:
        """Take a turn with the answer to a decision."""
        decision, option, note = request.text("decision"), request.text("option"), request.text("note")
        return await self._take(request, lambda session, stamp: session.answer(decision, option, note, stamp))

    async def undo(self, request: ToolRequest) -> ToolAnswer:
        """Go back to an earlier turn."""
        async with self.use(request) as session:
            seen = await go_back(session, cast(int, request.arguments["version"]))
        return seen if isinstance(seen, ToolAnswer) else _write_seen(seen)

    async def _take(
        self, request: ToolRequest, take: Callable[[FollowingSession, Stamp], Awaitable[InputResult]]
    ) -> ToolAnswer:
        async with self.use(request) as session:
            await wait_for_opening(session)
            result = await take(session, Stamp(name_operation(request)))
            return _write_result(result, await session.view())


def _write_seen(view: View) -> ToolAnswer:
    return ToolAnswer(write_view(view), table=view)


def _write_result(result: InputResult, view: View) -> ToolAnswer:
    if result.kind in (ResultKind.COMMITTED, ResultKind.DEGRADED):
        data: JsonObject = {"kind": result.kind.value, "message": result.message, "view": write_view(view)}
        return ToolAnswer(data, table=view)
    decisions = (f"{one.id} with {listed(name for name, _ in one.options)}" for one in view.decisions)
    hint = ""
    if result.reason in ("no_such_decision", "decision_first") or (
        result.reason == "no_such_choice" and view.decisions
    ):
        hint = f"Open decisions: {'; '.join(decisions) or 'none'}."
    elif result.reason in ("no_such_choice", "unmatched"):
        hint = f"The choices are {listed(one.id for one in view.choices) or 'none'}."
    elif result.reason == "turn_open":
        hint = "Call it again only if the player wants that turn to end."
    return refuse(result.reason, result.message, hint)


def describe_player_tools(tools: PlayerTools) -> tuple[ToolDescription, ...]:
    """Every tool of role player."""
    own = (*describe_game_tools(tools), *_describe_reading(tools), *_describe_inputs(tools))
    if tools.campaigns.served.campaign:
        own = tuple(one for one in own if one.name != "start_campaign")
    return own


def _describe_reading(tools: PlayerTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "list_campaigns",
            "List campaigns",
            "The campaigns that can be continued, the last played first.",
            record({}),
            CAMPAIGN_LIST,
            tools.list_campaigns,
            read_only=True,
            hidden=False,
        ),
        ToolDescription(
            "view",
            "Look",
            "What the player sees now: the last turn, the state, the choices, and decisions that wait.",
            record({CAMPAIGN: CAMPAIGN_TEXT}, CAMPAIGN),
            VIEW,
            tools.view,
            read_only=True,
            hidden=False,
            draws=True,
        ),
        ToolDescription(
            "story",
            "Read the story",
            "The last turns of the story, newest last.",
            STORY_ARGUMENTS,
            record({"turns": each(TURN_ROW)}),
            tools.story,
            read_only=True,
            hidden=False,
        ),
    )


def _describe_turn(
    name: str,
    title: str,
    description: str,
    given: Mapping[str, JsonObject],
    run: Callable[[ToolRequest], Awaitable[ToolAnswer]],
) -> ToolDescription:
    """A tool that takes a turn: once for each operation id."""
    where = {CAMPAIGN: CAMPAIGN_TEXT, OPERATION: OPERATION_TEXT}
    return ToolDescription(
        name,
        title,
        description,
        record({**where, **given}, *where, "note"),
        INPUT_RESULT,
        run,
        idempotent=True,
        hidden=False,
        draws=True,
    )


def _describe_inputs(tools: PlayerTools) -> tuple[ToolDescription, ...]:
    option = {"decision": text("Its id."), "option": text("Its id."), "note": text()}
    choice = {"choice": text("The id of a choice.")}
    return (
        ToolDescription(
            "start_campaign",
            "Start a campaign",
            "Start a new campaign.",
            start_arguments(tools),
            STARTED,
            tools.start_campaign,
            idempotent=True,
            hidden=False,
        ),
        _describe_turn("say", "Say", "Take a turn with the player's words.", {"text": text()}, tools.say),
        _describe_turn("choose", "Choose", "Take a turn with one of the choices.", choice, tools.choose),
        _describe_turn(
            "answer_decision",
            "Answer a decision",
            "Answer a card that waits for the player.",
            option,
            tools.answer_decision,
        ),
        _describe_turn(
            "go_on",
            "Go on",
            "Take a turn without words, or finish one that was interrupted.",
            {},
            tools.go_on,
        ),
        ToolDescription(
            "undo",
            "Go back",
            "Go back to the turn with this version; nothing is deleted.",
            UNDO_ARGUMENTS,
            VIEW,
            tools.undo,
            destructive=True,
            idempotent=True,
            hidden=False,
            draws=True,
        ),
    )
