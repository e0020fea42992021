"""Repairing: finds the flaws of an answer, and words the request to repair them.

The number of repairs is limited; if none succeeds, UntoldError is raised and nothing has changed. `pipeline`
asks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from talewright.common.frozen_values import frozen
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer
from talewright.contract.text.leak_guard import LEAK, NAMED
from talewright.crashpoints import around
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.moves import Call, End, Update
from talewright.kernel.judging.rulings import Flaw, Granted, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.system import ProposedTelling
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import AssistantMessage, Message, Request, ToolSpec, UserMessage
from talewright.prompt.past_turns_part import SILENCE
from talewright.turn.steps.asking import AnswerGuard, HeardAnswer, UntoldError
from talewright.turn.steps.judging import Judge
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_progress import TurnProgress
from talewright.turn.turn_signals import NarrationReset, RepairCause

LABELLED_SINCE_ENGINE = 5
"""The first engine that records which changes a game master made on its own authority, and asks why."""

FREE_TOKENS_MAX = 160
"""Length limit in tokens of a short answer with no enforced form."""


@frozen
class ToldAnswer:
    """An accepted answer, whose moves have been made."""

    answer: ModelAnswer
    raw: str = ""
    """The raw text."""


@frozen
class TellingContext:
    """Everything needed to get one turn narrated."""

    road: Road
    teller: Teller
    dialect: Dialect
    working: TurnProgress
    guard: AnswerGuard
    judge: Judge
    language: str
    bundles: frozenset[str]
    """Names of bundles already used on this branch."""

    outside: bool = False
    """Whether an external game master narrates the turn."""

    @property
    def is_labelled(self) -> bool:
        """Whether changes that the narrator makes on its own authority need a reason and are labelled."""
        return self.outside and self.working.engine >= LABELLED_SINCE_ENGINE

    def ground(self) -> AnswerGround:
        """Return what the next answer is read against."""
        working = self.working
        tools = allowed_tools(WorkingState(working.game, working.position))
        short = self.teller.main.profile.short_prompts
        made = AnswerGround(working.game, working.position, self.language, self.bundles, tools)
        return replace(made, short=short, settled=working.settled, reasons=self.is_labelled)

    def request(
        self, messages: Sequence[Message], ground: AnswerGround, tools: tuple[ToolSpec, ...] | None = None
    ) -> Request:
        """Make the next request; `tools` replaces those of the dialect."""
        profile = self.teller.main.profile
        wishes = self.working.game.teller
        wish = self.teller.temperature
        length = self.teller.max_output_tokens or wishes.max_output_tokens or profile.output_tokens_max
        schema, grammar = self.dialect.schema(ground, profile), self.dialect.grammar(ground, profile)
        if profile.short_prompts and schema is None and not grammar:
            # Only the limit ends the prose of a small model.
            length = min(length, FREE_TOKENS_MAX)
        return Request(
            tuple(messages),
            self.dialect.tools(ground, profile) if tools is None else tools,
            schema,
            wishes.temperature if wish is None else wish,
            min(length, profile.output_tokens_max),
            grammar,
        )


FLAWS_AGAIN_MAX = 3
"""Flaws that are named when a repair is demanded once more."""

ANSWER_AGAIN_LENGTH_MIN = 80
"""Characters of a failed answer that are shown then, however short the first was."""


@dataclass(slots=True)
class RepairConversation:
    """The messages until an answer is accepted: each flawed answer, and the demand to repair it."""

    context: TellingContext
    said: list[Message]
    repairs: int = 0
    cause: RepairCause | None = None
    """Why the next ask demands a repair."""

    asked: tuple[str, UserMessage] | None = None
    """The failed answer as it was last shown, and the demand that followed it."""

    def demand_repair(
        self, heard: HeardAnswer, flaws: tuple[Flaw, ...], ground: AnswerGround, *, kept: str = ""
    ) -> None:
        """Make the next request demand a repair; raises UntoldError after `repairs_max` demands.

        `ground` is what the repaired answer will be read against, `kept` the narration that stays. A demand
        replaces the one right before it, and is shorter, unless a narration was accepted in between: a model
        that failed twice does not do better with more to read.
        """
        road = self.context.road
        heard.exchange["mend"] = [flaw.message for flaw in flaws]
        if self.repairs == road.limits.repairs_max:
            declined = heard.exchange.get("stop") == StopReason.REFUSAL.value
            reason = OutcomeReason.DECLINED if declined else OutcomeReason.UNTOLD
            raise UntoldError("; ".join(flaw.message for flaw in flaws), reason)
        with around("repair ask"):
            self.repairs += 1
            if not kept:
                road.listener(NarrationReset(""))
            failed = heard.raw if heard.answer.prose or not kept else f"{kept}\n\n{heard.raw}"
            shown, demand = cut(failed, road), self._word(flaws, ground)
            if self.asked is not None and self.said[-1] is self.asked[1]:
                del self.said[-2:]
                if not (kept and heard.answer.prose):
                    shown, demand = self._shorten(shown, flaws, ground, *self.asked)
            self.asked = (shown, demand)
            self.said += [AssistantMessage(shown), demand]
            self.cause = find_cause(heard, flaws)

    def _word(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> UserMessage:
        return UserMessage(self.context.dialect.demand(flaws, ground))

    def _shorten(
        self, shown: str, flaws: tuple[Flaw, ...], ground: AnswerGround, before: str, demanded: UserMessage
    ) -> tuple[str, UserMessage]:
        """The next failed answer and demand, together shorter than those before; one flaw is always named."""
        room = len(before) + len(demanded.text) - 1
        demand = self._word(flaws[:FLAWS_AGAIN_MAX], ground)
        if len(demand.text) > room - len(before) // 2:
            demand = self._word(flaws[:1], ground)
        length = min(len(before) // 2, room - len(demand.text))
        return shown[: max(length, ANSWER_AGAIN_LENGTH_MIN)], demand


def find_flaws(
    context: TellingContext, answer: ModelAnswer, objection: str, *, leaked: bool, final: bool
) -> tuple[Flaw, ...]:
    """Find what is wrong with an answer before its moves are judged; soft flaws alone do not count.

    `objection` is the moderation's, `leaked` says whether it quoted hidden text, `final` whether it would end
    the turn.
    """
    with around("validate"):
        flaws = list(answer.hard_flaws)
        words, guard = list_shown(answer), context.guard
        veil, guard.heard = guard.veil, guard.told.copy()
        labels, hints = [offer.label for offer in answer.choices], [offer.hint for offer in answer.choices]
        # A text may be spread over the labels, with other words in the hints between them.
        rows = (labels, hints, list_names(answer))
        leaked = leaked or veil.covers([answer.prose, *words], guard.heard, continues=True)
        if leaked or any(veil.covers(row, guard.heard) for row in rows):
            flaws.append(LEAK)
        if veil.names(words):
            flaws.append(NAMED)
        flaws += _audit(context, answer, final)
        if answer.prose and not flaws:
            flaws += [Flaw(objection)] if objection else []
    return (*flaws, *(flaw for flaw in answer.flaws if flaw.soft)) if flaws else ()


def find_cause(heard: HeardAnswer, flaws: Sequence[Flaw]) -> RepairCause:
    """Why an answer is requested again, in a word that reveals nothing hidden."""
    if LEAK in flaws or NAMED in flaws or heard.objection:
        return RepairCause.WORDS
    if heard.exchange.get("stop") == StopReason.LENGTH.value:
        return RepairCause.CUT
    return RepairCause.FORM if all(flaw in heard.answer.flaws for flaw in flaws) else RepairCause.RULES


def list_shown(answer: ModelAnswer) -> list[str]:
    """List everything besides the narration that a player may read in the model's own words."""
    offers = [words for offer in answer.choices for words in (offer.label, offer.hint)]
    reasons = [move.reason for move in answer.moves if isinstance(move, Update | End)]
    return [*offers, *reasons, *(event.text for event in answer.events)]


