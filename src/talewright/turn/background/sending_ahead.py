"""Sending ahead: the model reads the known part of the next prompt while the player reads the story.

It asks only servers that cost nothing and cache the beginning of a prompt, for one token that nobody sees. It
moves no head and fails no turn. What it read is recorded as an attempt of its own kind, outside commits.
"""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import takewhile

from talewright.chronicle.records import Attempt, AttemptVerdict
from talewright.common.json_values import Json
from talewright.common.work_meter import limit_work
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import NOTHING_HIDDEN
from talewright.kernel.story.scene_rules import is_over
from talewright.llm.cost_meter import ProviderAttempt
from talewright.llm.profiles import CacheKind, Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import Message, Request, UserMessage
from talewright.prompt.prompt_assembly import Prompt
from talewright.prompt.token_budget import BREAK
from talewright.turn.inputs.player_inputs import Deed
from talewright.turn.records.turn_attempts import AHEAD, AttemptLedger, is_ahead, write_cost
from talewright.turn.spending import spend
from talewright.turn.steps.asking import AnswerGuard
from talewright.turn.steps.briefing import brief, make_frame
from talewright.turn.steps.judging import Judge
from talewright.turn.steps.recalling import Recalled, recall
from talewright.turn.steps.repairing import TellingContext
from talewright.turn.steps.telling import start_progress
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_progress import TurnDraws

ANSWER_TOKENS = 1
"""Tokens of the answer: every server writes at least one."""

INPUT_PARTS = frozenset({"happened", "results", "care", "asked"})
"""Parts of the newest message that depend on the input; all others come before them."""


def may_send_ahead(profile: Profile) -> bool:
    """Whether a model is known to be free and caches the beginning of a prompt automatically."""
    prices = profile.prices
    if prices is None or profile.cache.kind is not CacheKind.AUTOMATIC:
        return False
    return not any((prices.input, prices.output, prices.cached_input, prices.cache_write))


async def send_ahead(road: Road, branch: str) -> bool:
    """Have the model read the beginning of a branch's next prompt; return whether it read all of it.

    If cancelled, it closes the connection, writes its record and ends.
    """
    teller = road.teller
    provider = None if teller is None else _find_reader(teller)
    if teller is None or provider is None:
        return False
    newest = (await road.book.look(branch)).newest_attempt
    if newest is not None and not is_ahead(newest):
        # The player must decide about an input that could not be narrated; its prompt was read with that
        # turn.
        return False
    recalled = await recall(road, branch)
    with limit_work(road.limits.work_max):
        request = await write_ahead(road, teller, recalled)
    if request is None:
        return False
    name, at = road.new_id(), road.now()
    attempt = ProviderAttempt(request)
    failure: ProviderError | None = None
    reason = OutcomeReason.CANCELLED.value
    try:
        async with aclosing(provider.stream(request)) as chunks:
            async for chunk in chunks:
                attempt.note(chunk)
        reason = ""
    except ProviderError as error:
        failure, reason = error, error.trouble.value
    finally:
        cost = write_ahead_cost(attempt.cost(failure), provider.profile, reason)
        if cost:
            # No turn is spent on it, and the operation it follows has ended, so nothing waits for it.
            operation, head = recalled.head.operation_id, recalled.head.id
            await road.book.add(Attempt(name, operation, branch, head, at, AttemptVerdict.UNSPENT, cost))
    return failure is None


def _find_reader(teller: Teller) -> Provider | None:
    """The model to send to; None if it would cost anything, even tokens of a limited budget."""
    if teller.ahead is None or not may_send_ahead(teller.ahead.profile):
        return None
    tracker = teller.spending_tracker
    return None if tracker is not None and tracker.limits_tokens else teller.ahead


def write_ahead_cost(usage: Usage | None, profile: Profile, reason: str = "") -> dict[str, Json]:
    """What was read, as recorded, and why it broke off; empty if nothing was read."""
    if usage is None:
        return {}
    ledger = AttemptLedger(usage=usage, asks=1, spent=[spend(usage, profile)])
    return {"kind": AHEAD, **write_cost(ledger), **({"reason": reason} if reason else {})}


async def write_ahead(road: Road, teller: Teller, recalled: Recalled) -> Request | None:
    """The next request of a campaign up to the player's input; None if the story is over."""
    edition = recalled.edition
    game, texts = edition.game, edition.words(road.language or recalled.body.language)
    # Draws of a turn that nobody takes are discarded.
    working = start_progress(recalled, TurnDraws(b"", recalled.position.turn))
    if is_over(working.position):
        return None
    guard = AnswerGuard(NOTHING_HIDDEN)
    dialect = DIALECTS[game.contract]
    judge = Judge(working, guard)
    context = TellingContext(road, teller, dialect, working, guard, judge, texts.language, frozenset())
    ground = context.ground()
    frame = make_frame(dialect, ground, texts, teller)
    name = teller.main.profile.name
    briefing = await brief(road, recalled, working, texts, Deed(""), (), frame, name)
    request = context.request(cut_input(briefing.prompt), ground)
    return replace(request, max_output_tokens=ANSWER_TOKENS)


def cut_input(prompt: Prompt) -> Sequence[Message]:
    """The messages of a prompt, the newest without everything that depends on the input."""
    last = len(prompt.messages) - 1
    newest = (part for part in prompt.parts if part.message == last)
    certain = takewhile(lambda part: part.name not in INPUT_PARTS, newest)
    return *prompt.stable, UserMessage(BREAK.join(part.text for part in certain))
