"""The brief of an outside game master: what a model would be given, in sections, and open questions.

It is made as for a model, with the same privacy: it leaves out what no narrator may know. The only things
written are a game master's answers to errands, and summaries.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, replace

from talewright.chronicle.records import Accepted
from talewright.common.frozen_values import frozen
from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.common.work_meter import TooMuchWorkError, limit_work
from talewright.contract.answer_schema import index_by_id
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import LEAK
from talewright.errors import TalewrightError
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.game_texts import Texts
from talewright.llm.requests import ToolSpec
from talewright.prompt.current_turn_part import TailMoment, write_tail
from talewright.prompt.lore.lore_selection import TOLD
from talewright.prompt.past_turns_part import TranscriptInput, disarm, write_lore
from talewright.prompt.prompt_assembly import PromptPart
from talewright.prompt.token_budget import make_budget
from talewright.turn.background.asides import (
    SUMMARY,
    begin_task,
    find_errands,
    find_summary,
    keep_result,
    tells_hidden,
    write_errand,
)
from talewright.turn.background.background_troubles import BackgroundTroubles
from talewright.turn.game_master.master_rounds import UnfitHandInError, clean_document
from talewright.turn.inputs.player_inputs import AnswerDecision, Deed, GoOn, Input, to_json
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.beginning import Beginning, Turn
from talewright.turn.steps.recalling import Recalled, reach_back, recall, recall_at
from talewright.turn.steps.repairing import TellingContext
from talewright.turn.steps.telling import OUTSIDE_PROFILE, OUTSIDE_TELLER, TOOLS, Try, foresee
from talewright.turn.turn_context import Road, TurnKey

PAST_TURN = "turn "
"""Prefix of the name of a section with one past turn."""


INTRO = "intro"
"""The section with the game's intro, and the key of that text."""

ASKED = "asked"
"""The section of a prompt with the player's words, and the lore that they call for."""

QUOTES_HIDDEN = (
    "It quotes a text that the player must not see: pass on the player's own words, or begin in other words."
)
"""Why an input that a game master brought is refused."""


class HandInError(TalewrightError):
    """A game master's submission is not expected or not valid."""


@frozen
class BriefSection:
    """One part of what a narrator knows."""

    name: str
    text: str
    is_new: bool = True
    """Whether it has changed since the given version."""


@frozen
class OpenErrand:
    """A question that a system wants answered after the turn."""

    system: str
    errand: Errand


@frozen
class MasterBrief:
    """Everything an outside game master needs to narrate the next turn."""

    version: int
    """The version of the newest turn; pass it next time to see what has changed since."""

    sections: tuple[BriefSection, ...]
    tools: tuple[ToolSpec, ...]
    """The tools that may be called now."""

    errands: tuple[OpenErrand, ...] = ()
    summary: str = ""
    """The request for a summary that is due; empty if none is."""


async def brief_master(road: Road, branch: str, since: int = -1, opened: Try | None = None) -> MasterBrief:
    """Return what a narrator would be given now; changes since a version are marked.

    `opened` is the open turn, with its rounds so far.
    """
    recalled = await recall(road, branch)
    attempt = opened or (await _brief_try(road, branch, recalled))[0]
    assert attempt.updates is not None
    if since > recalled.head.version:
        # It was read before turns were undone: nothing of it is sure to be as it was.
        since = -1
    before = await _read_before(road, recalled, branch, since)
    parts = attempt.updates.list_parts() if opened else _leave_out_input(attempt)
    sections = [_section(part, before, since) for part in parts if part.text]
    tools = DIALECTS[TOOLS].tools(attempt.context_outside().ground(), OUTSIDE_PROFILE)
    if not recalled.head.version:
        sections += _write_intro(choose_texts(road, recalled))
    reached = await reach_back(road.book, recalled)
    errands = await _find_open(road, reached)
    due = await find_summary(road, OUTSIDE_TELLER, reached)
    asked = "" if due is None else "\n\n".join(message.text for message in due.messages)
    return MasterBrief(
        recalled.head.version,
        tuple(sections),
        tools,
        tuple(OpenErrand(system, replace(one, question=disarm(one.question))) for system, one in errands),
        asked,
    )


