"""Past turns in a prompt: the transcript, the same bytes whenever it is sent, and the window that it shows.

A past turn is the end of the message that asked for it (lore and input) and the model's reply. The state at
that time is not repeated. No message is ever empty: some vendors refuse those. If a player types `[RESULTS]`,
the brackets become parentheses, so that no input can pose as a part of the prompt. So do those of the markers
by which chat templates separate messages, in any message.

The window decides which turns are there word for word, and when it is cut. It grows to its high mark and is
cut to its low mark in one step, so that between two cuts every prompt starts with the previous one. Only
sizes matter here; each commit stores the window for the next. How many turns stay by default is in
`kernel.memory_rules`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.letter_folding import fold
from talewright.common.safe_text import FILLERS, FORMATS
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.requests import AssistantMessage, Message, UserMessage
from talewright.llm.token_estimate import estimate_message
from talewright.prompt.token_budget import BREAK
from talewright.prompt.words.phrases import Phrases

RETAINED_SHARE = 0.5
"""How much of the room between the two marks may hold turns that an author or a system wants to keep; the
rest is left for growth, or there would be a cut every turn.
"""

TURNS_MAX = 256
"""Turns in a prompt, however short: the number of turns read back must stay limited."""

SILENCE = "..."
"""Stands for a reply without any words."""

_MARK = re.compile(r"\[([A-Z][A-Z _]*)\]")
_NEVER: Mapping[str, int] = MappingProxyType({})


def unmark(text: str) -> str:
    """A text in which nothing looks like one of our marks."""
    return _MARK.sub(r"(\1)", text)


DISARMED_SINCE_ENGINE = 4
"""From this engine number on, no message contains markers of chat templates."""

_GAP = rf"[\s\u0300-\u036f\ufe0f\u200d{FORMATS}{FILLERS}]{{0,16}}"
"""What a reader may overlook within a marker."""

_LOOK_ALIKES: Mapping[str, str] = MappingProxyType(
    {
        "<": "\uff1c\ufe64\u2039\u3008\u27e8\u02c2\u1438",
        ">": "\uff1e\ufe65\u203a\u3009\u27e9\u02c3\u1433",
        "|": "\uff5c\ufe31\uffe8\u00a6\u01c0\u2016\u2223\u23d0\u2502\u2503\u2758",
        "[": "\uff3b\u3010\u3014\u27e6",
        "]": "\uff3d\u3011\u3015\u27e7",
    }
)
_LOOK_ALIKE = "".join(_LOOK_ALIKES.values())


@frozen
class _MarkerPatterns:
    """Where a marker begins or ends with a bar, and whole markers without: in angles, in squares."""

    start: re.Pattern[str]
    end: re.Pattern[str]
    tag: re.Pattern[str]
    square: re.Pattern[str]


def _compile(*, look_alikes: bool) -> _MarkerPatterns:
    # Without look-alikes, every pattern begins with one character, which is found much faster.
    less, more, bar, left, right = (
        f"[{re.escape(sign + _LOOK_ALIKES[sign])}]" if look_alikes else re.escape(sign) for sign in "<>|[]"
    )
    inside = rf"([^<>\[\]()\"\n{_LOOK_ALIKE}]{{1,64}})"
    return _MarkerPatterns(
        re.compile(f"{less}{_GAP}{bar}"),
        re.compile(f"{bar}{_GAP}{more}"),
        re.compile(f"{less}(?:{_GAP}{less})?{inside}{more}(?:{_GAP}{more})?"),
        re.compile(f"{left}{inside}{right}"),
    )


_PLAIN, _DISGUISED = _compile(look_alikes=False), _compile(look_alikes=True)


def _read_names(names: str) -> frozenset[str]:
    return frozenset(map(fold, names.split()))


_TAGS = _read_names(
    "s bos eos pad unk mask cls sep sys inst system user assistant human bot model tool function eot eom eod "
    "im_start im_end im_sep start_of_turn end_of_turn turn begin_of_text end_of_text endoftext startoftext "
    "start_of_text begin_of_sentence end_of_sentence start_header_id end_header_id eot_id eom_id python_tag "
    "tools available_tools tool_call tool_calls tool_response tool_result tool_results function_call sop eop "
    "function_calls function_results think thinking thought reasoning channel message instructions "
    "system_prompt unused extra_id reserved_special_token special fim_prefix fim_middle fim_suffix "
    "reserved tokens_unused eoh eoa role beginning_of_sentence start_function_call end_function_call "
    "start_function_response end_function_response start_of_image end_of_image seed:bos seed:eos seed:pad "
    "seed:think seed:tool_call seed:cot_budget_reflect"
)
_SQUARES = _read_names(
    "inst available_tools tool_calls tool_results tool_content system_prompt think bos eos cls sep pad mask "
    "gmask smask sop eop unk img img_break img_end prefix middle suffix control args call_id model_settings"
)
_TILDES = re.compile(r"[\[\]](~!?b|e~)[\[\]]")
"""Markers whose brackets face any way: `]~b]`, `[e~[`."""

_OURS = _read_names(
    "version state notes scene near ahead table form happened results care lore player so_far changed "
    "inventory_index_by_id"
)


def disarm(text: str, squares: frozenset[str] = _SQUARES) -> str:
    """A text without markers of chat templates: `<|im_start|>`, `[INST]`, `<s>`, and what looks like them.

    Their brackets become parentheses. What has bars in its brackets is a marker whatever its name; of the
    others, the names are known.
    """
    disguised = not text.isascii() and any(sign in text for sign in _LOOK_ALIKE)
    if not disguised and not any(sign in text for sign in "<|[]"):
        return text
    patterns = _DISGUISED if disguised else _PLAIN
    text = patterns.end.sub(")", patterns.start.sub("(", text))
    text = patterns.tag.sub(lambda found: _soften(found, _TAGS), text)
    text = _TILDES.sub(r"(\1)", text)
    return patterns.square.sub(lambda found: _soften(found, squares), text)


def _soften(found: re.Match[str], names: frozenset[str]) -> str:
    inside = found[1].strip()
    barred = len(inside) > 2 and inside[0] == inside[-1] == "|"
    return f"({inside})" if barred or fold(inside.rstrip("0123456789_ ")) in names else found[0]


_ESCAPE = re.compile(r"\\\\|\\u([0-9a-fA-F]{4})")


def disarm_json(text: str) -> str:
    """The same for JSON, in which a marker may be written with escapes: `\\u003c|im_start|\\u003e`."""
    plain = _ESCAPE.sub(_read_escape, text)
    told = disarm(plain)
    return disarm(text) if told == plain else told


def _read_escape(found: re.Match[str]) -> str:
    sign = chr(int(found[1], 16)) if found[1] else "\\"
    # Others must stay escaped: controls, quotes, backslashes, halves of a pair.
    return found[0] if sign < " " or sign in '"\\' or "\ud800" <= sign <= "\udfff" else sign


def disarm_input(text: str) -> str:
    """A player's words without any such marker, and without our own marks in disguise."""
    return disarm(text, _SQUARES | _OURS)