def list_names(answer: ModelAnswer) -> list[str]:
    """List the names a model uses in its answer; they are stored, and some interfaces may show them."""
    names = [name for offer in answer.choices for name in (offer.id, *offer.tags)]
    return [*names, *(event.type for event in answer.events), answer.operation_id]


def _audit(context: TellingContext, answer: ModelAnswer, final: bool) -> list[Flaw]:
    working = context.working
    table = WorkingState(working.game, working.position)
    calls = tuple(move for move in answer.moves if isinstance(move, Call))
    stood = (ruling.move for ruling in working.rulings if isinstance(ruling, Granted))
    granted = tuple(move for move in stood if isinstance(move, Call))
    telling = ProposedTelling(answer.prose, calls, working.fortune.draws, granted, final)
    audits = working.game.parts.audits
    return [flaw for system in audits for flaw in system.audit(telling, table.sight(system))]


def flaw_of(refused: Refused) -> Flaw:
    """Describe a refusal for the model."""
    return Flaw(f"{name_move(refused)}: {refused.reason}")


def name_move(refused: Refused) -> str:
    """Name what a refusal is about, in the model's words."""
    move = refused.move
    return getattr(move, "path", "") or getattr(move, "tool", "") or "end"


def narration_stands(answer: ModelAnswer, flaws: Sequence[Flaw], judged: bool) -> bool:
    """Whether the narration can be kept: only the changes the answer proposes are wrong.

    Flaws found by the reader may be in the rest of the answer; a leak, an audit or the moderation concern the
    text.
    """
    own = answer.prose_stands and all(flaw in answer.flaws for flaw in flaws)
    return bool(answer.prose) and (judged or own)


def join_answers(kept: ModelAnswer, mended: ModelAnswer) -> ModelAnswer:
    """Combine the narration of one answer with the updates of another.

    A repair does not ask for `end` again: if the narration ended the game, it stays ended.
    """
    ends = [] if _find_ends(mended) else _find_ends(kept)
    return replace(
        mended,
        moves=(*mended.moves, *ends),
        prose=kept.prose,
        prose_stands=True,
        choices=mended.choices or kept.choices,
        facts=mended.facts or kept.facts,
        events=mended.events or kept.events,
    )


def _find_ends(answer: ModelAnswer) -> list[End]:
    return [move for move in answer.moves if isinstance(move, End)]


def cut(text: str, road: Road) -> str:
    """Cut an answer to be shown to the model again; never empty, because some vendors reject that."""
    shown = text[: road.limits.failed_answer_length_max]
    return shown if shown.strip() else SILENCE