def _leave_out_input(attempt: Try) -> tuple[PromptPart, ...]:
    """The parts of a briefing between turns: the lore, but no words of a player who has not spoken yet."""
    assert attempt.briefing is not None
    parts, told = attempt.briefing.prompt.parts, _list_told(attempt)
    waiting = (replace(one, name="lore", text=disarm(write_lore(told))) for one in parts if one.name == ASKED)
    return *(one for one in parts if one.name != ASKED), *waiting


def _list_told(attempt: Try) -> list[str]:
    """The lore that a narrator is told."""
    assert attempt.briefing is not None
    return [verdict.text for verdict in attempt.briefing.lore if verdict.why in TOLD]


def list_master_tools(game: Game, language: str) -> tuple[ToolSpec, ...]:
    """Return every tool that a game ever has for a narrator, whatever phase the campaign is in."""
    every = tuple(tool.name for tool in game.tools_in(language))
    ground = AnswerGround(game, begin(game, language), language, tools=every, reasons=True)
    return DIALECTS[TOOLS].tools(ground, OUTSIDE_PROFILE)


def choose_texts(road: Road, recalled: Recalled) -> Texts:
    """Return the game's texts in the language of a turn."""
    return recalled.edition.words(road.language or recalled.body.language)


def _write_intro(texts: Texts) -> list[BriefSection]:
    intro = disarm(texts.find(INTRO))
    return [BriefSection(INTRO, intro)] if intro else []


NOW = ("state", "notes", "ahead")
OPENS = ("scene", "near")
"""Sections that follow from a position: from the one now, and from the one in which the turn would end."""


async def write_situation(road: Road, attempt: Try, deed: Deed) -> tuple[BriefSection, ...]:
    """Write what a game master must know to narrate an open turn: what the input has led to, and the calls.

    After a choice, the scene is the one that opens now. What follows is what the engine itself adds to the
    narration.
    """
    briefing, updates, working = attempt.briefing, attempt.updates, attempt.working
    assert briefing is not None
    assert updates is not None
    game, texts = working.game, choose_texts(road, attempt.recalled)
    asked = {part.name: part.text for part in briefing.prompt.parts}
    now = then = _write_position(game, texts, working.position)
    added: tuple[str, ...] = ()
    if deed.leaves or deed.moves:
        # If the rules take too long, the turn fails when it is finished.
        with suppress(TooMuchWorkError), limit_work(road.limits.work_max):
            end = await foresee(working, texts, deed)
            then, added = _write_position(game, texts, end.position), end.added
    is_opening = INTRO in deed.passages
    sections = {
        # The engine narrates the intro by itself.
        **({INTRO: texts.find(INTRO)} if is_opening else {"happened": asked.get("happened", "")}),
        **{name: then.get(name, "") for name in OPENS},
        "follows": "\n".join(("[FOLLOWS]", *added)) if added else "",
        **{name: now.get(name, "") for name in NOW},
        "extra": index_by_id(working.position.state.document, game.layout),
        "lore": write_lore([*_list_told(attempt), *updates.lore]),
        "care": asked.get("care", ""),
    }
    return tuple(BriefSection(name, disarm(text)) for name, text in sections.items() if text)


def _write_position(game: Game, texts: Texts, position: Position) -> dict[str, str]:
    """The sections of a prompt that follow from a position, by name."""
    room = make_budget(OUTSIDE_PROFILE.context_tokens, OUTSIDE_PROFILE.output_tokens_max).tail
    tail = write_tail(game, texts, position, TailMoment(TranscriptInput("")), room)
    return {section.name: section.text for section in tail.sections}


def _section(part: PromptPart, before: Sequence[PromptPart], since: int) -> BriefSection:
    if part.name.startswith(PAST_TURN):
        return BriefSection(part.name, part.text, int(part.name.removeprefix(PAST_TURN)) > since)
    known = any((one.name, one.text) == (part.name, part.text) for one in before)
    return BriefSection(part.name, part.text, not known)


