"""Assembly: the parts of a prompt in their one order, as messages, and as bytes to compare.

Frozen first, then memory, then the transcript, then the tail: what changes stands as far back as it can.
The bytes are no wire of a provider: prompts which begin alike are spelled alike, and that is all.
"""

import json
from collections.abc import Sequence
from itertools import takewhile

from talewright.common.frozen_values import frozen
from talewright.llm.requests import AssistantMessage, Message, Request, SystemMessage, ToolResult, UserMessage
from talewright.prompt.prompt_transcript import TranscriptTurn, write_past
from talewright.prompt.token_budget import FittedSections, SectionCut
from talewright.prompt.words.phrases import Phrases

MESSAGE_ROLES = {
    SystemMessage: "system",
    UserMessage: "user",
    AssistantMessage: "assistant",
    ToolResult: "toolresult",
}
"""Who speaks. Digests of prompts stand in records, so these words never change."""


def spell_head(message: Message) -> bytes:
    """What stands before the text of a message: who speaks."""
    about = f" {message.call_id} {message.name}" if isinstance(message, ToolResult) else ""
    return f"\x1e{MESSAGE_ROLES[type(message)]}{about}\n".encode()


def spell_message(message: Message) -> bytes:
    """One message."""
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    called = "".join(f"\x1f{call.id} {call.name} {call.arguments}" for call in calls)
    return spell_head(message) + f"{message.text}{called}".encode("utf-8", "surrogatepass")


def spell_messages(messages: Sequence[Message]) -> bytes:
    """Messages one after the other."""
    return b"".join(map(spell_message, messages))


def spell_request(request: Request) -> bytes:
    """Everything a model is given to read: tools and schema first, as vendors do, then the messages."""
    tools = [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    beside = json.dumps([tools, request.answer_schema], ensure_ascii=False, default=dict)
    return beside.encode("utf-8", "surrogatepass") + spell_messages(request.messages)


def count_common(one: bytes, other: bytes) -> int:
    """How many bytes two spellings have in common from their beginning."""
    if one[: len(other)] == other[: len(one)]:
        return min(len(one), len(other))
    # Whole blocks first: prompts are long, and alike for most of their length.
    at = 0
    while one[at : at + _BLOCK] == other[at : at + _BLOCK]:
        at += _BLOCK
    pairs = zip(one[at : at + _BLOCK], other[at : at + _BLOCK], strict=False)
    return at + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


_BLOCK = 4_096


@frozen
class PromptPart:
    """A named stretch of one message."""

    name: str
    text: str
    message: int
    """Which message it stands in."""

    weight: int | None = None
    """How much must be gone before it is cut: the least weight goes first; None where it is never cut."""


@frozen
class Prompt:
    """The first ask of a turn."""

    messages: tuple[Message, ...]
    parts: tuple[PromptPart, ...]
    """Everything in it by name; a message is its parts one after the other."""

    cuts: tuple[SectionCut, ...] = ()

    @property
    def stable(self) -> tuple[Message, ...]:
        """The messages that the next prompt begins with, as long as nothing is cut: all but the tail."""
        return self.messages[:-1]


def assemble(
    frozen: FittedSections,
    memory: FittedSections,
    transcript: Sequence[TranscriptTurn],
    tail: FittedSections,
    phrases: Phrases,
) -> Prompt:
    """Put the parts together."""
    messages: list[Message] = [SystemMessage(frozen.text)]
    parts = [PromptPart(section.name, section.text, 0, section.weight) for section in frozen.sections]
    if memory.sections:
        parts += [PromptPart(section.name, section.text, 1) for section in memory.sections]
        messages.append(SystemMessage(memory.text))
    for past in transcript:
        for message in write_past(past, phrases):
            parts.append(PromptPart(f"turn {past.version}", message.text, len(messages)))
            messages.append(message)
    last = len(messages)
    parts += [PromptPart(section.name, section.text, last, section.weight) for section in tail.sections]
    messages.append(UserMessage(tail.text))
    return Prompt(tuple(messages), tuple(parts), (*frozen.cuts, *memory.cuts, *tail.cuts))
