"""The master's tools: an assistant starts turns with the player's words, submits moves, and narrates.

It proposes; the rules decide. Decisions that belong to the player are put to the client's user, never to the
assistant.
"""

import hmac
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.common.name_suggestions import listed
from talewright.faces.mcp.answer_shapes import (
    say_once,
    write_choice,
    write_decision,
    write_errand,
    write_sheet,
    write_standing,
    write_story_row,
    write_view,
)
from talewright.faces.mcp.campaign_sessions import CampaignSessions
from talewright.faces.mcp.campaign_tools import TAKE_OVER, CampaignTools, go_back, name_operation
from talewright.faces.mcp.schema_shortening import SchemaShortening
from talewright.faces.mcp.story_prompts import ANSWER_RULES
from talewright.faces.mcp.tool_calling import (
    CAMPAIGN,
    TURN,
    JsonObject,
    ToolAnswer,
    ToolRequest,
    refuse,
)
from talewright.play.campaign_view import DecisionView, View
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.master_desk import (
    PAST_TURN,
    BriefView,
    HolderOf,
    OpenTurnView,
    OutsideTurnView,
    ProposedCall,
    RoundView,
    ToolView,
    write_handle,
)
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say
from talewright.play.session import FollowingSession

OFFER_CHOICES = "offer_choices"
"""The engine's tool that `finish_turn` calls with its choices."""

NOTE = "note"
"""The argument of tools that need none."""

TOOL, ARGUMENTS = "tool", "arguments"
"""Arguments of `use_tool`; `describe_tools` names the latter's schema so."""

ERRAND_ANSWERS = "errand_answers"
"""An argument beside those of a game's tool: answers to what the call needs to know, by id."""

BESIDE = (CAMPAIGN, TURN, ERRAND_ANSWERS)
"""The arguments of a call that are not those of the game's tool."""

ASKS = "make the call again with the answer to"
"""In the refusal of a call that needs to know something."""

HOW_TO_HAND_IN = f"Nothing happened: call it again with `{ERRAND_ANSWERS}` too: {{id: answer}}."
OTHER_FORM = "Nothing happened: call it in another form."

CONTRACT = "contract"
"""The section that tells a model how to answer; a game master answers by other tools."""

GIVEN = frozenset({"say", "choose", "answer"})
"""The arguments of `begin_turn` with an input."""

PROOF = "proof"
"""The argument with which the table proves that it is the table."""

END_IT = "end"
"""The player's answer that ends another game master's turn."""

TAKE_OVER_HINT = (
    "Ask the player whether that turn should end without a result. If they confirm it, call begin_turn with "
    "`take_over`."
)

HOW_TO_ANSWER = (
    "The decision belongs to the player. Let them answer it in a session of their own: `talewright play "
    "--campaign {campaign}`, or an MCP server with `--role player`. Then begin the next turn."
)


