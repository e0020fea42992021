"""Turn inspection: the prompt and why it looks that way, the replies, their effects and their cost.

Only for authors and operators. It only reads, and calls no model. It contains neither the campaign's secret
nor API keys.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import cast

from talewright.chronicle.records import Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state_paths import dotted, parse_pointer
from talewright.llm.model_fit import describe_fit
from talewright.llm.profiles import ProfileLookup, read_profile
from talewright.llm.reply_chunks import Usage
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_cost import Cost, PromptCacheBreak, add_up, find_break
from talewright.play.presentation.privacy import SEES_SECRET
from talewright.play.verify.dice_commitments import find_imported_through
from talewright.prompt.prompt_inspection import PromptInspection
from talewright.turn.game_editions import Editions
from talewright.turn.records.commit_body import MODEL, TurnBody, read_body, read_usage
from talewright.turn.records.prompt_rebuild import COMPARED_COMMITS, PromptInsight, look_into
from talewright.turn.records.turn_circumstances import read_circumstances
from talewright.turn.spending import read_spendings
from talewright.turn.turn_context import Road
from talewright.turn.turn_limits import TurnLimits


@frozen
class ToolUse:
    """One tool call in a reply, and its result."""

    name: str
    arguments: str
    """JSON, as received."""

    result: str = ""
    refused: bool = False


@frozen
class InspectedAsk:
    """One request to a model, and its reply."""

    purpose: str
    """`tell`, `moves`, `round`, `repair`, or `errand` with its name."""

    model: str
    reply: str
    """The text as received."""

    stop: str = ""
    """Why the model stopped, if it said so."""

    tools: tuple[ToolUse, ...] = ()
    flaws: tuple[str, ...] = ()
    """What the reader found wrong with it, including flaws that need no repair."""

    mends: tuple[str, ...] = ()
    """What the next request asks to repair; empty if the reply was accepted."""

    trouble: str = ""
    """What went wrong with the request, if anything."""

    updates_only: bool = False
    """Whether it repairs only the updates of an earlier reply, whose narration was accepted."""

    usage: Usage = field(default_factory=Usage)


@frozen
class InspectedRuling:
    """One ruling: a move, and the rules' answer."""

    ruling: str
    """`granted`, `refused` or `waiting`."""

    move: str
    reason: str = ""
    """Why it was proposed; if refused, why it was refused."""

    grade: str = ""
    """If refused: `mend` or `drop`."""

    changes: tuple[str, ...] = ()
    """Each path with the old and the new value."""


@frozen
class InspectedCut:
    """Something that was left out of the prompt, or a point where it changed."""

    name: str
    tokens: int | None = None
    """Tokens saved; None if nothing was saved or counted."""

    why: str = ""


@frozen
class InspectedPrompt:
    """The first prompt of a turn."""

    inspection: PromptInspection
    """Sections with tokens and weights, every lore entry with its reason, and the parts that are new."""

    before: int | None = None
    """The turn it is compared with."""

    differs: bool = False
    """Whether the record describes a different prompt, for example because the context window has grown
    since.
    """


@frozen
class InspectedTurn:
    """One turn in detail."""

    version: int
    commit: str
    told: str
    """Who narrated it: `model`, `scenes`, `outside`."""

    prompt: InspectedPrompt | None
    """None if no model was asked, or if the prompt cannot be rebuilt."""

    unbuilt: str
    """Why the prompt cannot be rebuilt."""

    cuts: tuple[InspectedCut, ...]
    asks: tuple[InspectedAsk, ...]
    rulings: tuple[InspectedRuling, ...]
    cost: Cost
    """The cost of the attempt that became the turn."""

    broken: PromptCacheBreak | None = None
    """Set if the provider had to read a cached prefix again."""

    fit: tuple[str, ...] = ()
    """What was decided because of the model's speed and context window, and why."""


async def take_apart(
    book: CampaignBook,
    editions: Editions,
    commit: Commit,
    viewer: Viewer,
    lookup: ProfileLookup,
    limits: TurnLimits | None = None,
) -> InspectedTurn | None:
    """A turn in detail; None for viewers who may not see everything of a game.

    `lookup` returns profiles by model name; `limits` are those that applied.
    """
    if viewer not in SEES_SECRET:
        return None
    body = read_body(commit.body)
    insight, unbuilt = await _look(book, editions, commit, lookup, limits or TurnLimits())
    trail = await book.find(commit.operation_id)
    return InspectedTurn(
        commit.version,
        commit.id,
        body.told,
        None
        if insight is None
        else InspectedPrompt(insight.inspection, insight.before, insight.rebuilt.differs),
        unbuilt,
        _read_cuts(body, insight),
        tuple(_read_ask(cast(Mapping[str, Json], one)) for one in body.exchanges),
        tuple(_read_ruling(cast(Mapping[str, Json], one), body.changes) for one in body.rulings),
        _add_cost(trail.attempts),
        await _find_break(book, commit, lookup),
        _describe_fit(body, lookup),
    )


