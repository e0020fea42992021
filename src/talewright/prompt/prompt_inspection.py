"""Inspection of a prompt: what is in it, why, what was left out and what is new, as plain values.

It describes and decides nothing; the caller chooses how to print it.
"""

from collections.abc import Sequence
from dataclasses import field

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.lore.lore_selection import TOLD, LoreVerdict
from talewright.prompt.prompt_assembly import Prompt, count_common, spell_head, spell_message, spell_messages
from talewright.prompt.token_budget import BREAK


@frozen
class PromptPartSize:
    """One part of a prompt."""

    name: str
    tokens: int
    size_bytes: int
    weight: int | None = None
    """If there is too little room, the part with the lowest weight is cut first; None if it is never cut."""

    text: str = field(default="", compare=False, repr=False)
    """Its text; for a past turn, its messages joined."""


@frozen
class PromptDifference:
    """How a prompt differs from the previous one."""

    at_byte: int
    """The first byte that differs; everything before it can come from a cache."""

    part: str
    """The part that contains that byte; empty if one prompt is a prefix of the other."""

    size_bytes: int
    """The size of the newer prompt, in bytes."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Names of the parts."""

    kept: bool = True
    """Whether the newer prompt still starts with everything the older one meant to keep: all but its tail."""


@frozen
class PromptInspection:
    """An inspected prompt."""

    rows: tuple[PromptPartSize, ...]
    tokens: int
    lore: tuple[LoreVerdict, ...]
    cuts: tuple[tuple[str, int], ...]
    """What was left out, and the tokens saved by it."""

    difference: PromptDifference | None
    """None if there is nothing to compare with."""


def inspect_prompt(
    prompt: Prompt, lore: Sequence[LoreVerdict], before: Prompt | None = None
) -> PromptInspection:
    """Inspect a prompt and compare it with the previous one."""
    rows: dict[str, PromptPartSize] = {}
    for part in prompt.parts:
        # A past turn is several messages under one name.
        known = rows.get(part.name, PromptPartSize(part.name, 0, 0))
        size = known.size_bytes + len(part.text.encode("utf-8", "surrogatepass"))
        tokens = known.tokens + estimate_tokens(part.text)
        text = BREAK.join(filter(None, (known.text, part.text)))
        rows[part.name] = PromptPartSize(part.name, tokens, size, part.weight, text)
    return PromptInspection(
        tuple(rows.values()),
        sum(row.tokens for row in rows.values()),
        tuple(lore),
        tuple((cut.name, cut.tokens) for cut in prompt.cuts),
        None if before is None else compare(before, prompt),
    )


def compare(before: Prompt, after: Prompt) -> PromptDifference:
    """Where a prompt diverges from the previous one."""
    old, new = spell_messages(before.messages), spell_messages(after.messages)
    at = count_common(old, new)
    old_texts, new_texts = _texts(before), _texts(after)
    return PromptDifference(
        at,
        _find_part(after, at) if at < len(new) else "",
        len(new),
        tuple(name for name in new_texts if name not in old_texts),
        tuple(name for name in new_texts if name in old_texts and old_texts[name] != new_texts[name]),
        tuple(name for name in old_texts if name not in new_texts),
        at >= len(spell_messages(before.stable)),
    )


def to_json(inspection: PromptInspection) -> dict[str, Json]:
    """The whole inspection as JSON."""
    found = inspection.difference
    return {
        "tokens": inspection.tokens,
        "sections": [
            {"name": row.name, "tokens": row.tokens, "bytes": row.size_bytes, "weight": row.weight}
            for row in inspection.rows
        ],
        "lore": [
            {
                "id": verdict.entry,
                "told": verdict.why in TOLD,
                "why": verdict.why.value,
                "detail": verdict.detail,
            }
            for verdict in inspection.lore
        ],
        "cuts": [{"name": name, "tokens": tokens} for name, tokens in inspection.cuts],
        "difference": None
        if found is None
        else {
            "at_byte": found.at_byte,
            "part": found.part,
            "bytes": found.size_bytes,
            "new": list(found.new),
            "changed": list(found.changed),
            "gone": list(found.gone),
            "kept": found.kept,
        },
    }


def _texts(prompt: Prompt) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in prompt.parts:
        texts[part.name] = texts.get(part.name, "") + part.text
    return texts


def _find_part(prompt: Prompt, at: int) -> str:
    """The part that contains a byte of the spelling."""
    starts = [0]
    for message in prompt.messages:
        starts.append(starts[-1] + len(spell_message(message)))
    name, place, message_before = "", 0, -1
    for part in prompt.parts:
        if part.message != message_before:
            place = starts[part.message]
            start, place = place, place + len(spell_head(prompt.messages[part.message]))
            message_before = part.message
        else:
            start = place = place + len(BREAK)
        if start > at:
            break
        name = part.name
        place += len(part.text.encode("utf-8", "surrogatepass"))
    return name