@frozen
class MasterTools(CampaignTools):
    """What the tools of role master do."""

    @asynccontextmanager
    async def hold(self, request: ToolRequest) -> AsyncIterator[tuple[FollowingSession, HolderOf]]:
        """The session of the campaign that a call means, and how this server's owner holds its turns."""
        campaign = await self.campaigns.find(request.text(CAMPAIGN))
        async with self.campaigns.use(campaign) as session:
            yield session, partial(self.campaigns.served.holder, campaign)

    async def briefing(self, request: ToolRequest) -> ToolAnswer:
        """What a narrator would be given now."""
        since = cast(int, request.arguments.get("since", -1))
        async with self.hold(request) as (session, holder_of):
            return ToolAnswer(await write_briefing(session, since, holder_of))

    async def show_table(self, request: ToolRequest) -> ToolAnswer:
        """Show the player what they see."""
        async with self.use(request) as session:
            seen = await session.master.player_view()
        return ToolAnswer(write_view(seen), table=seen)

    async def begin_turn(self, request: ToolRequest) -> ToolAnswer:
        """Open a turn with what the player says, chooses or decides, or continue the one that is open."""
        if len(GIVEN & request.arguments.keys()) > 1:
            return refuse("not_wanted", "a turn begins with only one of `say`, `choose` and `answer`")
        async with self.hold(request) as (session, holder_of):
            standing, view = await session.master.open_turn(holder_of), await session.view()
            if standing is not None:
                if standing.handle and _means(request, standing):
                    return await _continue(session, standing, holder_of)
                refusal = _refuse_unknown(request, view) or await _end_standing(
                    session, standing, request, view
                )
                if refusal is not None:
                    return refusal
                view = await session.view()
            operation = name_operation(request)
            opened = await _open(session, view, request, Stamp(operation), holder_of(operation))
        if isinstance(opened, ToolAnswer):
            return opened
        return _write_opened(opened, operation, view, "" if standing is None else standing.said)

    async def answer_at_table(self, request: ToolRequest) -> ToolAnswer:
        """Open a turn with the answer that the player gave at the table; the game master continues it."""
        proof, given = self.campaigns.served.table_proof, request.text(PROOF)
        if not hmac.compare_digest(given.encode(errors="replace"), proof.encode()):
            return refuse("player_decides", "only the table answers for the player")
        async with self.hold(request) as (session, holder_of):
            standing, operation = await session.master.open_turn(holder_of), name_operation(request)
            if standing is not None and standing.operation_id != operation:
                return refuse("turn_open", "a turn is open", "Wait until the game master has finished it.")
            decision, option, note = (request.text(name) for name in ("decision", "option", "note"))
            opened = await session.master.answer(
                decision, option, note, Stamp(operation), holder_of(operation), by_player=True
            )
            view, seen = await session.view(), await session.master.player_view()
        if isinstance(opened, InputResult):
            return _write_unspent(opened, view)
        return ToolAnswer(write_view(seen), table=seen)

    async def call_tool(self, name: str, request: ToolRequest) -> ToolAnswer:
        """Submit one call of a game's tool to the rules."""
        arguments = {key: value for key, value in request.arguments.items() if key not in BESIDE}
        given = request.arguments.get(ERRAND_ANSWERS)
        answers = given if isinstance(given, Mapping) else None
        async with self.hold(request) as (session, holder_of):
            handle = await _find_handle(session, holder_of, request)
            if isinstance(handle, ToolAnswer):
                return handle
            judged = await session.master.propose(handle, (ProposedCall(name, arguments),), answers)
        return _write_judged(judged)

    async def describe_tools(self, request: ToolRequest) -> ToolAnswer:
        """The tools that a campaign's game has now."""
        async with self.use(request) as session:
            tools = (await session.master.brief()).tools
        shortening = SchemaShortening()
        rows: list[Json] = [
            {
                "name": one.name,
                "description": one.description,
                ARGUMENTS: shortening.shorten(
                    {**one.parameters, "properties": find_members(one)}, one.description
                ),
            }
            for one in tools
            if one.name != OFFER_CHOICES
        ]
        return ToolAnswer({"tools": rows})

    async def use_tool(self, request: ToolRequest) -> ToolAnswer:
        """Submit one call of a tool that `describe_tools` names."""
        given = dict(cast(Mapping[str, Json], request.arguments.get(ARGUMENTS) or {}))
        named = {name: request.arguments[name] for name in BESIDE if name in request.arguments}
        return await self.call_tool(request.text(TOOL), replace(request, arguments={**given, **named}))

    async def undo(self, request: ToolRequest) -> ToolAnswer:
        """Go back to an earlier turn, because the player wants to."""
        async with self.use(request) as session:
            seen = await go_back(session, cast(int, request.arguments["version"]))
        if isinstance(seen, ToolAnswer):
            return seen
        return ToolAnswer(
            {"version": seen.version, "narration": "" if seen.turn is None else seen.turn.narration}
        )

    async def story(self, request: ToolRequest) -> ToolAnswer:
        """The last turns, as the player has read them."""
        return ToolAnswer({"turns": [write_story_row(one) for one in await self.read_turns(request)]})

    async def sheet(self, request: ToolRequest) -> ToolAnswer:
        """The player's sheet, as the player sees it."""
        async with self.use(request) as session:
            return ToolAnswer({"sheet": write_sheet(await session.master.player_view())})

    async def finish_turn(self, request: ToolRequest) -> ToolAnswer:
        """Narrate the turn and commit it."""
        choices = request.arguments.get("choices") or []
        calls = (ProposedCall(OFFER_CHOICES, {"choices": choices}),) if choices else ()
        facts = tuple(str(one) for one in cast(Sequence[Json], request.arguments.get("facts") or ()))
        async with self.hold(request) as (session, holder_of):
            handle = await _find_handle(session, holder_of, request)
            if isinstance(handle, ToolAnswer):
                return handle
            told = await session.master.finish(handle, request.text("narration"), calls, facts)
            if told.flaws:
                return refuse("untold", "; ".join(told.flaws), "The turn is still open: finish it again.")
            if told.result is None or told.result.kind is not ResultKind.COMMITTED:
                return _write_unspent(told.result)
            view = await session.view()
        done: dict[str, Json] = {"commit": told.result.commit, "repeated": told.result.repeated}
        newest = view.turn
        if newest is not None and newest.commit == told.result.commit:
            done |= {"narration": newest.narration} if newest.narration != request.text("narration") else {}
        return ToolAnswer({**done, **write_standing(view)})

    async def abandon_turn(self, request: ToolRequest) -> ToolAnswer:
        """Give up an open turn."""
        async with self.hold(request) as (session, holder_of):
            handle = await _find_handle(session, holder_of, request)
            if isinstance(handle, ToolAnswer):
                return handle
            await session.master.give_up(handle)
        return ToolAnswer({"done": True})

    async def submit_summary(self, request: ToolRequest) -> ToolAnswer:
        """Hand in the summary that the briefing asks for."""
        async with self.use(request) as session:
            await session.master.hand_in_summary(request.text("summary"))
        return ToolAnswer({"done": True})

    async def submit_answer(self, request: ToolRequest) -> ToolAnswer:
        """Answer an errand of the briefing."""
        answer = request.arguments["answer"]
        async with self.use(request) as session:
            await session.master.hand_in_answer(request.text("system"), request.text("id"), answer)
        return ToolAnswer({"done": True})


