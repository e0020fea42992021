"""Asides: summaries and errands, questions to a model in the background, used by the next turn as asides.

They move no head and fail no turn. A reply that does not match its schema counts as no reply; an aside that
no system understands any more is marked as used, without effect.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from talewright.chronicle.records import Aside
from talewright.common.frozen_values import frozen
from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.common.work_meter import limit_work
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.answer_json import JsonTextError, read_json, strip_controls
from talewright.contract.text.leak_guard import NOTHING_HIDDEN, HiddenTexts
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import allowed_tools, carry_out
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import Errand, ErrandWeight
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.story.game_texts import Texts
from talewright.llm.provider import Provider
from talewright.llm.requests import Message, Request, SystemMessage, UserMessage
from talewright.prompt.memory_summary import SUMMARY_ANSWER_TOKENS_MAX, ask_summary, trim_summary
from talewright.prompt.past_turns_part import read_window
from talewright.prompt.prompt_assembly import disarm_messages
from talewright.prompt.words import PHRASES
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork, record_troubles
from talewright.turn.hidden_texts import gather_hidden_texts, list_changed
from talewright.turn.memory.past_turns import list_past
from talewright.turn.memory.story_memory import (
    ask_retention,
    count_older,
    find_due,
    read_summary,
    recollect,
    take_summary,
)
from talewright.turn.records.turn_attempts import AttemptLedger, write_cost
from talewright.turn.spending import SpendingSum, count_spending
from talewright.turn.steps.asking import AnswerGuard, Asker, AskSetting, UntoldError
from talewright.turn.steps.briefing import make_frame
from talewright.turn.steps.recalling import Recalled, reach_back, recall, recall_at
from talewright.turn.turn_context import BEGIN, Road, Teller, key_after
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from talewright.turn.turn_signals import BackgroundDone

ANSWER_TOKENS_MAX = 4_000
"""Maximum length of a reply to an errand, in tokens, whatever it requests."""

_RULES = "Answer with JSON alone: no other words, no code fence. It must fit this JSON Schema:\n"


def choose_provider(teller: Teller, errand: Errand) -> Provider:
    """Choose the provider: the cheap model for cheap errands."""
    if errand.weight is ErrandWeight.CHEAP and teller.cheap is not None:
        return teller.cheap
    return teller.main


async def run_errand(asker: Asker, teller: Teller, errand: Errand) -> Json:
    """Ask an errand; return None if no valid answer came."""
    schema, provider = errand.answer_schema, choose_provider(teller, errand)
    rules = _RULES + json.dumps(schema, ensure_ascii=False, sort_keys=True)
    request = Request(
        (SystemMessage(rules), UserMessage(errand.question)),
        answer_schema=schema if isinstance(schema, Mapping) else None,
        max_output_tokens=min(errand.answer_tokens, ANSWER_TOKENS_MAX, provider.profile.output_tokens_max),
    )
    try:
        answer = read_json(await asker.ask_plainly(provider, request, f"errand {errand.id}"))
    except (JsonTextError, UntoldError):
        return None
    # The schema was made during play, too late to be rejected; `take` must check whatever it does not cover.
    return answer if fits(answer, read_schema(schema, strict=False)) else None


ERRAND = "errand"
"""Kind of an aside that answers a system's errand: `{kind, system, errand, answer}`."""

UNANSWERED = "unanswered"
"""Kind of an aside that records the cost of an errand without an answer; it has no effect."""

SUMMARY = "summary"
"""Kind of an aside that summarizes past turns: `{kind, text, from, upto}`. Its text replaces the previous
summary and the turns `from` .. `upto`, the oldest of the window."""


def take_up(working: TurnProgress, asides: Sequence[Aside]) -> None:
    """Apply finished asides to the working state."""
    for aside in asides:
        if aside.body.get("kind") == SUMMARY:
            _take_summary(working, aside)
        else:
            updates = _updates(working, aside.body)
            working.take(carry_out(working.game, working.position, updates, f"aside:{aside.id}"))
        working.asides.append(aside.id)


def _take_summary(working: TurnProgress, aside: Aside) -> None:
    """Shorten the window by the turns of a summary; one made for another window is too late."""
    window = working.window
    since, upto = aside.body.get("from", window.first), aside.body.get("upto")
    if since == window.first:
        first = upto + 1 if isinstance(upto, int) else window.first
        take_summary(working, aside.body.get("text"), first, {"by": "model", "aside": aside.id})


