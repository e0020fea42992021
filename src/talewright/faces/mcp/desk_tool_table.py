"""The desk's tool table: the engine's own tools for a game master, with descriptions and schemas.

A game adds the tools of its systems, such as `roll_dice`; their words are in
`systems/*/tool_descriptions.py`. Assistants read all of it before every conversation, so it is short.
`master_tools` does what it says.
"""

from collections.abc import Sequence
from typing import cast

from talewright.faces.mcp.answer_shapes import (
    ANYTHING,
    CHOICE,
    DECISION,
    ERRAND,
    FINISHED,
    SECTION,
    STARTED,
    STORY_ROW,
    VIEW,
)
from talewright.faces.mcp.campaign_tools import (
    CAMPAIGN_LIST,
    STORY_TURNS,
    TAKE_OVER,
    UNDO_ARGUMENTS,
    describe_game_tools,
    start_arguments,
)
from talewright.faces.mcp.master_tools import (
    ARGUMENTS,
    ERRAND_ANSWERS,
    OFFER_CHOICES,
    PROOF,
    TOOL,
    MasterTools,
    find_members,
)
from talewright.faces.mcp.tool_calling import (
    CAMPAIGN,
    CAMPAIGN_TEXT,
    OPERATION,
    OPERATION_TEXT,
    TURN,
    TURN_TEXT,
    JsonObject,
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
    {"result": ANYTHING, "changed": text(), "waits_for_player": flag()},
    "result",
    "changed",
    "waits_for_player",
)
"""Either of the two."""

_DONE = record({"done": flag()})

_ANY_OBJECT: JsonObject = {"type": "object"}
"""What only the engine checks."""

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
            description="The player's to a decision, if your client cannot ask them.",
        ),
        TAKE_OVER: flag("The player wants another game master's open turn to end."),
    },
    CAMPAIGN,
    OPERATION,
    "say",
    "choose",
    "answer",
    TAKE_OVER,
)

_OPENED = record(
    {
        TURN: text("The open turn; further calls may name it."),
        "said": text(),
        "results": each(ANYTHING, "What the input has caused already, such as rolls."),
        "rounds": number("How many calls were judged already."),
        "situation": each(SECTION, "After the input: narrate what happened; the scene is the one open now."),
        "decisions": each(DECISION, "What the player must answer after this turn."),
        "abandoned": text("The input of the turn that was open before, and ended without a result."),
    },
    "abandoned",
)


def describe_master_tools(tools: MasterTools, game_tools: Sequence[ToolView]) -> tuple[ToolDescription, ...]:
    """Every tool of role master."""
    told = (*describe_game_tools(tools), *_describe_campaign_tools(tools), *_describe_table(tools))
    past = _describe_looking_back(tools)
    own = (*told, *_describe_turn_tools(tools), *_describe_any_tool(tools), *_describe_hand_ins(tools), *past)
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
        "unchanged": each(text(), "Besides the turns that you know."),
        "tools": each(text(), "The tools that may be called now."),
        "choices": each(CHOICE),
        "decisions": each(DECISION),
        "errands": each(ERRAND, "Answer them with submit_answer."),
        "summary": text("If not empty: write this summary, and submit_summary."),
        "open_turn": record(
            {TURN: text(), "said": text(), "calls": number(), "yours": flag(), "until": text()},
            description="If it is yours, begin_turn without an input continues it.",
        ),
    },
    "open_turn",
)


def _describe_campaign_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "start_campaign",
            "Start a campaign",
            "Start a new campaign. Its first turn begins without say.",
            start_arguments(tools),
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
            "the player. With since, only what is new.",
            record(
                {CAMPAIGN: CAMPAIGN_TEXT, "since": number("The version of your last briefing.")},
                CAMPAIGN,
                "since",
            ),
            BRIEFING,
            tools.briefing,
            read_only=True,
        ),
    )


def _describe_table(tools: MasterTools) -> tuple[ToolDescription, ...]:
    """What shows the player their table, in clients that draw it, and what the table calls."""
    return (
        ToolDescription(
            "show_table",
            "Show the table",
            "Show the player their table. Call it after every finished turn; then do not repeat the choices.",
            record({CAMPAIGN: CAMPAIGN_TEXT}, CAMPAIGN),
            VIEW,
            tools.show_table,
            read_only=True,
            hidden=False,
            draws=True,
            only_draws=True,
        ),
        ToolDescription(
            "answer_decision",
            "Answer a decision",
            "For the table: answer a decision for the player.",
            record(
                {
                    CAMPAIGN: CAMPAIGN_TEXT,
                    OPERATION: OPERATION_TEXT,
                    "decision": text(),
                    "option": text(),
                    "note": text(),
                    PROOF: text(),
                },
                CAMPAIGN,
                OPERATION,
                "note",
            ),
            VIEW,
            tools.answer_at_table,
            idempotent=True,
            hidden=False,
            for_app=True,
        ),
    )


