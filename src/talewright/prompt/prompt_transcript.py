"""The transcript: past turns as messages, the same bytes whenever they are sent.

A past turn is the end of the message that asked for it (lore and input) and the model's reply. The state at
that time is not repeated. No message is ever empty: some vendors refuse those. If a player types `[RESULTS]`,
the brackets become parentheses, so that no input can pose as a part of the prompt.
"""

import re
from collections.abc import Sequence

from talewright.common.frozen_values import frozen
from talewright.llm.requests import AssistantMessage, Message, UserMessage
from talewright.llm.token_estimate import estimate_message
from talewright.prompt.token_budget import BREAK
from talewright.prompt.words.phrases import Phrases

_MARK = re.compile(r"\[([A-Z][A-Z _]*)\]")


def unmark(text: str) -> str:
    """A text in which nothing looks like one of our marks."""
    return _MARK.sub(r"(\1)", text)


SILENCE = "..."
"""Stands for a reply without any words."""


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