@frozen
class TranscriptInput:
    """The part of a turn's input that stays in the transcript."""

    said: str
    opening: bool = False
    """Whether it is the first turn, which has no input."""

    lore: tuple[str, ...] = ()
    """The lore texts added with it."""

    happened: str = ""
    """An introduction that the player has read and that is in no reply."""


@frozen
class TranscriptTurn:
    """One earlier turn."""

    version: int
    asked: TranscriptInput
    answer: tuple[Message, ...]
    """What the model said, including tool rounds; at least one message."""

    trimmed: bool = False
    """Whether choices were left out of it."""


def write_asked(asked: TranscriptInput, phrases: Phrases) -> str:
    """The end of the message that asks for a turn; it never changes from here on."""
    silent = phrases.opening if asked.opening else phrases.going_on
    parts = [
        f"[HAPPENED]\n{asked.happened}" if asked.happened else "",
        write_lore(asked.lore),
        f"[PLAYER]\n{unmark(asked.said.strip()) or silent}",
    ]
    return BREAK.join(part for part in parts if part)


def write_lore(lore: Sequence[str]) -> str:
    """Entries of lore under their mark."""
    return "\n".join(["[LORE]", *(f"- {unmark(text)}" for text in lore)]) if lore else ""


def write_past(past: TranscriptTurn, phrases: Phrases) -> tuple[Message, ...]:
    """One earlier turn as messages."""
    return UserMessage(write_asked(past.asked, phrases)), *map(_fill, past.answer)


def measure_past(messages: Sequence[Message]) -> int:
    """Estimated tokens of a past turn."""
    return sum(map(estimate_message, messages))