def _updates(working: TurnProgress, body: Mapping[str, Json]) -> Sequence[Update]:
    table = WorkingState(working.game, working.position)
    for system in working.game.parts.errands:
        if body.get("kind") == ERRAND and system.name == body.get("system"):
            return system.take(cast(str, body.get("errand")), body.get("answer"), table.sight(system))
    return ()


async def condense(road: Road, branch: str, commit: str = "") -> int:
    """Run the background work of a turn, by default the newest of a branch; return how many questions were
    answered.
    """
    if road.teller is None:
        return 0
    troubles, made = BackgroundTroubles(), 0
    # A system whose `reach` fails is reported when the pages are written.
    recalling = recall_at(road, commit) if commit else recall(road, branch)
    recalled = await reach_back(road.book, await recalling)
    with troubles.catch(BackgroundWork.ERRANDS), limit_work(road.limits.work_max):
        made += await _run_errands(road, road.teller, recalled, troubles)
    with troubles.catch(BackgroundWork.SUMMARY), limit_work(road.limits.work_max):
        made += await _sum_up(road, road.teller, recalled, troubles)
    await record_troubles(road, recalled.head, troubles.found)
    return made


async def find_errands(
    road: Road, recalled: Recalled, troubles: BackgroundTroubles
) -> tuple[tuple[str, Errand], ...]:
    """Return the errands of all systems after a turn that were not attempted yet, each with its system.

    A failing system does not affect the errands of others.
    """
    game = recalled.edition.game
    if not game.parts.errands:
        return ()
    known = await road.book.asides(frozenset({recalled.head.id}))
    done = {(aside.body.get("system"), aside.body.get("errand")) for aside in known}
    table, turns = WorkingState(game, recalled.position), list_past(recalled.past, recalled.bodies)
    wanted: list[tuple[str, Errand]] = []
    for system in game.parts.errands:
        with troubles.catch(BackgroundWork.ERRANDS, system.name):
            errands = [(system.name, errand) for errand in system.errands(table.sight(system), turns)]
            wanted += [one for one in errands if (one[0], one[1].id) not in done]
    return tuple(wanted[: road.limits.errands_max])


async def _run_errands(road: Road, teller: Teller, recalled: Recalled, troubles: BackgroundTroubles) -> int:
    made = 0
    for name, errand in await find_errands(road, recalled, troubles):
        if errand.optional and choose_provider(teller, errand).profile.short_prompts:
            # It would still be writing when the player continues, and the story would have to wait for it.
            continue
        ledger = AttemptLedger()
        task = await begin_task(road, recalled, f"errand {name} {errand.id}")
        dialect = DIALECTS[recalled.edition.game.contract]
        asker = Asker(road, task.setting, dialect, AnswerGuard(NOTHING_HIDDEN), ledger)
        answer: Json = None
        with troubles.catch(BackgroundWork.ERRANDS, name):
            answer = await run_errand(asker, teller, errand)
            if answer is not None and tells_hidden(
                _start(recalled), _gather(road, teller, recalled), write_errand(name, errand.id, answer)
            ):
                answer = None
        await keep_result(road, recalled, task, write_errand(name, errand.id, answer), ledger)
        made += answer is not None
    return made


def tells_hidden(working: TurnProgress, veil: HiddenTexts, body: Mapping[str, Json]) -> bool:
    """Apply an answer, and return whether it would let the player read something hidden."""
    before = len(working.changes)
    take_up(working, (Aside("", "", "", body),))
    changed = list_changed(working.game, working.changes[before:])
    shown = [text for text, closed in changed if not closed]
    return veil.covers(shown) or veil.names(shown)


def _start(recalled: Recalled) -> TurnProgress:
    """Start a throwaway turn, whose draws are discarded."""
    return TurnProgress(recalled.edition.game, recalled.position, TurnDraws(b"", recalled.position.turn, b""))


def _gather(road: Road, teller: Teller, recalled: Recalled) -> HiddenTexts:
    """Gather what no answer of a background task may reveal to a player."""
    game, texts = recalled.edition.game, _choose_texts(road, recalled)
    ground, dialect = _ground(game, recalled, texts), DIALECTS[game.contract]
    frame = make_frame(dialect, ground, texts, teller)
    return gather_hidden_texts(dialect, ground, texts, recalled, "", frame.frozen, frame.tools)


def _choose_texts(road: Road, recalled: Recalled) -> Texts:
    return recalled.edition.words(road.language or recalled.body.language)


def _ground(game: Game, recalled: Recalled, texts: Texts) -> AnswerGround:
    tools = allowed_tools(WorkingState(game, recalled.position))
    return AnswerGround(game, recalled.position, texts.language, tools=tools)


