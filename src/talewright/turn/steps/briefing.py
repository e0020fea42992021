"""Briefing: what the storyteller is given for one turn.

`prompt` puts the text together; this step collects it from what was recalled.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.contract.answer_schema import index_by_id
from talewright.contract.dialect import AnswerGround, Dialect
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import current_phases
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.story_rules import OPEN_FINALE
from talewright.kernel.system import Phase, SystemMemory
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request, Schema, SystemMessage, ToolResult, ToolSpec
from talewright.llm.token_estimate import estimate_request, estimate_tokens
from talewright.prompt.current_turn_part import Situation, TailMoment, write_changed, write_tail
from talewright.prompt.game_part import write_frozen
from talewright.prompt.lore.lore_selection import (
    LORE_TOKENS_MAX,
    TOLD,
    LoreQuery,
    LoreReason,
    LoreVerdict,
    select_lore,
    still_matters,
    word_entry,
)
from talewright.prompt.memory_summary import keep_newest, write_memory
from talewright.prompt.past_turns_part import (
    DISARMED_SINCE_ENGINE,
    TranscriptInput,
    WindowMarks,
    disarm,
    disarm_input,
    make_marks,
)
from talewright.prompt.prompt_assembly import Prompt, PromptPart, assemble, disarm_prompt, spell_request
from talewright.prompt.token_budget import FittedSections, TokenBudget, make_budget
from talewright.prompt.words import PHRASES, SHORT_PHRASES
from talewright.turn.hidden_texts import renew_hidden_texts
from talewright.turn.inputs.player_inputs import Deed
from talewright.turn.memory.past_turns import TOOLS
from talewright.turn.memory.story_memory import (
    cut_by_engine,
    find_cut,
    list_memories,
    read_facts,
    read_summary,
    recollect,
)
from talewright.turn.records.commit_body import MODEL, ROLL, OfferedChoice, TurnBody
from talewright.turn.steps.asking import AnswerGuard
from talewright.turn.steps.recalling import Recalled
from talewright.turn.turn_context import Road, Teller, work_aside
from talewright.turn.turn_progress import TurnProgress

FROZEN = "frozen"
"""The cut that records a different frozen part: `{cut, why}`."""

DIGEST_LENGTH = 12
"""How many hexadecimal digits of the digest identify a frozen part."""

FRAMES_KEPT_MAX = 64
"""Cached frozen parts: those of the games, languages and models being played."""

RENEWED_SINCE_ENGINE = 5
"""From this engine number on, a narrator is told after a round of calls what has changed."""

SCANNED_TURNS = 2
"""How many recent answers are searched for lore keys, besides the input."""


@frozen
class PromptFrame:
    """The parts of a prompt that do not depend on the turn."""

    frozen: FittedSections
    budget: TokenBudget
    marks: WindowMarks
    request: Request
    """Everything frozen, tools and schema included."""

    plain_past: bool = False
    """Whether past turns are prose: a grammar sets the form of answers, or a game master reads them."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools sent with the first request."""
        return self.request.tools

    def digest(self) -> str:
        """The start of the digest of everything frozen."""
        return _digest(self.request)


@cached_by_identity(FRAMES_KEPT_MAX)
def _digest(request: Request) -> str:
    return hashlib.sha256(spell_request(request)).hexdigest()[:DIGEST_LENGTH]


@frozen
class Briefing:
    """The first request of a turn, and the decisions made for it."""

    prompt: Prompt
    lore: tuple[LoreVerdict, ...]
    memories: tuple[SystemMemory, ...] = ()
    """What the systems keep in view in it."""

    bodies: tuple[TurnBody, ...] = ()
    """The past turns it contains."""

    moment: TailMoment = TailMoment(TranscriptInput(""))
    """What its tail was written from, besides the position."""


