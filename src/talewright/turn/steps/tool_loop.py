"""The tool loop: a model calls tools in rounds, reads their results, and finally narrates the turn.

The working state changes only by what the rules have granted.
"""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, ModelAnswer, SuggestedChoice
from talewright.contract.text.answer_json import read_json
from talewright.contract.tools.dialect import needs_no_reading
from talewright.contract.tools.engine_tools import END_GAME, PROPOSE_UPDATES
from talewright.crashpoints import around
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import MASTER, MODEL, Call, End, Update
from talewright.kernel.judging.rulings import Granted, Refused, Ruling
from talewright.kernel.slots.slot_types import Slot, describe_slot
from talewright.kernel.state.state_paths import parse_path, parse_pointer
from talewright.llm.requests import AssistantMessage, Message, ToolCall, ToolResult
from talewright.prompt.current_turn_part import show_changes
from talewright.turn.records.commit_body import ROUND
from talewright.turn.steps.asking import AnswerGuard, Asker, HeardAnswer, UntoldError
from talewright.turn.steps.judging import report_rolls
from talewright.turn.steps.repairing import (
    RepairConversation,
    TellingContext,
    find_flaws,
    flaw_of,
    name_move,
)
from talewright.turn.turn_signals import Activity, NarrationReset, name_work

TOOLS_CUT = "tools"
"""The cut recorded when a request is sent without tools."""


Renewal: TypeAlias = Callable[[AnswerGuard, AnswerGround, Sequence[ToolResult]], Awaitable[str]]
"""Returns what has changed after a round of calls, given their results."""


async def run_tool_loop(
    context: TellingContext, asker: Asker, messages: Sequence[Message], renew: Renewal
) -> ModelAnswer:
    """Get the narration of a turn whose replies call tools.

    What has changed after a round is added at the end, so that each request begins with the one before it.
    """
    limits = context.road.limits
    conversation = RepairConversation(context, list(messages))
    choices: tuple[SuggestedChoice, ...] = ()
    """The last choices offered, in whichever round."""

    for turn in range(limits.rounds_max + 1):
        ground = context.ground()
        last = turn == limits.rounds_max
        if last:
            # After the last round the model can only narrate, so no tools are sent. Tools come first in a
            # prompt, so this is a cut.
            context.working.cuts.append({"cut": TOOLS_CUT})
        request = context.request(conversation.said, ground, tools=() if last else None)
        purpose = "tell" if turn == 0 else ROUND
        heard = await asker.ask(context.teller.main, request, ground, purpose, conversation.cause)
        conversation.cause = None
        final = last or not heard.calls or _ends(context, heard)
        flaws = find_flaws(context, heard.answer, heard.objection, leaked=heard.leaked, final=final)
        if flaws:
            conversation.demand_repair(heard, flaws, ground)
            continue
        choices = heard.answer.choices or choices
        results = await run_calls(context, heard)
        context.guard.keep()
        if _is_done(context, heard, results):
            return replace(heard.answer, choices=choices)
        context.road.listener(NarrationReset(""))
        report_rolls(context.road, context.working)
        # The player has read the narration that came with the calls, even though the next round replaces it.
        context.guard.veil = context.guard.veil.spread(told=(heard.answer.prose,))
        calls = tuple(ToolCall(*call) for call in heard.calls)
        results = add_changed(results, await renew(context.guard, context.ground(), results))
        conversation.said += [AssistantMessage(heard.raw, calls), *results]
    raise UntoldError(f"{limits.rounds_max} rounds of calls brought no narration")


def add_changed(results: Sequence[ToolResult], changed: str) -> list[ToolResult]:
    """The results of a round, the last with what has changed.

    Some vendors reject a message of the player after the results of calls.
    """
    *others, last = results
    return [*others, replace(last, text=f"{last.text}\n\n{changed}") if changed else last]


def _is_done(context: TellingContext, heard: HeardAnswer, results: Sequence[ToolResult]) -> bool:
    if context.working.decisions or not heard.calls:
        return True
    return _ends(context, heard) and not any(result.refused for result in results)


def _ends(context: TellingContext, heard: HeardAnswer) -> bool:
    """Whether a reply with calls ends its turn if they are granted."""
    return bool(heard.answer.prose) and needs_no_reading(heard.answer, context.working.game)


