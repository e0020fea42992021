"""The master's tools: an assistant begins turns with the player's words, has moves judged, and tells turns.

It proposes; the rules decide. What belongs to the player is asked of the client's user, never of the
assistant.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.faces.mcp.answer_shapes import (
    CAMPAIGN_ROW,
    CHOICE,
    DECISION,
    ERRAND,
    SECTION,
    STANDING,
    STARTED,
    write_campaign,
    write_choice,
    write_decision,
    write_errand,
    write_standing,
    write_started,
)
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.tool_table import (
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
    refuse,
    text,
)
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.master_desk import OutsideTurnView, ProposedCall, RoundView, ToolView
from talewright.play.session import FollowingSession

OFFER_CHOICES = "offer_choices"
"""The engine's tool that `finish_turn` calls with its choices."""

HOW_TO_ANSWER = (
    "The decision belongs to the player. Let them answer it in a session of their own: `talewright play "
    "--campaign {campaign}`, or an MCP server with `--role player`. Then begin the next turn."
)


@frozen
class MasterTools:
    """What the tools of role master do."""

    campaigns: CampaignSessions

    async def start_campaign(self, request: ToolRequest) -> ToolAnswer:
        """Start a campaign, or return the one that this operation has started."""
        view = await self.campaigns.start(request.text(OPERATION), request.text("language"))
        return ToolAnswer(write_started(view))

    async def list_campaigns(self, request: ToolRequest) -> ToolAnswer:
        """The campaigns that can be continued."""
        return ToolAnswer({"campaigns": [write_campaign(one) for one in await self.campaigns.list()]})

    async def briefing(self, request: ToolRequest) -> ToolAnswer:
        """What a narrator would be given now."""
        since = cast(int, request.arguments.get("since", -1))
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            return ToolAnswer(await write_briefing(session, since))

    async def begin_turn(self, request: ToolRequest) -> ToolAnswer:
        """Open a turn with what the player says, chooses or decides."""
        campaign, operation = request.text(CAMPAIGN), request.text(OPERATION)
        stamp, holder = Stamp(operation), self.campaigns.served.holder(campaign, operation)
        said, chosen = request.text("say"), request.text("choose")
        if said and chosen:
            return refuse("unmatched", "a turn begins with `say` or with `choose`, not with both")
        async with self.campaigns.use(campaign) as session:
            view, desk = await session.view(), session.master
            if view.decisions:
                decision = view.decisions[0]
                answer = await request.ask(decision, view.head)
                if answer is None:
                    hint = HOW_TO_ANSWER.format(campaign=campaign)
                    return refuse(
                        "decision_first", f"the player must decide first: {decision.question}", hint
                    )
                opened = await desk.answer(decision.id, answer.option, answer.note, stamp, holder)
            elif chosen:
                opened = await desk.choose(chosen, stamp, holder)
            else:
                opened = await desk.begin(said, stamp, holder)
        return _write_opened(opened, view)

    async def call_tool(self, name: str, request: ToolRequest) -> ToolAnswer:
        """Have one call of a game's tool judged."""
        arguments = {key: value for key, value in request.arguments.items() if key not in (CAMPAIGN, TURN)}
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            judged = await session.master.propose(request.text(TURN), (ProposedCall(name, arguments),))
        return _write_judged(judged)

    async def finish_turn(self, request: ToolRequest) -> ToolAnswer:
        """Tell the turn and commit it."""
        choices = request.arguments.get("choices") or []
        calls = (ProposedCall(OFFER_CHOICES, {"choices": choices}),) if choices else ()
        facts = tuple(str(one) for one in cast(Sequence[Json], request.arguments.get("facts") or ()))
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            told = await session.master.finish(request.text(TURN), request.text("narration"), calls, facts)
            if told.flaws:
                return refuse("untold", "; ".join(told.flaws), "The turn is still open: finish it again.")
            if told.result is None or told.result.kind is not ResultKind.COMMITTED:
                return _write_unspent(told.result)
            return ToolAnswer(write_standing(await session.view()))

    async def abandon_turn(self, request: ToolRequest) -> ToolAnswer:
        """Give up an open turn."""
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            await session.master.give_up(request.text(TURN))
        return ToolAnswer({"done": True})

    async def submit_summary(self, request: ToolRequest) -> ToolAnswer:
        """Hand in the summary that the briefing asks for."""
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            await session.master.hand_in_summary(request.text("summary"))
        return ToolAnswer({"done": True})

    async def submit_answer(self, request: ToolRequest) -> ToolAnswer:
        """Answer an errand of the briefing."""
        try:
            answer: Json = json.loads(request.text("answer"))
        except ValueError:
            # Most errands ask for a text.
            answer = request.text("answer")
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            await session.master.hand_in_answer(request.text("system"), request.text("id"), answer)
        return ToolAnswer({"done": True})


async def write_briefing(session: FollowingSession, since: int = -1) -> dict[str, Json]:
    """What a narrator would be given now; with a version, only what is new since."""
    brief, view = await session.master.brief(since), await session.view()
    return {
        "campaign": view.campaign,
        "version": brief.version,
        "sections": [{"name": one.name, "text": one.text} for one in brief.sections if one.is_new],
        "unchanged": [one.name for one in brief.sections if not one.is_new],
        "tools": [tool.name for tool in brief.tools if tool.name != OFFER_CHOICES],
        "choices": [write_choice(one) for one in view.choices],
        "decisions": [write_decision(one) for one in view.decisions],
        "errands": [write_errand(one, json.dumps(one.answer_schema)) for one in brief.errands],
        "summary": brief.summary,
    }