class NarratorUpdates:
    """What a narrator is told after its briefing, round by round."""

    def __init__(
        self,
        recalled: Recalled,
        working: TurnProgress,
        texts: Texts,
        said: str,
        briefing: Briefing,
        budget: TokenBudget,
    ) -> None:
        """`said` are the words of the player."""
        self._recalled = recalled
        self._working = working
        self._texts = texts
        self._briefing = briefing
        self._budget = budget
        self._heard = [said]
        """Words of this turn that may call for lore."""

        self.lore: list[str] = []
        """Lore that has come up since the briefing."""

        self._shown = find_situation(working)
        """The situation that the narrator was told last."""

        self._guarded = working.position
        """The position whose notes were guarded last."""

    async def _hear(self, guard: AnswerGuard, ground: AnswerGround, results: Sequence[ToolResult]) -> None:
        """Bring up the lore that a round of calls has reached; guard what a narrator may read from now on."""
        working, texts = self._working, self._texts
        self._heard += [result.text for result in results]
        verdicts = await bring_up(self._recalled, working, texts, self._heard, self._briefing.bodies)
        lore = [verdict.text for verdict in verdicts if verdict.why in TOLD]
        before = replace(ground, position=self._guarded)
        guard.veil = await work_aside(partial(renew_hidden_texts, guard.veil, before, ground, lore))
        self._guarded = working.position
        self.lore += lore

    async def tell(self, guard: AnswerGuard, ground: AnswerGround, results: Sequence[ToolResult]) -> str:
        """Return what has changed after a round of calls, for a narrator who was told of all before it."""
        working, known = self._working, len(self.lore)
        if working.engine < RENEWED_SINCE_ENGINE:
            return ""
        await self._hear(guard, ground, results)
        before, self._shown = self._shown, find_situation(working)
        lore, room = self.lore[known:], self._budget.update
        writing = partial(write_changed, working.game, self._texts, before, self._shown, lore, room)
        return await work_aside(writing)

    def list_parts(self) -> tuple[PromptPart, ...]:
        """The parts of the briefing as they would be written now, with the lore that has come up since."""
        working, prompt, moment = self._working, self._briefing.prompt, self._briefing.moment
        asked = replace(moment.asked, lore=(*moment.asked.lore, *self.lore))
        moment = replace(moment, asked=asked, extra=find_situation(working).extra)
        room, short = self._budget.tail, self._budget.short
        tail = write_tail(working.game, self._texts, working.position, moment, room, short=short)
        last = len(prompt.messages) - 1
        parts = (PromptPart(one.name, disarm(one.text), last, one.weight) for one in tail.sections)
        return *(part for part in prompt.parts if part.message < last), *parts


@frozen
class FrameWishes:
    """What a frozen part depends on besides the game, its texts and the model."""

    answer_tokens: int
    phases: tuple[Phase, ...]
    keeps_memories: bool
    """Whether systems keep something in view of every prompt."""

    renews: bool = False
    """Whether the model calls tools, and is told after each round what has changed."""


def make_frame(dialect: Dialect, ground: AnswerGround, texts: Texts, teller: Teller) -> PromptFrame:
    """Write the frozen part for a model, and compute the room it leaves."""
    game, profile, engine = ground.game, teller.main.profile, ground.position.engine
    output = teller.max_output_tokens or game.teller.max_output_tokens or profile.output_tokens_max
    wishes = FrameWishes(
        min(output, profile.output_tokens_max),
        current_phases(WorkingState(game, ground.position)),
        bool(list_memories(game, ground.position)),
        dialect.name == TOOLS and (engine is None or engine >= RENEWED_SINCE_ENGINE),
    )
    tools, schema = dialect.tools(ground, profile), dialect.schema(ground, profile)
    return _write_frame(game, texts, profile, dialect, tools, schema, wishes)


@cached_by_identity(FRAMES_KEPT_MAX, by_value=(FrameWishes,))
def _write_frame(
    game: Game,
    texts: Texts,
    profile: Profile,
    dialect: Dialect,
    tools: tuple[ToolSpec, ...],
    schema: Schema | None,
    wishes: FrameWishes,
) -> PromptFrame:
    beside = Request((), tools, schema)
    read = beside if profile.reads_schema else replace(beside, answer_schema=None)
    short = profile.short_prompts
    budget = make_budget(
        profile.context_tokens,
        wishes.answer_tokens,
        estimate_request(read),
        profile.prompt_tokens_max,
        short=short,
    )
    rules = dialect.rules(game, texts.language, profile)
    frozen = write_frozen(game, texts, rules, budget, wishes.phases, renews=wishes.renews)
    kept = budget.memories if wishes.keeps_memories else 0
    room = budget.transcript(sum(section.tokens for section in frozen.sections) + kept)
    # The schema of a short answer follows the state; a model that does not read it keeps its prompt.
    kept_schema = read if short else beside
    request = replace(kept_schema, messages=(SystemMessage(frozen.text),))
    marks = make_marks(game.memory, room, profile.context_tokens)
    plain_past = short and profile.takes_grammar and game.contract != TOOLS
    return PromptFrame(frozen, budget, marks, request, plain_past)


async def brief(
    road: Road,
    recalled: Recalled,
    working: TurnProgress,
    texts: Texts,
    deed: Deed,
    results: tuple[Json, ...],
    frame: PromptFrame,
    model: str,
) -> Briefing:
    """Write the first request of a turn; its decisions are recorded in the working state."""
    game = working.game
    recollection = await recollect(
        road.book, recalled, working.window, game, texts, working.engine, plainly=frame.plain_past
    )
    recollection = cut_by_engine(working, recollection, frame.marks, texts)
    if working.window.cut_at == working.position.turn:
        # Changes made before the first request appear nowhere else in this prompt or the next.
        working.window = replace(working.window, known=len(working.changes))
    _note_frozen(recalled, working, texts, frame, model)
    lore = await bring_up(recalled, working, texts, (deed.said,), recollection.bodies)
    told = tuple(verdict.text for verdict in lore if verdict.why in TOLD)
    phrases = pick_words(texts.language, SHORT_PHRASES if frame.budget.short else PHRASES)
    then = find_cut(recalled, working, recollection)
    memories = list_memories(game, then)
    memory = write_memory(
        _pick_summary(working.position, frame.budget),
        read_facts(then),
        phrases,
        frame.budget.memory,
        memories,
        frame.budget.memories,
    )
    said = disarm_input(deed.said) if working.engine >= DISARMED_SINCE_ENGINE else deed.said
    moment = TailMoment(
        TranscriptInput(said, recalled.head.version == 0, told),
        (*_tell_finale(recalled, texts), *(texts.get(passage) for passage in deed.passages)),
        tuple(_put_in_words(result, texts) for result in results),
        find_situation(working).extra,
        _list_choices(recalled.body.choices),
        working.care,
        any(past.trimmed for past in recollection.pasts),
    )
    budget = frame.budget
    tail = write_tail(game, texts, working.position, moment, budget.tail, short=budget.short)
    prompt = assemble(frame.frozen, memory, recollection.pasts, tail, phrases)
    if working.engine >= DISARMED_SINCE_ENGINE:
        prompt = disarm_prompt(prompt)
    working.cuts += [{"cut": cut.name, "tokens": cut.tokens} for cut in prompt.cuts]
    return Briefing(prompt, lore, memories, recollection.bodies, moment)


