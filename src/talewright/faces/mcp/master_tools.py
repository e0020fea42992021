"""The master's tools: an assistant starts turns with the player's words, submits moves, and narrates.

It proposes; the rules decide. Decisions that belong to the player are put to the client's user, never to the
assistant.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.faces.mcp.answer_shapes import (
    write_choice,
    write_decision,
    write_errand,
    write_standing,
    write_view,
)
from talewright.faces.mcp.campaign_tools import CampaignTools
from talewright.faces.mcp.tool_calling import (
    CAMPAIGN,
    OPERATION,
    TURN,
    JsonObject,
    ToolAnswer,
    ToolRequest,
    refuse,
)
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.master_desk import OutsideTurnView, ProposedCall, RoundView
from talewright.play.session import FollowingSession

OFFER_CHOICES = "offer_choices"
"""The engine's tool that `finish_turn` calls with its choices."""

HOW_TO_ANSWER = (
    "The decision belongs to the player. Let them answer it in a session of their own: `talewright play "
    "--campaign {campaign}`, or an MCP server with `--role player`. Then begin the next turn."
)


@frozen
class MasterTools(CampaignTools):
    """What the tools of role master do."""

    async def briefing(self, request: ToolRequest) -> ToolAnswer:
        """What a narrator would be given now."""
        since = cast(int, request.arguments.get("since", -1))
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            return ToolAnswer(await write_briefing(session, since))

    async def show_table(self, request: ToolRequest) -> ToolAnswer:
        """Show the player what they see."""
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            seen = await session.master.player_view()
        return ToolAnswer(write_view(seen), table=seen)

    async def begin_turn(self, request: ToolRequest) -> ToolAnswer:
        """Open a turn with what the player says, chooses or decides."""
        campaign, operation = request.text(CAMPAIGN), request.text(OPERATION)
        if len({"say", "choose", "answer"} & request.arguments.keys()) > 1:
            return refuse("not_wanted", "a turn begins with only one of `say`, `choose` and `answer`")
        async with self.campaigns.use(campaign) as session:
            view = await session.view()
            holder = self.campaigns.served.holder(campaign, operation)
            opened = await self._open(session, view, request, Stamp(operation), holder)
        return opened if isinstance(opened, ToolAnswer) else _write_opened(opened, view)

    async def _open(
        self, session: FollowingSession, view: View, request: ToolRequest, stamp: Stamp, holder: str
    ) -> OutsideTurnView | InputResult | ToolAnswer:
        desk, said, chosen = session.master, request.text("say"), request.text("choose")
        passed_on = cast(Mapping[str, str], request.arguments.get("answer") or {})
        if not view.decisions and passed_on:
            return refuse("no_such_decision", "no decision is open", "Begin the turn without `answer`.")
        if not view.decisions or said or chosen:
            # With words while a decision is open, the engine says that it must be answered first.
            return await (desk.choose(chosen, stamp, holder) if chosen else desk.begin(said, stamp, holder))
        decision = view.decisions[0]
        if passed_on:
            option, note = passed_on["option"], passed_on.get("note", "")
            return await desk.answer(decision.id, option, note, stamp, holder)
        answer = await request.ask(decision, view.head)
        if answer is None:
            message = f"the player must decide first: {decision.question}"
            return refuse("decision_first", message, HOW_TO_ANSWER.format(campaign=view.campaign))
        return await desk.answer(decision.id, answer.option, answer.note, stamp, holder, by_player=True)

    async def call_tool(self, name: str, request: ToolRequest) -> ToolAnswer:
        """Submit one call of a game's tool to the rules."""
        arguments = {key: value for key, value in request.arguments.items() if key not in (CAMPAIGN, TURN)}
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            judged = await session.master.propose(request.text(TURN), (ProposedCall(name, arguments),))
        return _write_judged(judged)

    async def finish_turn(self, request: ToolRequest) -> ToolAnswer:
        """Narrate the turn and commit it."""
        choices = request.arguments.get("choices") or []
        calls = (ProposedCall(OFFER_CHOICES, {"choices": choices}),) if choices else ()
        facts = tuple(str(one) for one in cast(Sequence[Json], request.arguments.get("facts") or ()))
        async with self.campaigns.use(request.text(CAMPAIGN)) as session:
            told = await session.master.finish(request.text(TURN), request.text("narration"), calls, facts)
            if told.flaws:
                return refuse("untold", "; ".join(told.flaws), "The turn is still open: finish it again.")
            if told.result is None or told.result.kind is not ResultKind.COMMITTED:
                return _write_unspent(told.result)
            done: dict[str, Json] = {"commit": told.result.commit, "repeated": told.result.repeated}
            return ToolAnswer({**done, **write_standing(await session.view())})

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
    data: dict[str, Json] = {"turn": opened.handle, "said": opened.said, "rounds": opened.rounds}
    results = [json.dumps(one, ensure_ascii=False) for one in opened.results]
    return ToolAnswer({**data, "results": results}, told={**data, "results": list(opened.results)})


def _write_unspent(result: InputResult | None, view: View | None = None) -> ToolAnswer:
    """An input that did not open a turn, or a turn that was not committed."""
    if result is None:
        return refuse("untold", "nothing was told", "Finish the turn with a narration.")
    if result.kind is ResultKind.COMMITTED:
        return refuse(
            "moved",
            f"this operation_id belongs to a turn that is finished, with the commit {result.commit}",
            "Take a new id for a new turn.",
        )
    return refuse(result.reason, result.message, _find_hint(result.reason, view))


def _find_hint(reason: str, view: View | None) -> str:
    """What to do instead."""
    if reason == "moved":
        return "Read the briefing again."
    if reason == "decision_first":
        return "Begin the turn without `say` and `choose`: then the player is asked."
    if reason != "no_such_choice" or view is None:
        return ""
    if not view.version:
        return "The story has not begun: begin its first turn without `say` and `choose`."
    return f"The choices are {listed(one.id for one in view.choices) or 'none'}."


def _write_judged(judged: RoundView) -> ToolAnswer:
    if judged.flaws:
        return refuse("not_wanted", "; ".join(judged.flaws), "Nothing happened: call it in another form.")
    (result,) = judged.results
    told = cast(Mapping[str, Json], json.loads(result.text))
    if result.refused:
        return refuse("not_wanted", str(told.get("error", "")), "Nothing happened: call it in another form.")
    given, pending = told.get("result"), bool(told.get("pending"))
    words = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    data: JsonObject = {"result": "" if given is None else words, "waits_for_player": pending}
    return ToolAnswer(data, told={**data, "result": "" if given is None else given})