def find_members(tool: ToolView) -> dict[str, Json]:
    """The arguments of a game's tool, with their schemas."""
    members = dict(cast(Mapping[str, Json], tool.parameters.get("properties", {})))
    # Some servers of models cannot handle a tool without arguments; an assistant's client can.
    return {} if list(members) == [NOTE] else members


async def _find_handle(
    session: FollowingSession, holder_of: HolderOf, request: ToolRequest
) -> str | ToolAnswer:
    """The handle of the turn that a call means: the one it names, or the one that is open."""
    named = request.text(TURN)
    standing = await session.master.open_turn(holder_of)
    if standing is not None and standing.handle and named in ("", standing.operation_id):
        return standing.handle
    if named:
        return write_handle((await session.view()).branch, named, holder_of(named))
    if standing is None:
        return refuse("lease_lost", "no turn is open", "Open one with begin_turn.")
    return refuse("turn_open", _say_whose(standing), TAKE_OVER_HINT)


async def _open(
    session: FollowingSession, view: View, request: ToolRequest, stamp: Stamp, holder: str
) -> OutsideTurnView | InputResult | ToolAnswer:
    desk, said, chosen = session.master, request.text("say"), request.text("choose")
    passed_on = cast(Mapping[str, str], request.arguments.get("answer") or {})
    if not view.decisions and passed_on:
        return refuse("no_such_decision", "no decision is open", "Begin the turn without `answer`.")
    if not view.decisions or said or chosen:
        # With words while a decision is open, the engine says that it must be answered first.
        return await (desk.choose(chosen, stamp, holder) if chosen else desk.begin(said, stamp, holder))
    decision = view.decisions[0]
    answer = await request.ask(decision, view.head)
    if answer is not None:
        return await desk.answer(decision.id, answer.option, answer.note, stamp, holder, by_player=True)
    if passed_on and not request.ask.can_ask and not request.has_table:
        option, note = passed_on["option"], passed_on.get("note", "")
        return await desk.answer(decision.id, option, note, stamp, holder)
    message = f"the player must decide first: {decision.question}"
    return refuse("decision_first", message, _say_how_to_answer(request, decision))