def _pick_summary(position: Position, budget: TokenBudget) -> str:
    """Earlier events; in a short prompt, only their newest lines."""
    summary = read_summary(position)
    return keep_newest(summary, budget.memory) if budget.short else summary


def _tell_finale(recalled: Recalled, texts: Texts) -> tuple[str, ...]:
    """Return the author's text for a finale that opened with the last turn, if it is in no answer."""
    body = recalled.body
    opened = (str(change.value) for change in body.changes if change.path == OPEN_FINALE)
    told = (texts.find(f"finale.{name}") for name in opened if body.told == MODEL)
    return tuple(filter(None, told))


def _put_in_words(result: Json, texts: Texts) -> Json:
    """Replace the text key in a roll's result with the author's word."""
    if isinstance(result, Mapping) and result.get("kind") == ROLL and isinstance(result.get("word"), str):
        return {**result, "word": texts.get(str(result["word"]))}
    return result


def _note_frozen(
    recalled: Recalled, working: TurnProgress, texts: Texts, frame: PromptFrame, model: str
) -> None:
    """Record a frozen part that differs from the previous turn's, and the likely reason."""
    before, digest = working.window.frozen, frame.digest()
    if before == digest:
        return
    if before:
        told = recalled.body.model
        if recalled.head.game_digest != recalled.edition.digest:
            why = "edition"
        elif recalled.edition.words(recalled.body.language).language != texts.language:
            why = "language"
        elif isinstance(told, Mapping) and told.get("name") != model:
            why = "model"
        else:
            why = "phase"
        working.cuts.append({"cut": FROZEN, "why": why})
    working.window = replace(working.window, frozen=digest)


def find_situation(working: TurnProgress) -> Situation:
    """Where a turn is now."""
    index = index_by_id(working.position.state.document, working.game.layout)
    return Situation(working.position, (index,) if index else ())


async def bring_up(
    recalled: Recalled,
    working: TurnProgress,
    texts: Texts,
    heard: Sequence[str],
    bodies: Sequence[TurnBody],
) -> tuple[LoreVerdict, ...]:
    """Select the lore of this turn, and record it so that later turns can show it again.

    Entries that the turn has already brought up stay as they are. `heard` are the words of this turn,
    `bodies` the past turns that its prompt contains.
    """
    entries = {entry.id: entry for entry in working.game.lore}
    told = [cast(Mapping[str, str], one)["id"] for one in working.lore]
    shown = {cast(Mapping[str, str], one)["id"] for body in bodies for one in body.lore}
    words = [*heard, *(body.narration for body in bodies[-SCANNED_TURNS:])]
    window = working.window
    room = LORE_TOKENS_MAX - sum(estimate_tokens(word_entry(entries[name], texts)) for name in told)
    hearing = LoreQuery(words, frozenset((*shown, *told)), window.told_at, recalled.head.id, room)
    verdicts = await work_aside(partial(select_lore, working.game, texts, working.position, hearing))
    working.lore += tuple(_note(verdict) for verdict in verdicts if verdict.why in TOLD)
    turn = working.position.turn
    mentioned = {verdict.entry: turn for verdict in verdicts if _is_mention(verdict)}
    told_at = {**window.told_at, **mentioned}
    kept = {
        name: at
        for name, at in told_at.items()
        if name in entries and still_matters(entries[name], at, turn + 1)
    }
    working.window = replace(window, told_at=kept)
    return verdicts


def _is_mention(verdict: LoreVerdict) -> bool:
    """Whether an entry was triggered in this turn, and not only kept a little longer."""
    return verdict.why in TOLD - {LoreReason.STICKY} or (
        verdict.why is LoreReason.IN_VIEW and verdict.detail != ""
    )


def _note(verdict: LoreVerdict) -> Json:
    detail = f" {verdict.detail}" if verdict.detail else ""
    return {"id": verdict.entry, "why": f"{verdict.why.value}{detail}"}


def _list_choices(choices: Sequence[OfferedChoice]) -> tuple[tuple[str, str], ...]:
    return tuple((choice.id, choice.label) for choice in choices)