async def _look(
    book: CampaignBook, editions: Editions, commit: Commit, lookup: ProfileLookup, limits: TurnLimits
) -> tuple[PromptInsight | None, str]:
    # Nothing is written, so no time or id is needed.
    road = Road(book=book, editions=editions, now=lambda: commit.at, new_id=lambda: commit.id, limits=limits)
    try:
        return await look_into(road, commit, lookup, await find_imported_through(book)), ""
    except TalewrightError as error:
        return None, error.message


def _describe_fit(body: TurnBody, lookup: ProfileLookup) -> tuple[str, ...]:
    """The decisions come from the record; the speeds shown with them are the ones known now."""
    recorded = read_circumstances(body.circumstances).main
    if not isinstance(recorded, Mapping):
        return ()
    return describe_fit(read_profile(recorded, lookup(str(recorded["name"]))))


async def _find_break(book: CampaignBook, commit: Commit, lookup: ProfileLookup) -> PromptCacheBreak | None:
    if not commit.parent:
        return None
    earlier = await book.back(commit.parent, COMPARED_COMMITS)
    before = next((one for one in earlier if one.body.get("exchanges")), None)
    return None if before is None else find_break(commit, before, lookup)


def _add_cost(attempts: Sequence[Attempt]) -> Cost:
    made = [attempt for attempt in attempts if attempt.verdict is AttemptVerdict.COMMITTED]
    return add_up(one for attempt in made for one in read_spendings(attempt.body))


def _read_cuts(body: TurnBody, insight: PromptInsight | None) -> tuple[InspectedCut, ...]:
    if body.told != MODEL and insight is not None:
        # Scenes narrated the turn in the end, and nothing about the prompt is recorded.
        return tuple(InspectedCut(name, tokens) for name, tokens in insight.inspection.cuts)
    return tuple(_read_cut(cast(Mapping[str, Json], one)) for one in body.cuts)


def _read_cut(raw: Mapping[str, Json]) -> InspectedCut:
    """A recorded cut: of a section, of the oldest turns, or where the frozen part changed."""
    tokens = raw.get("tokens")
    why = str(raw.get("why", ""))
    if "first" in raw:
        why = f"turns {raw.get('from')} to {int(str(raw['first'])) - 1} were condensed by the {raw.get('by')}"
    return InspectedCut(str(raw["cut"]), tokens if isinstance(tokens, int) else None, why)


def _read_ask(raw: Mapping[str, Json]) -> InspectedAsk:
    results = {str(one["id"]): one for one in cast(Sequence[Mapping[str, Json]], raw.get("results", ()))}
    tools = []
    for call in cast(Sequence[Mapping[str, str]], raw.get("calls", ())):
        came = results.get(call["id"], {})
        tools.append(
            ToolUse(call["name"], call["arguments"], str(came.get("text", "")), bool(came.get("refused")))
        )
    trouble = ": ".join(str(raw[name]) for name in ("trouble", "message") if raw.get(name))
    return InspectedAsk(
        str(raw.get("purpose", "")),
        str(raw.get("model", "")),
        str(raw.get("text", "")),
        str(raw.get("stop") or ""),
        tuple(tools),
        tuple(cast(Sequence[str], raw.get("flaws", ()))),
        tuple(cast(Sequence[str], raw.get("mend", ()))),
        trouble,
        bool(raw.get("updates_only")),
        read_usage(raw.get("usage")) or Usage(),
    )


def _read_ruling(raw: Mapping[str, Json], changes: Sequence[Change]) -> InspectedRuling:
    move = cast(Mapping[str, Json], raw["move"])
    numbers = cast(Sequence[int], raw.get("changes", ()))
    waits = f"waits for {raw['for']}" if "for" in raw else ""
    reason = str(raw.get("reason") or move.get("reason") or waits)
    made = tuple(_tell_change(changes[number]) for number in numbers if 0 <= number < len(changes))
    return InspectedRuling(str(raw["ruling"]), _tell_move(move), reason, str(raw.get("grade", "")), made)


def _tell_move(move: Mapping[str, Json]) -> str:
    if "call" in move:
        return f"{move['call']} {_spell(move['arguments'])}"
    if "end" in move:
        return f"end {move['end']}"
    return f"{move['op']} {move['path']} {_spell(move['value'])}"


def _tell_change(change: Change) -> str:
    was = "nothing" if change.was is ABSENT else _spell(change.was)
    now = "nothing" if change.value is ABSENT else _spell(change.value)
    return f"{dotted(parse_pointer(change.path))} {was} -> {now}"


def _spell(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
