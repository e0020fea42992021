"""Master rounds: calls and text of an external game master, read like those of a model.

Rounds are values. `judged_turn` judges them; any process can do it again from the start of the turn, with the
same result.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import count_work
from talewright.contract.cards.cards_answer_checks import read_fact_list
from talewright.contract.dialect import ModelAnswer
from talewright.contract.text.answer_json import JsonTextError, read_json, strip_controls, strip_document
from talewright.contract.tools.dialect import ARGUMENTS_LENGTH_MAX, NAME_LENGTH_MAX
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw
from talewright.llm.reply_chunks import Reply, StopReason
from talewright.llm.requests import ToolCall, ToolResult
from talewright.turn.records.commit_body import OUTSIDE, write_reply
from talewright.turn.steps.asking import HeardAnswer, read_answer
from talewright.turn.steps.repairing import TellingContext, find_flaws

READING_STEPS = 4
"""Steps of work for each character of a round that is read."""


@frozen
class OutsideRound:
    """What an outside game master submits at once."""

    calls: tuple[ToolCall, ...] = ()
    answers: Mapping[str, Json] = field(default_factory=dict)
    """Answers to errands that calls are waiting for, by the errand's id."""

    text: str = ""
    """The narration; only in the last round."""

    facts: tuple[str, ...] = ()
    """Facts to remember from the turn."""

    final: bool = False
    objection: str = ""
    """The moderation's objection to the narration."""


@frozen
class OutsideProgress:
    """The result of judging the rounds so far."""

    results: tuple[ToolResult, ...] = ()
    """Results of the calls of the newest round."""

    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the newest round; if anything is, the round has no effect."""

    drew: bool = False
    """Whether dice fell for the calls of the newest round."""

    changed: str = ""
    """What is different after the newest round, for the game master: place, people, notes, lore."""


class UnfitHandInError(ValueError):
    """The submission is not JSON that can be stored."""


def clean_document(value: Json) -> Json:
    """Check submitted JSON: limit its depth and length, and remove characters no text may contain."""
    try:
        text = json.dumps(value, allow_nan=False)
        if len(text) > ARGUMENTS_LENGTH_MAX:
            raise UnfitHandInError(f"it has more than {ARGUMENTS_LENGTH_MAX} characters; give less")
        return strip_document(read_json(text))
    except JsonTextError as error:
        raise UnfitHandInError(error.message) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise UnfitHandInError(str(error)) from None


def clean_call(call: ToolCall) -> ToolCall:
    """Make a call fit to be stored; arguments that are too long stay too long, and are refused later."""
    return ToolCall(
        strip_controls(call.id)[:NAME_LENGTH_MAX],
        strip_controls(call.name)[:NAME_LENGTH_MAX],
        strip_controls(call.arguments[: ARGUMENTS_LENGTH_MAX + 1]),
    )


def measure_round(one: OutsideRound) -> int:
    """Count the characters of a round besides its narration."""
    calls = sum(len(call.id) + len(call.name) + len(call.arguments) for call in one.calls)
    answers = len(json.dumps(dict(one.answers), ensure_ascii=False)) if one.answers else 0
    return calls + answers + sum(map(len, one.facts))


def write_round(one: OutsideRound) -> dict[str, Json]:
    """Convert a round to JSON."""
    raw: dict[str, Json] = {
        "calls": [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in one.calls],
        "answers": dict(one.answers),
        "text": one.text,
        "facts": list(one.facts),
        "final": one.final,
        "objection": one.objection,
    }
    return {name: value for name, value in raw.items() if value}


def read_round(raw: Json) -> OutsideRound:
    """Parse a stored round."""
    kept = cast(Mapping[str, Json], raw)
    calls = cast(Sequence[Mapping[str, str]], kept.get("calls", ()))
    return OutsideRound(
        tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls),
        cast(Mapping[str, Json], kept.get("answers", {})),
        str(kept.get("text", "")),
        tuple(cast(Sequence[str], kept.get("facts", ()))),
        bool(kept.get("final")),
        str(kept.get("objection", "")),
    )


def hear_round(context: TellingContext, one: OutsideRound) -> tuple[HeardAnswer, tuple[Flaw, ...]]:
    """Read a round like a model's reply."""
    count_work(READING_STEPS * measure_round(one))
    reply = Reply(one.text, one.calls, None, StopReason.END)
    reading = read_answer(context.dialect, context.ground(), context.guard, reply)
    facts, flaws = read_fact_list(one.facts)
    exchange: dict[str, Json] = {"purpose": OUTSIDE, **write_reply(reply)}
    if one.answers:
        exchange["answers"] = dict(one.answers)
    if facts:
        exchange["facts"] = list(facts)
    calls = tuple((call.id, call.name, call.arguments) for call in one.calls)
    answer = replace(reading.answer, facts=facts)
    return HeardAnswer(answer, one.text, reading.leaked, exchange, calls, one.objection), flaws


def find_round_flaws(context: TellingContext, one: OutsideRound, heard: HeardAnswer) -> tuple[Flaw, ...]:
    """Find what is wrong with a round before its calls are judged."""
    answer = heard.answer if one.calls or one.text else _speechless(heard.answer)
    if one.text and not one.final:
        return (Flaw("the narration is told once, at the end of the turn"),)
    return find_flaws(context, answer, heard.objection, leaked=heard.leaked, final=one.final)


def _speechless(answer: ModelAnswer) -> ModelAnswer:
    """Accept an empty answer, which a game master may give: the turn just continues."""
    return replace(answer, flaws=())


ROLLED_UNREAD = (
    "dice are rolled for these calls, and their results must be read first: call them, then finish"
)
"""Why a narration is refused along with calls that draw, whatever was drawn."""


def find_unread(game: Game, last: OutsideRound) -> tuple[Flaw, ...]:
    """Return the calls along with a narration whose results must be read before it."""
    called = {call.name for call in last.calls}
    read_first = [tool.name for tool in game.tools_in(game.language) if tool.must_see and tool.name in called]
    return tuple(
        Flaw(f"the result of {name} must be read first: call it, then finish") for name in read_first
    )


def find_refused(progress: OutsideProgress) -> tuple[Flaw, ...]:
    """Return the calls along with a narration that were refused.

    If dice fell for them, nothing is said but that: such a round is not stored, so that a refusal would show
    dice to a game master without a record of it.
    """
    if progress.drew:
        return (Flaw(ROLLED_UNREAD),)
    refused = (one for one in progress.results if one.refused)
    return tuple(Flaw(f"{one.name}: {_word_refusal(json.loads(one.text))}") for one in refused)


def _word_refusal(told: Mapping[str, Json]) -> str:
    """Return why a call was refused, or what part of it."""
    parts = cast(Sequence[Mapping[str, str]], told.get("refused", ()))
    return str(told.get("error", "")) or "; ".join(f"{one['path']}: {one['reason']}" for one in parts)
