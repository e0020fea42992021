"""Dissecting: a turn taken apart, from what is recorded of it and from the prompt made anew.

It only reads, and asks nobody.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from talewright.chronicle.records import Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import CampaignBook
from talewright.errors import TalewrightError
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Json
from talewright.kernel.state.state_paths import dotted, parse_pointer
from talewright.llm.reply_chunks import Usage
from talewright.play.looking_back.anatomies import Anatomy, Ask, Cut, Given, Judgement, ToolUse
from talewright.play.looking_back.costs import Cost, add_up
from talewright.play.looking_back.prefixes import Break, Lookup, find_break
from talewright.play.showing.privacy import SEES_SECRET
from talewright.play.viewers import Viewer
from talewright.turn.game_editions import Editions
from talewright.turn.records.commit_body import MODEL, TurnBody, read_body, read_usage
from talewright.turn.records.prompt_rebuild import COMPARED_COMMITS, PromptInsight, look_into
from talewright.turn.spending import read_spendings
from talewright.turn.turn_context import Road
from talewright.turn.turn_limits import TurnLimits


async def take_apart(
    book: CampaignBook,
    editions: Editions,
    commit: Commit,
    viewer: Viewer,
    lookup: Lookup,
    limits: TurnLimits | None = None,
) -> Anatomy | None:
    """A turn taken apart; None for viewers who do not see everything of a game.

    `lookup` knows profiles by a model's name; `limits` are those that were played with.
    """
    if viewer not in SEES_SECRET:
        return None
    body = read_body(commit.body)
    insight, unbuilt = await _look(book, editions, commit, lookup, limits or TurnLimits())
    trail = await book.find(commit.operation_id)
    return Anatomy(
        commit.version,
        commit.id,
        body.told,
        None if insight is None else Given(insight.inspection, insight.before, insight.rebuilt.differs),
        unbuilt,
        _read_cuts(body, insight),
        tuple(_read_ask(cast(Mapping[str, Json], one)) for one in body.exchanges),
        tuple(_read_ruling(cast(Mapping[str, Json], one), body.changes) for one in body.rulings),
        _add_cost(trail.attempts),
        await _find_break(book, commit, lookup),
    )


async def _look(
    book: CampaignBook, editions: Editions, commit: Commit, lookup: Lookup, limits: TurnLimits
) -> tuple[PromptInsight | None, str]:
    # Nothing is written on this road, so nobody asks it for a time or a name.
    road = Road(book=book, editions=editions, now=lambda: commit.at, new_id=lambda: commit.id, limits=limits)
    try:
        return await look_into(road, commit, lookup), ""
    except TalewrightError as error:
        return None, error.message


async def _find_break(book: CampaignBook, commit: Commit, lookup: Lookup) -> Break | None:
    if not commit.parent:
        return None
    earlier = await book.back(commit.parent, COMPARED_COMMITS)
    before = next((one for one in earlier if one.body.get("exchanges")), None)
    return None if before is None else find_break(commit, before, lookup)


def _add_cost(attempts: Sequence[Attempt]) -> Cost:
    made = [attempt for attempt in attempts if attempt.verdict is AttemptVerdict.COMMITTED]
    return add_up(one for attempt in made for one in read_spendings(attempt.body))


def _read_cuts(body: TurnBody, insight: PromptInsight | None) -> tuple[Cut, ...]:
    if body.told != MODEL and insight is not None:
        # The scenes told it in the end, and of the prompt nothing is recorded.
        return tuple(Cut(name, tokens) for name, tokens in insight.inspection.cuts)
    return tuple(_read_cut(cast(Mapping[str, Json], one)) for one in body.cuts)


def _read_cut(raw: Mapping[str, Json]) -> Cut:
    """A cut as it is recorded: of a section, of the oldest turns, or where the frozen part is another."""
    tokens = raw.get("tokens")
    why = str(raw.get("why", ""))
    if "first" in raw:
        why = f"turns {raw.get('from')} to {int(str(raw['first'])) - 1} were condensed by the {raw.get('by')}"
    return Cut(str(raw["cut"]), tokens if isinstance(tokens, int) else None, why)


def _read_ask(raw: Mapping[str, Json]) -> Ask:
    results = {str(one["id"]): one for one in cast(Sequence[Mapping[str, Json]], raw.get("results", ()))}
    tools = []
    for call in cast(Sequence[Mapping[str, str]], raw.get("calls", ())):
        came = results.get(call["id"], {})
        tools.append(
            ToolUse(call["name"], call["arguments"], str(came.get("text", "")), bool(came.get("refused")))
        )
    trouble = ": ".join(str(raw[name]) for name in ("trouble", "message") if raw.get(name))
    return Ask(
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


def _read_ruling(raw: Mapping[str, Json], changes: Sequence[Change]) -> Judgement:
    move = cast(Mapping[str, Json], raw["move"])
    numbers = cast(Sequence[int], raw.get("changes", ()))
    waits = f"waits for {raw['for']}" if "for" in raw else ""
    reason = str(raw.get("reason") or move.get("reason") or waits)
    made = tuple(_tell_change(changes[number]) for number in numbers)
    return Judgement(str(raw["ruling"]), _tell_move(move), reason, str(raw.get("grade", "")), made)


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