def write_errand(system: str, errand: str, answer: Json) -> dict[str, Json]:
    """Return the body of an errand's aside."""
    body: dict[str, Json] = {"kind": UNANSWERED, "system": system, "errand": errand}
    return body if answer is None else {**body, "kind": ERRAND, "answer": answer}


@frozen
class DueSummary:
    """Turns that are due for a summary, and the messages that request it."""

    since: int
    upto: int
    messages: tuple[Message, ...]

    veil: HiddenTexts
    """Texts that must not be in it: every later prompt repeats it."""

    def write(self, text: str) -> dict[str, Json]:
        """Return the body of a summary's aside."""
        summary = trim_summary(self.veil.take_out(strip_controls(text)))
        body: dict[str, Json] = {"kind": UNANSWERED, "errand": SUMMARY}
        if not summary:
            return body
        return {**body, "kind": SUMMARY, "text": summary, "from": self.since, "upto": self.upto}


async def find_summary(road: Road, teller: Teller, recalled: Recalled) -> DueSummary | None:
    """The oldest turns of the window, if they are due to be cut and not summarized yet.

    A slow model is not asked: it would still be writing when the player continues.
    """
    if (teller.cheap or teller.main).profile.short_prompts:
        return None
    edition, head = recalled.edition, recalled.head
    game, texts = edition.game, _choose_texts(road, recalled)
    window = read_window(recalled.body.window, head.version)
    known = await road.book.asides(frozenset({head.id}))
    tried = any(aside.body.get("errand") == SUMMARY for aside in known)
    waiting = any(aside.body.get("from") == window.first for aside in recalled.asides)
    if tried or waiting:
        return None
    frame = make_frame(DIALECTS[game.contract], _ground(game, recalled, texts), texts, teller)
    recollection = await recollect(road.book, recalled, window, game, texts)
    wish = ask_retention(game, recalled.position)
    count = find_due(recollection, window, head.version + 1, frame.marks, wish)
    if not count or (wish is not None and wish.due and count_older(recollection, window, wish)):
        # Systems remember the turns they release themselves.
        return None
    asked = ask_summary(
        read_summary(recalled.position), recollection.tell(count), pick_words(texts.language, PHRASES)
    )
    messages = disarm_messages(asked)
    return DueSummary(window.first, window.first + count - 1, messages, _gather(road, teller, recalled))


async def _sum_up(road: Road, teller: Teller, recalled: Recalled, troubles: BackgroundTroubles) -> int:
    """Ask for a summary of the oldest turns of the window, if they are due."""
    due = await find_summary(road, teller, recalled)
    if due is None:
        return 0
    ledger = AttemptLedger()
    task = await begin_task(road, recalled, f"summary {due.since}")
    dialect = DIALECTS[recalled.edition.game.contract]
    asker = Asker(road, task.setting, dialect, AnswerGuard(NOTHING_HIDDEN), ledger)
    request, text = Request(due.messages, max_output_tokens=SUMMARY_ANSWER_TOKENS_MAX), ""
    with troubles.catch(BackgroundWork.SUMMARY), suppress(UntoldError):
        text = await asker.ask_plainly(teller.cheap or teller.main, request, SUMMARY)
    body = due.write(text)
    await keep_result(road, recalled, task, body, ledger)
    return int(body["kind"] == SUMMARY)


@frozen
class BackgroundTask:
    """A background question: its ask setting, and the id and time of its aside."""

    setting: AskSetting
    aside_id: str
    at: str


async def begin_task(road: Road, recalled: Recalled, work: str) -> BackgroundTask:
    """Take what a question needs from outside in one step, so that a resumed task writes the same aside."""
    key = key_after(road.book.campaign, recalled.head.id)

    async def step() -> Json:
        tracker = None if road.teller is None else road.teller.spending_tracker
        spent = await count_spending(road.book, tracker)
        return [road.new_id(), road.now(), spent.tokens, spent.dollars]

    kept = cast(Sequence[str | int | float], await road.runner.run(key, f"{BEGIN} {work}", step))
    spent = SpendingSum(int(kept[2]), float(kept[3]))
    return BackgroundTask(AskSetting(key, spent, work), str(kept[0]), str(kept[1]))


async def keep_result(
    road: Road, recalled: Recalled, task: BackgroundTask, body: dict[str, Json], ledger: AttemptLedger
) -> None:
    """Store the result, even if it is only the cost."""
    cost = write_cost(ledger)
    await road.book.add(Aside(task.aside_id, recalled.head.id, task.at, {**body, **cost}))
    kind = body["kind"]
    if kind != UNANSWERED:
        road.listener(BackgroundDone(str(kind), recalled.head.branch, recalled.head.operation_id))
