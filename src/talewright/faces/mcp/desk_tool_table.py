"""The desk's tool table: the engine's own tools for a game master, with descriptions and schemas.

A game adds the tools of its systems, such as `roll_dice`; their words are in
`systems/*/tool_descriptions.py`. Assistants read all of it before every conversation, so it is short.
`master_tools` does what it says.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from talewright.common.json_values import Json
from talewright.faces.mcp.answer_shapes import (
    CHOICE,
    DECISION,
    ERRAND,
    FINISHED,
    SECTION,
    STARTED,
    VIEW,
)
from talewright.faces.mcp.campaign_tools import CAMPAIGN_LIST, START_ARGUMENTS
from talewright.faces.mcp.master_tools import OFFER_CHOICES, MasterTools
from talewright.faces.mcp.tool_calling import (
    CAMPAIGN,
    CAMPAIGN_TEXT,
    OPERATION,
    OPERATION_TEXT,
    TURN,
    TURN_TEXT,
    ToolAnswer,
    ToolDescription,
    ToolRequest,
    each,
    flag,
    number,
    record,
    text,
)
from talewright.play.master_desk import ToolView

JUDGED = record(
    {
        "result": text(),
        "waits_for_player": flag(),
    }
)

NOTE = "note"
"""The argument of tools that need none."""

_DONE = record({"done": flag()})

_CHOICES = each(
    record(
        {
            "id": text(),
            "label": text(maxLength=200),
            "hint": text(maxLength=300),
            "risk": text(enum=["low", "medium", "high"]),
        },
        "id",
        "hint",
        "risk",
    ),
    "What the player could do next.",
)


_INPUT = record(
    {
        CAMPAIGN: CAMPAIGN_TEXT,
        OPERATION: OPERATION_TEXT,
        "say": text(),
        "choose": text(),
        "answer": record(
            {"option": text(), "note": text()},
            "note",
            description="To a decision; only some games let you pass it on.",
        ),
    },
    "say",
    "choose",
    "answer",
)

_OPENED = record(
    {
        TURN: text("The handle of the open turn, for all further calls."),
        "said": text(),
        "results": each(text("JSON."), "What the input has caused already, such as rolls."),
        "rounds": number("How many calls were judged already."),
    }
)


def describe_master_tools(tools: MasterTools, game_tools: Sequence[ToolView]) -> tuple[ToolDescription, ...]:
    """Every tool of role master."""
    told = (*_describe_campaign_tools(tools), _describe_table(tools))
    own = (*told, *_describe_turn_tools(tools), *_describe_hand_ins(tools))
    if tools.campaigns.served.campaign:
        own = tuple(one for one in own if one.name != "start_campaign")
    taken = {one.name for one in own}
    return (
        *own,
        *(_describe_game_tool(tools, one, taken) for one in game_tools if one.name != OFFER_CHOICES),
    )


BRIEFING = record(
    {
        "campaign": text(),
        "version": number(),
        "sections": each(SECTION),
        "unchanged": each(text()),
        "tools": each(text(), "The tools that may be called now."),
        "choices": each(CHOICE),
        "decisions": each(DECISION),
        "errands": each(ERRAND, "Answer them with submit_answer."),
        "summary": text("If not empty: write this summary, and submit_summary."),
    }
)


def _describe_campaign_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "start_campaign",
            "Start a campaign",
            "Start a new campaign. Its first turn begins without say.",
            START_ARGUMENTS,
            STARTED,
            tools.start_campaign,
            idempotent=True,
        ),
        ToolDescription(
            "list_campaigns",
            "List campaigns",
            "The campaigns, the last played first.",
            record({}),
            CAMPAIGN_LIST,
            tools.list_campaigns,
            read_only=True,
        ),
        ToolDescription(
            "briefing",
            "Read the briefing",
            "What a game master needs: rules, world, people, state, the last turns, and what is hidden from "
            "the player. Read it before every turn; with since, only what is new.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "since": number("The version of your last briefing.")}, "since"),
            BRIEFING,
            tools.briefing,
            read_only=True,
        ),
    )


def _describe_table(tools: MasterTools) -> ToolDescription:
    """What shows the player their table, in clients that draw it."""
    return ToolDescription(
        "show_table",
        "Show the table",
        "Show the player the table as they see it: status, cards, dice, choices. Call it after every "
        "finished turn; then do not repeat the choices.",
        record({CAMPAIGN: CAMPAIGN_TEXT}),
        VIEW,
        tools.show_table,
        read_only=True,
        hidden=False,
        draws=True,
        only_draws=True,
    )


def _describe_turn_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    where = {CAMPAIGN: CAMPAIGN_TEXT, TURN: TURN_TEXT}
    return (
        ToolDescription(
            "begin_turn",
            "Begin a turn",
            "Open a turn with the player's own words, or with a choice's id. Without either: the opening, a "
            "turn that just goes on, or the answer to an open decision, for which the player is asked.",
            _INPUT,
            _OPENED,
            tools.begin_turn,
            idempotent=True,
        ),
        ToolDescription(
            "finish_turn",
            "Finish a turn",
            "Tell the turn, in prose that fits what was granted, and commit it. Facts are remembered.",
            record(
                {**where, "narration": text(), "choices": _CHOICES, "facts": each(text())}, "choices", "facts"
            ),
            FINISHED,
            tools.finish_turn,
            idempotent=True,
        ),
        ToolDescription(
            "abandon_turn",
            "Abandon a turn",
            "Give up an open turn; nothing of it has happened.",
            record(where),
            _DONE,
            tools.abandon_turn,
            destructive=True,
        ),
    )


def _describe_hand_ins(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "submit_summary",
            "Submit a summary",
            "Hand in the summary that a briefing asks for.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "summary": text()}),
            _DONE,
            tools.submit_summary,
        ),
        ToolDescription(
            "submit_answer",
            "Answer an errand",
            "Answer an errand of the briefing.",
            record(
                {
                    CAMPAIGN: CAMPAIGN_TEXT,
                    "system": text(),
                    "id": text(),
                    "answer": text("A text, or JSON by its schema."),
                }
            ),
            _DONE,
            tools.submit_answer,
        ),
    )


def _describe_game_tool(tools: MasterTools, tool: ToolView, taken: set[str]) -> ToolDescription:
    """A tool of the game's systems, or one of the engine's own, in an open turn."""
    name = f"game_{tool.name}" if tool.name in taken else tool.name
    members = dict(cast(Mapping[str, Json], tool.parameters.get("properties", {})))
    if list(members) == [NOTE]:
        # Some servers of models cannot handle a tool without arguments; here there are always two.
        del members[NOTE]
    required = cast(Sequence[str], tool.parameters.get("required", ()))

    async def run(request: ToolRequest) -> ToolAnswer:
        return await tools.call_tool(tool.name, request)

    return ToolDescription(
        name,
        name.replace("_", " ").capitalize(),
        tool.description,
        {
            **tool.parameters,
            "properties": {CAMPAIGN: {"type": "string"}, TURN: {"type": "string"}, **members},
            "required": [CAMPAIGN, TURN, *required],
        },
        JUDGED,
        run,
        checks_itself=(CAMPAIGN, TURN),
    )