async def run_calls(
    context: TellingContext, heard: HeardAnswer, answers: Mapping[str, Json] | None = None
) -> list[ToolResult]:
    """Judge the calls of one reply one by one, and the engine's own proposals together.

    `answers` are the caller's answers to errands, if it gave any.
    """
    answer = heard.answer
    results: dict[str, tuple[str, bool]] = {}
    with around("tool parsed"):
        for call, reason in answer.refused_calls:
            results[call.id] = _write_refusal(reason), True
    calls = [move for move in answer.moves if isinstance(move, Call)]
    proposer = MASTER if context.is_labelled else MODEL
    for call in calls:
        context.road.listener(Activity(name_work(context.working.game, call)))
        with around("tool executed"):
            judged = await context.judge.judge((call,), proposer, handed_in=answers)
        context.working.rulings += judged.mends
        results[call.id] = _write_ruling(judged.rulings[0])
    others = tuple(move for move in answer.moves if not isinstance(move, Call))
    judged_others = await context.judge.judge(others, proposer)
    context.working.rulings += judged_others.mends
    refused = [ruling for ruling in judged_others.rulings if isinstance(ruling, Refused)]
    if context.working.engine >= REPORTED_SINCE_ENGINE and not judged_others.mends:
        results |= _report_updates(context.working.game, heard, judged_others.rulings, results)
    with around("tool result recorded"):
        told = [
            ToolResult(name, tool, *(results.get(name) or _result_of(tool, refused, judged_others.mends)))
            for name, tool, _ in heard.calls
        ]
        heard.exchange["results"] = [
            {"id": result.call_id, "text": result.text, "refused": result.refused} for result in told
        ]
    return told


REPORTED_SINCE_ENGINE = 5
"""The first engine that reports what became of each proposed update."""


def _report_updates(
    game: Game, heard: HeardAnswer, rulings: Sequence[Ruling], known: Collection[str]
) -> dict[str, tuple[str, bool]]:
    """Return the results of the calls that proposed updates, by their ids; `known` have a result already."""
    judged = iter([ruling for ruling in rulings if isinstance(ruling.move, Update)])
    told = {}
    for name, tool, arguments in heard.calls:
        count = _count_updates(arguments) if tool == PROPOSE_UPDATES and name not in known else 0
        own = [*islice(judged, count)]
        if own:
            told[name] = _report(game, own)
    return told


def _count_updates(arguments: str) -> int:
    """Count the updates of a call that was read; one that cannot be read has its refusal already."""
    given = read_json(arguments)
    updates = given.get("updates") if isinstance(given, Mapping) else None
    return len(updates) if isinstance(updates, list) else 0


def _report(game: Game, rulings: Sequence[Ruling]) -> tuple[str, bool]:
    granted = [ruling for ruling in rulings if isinstance(ruling, Granted)]
    refused = [ruling for ruling in rulings if isinstance(ruling, Refused)]
    if not granted:
        return _write_refusal("; ".join(flaw_of(ruling).message for ruling in refused)), True
    told: dict[str, Json] = {"granted": [_report_grant(game, ruling) for ruling in granted]}
    if refused:
        told["refused"] = [{"path": name_move(one), "reason": one.reason} for one in refused]
    return _write(told), bool(refused)


def _report_grant(game: Game, ruling: Granted) -> Json:
    """Return what a granted update has changed, and the limits it was kept within."""
    assert isinstance(ruling.move, Update)
    told: dict[str, Json] = {"path": ruling.move.path}
    if not ruling.changes:
        # It is as it should be already, or cannot go further.
        slot = game.layout.find(parse_path(ruling.move.path))
        return {**told, "unchanged": "" if slot is None else _describe_limits(slot)}
    shown = show_changes(game, ruling.changes)
    if len(shown) == 1 and isinstance(shown[0], Mapping) and "value" in shown[0]:
        told["value"] = shown[0]["value"]
    else:
        told["changes"] = shown
    slots = [game.layout.find(parse_pointer(one.path)) for one in ruling.changes if one.clamped]
    limits = [_describe_limits(slot) for slot in slots if slot is not None and not slot.secret]
    return {**told, **({"clamped": "; ".join(dict.fromkeys(limits))} if limits else {})}


def _describe_limits(slot: Slot) -> str:
    step = "" if slot.max_step is None else f" that moves by at most {slot.max_step} at once"
    return f"{describe_slot(slot)}{step}"


_PROPOSED: Mapping[str, type[Update] | type[End]] = {PROPOSE_UPDATES: Update, END_GAME: End}
"""The kind of move each of the engine's own tools makes."""


NOT_DONE = "nothing came of this, because what was proposed along with it was refused; call it again"
"""The reply to a valid proposal that was made together with a refused one."""


def _result_of(tool: str, refused: Sequence[Refused], mends: Sequence[Refused]) -> tuple[str, bool]:
    """Return the result of a call to one of the engine's own tools; with `mends` nothing was done."""
    kind = _PROPOSED.get(tool)
    reasons = [flaw_of(ruling).message for ruling in refused if type(ruling.move) is kind]
    if kind is not None and mends and not reasons:
        reasons = [NOT_DONE]
    return (_write_refusal("; ".join(reasons)), True) if reasons else (_write({"done": True}), False)


def _write_ruling(ruling: Ruling) -> tuple[str, bool]:
    match ruling:
        case Granted(result=result):
            return _write({"result": result}), False
        case Refused(reason=reason):
            return _write_refusal(reason), True
        case _:
            return _write({"pending": True}), False


def _write_refusal(reason: str) -> str:
    return _write({"error": reason})


def _write(value: Mapping[str, Json]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
