"""The transcript: past turns as messages, the same bytes whenever they are sent.

A past turn is the end of the message in which it was asked, lore and input, and what the model answered.
The state as it stood then is not repeated. No message is ever empty: some vendors refuse those. A player
who types `[RESULTS]` says it in parentheses: no input can pass itself off as a part of the prompt.
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
    """A text in which nothing looks like a mark of ours."""
    return _MARK.sub(r"(\1)", text)


SILENCE = "..."
"""What stands for an answer without any words."""


@frozen
class TranscriptInput:
    """What of a turn's input stays in the transcript."""

    said: str
    opening: bool = False
    """Whether it is the first turn, which has no input."""

    lore: tuple[str, ...] = ()
    """The texts that came up with it."""

    happened: str = ""
    """An introduction that the player has read and that stands in no answer."""


@frozen
class TranscriptTurn:
    """One earlier turn."""

    version: int
    asked: TranscriptInput
    answer: tuple[Message, ...]
    """What the model said, tool rounds included; at least one message."""


def write_asked(asked: TranscriptInput, phrases: Phrases) -> str:
    """The end of the message that asks for a turn: from here on it stays as it is."""
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
    """A guess at the tokens of a past turn."""
    return sum(map(estimate_message, messages))


def _fill(message: Message) -> Message:
    if isinstance(message, AssistantMessage) and not message.calls and not message.text.strip():
        return AssistantMessage(SILENCE)
    return message