def _fill(message: Message) -> Message:
    if isinstance(message, AssistantMessage) and not message.calls and not message.text.strip():
        return AssistantMessage(SILENCE)
    return message


@frozen
class WindowMarks:
    """How far a window may grow, and how far it is cut."""

    high: int
    """Tokens at which it is full."""

    low: int
    """Tokens to which it is cut."""

    hard: int
    """Tokens that the model can read at most; no turn may exceed them."""

    keep_turns: int
    every_turns: int
    turns_max: int = TURNS_MAX

    @property
    def retained(self) -> int:
        """Tokens up to which a cut spares turns that should be kept."""
        return self.low + int((self.high - self.low) * RETAINED_SHARE)


def make_marks(memory: MemoryRules, room: int, context_tokens: int = 0) -> WindowMarks:
    """The marks of a game, within the room that a model of this context size leaves for the transcript."""
    wanted = memory.window_tokens
    if memory.window_share is not None:
        wanted = int(memory.window_share * context_tokens)
    high = min(wanted, room)
    low = memory.cut_to_tokens if memory.cut_to_tokens < high else high // 2
    return WindowMarks(high, low, room, memory.keep_turns, memory.summary_every_turns)


def is_full(sizes: Sequence[int], marks: WindowMarks) -> bool:
    """Whether the window must be cut before the next request; `sizes` are those of its turns."""
    return sum(sizes) > marks.high or len(sizes) > marks.turns_max


def count_due(
    sizes: Sequence[int], turns_since_cut: int, marks: WindowMarks, spared_from: int | None = None
) -> int:
    """How many of the oldest turns to drop now; zero if none.

    Turns from number `spared_from` on stay, if there is room for them.
    """
    full = is_full(sizes, marks)
    waited = turns_since_cut >= marks.every_turns and sum(sizes) > marks.low
    if not full and not waited:
        return 0
    left = list(sizes)
    # A window of very many short turns is cut to half of them, so that it can grow again.
    turns = marks.turns_max // 2 if len(left) > marks.turns_max else len(left)
    while len(left) > 1 and (sum(left) > marks.low or len(left) > turns):
        # The last turns stay word for word if the model has room for them.
        if len(left) <= marks.keep_turns and sum(left) <= marks.retained:
            break
        del left[0]
    # The very last one stays, unless the model could not read it.
    while sum(left) > marks.hard:
        del left[0]
    count = len(sizes) - len(left)
    if spared_from is not None and spared_from < count:
        spared = sizes[spared_from:]
        if sum(spared) <= marks.retained and len(spared) <= turns:
            count = spared_from
    # After every cut the rest of the window is sent again uncached: not worth it for one or two turns.
    return count if full or count >= marks.every_turns // 2 else 0


@frozen
class TranscriptWindow:
    """What a prompt shows of the past."""

    first: int = 1
    """The version of the oldest turn shown word for word."""

    cut_at: int = 0
    """The version of the turn that last cut it: from there on the memory is frozen."""

    frozen: str = ""
    """The start of the digest of everything before the memory: if it differs from the previous turn, a
    provider has to read the whole prompt again.
    """

    told_at: Mapping[str, int] = field(default_factory=lambda: _NEVER)
    """When each lore entry was last used, if that still matters."""

    known: int = 0
    """How many of that turn's first changes the memory includes: asides, hand edits, the deed."""


def write_window(window: TranscriptWindow) -> Json:
    """A window as it is stored; null if there is nothing to store."""
    raw: dict[str, Json] = {}
    if window.first > 1 or window.cut_at:
        raw |= {"first": window.first, "cut_at": window.cut_at}
    if window.known:
        raw["known"] = window.known
    if window.frozen:
        raw["frozen"] = window.frozen
    if window.told_at:
        raw["lore"] = dict(window.told_at)
    return raw or None


def read_window(raw: Json, version: int) -> TranscriptWindow:
    """Read the window that a commit of this version left.

    However long ago the last cut was, for example because scenes narrated all turns, no more is read back
    than a prompt shows.
    """
    kept = cast(Mapping[str, int], raw) if isinstance(raw, Mapping) else {}
    told_at = cast(Mapping[str, int], kept.get("lore", _NEVER))
    first = max(kept.get("first", 1), version - TURNS_MAX)
    frozen = cast(str, kept.get("frozen", ""))
    return TranscriptWindow(first, kept.get("cut_at", 0), frozen, told_at, kept.get("known", 0))
