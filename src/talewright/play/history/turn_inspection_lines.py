"""Turn inspection output: each part of an inspected turn as lines of text and as data.

Formatting only. No character in a line moves the cursor.
"""

from collections.abc import Iterator
from typing import cast

from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.play.campaign_past import InspectionPart, InspectionView
from talewright.play.history.turn_inspection import InspectedAsk, InspectedPrompt, InspectedTurn
from talewright.prompt.lore.lore_selection import TOLD, LoreReason
from talewright.prompt.prompt_inspection import PromptDifference, to_json
from talewright.turn.records.commit_body import write_usage

THERE = frozenset({LoreReason.FROZEN, LoreReason.IN_VIEW})
"""Reasons why an entry is already in the prompt and is not added in this turn."""

DOLLAR_DIGITS = 6
"""Decimal places of a dollar amount."""


def view_inspected_turn(anatomy: InspectedTurn, *, words: bool = False) -> InspectionView:
    """All parts of a turn, including empty ones; with `words`, the texts of the prompt too."""
    parts = (
        InspectionPart("sections", tuple(_tell_sections(anatomy, words)), _spell_sections(anatomy, words)),
        InspectionPart("lore", tuple(_tell_lore(anatomy.prompt)), _pick(anatomy.prompt, "lore")),
        InspectionPart("cuts", tuple(_tell_cuts(anatomy)), _spell_cuts(anatomy)),
        InspectionPart("fit", tuple(map(clean_line, anatomy.fit)), list(anatomy.fit)),
        InspectionPart("prefix", tuple(_tell_prefix(anatomy)), _spell_prefix(anatomy)),
        InspectionPart("replies", tuple(_tell_replies(anatomy)), [_spell_ask(ask) for ask in anatomy.asks]),
        InspectionPart("repairs", tuple(_tell_repairs(anatomy)), _spell_repairs(anatomy)),
        InspectionPart("rulings", tuple(_tell_rulings(anatomy)), _spell_rulings(anatomy)),
        InspectionPart("cost", tuple(_tell_cost(anatomy)), anatomy.cost.to_json()),
    )
    return InspectionView(anatomy.version, anatomy.commit, parts)


def _tell_sections(anatomy: InspectedTurn, words: bool) -> Iterator[str]:
    given = anatomy.prompt
    if given is None:
        if anatomy.unbuilt:
            yield clean_line(f"the prompt cannot be rebuilt: {anatomy.unbuilt}")
        return
    rows = given.inspection.rows
    yield f"about {given.inspection.tokens} tokens in {len(rows)} parts; the least weight is cut first"
    if given.differs:
        yield "The record describes a different prompt: the model's context window has changed since."
    yield "tokens   bytes  weight  part"
    for row in rows:
        weight = "-" if row.weight is None else row.weight
        yield f"{row.tokens:>6}  {row.size_bytes:>6}  {weight:>6}  {clean_line(row.name)}"
        if words:
            yield from (f"        | {line}" for line in clean(row.text).split("\n"))


def _tell_lore(given: InspectedPrompt | None) -> Iterator[str]:
    for verdict in () if given is None else given.inspection.lore:
        told = "added" if verdict.why in TOLD else "there already" if verdict.why in THERE else "left out"
        detail = f": {verdict.detail}" if verdict.detail else ""
        yield f"{told:<13}  {clean_line(f'{verdict.entry} ({verdict.why}{detail})')}"


def _tell_cuts(anatomy: InspectedTurn) -> Iterator[str]:
    for cut in anatomy.cuts:
        saved = "" if cut.tokens is None else f", {cut.tokens} tokens saved"
        yield clean_line(f"{cut.name}{saved}{': ' if cut.why else ''}{cut.why}")


def _tell_prefix(anatomy: InspectedTurn) -> Iterator[str]:
    given, broken = anatomy.prompt, anatomy.broken
    found = None if given is None else given.inspection.difference
    if given is not None and found is not None:
        where = f", in the part {found.part}" if found.part else ""
        yield f"the same as in turn {given.before} up to byte {found.at_byte} of {found.size_bytes}{where}"
        if not found.kept:
            yield f"the prefix kept from turn {given.before} has changed: {found.part or 'it is shorter'}"
        for name, parts in (("new", found.new), ("changed", found.changed), ("gone", found.gone)):
            if parts:
                yield clean_line(f"{name}: {', '.join(parts)}")
    if broken is not None:
        more = "" if broken.dollars is None else f", {_money(broken.dollars)} more"
        yield clean_line(f"the provider read {broken.tokens} tokens again{more}: {broken.why}")