def _describe_turn_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    where = {CAMPAIGN: CAMPAIGN_TEXT, TURN: TURN_TEXT}
    return (
        ToolDescription(
            "begin_turn",
            "Begin a turn",
            "Open a turn with the player's own words, or with a choice's id; the answer is the situation "
            "after it. Without either: the opening, the turn that is open already, a turn that just goes on, "
            "or the answer to an open decision, for which the player is asked.",
            _INPUT,
            _OPENED,
            tools.begin_turn,
            idempotent=True,
        ),
        ToolDescription(
            "finish_turn",
            "Finish a turn",
            "Narrate the turn, in prose that fits what was granted, and commit it. Without choices, the "
            "author's are offered. Facts are remembered.",
            record(
                {**where, "narration": text(), "choices": _CHOICES, "facts": each(text())},
                *where,
                "choices",
                "facts",
            ),
            FINISHED,
            tools.finish_turn,
            idempotent=True,
        ),
        ToolDescription(
            "abandon_turn",
            "Abandon a turn",
            "Give up an open turn; nothing of it has happened.",
            record(where, *where),
            _DONE,
            tools.abandon_turn,
            destructive=True,
        ),
    )


def _describe_any_tool(tools: MasterTools) -> tuple[ToolDescription, ...]:
    """What a server of all games has in place of the tools of one game."""
    if not tools.campaigns.served.has_all_games:
        return ()
    row = record({"name": text(), "description": text(), ARGUMENTS: {}})
    return (
        ToolDescription(
            "describe_tools",
            "Describe the game's tools",
            "The tools of a campaign's game, for use_tool. Read them once; again if a briefing names others.",
            record({CAMPAIGN: CAMPAIGN_TEXT}, CAMPAIGN),
            record({"tools": each(row)}),
            tools.describe_tools,
            read_only=True,
        ),
        ToolDescription(
            "use_tool",
            "Use a tool of the game",
            "Call a tool of describe_tools in an open turn, for what the player attempts and what changes.",
            record(
                {
                    CAMPAIGN: CAMPAIGN_TEXT,
                    TURN: TURN_TEXT,
                    TOOL: text(),
                    ARGUMENTS: _ANY_OBJECT,
                    ERRAND_ANSWERS: _ANY_OBJECT,
                },
                CAMPAIGN,
                TURN,
                ERRAND_ANSWERS,
            ),
            JUDGED,
            tools.use_tool,
        ),
    )


def _describe_looking_back(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "story",
            "Read the story",
            f"The last {STORY_TURNS} turns.",
            record({CAMPAIGN: CAMPAIGN_TEXT}, CAMPAIGN),
            record({"turns": each(STORY_ROW)}),
            tools.story,
            read_only=True,
            hidden=False,
        ),
        ToolDescription(
            "sheet",
            "Read the sheet",
            "The player's sheet.",
            record({CAMPAIGN: CAMPAIGN_TEXT}, CAMPAIGN),
            record({"sheet": text("Markdown.")}),
            tools.sheet,
            read_only=True,
            hidden=False,
            only_told=True,
        ),
        ToolDescription(
            "undo",
            "Go back",
            "Go back, if the player asks.",
            UNDO_ARGUMENTS,
            record({"version": number(), "narration": text()}),
            tools.undo,
            destructive=True,
            idempotent=True,
            hidden=False,
        ),
    )


def _describe_hand_ins(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "submit_summary",
            "Submit a summary",
            "Hand in the summary that a briefing asks for.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "summary": text()}, CAMPAIGN),
            _DONE,
            tools.submit_summary,
        ),
        ToolDescription(
            "submit_answer",
            "Answer an errand",
            "Answer an errand of the briefing, by its schema.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "system": text(), "id": text(), "answer": ANYTHING}, CAMPAIGN),
            _DONE,
            tools.submit_answer,
        ),
    )


def _describe_game_tool(tools: MasterTools, tool: ToolView, taken: set[str]) -> ToolDescription:
    """A tool of the game's systems, or one of the engine's own, in an open turn."""
    name = f"game_{tool.name}" if tool.name in taken else tool.name
    members = find_members(tool)
    required = cast(Sequence[str], tool.parameters.get("required", ()))

    async def run(request: ToolRequest) -> ToolAnswer:
        return await tools.call_tool(tool.name, request)

    return ToolDescription(
        name,
        name.replace("_", " ").capitalize(),
        tool.description,
        {
            **tool.parameters,
            "properties": {CAMPAIGN: {"type": "string"}, **members},
            "required": list(required),
        },
        JUDGED,
        run,
        checks_itself=(CAMPAIGN, TURN),
    )