def _means(request: ToolRequest, standing: OpenTurnView) -> bool:
    """Whether a call that begins a turn means the one that is open: it has the same input, or none."""
    passed_on = cast(Mapping[str, str], request.arguments.get("answer") or {})
    given: dict[str, dict[str, Json]] = {
        "say": {"text": request.text("say")},
        "choose": {"choice": request.text("choose")},
        "answer": {"option": passed_on.get("option"), "note": passed_on.get("note", "")},
    }
    named = [name for name in given if request.arguments.get(name)]
    if standing.input.get("kind") == "answer" and "answer" not in named:
        # The player has answered at the table, and perhaps said so in words.
        return True
    return all(
        standing.input.get("kind") == name and given[name].items() <= standing.input.items() for name in named
    )


async def _continue(session: FollowingSession, standing: OpenTurnView, holder_of: HolderOf) -> ToolAnswer:
    """Continue the open turn of this owner, whichever connection began it."""
    operation = standing.operation_id
    if standing.is_told:
        await session.master.release(operation)
        return refuse("moved", "the open turn had its narration; it is finished now", "Read the briefing.")
    view = await session.view()
    opened = await session.master.begin("", Stamp(operation), holder_of(operation))
    return _write_opened(opened, operation, view)


def _refuse_unknown(request: ToolRequest, view: View) -> ToolAnswer | None:
    """Refuse a choice that is not offered, before anything ends for it."""
    chosen = request.text("choose")
    if not chosen or chosen in {one.id for one in view.choices}:
        return None
    return refuse("no_such_choice", f"there is no choice {chosen!r}", _find_hint("no_such_choice", view))


async def _end_standing(
    session: FollowingSession, standing: OpenTurnView, request: ToolRequest, view: View
) -> ToolAnswer | None:
    """End an open turn so that another can begin; if it is someone else's, the player must confirm it."""
    if not standing.handle:
        agreed = request.arguments.get(TAKE_OVER) is True
        if request.ask.can_ask:
            answer = await request.ask(_ask_to_end(standing, view.language), view.head)
            agreed = answer is not None and answer.option == END_IT
        if not agreed:
            hint = "" if request.ask.can_ask else TAKE_OVER_HINT
            return refuse("turn_open", _say_whose(standing), hint)
    await session.master.release(standing.operation_id)
    return None


def _say_how_to_answer(request: ToolRequest, decision: DecisionView) -> str:
    """How a decision gets its answer from the player."""
    if request.ask.can_ask:
        return "It waits until the player answers: call begin_turn without an input, and they are asked."
    if request.has_table:
        return "The player answers it at the table: call show_table. Then call begin_turn without an input."
    return f"Ask the player, and pass on what they say with `answer`. {_list_options(decision)}"


def _list_options(decision: DecisionView) -> str:
    return f"The options are: {'; '.join(f'`{option}`, {label}' for option, label in decision.options)}."


def _say_whose(standing: OpenTurnView) -> str:
    return f"another game master has a turn open, until {standing.until} at the latest"