async def _read_before(road: Road, recalled: Recalled, branch: str, since: int) -> tuple[PromptPart, ...]:
    """Return the sections at an earlier version of the same line; empty if it is too far back."""
    behind = recalled.head.version - since
    if since < 0 or not 0 <= behind < len(recalled.past):
        return ()
    earlier = await recall_at(road, recalled.past[behind].id)
    attempt, _ = await _brief_try(road, branch, earlier)
    return _leave_out_input(attempt)


async def _brief_try(road: Road, branch: str, recalled: Recalled) -> tuple[Try, TellingContext]:
    """Brief an attempt that is never committed."""
    head = recalled.head.id
    beginning = Beginning(head=head, edition=recalled.edition.digest, commit_id="", attempt_id="", at="")
    accepted = Accepted("", branch, head, to_json(GoOn()), "")
    turn = Turn(TurnKey(road.book.campaign, ""), accepted, beginning)
    with limit_work(road.limits.work_max):
        attempt = Try(road, turn, recalled, AttemptLedger(), await road.folds.read_secret(road.book))
        context = attempt.context_outside()
        await attempt.brief(context, Deed(""))
    return attempt, context


async def _find_open(road: Road, recalled: Recalled) -> list[tuple[str, Errand]]:
    """Return the errands that the storyteller may read."""
    found = await find_errands(road, recalled, BackgroundTroubles())
    return [(system, errand) for system, errand in found if not errand.apart]


async def hand_in_answer(road: Road, branch: str, system: str, errand: str, answer: Json) -> None:
    """Answer an errand of a system; the next turn uses the answer."""
    try:
        answer = clean_document(answer)
    except UnfitHandInError as error:
        raise HandInError(f"the answer to {errand!r} cannot be read: {error}", "Look at the brief.") from None
    recalled = await reach_back(road.book, await recall(road, branch))
    for name, one in await _find_open(road, recalled):
        if (name, one.id) == (system, errand):
            if not fits(answer, read_schema(one.answer_schema, strict=False)):
                raise HandInError(f"the answer to {errand!r} does not fit its schema", "Look at the brief.")
            if await _tells_hidden(road, branch, recalled, write_errand(name, one.id, answer)):
                raise HandInError(LEAK.message, "Answer it without that.")
            task = await begin_task(road, recalled, f"errand {name} {one.id}")
            await keep_result(road, recalled, task, write_errand(name, one.id, answer), AttemptLedger())
            return
    raise HandInError(f"nobody waits for an answer to {errand!r}", "The brief lists what is wanted.")


async def _tells_hidden(road: Road, branch: str, recalled: Recalled, body: Mapping[str, Json]) -> bool:
    """Whether an answer would let the player read something hidden."""
    attempt, context = await _brief_try(road, branch, recalled)
    return tells_hidden(attempt.working, context.guard.veil, body)


async def quotes_hidden(road: Road, branch: str, given: Input) -> bool:
    """Whether a game master puts a hidden text into the player's mouth, where the player would read it.

    What the player says counts as known, so the hidden text could then be narrated.
    """
    own = isinstance(given, AnswerDecision) and not given.relayed
    words = [] if own else [word for word in astuple(given) if isinstance(word, str) and word]
    if not words:
        return False
    recalled = await recall(road, branch)
    _, context = await _brief_try(road, branch, recalled)
    return context.guard.veil.covers(words)


async def hand_in_summary(road: Road, branch: str, text: str) -> None:
    """Submit the summary that is due; the next turn uses it."""
    recalled = await reach_back(road.book, await recall(road, branch))
    due = await find_summary(road, OUTSIDE_TELLER, recalled)
    body = {} if due is None else due.write(text)
    if due is None or body["kind"] != SUMMARY:
        raise HandInError("no summary is due, or this one is empty", "The brief says when one is wanted.")
    task = await begin_task(road, recalled, f"summary {due.since}")
    await keep_result(road, recalled, task, body, AttemptLedger())