def _tell_replies(anatomy: InspectedTurn) -> Iterator[str]:
    for number, ask in enumerate(anatomy.asks, 1):
        usage = ask.usage
        about = "about " if usage.estimated else ""
        read = f"{about}{usage.input_tokens} tokens read, {usage.cached_tokens} of them cached"
        stop = f", stopped: {ask.stop}" if ask.stop else ""
        yield clean_line(
            f"{number}. {ask.purpose} ({ask.model}): {read}, {usage.output_tokens} written{stop}"
        )
        if ask.trouble:
            yield f"   trouble: {clean_line(ask.trouble)}"
        yield from (f"   | {line}" for line in clean(ask.reply).split("\n") if ask.reply)
        for tool in ask.tools:
            came = f" -> {'refused: ' if tool.refused else ''}{tool.result}" if tool.result else ""
            yield f"   call {clean_line(f'{tool.name} {tool.arguments}{came}')}"


def _tell_repairs(anatomy: InspectedTurn) -> Iterator[str]:
    for number, ask in enumerate(anatomy.asks, 1):
        for flaw in ask.mends:
            yield clean_line(f"{number}. asked again: {flaw}")
        for flaw in ask.flaws:
            if flaw not in ask.mends:
                yield clean_line(f"{number}. accepted anyway: {flaw}")
        if ask.updates_only:
            yield f"{number}. repairs only the updates; the narration is in an earlier reply"


def _tell_rulings(anatomy: InspectedTurn) -> Iterator[str]:
    for one in anatomy.rulings:
        grade = f" ({one.grade})" if one.grade else ""
        reason = f": {one.reason}" if one.reason else ""
        made = f"; {'; '.join(one.changes)}" if one.changes else ""
        yield clean_line(f"{one.ruling}{grade} {one.move}{reason}{made}")


def _tell_cost(anatomy: InspectedTurn) -> Iterator[str]:
    if not anatomy.asks:
        return
    cost = anatomy.cost
    about = "about " if cost.estimated else ""
    requests = f"{len(anatomy.asks)} request" + "s" * (len(anatomy.asks) != 1)
    read = cost.uncached_tokens + cost.cached_tokens
    paid = "price unknown" if cost.dollars is None else about + _money(cost.dollars)
    yield (
        f"{paid}; {requests}, {about}{read} tokens read, "
        f"{cost.cached_tokens} of them cached, {cost.output_tokens} written"
    )


def _money(dollars: float) -> str:
    return f"${dollars:.{DOLLAR_DIGITS}f}".rstrip("0").rstrip(".")


def _pick(given: InspectedPrompt | None, name: str) -> Json:
    return None if given is None else to_json(given.inspection)[name]


def _spell_sections(anatomy: InspectedTurn, words: bool) -> Json:
    given = anatomy.prompt
    if given is None:
        return {"unbuilt": anatomy.unbuilt} if anatomy.unbuilt else None
    listed = cast("list[dict[str, Json]]", _pick(given, "sections"))
    texts = [{"text": row.text} if words else {} for row in given.inspection.rows]
    rows: list[Json] = [{**row, **text} for row, text in zip(listed, texts, strict=True)]
    return {"tokens": given.inspection.tokens, "parts": rows, "differs_from_record": given.differs}


def _spell_cuts(anatomy: InspectedTurn) -> Json:
    return [{"name": cut.name, "tokens": cut.tokens, "why": cut.why} for cut in anatomy.cuts]


def _spell_prefix(anatomy: InspectedTurn) -> Json:
    given, broken = anatomy.prompt, anatomy.broken
    found: PromptDifference | None = None if given is None else given.inspection.difference
    return {
        "compared_with_turn": None if given is None else given.before,
        "difference": None if found is None else _pick(given, "difference"),
        "read_again": None
        if broken is None
        else {"why": broken.why, "tokens": broken.tokens, "dollars": broken.dollars},
    }


def _spell_ask(ask: InspectedAsk) -> Json:
    tools: list[Json] = [
        {"name": tool.name, "arguments": tool.arguments, "result": tool.result, "refused": tool.refused}
        for tool in ask.tools
    ]
    return {
        "purpose": ask.purpose,
        "model": ask.model,
        "reply": ask.reply,
        "stop": ask.stop,
        "calls": tools,
        "trouble": ask.trouble,
        "usage": write_usage(ask.usage),
    }


def _spell_repairs(anatomy: InspectedTurn) -> Json:
    return [
        {"ask": number, "mend": list(ask.mends), "flaws": list(ask.flaws), "updates_only": ask.updates_only}
        for number, ask in enumerate(anatomy.asks, 1)
        if ask.mends or ask.flaws or ask.updates_only
    ]


def _spell_rulings(anatomy: InspectedTurn) -> Json:
    return [
        {
            "ruling": one.ruling,
            "move": one.move,
            "reason": one.reason,
            "grade": one.grade,
            "changes": list(one.changes),
        }
        for one in anatomy.rulings
    ]