def _ask_to_end(standing: OpenTurnView, language: str) -> DecisionView:
    """The question whether another game master's turn should end."""
    options = ((END_IT, Phrase.OPEN_TURN_END), ("wait", Phrase.OPEN_TURN_WAIT))
    return DecisionView(
        TAKE_OVER,
        say(language, Phrase.OPEN_TURN_ENDS),
        tuple(filter(None, (standing.said,))),
        tuple((option, say(language, label)) for option, label in options),
    )


def write_open_turn(standing: OpenTurnView) -> dict[str, Json]:
    """The open turn of a campaign."""
    return {
        "turn": standing.operation_id,
        "said": standing.said,
        "calls": standing.rounds,
        "yours": bool(standing.handle),
        "until": standing.until,
    }


async def find_open_turn(campaigns: CampaignSessions, campaign: str) -> OpenTurnView | None:
    """The open turn of a campaign."""
    async with campaigns.use(campaign) as session:
        return await session.master.open_turn(partial(campaigns.served.holder, campaign))


async def write_briefing(
    session: FollowingSession, since: int = -1, holder_of: HolderOf | None = None
) -> dict[str, Json]:
    """What a narrator would be given now; with a version, only what is new since."""
    brief, view = await session.master.brief(since, holder_of), await session.view()
    rules = pick_words(view.language, ANSWER_RULES)
    return {
        "campaign": view.campaign,
        "version": brief.version,
        "sections": [
            {"name": one.name, "text": rules if one.name == CONTRACT else one.text}
            for one in brief.sections
            if one.is_new
        ],
        "unchanged": list(dict.fromkeys(_list_unchanged(brief))),
        "tools": [tool.name for tool in brief.tools if tool.name != OFFER_CHOICES],
        "choices": [write_choice(one) for one in view.choices],
        "decisions": [write_decision(one) for one in view.decisions],
        "errands": [write_errand(one) for one in brief.errands],
        "summary": brief.summary,
        **({} if brief.open_turn is None else {"open_turn": write_open_turn(brief.open_turn)}),
    }


def _list_unchanged(brief: BriefView) -> Iterator[str]:
    """The sections that are as they were; past turns always are."""
    return (one.name for one in brief.sections if not (one.is_new or one.name.startswith(PAST_TURN)))


def _write_opened(
    opened: OutsideTurnView | InputResult, operation: str, view: View, abandoned: str = ""
) -> ToolAnswer:
    if isinstance(opened, InputResult):
        return _write_unspent(opened, view)
    data: dict[str, Json] = {
        "turn": operation,
        "said": opened.said,
        "rounds": opened.rounds,
        "situation": [{"name": one.name, "text": one.text} for one in opened.situation],
        "decisions": [write_decision(one) for one in opened.decisions],
        **({"abandoned": abandoned} if abandoned else {}),
    }
    return ToolAnswer({**data, "results": [say_once(one) for one in opened.results]})


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
    if reason == "player_decides" and view is not None:
        return HOW_TO_ANSWER.format(campaign=view.campaign)
    if reason != "no_such_choice" or view is None:
        return ""
    if view.decisions:
        return _list_options(view.decisions[0])
    if not view.version:
        return "The story has not begun: begin its first turn without `say` and `choose`."
    return f"The choices are {listed(one.id for one in view.choices) or 'none'}."


def _write_judged(judged: RoundView) -> ToolAnswer:
    if judged.flaws:
        return refuse("not_wanted", "; ".join(judged.flaws), OTHER_FORM)
    (result,) = judged.results
    told = cast(JsonObject, json.loads(result.text))
    if "error" in told:
        message = str(told["error"])
        return refuse("not_wanted", message, HOW_TO_HAND_IN if ASKS in message else OTHER_FORM)
    if "pending" in told:
        return ToolAnswer({"waits_for_player": True})
    changed: JsonObject = {"changed": judged.changed} if judged.changed else {}
    return ToolAnswer({"result": say_once(told.get("result", told)), **changed})