def _write_opened(opened: OutsideTurnView | InputResult, view: View) -> ToolAnswer:
    if isinstance(opened, InputResult):
        return _write_unspent(opened, view)
    results = [json.dumps(one, ensure_ascii=False) for one in opened.results]
    return ToolAnswer(
        {"turn": opened.handle, "said": opened.said, "results": results, "rounds": opened.rounds}
    )


def _write_unspent(result: InputResult | None, view: View | None = None) -> ToolAnswer:
    """An input that did not open a turn, or a turn that was not committed."""
    if result is None:
        return refuse("untold", "nothing was told", "Finish the turn with a narration.")
    if result.kind is ResultKind.COMMITTED:
        return refuse(
            "moved", "this operation_id belongs to a turn that is finished", "Take a new id for a new turn."
        )
    hint = "Read the briefing again." if result.reason == "moved" else ""
    if result.reason == "no_such_choice" and view is not None:
        hint = f"The choices are {listed(one.id for one in view.choices) or 'none'}."
    return refuse(result.reason, result.message, hint)


def _write_judged(judged: RoundView) -> ToolAnswer:
    if judged.flaws:
        return refuse("not_wanted", "; ".join(judged.flaws), "Nothing happened: call it in another form.")
    (result,) = judged.results
    told = cast(Mapping[str, Json], json.loads(result.text))
    if result.refused:
        return refuse("not_wanted", str(told.get("error", "")), "Nothing happened: call it in another form.")
    given = told.get("result")
    words = (
        "" if given is None else given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    )
    return ToolAnswer({"result": words, "waits_for_player": bool(told.get("pending"))})


JUDGED = record(
    {
        "result": text(),
        "waits_for_player": flag(),
    }
)

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


def describe_master_tools(tools: MasterTools, game_tools: Sequence[ToolView]) -> tuple[ToolDescription, ...]:
    """Every tool of role master."""
    own = (*_describe_campaign_tools(tools), *_describe_turn_tools(tools), *_describe_hand_ins(tools))
    if tools.campaigns.served.campaign:
        own = tuple(one for one in own if one.name != "start_campaign")
    taken = {one.name for one in own}
    return (
        *own,
        *(_describe_game_tool(tools, one, taken) for one in game_tools if one.name != OFFER_CHOICES),
    )


def _describe_campaign_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    return (
        ToolDescription(
            "start_campaign",
            "Start a campaign",
            "Start a new campaign of this game. Then begin its first turn with begin_turn, without say.",
            record({OPERATION: OPERATION_TEXT, "language": text("Such as en or zh-CN.")}, "language"),
            STARTED,
            tools.start_campaign,
            idempotent=True,
        ),
        ToolDescription(
            "list_campaigns",
            "List campaigns",
            "The campaigns that can be continued, the last played first.",
            record({}),
            record({"campaigns": each(CAMPAIGN_ROW)}),
            tools.list_campaigns,
            read_only=True,
        ),
        ToolDescription(
            "briefing",
            "Read the briefing",
            "Everything a game master needs: rules, world, people, state, the last turns, and what is hidden "
            "from the player. Read it before every turn; with since, only what is new.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "since": number("The version of your last briefing.")}, "since"),
            record(
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
            ),
            tools.briefing,
            read_only=True,
        ),
    )


def _describe_turn_tools(tools: MasterTools) -> tuple[ToolDescription, ...]:
    where = {CAMPAIGN: CAMPAIGN_TEXT, TURN: TURN_TEXT}
    return (
        ToolDescription(
            "begin_turn",
            "Begin a turn",
            "Open a turn with the player's own words (say) or one of the choices (choose). Without either: "
            "the opening, a turn that just goes on, or, if a decision is open, the answer that the player is "
            "now asked for.",
            record(
                {
                    CAMPAIGN: CAMPAIGN_TEXT,
                    OPERATION: OPERATION_TEXT,
                    "say": text("What the player said, word for word."),
                    "choose": text("The id of a choice."),
                },
                "say",
                "choose",
            ),
            record(
                {
                    TURN: text("The handle of the open turn, for all further calls."),
                    "said": text(),
                    "results": each(text("JSON."), "What the input has caused already, such as rolls."),
                    "rounds": number("How many calls were judged already."),
                }
            ),
            tools.begin_turn,
            idempotent=True,
        ),
        ToolDescription(
            "finish_turn",
            "Finish a turn",
            "Tell the turn to the player and commit it: prose in the campaign's language, that fits what the "
            "tools have granted. Facts are remembered.",
            record(
                {**where, "narration": text(), "choices": _CHOICES, "facts": each(text())}, "choices", "facts"
            ),
            STANDING,
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
            "Hand in the summary that the briefing asks for.",
            record({CAMPAIGN: CAMPAIGN_TEXT, "summary": text()}),
            _DONE,
            tools.submit_summary,
        ),
        ToolDescription(
            "submit_answer",
            "Answer an errand",
            "Answer a question of the rules that the briefing lists under errands.",
            record(
                {
                    CAMPAIGN: CAMPAIGN_TEXT,
                    "system": text(),
                    "id": text(),
                    "answer": text("By the errand's schema: a text, or JSON."),
                }
            ),
            _DONE,
            tools.submit_answer,
        ),
    )


def _describe_game_tool(tools: MasterTools, tool: ToolView, taken: set[str]) -> ToolDescription:
    """A tool of the game's systems, or one of the engine's own, in an open turn."""
    name = f"game_{tool.name}" if tool.name in taken else tool.name
    members = cast(Mapping[str, Json], tool.parameters.get("properties", {}))
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
