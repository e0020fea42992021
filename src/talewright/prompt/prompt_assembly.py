"""Assembly: puts the parts of a prompt in order, as messages, and as bytes for comparison.

Frozen first, then memory, then the transcript, then the tail: parts that change come as late as possible. The
bytes are not a provider's wire format: they only ensure that prompts with a common start have a common
spelling.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from talewright.common.frozen_values import frozen
from talewright.llm.requests import AssistantMessage, Message, Request, SystemMessage, ToolResult, UserMessage
from talewright.prompt.past_turns_part import TranscriptTurn, disarm, disarm_json, write_past
from talewright.prompt.token_budget import FittedSections, SectionCut
from talewright.prompt.words.phrases import Phrases

MESSAGE_ROLES = {
    SystemMessage: "system",
    UserMessage: "user",
    AssistantMessage: "assistant",
    ToolResult: "toolresult",
}
"""Names of the roles. Digests of prompts are recorded, so these words never change."""


def spell_head(message: Message) -> bytes:
    """The bytes before the text of a message: its role."""
    about = f" {message.call_id} {message.name}" if isinstance(message, ToolResult) else ""
    return f"\x1e{MESSAGE_ROLES[type(message)]}{about}\n".encode()


def spell_message(message: Message) -> bytes:
    """The bytes of one message."""
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    called = "".join(f"\x1f{call.id} {call.name} {call.arguments}" for call in calls)
    return spell_head(message) + f"{message.text}{called}".encode("utf-8", "surrogatepass")


def spell_messages(messages: Sequence[Message]) -> bytes:
    """The bytes of several messages."""
    return b"".join(map(spell_message, messages))


def spell_request(request: Request) -> bytes:
    """Everything a model reads: tools and schema first, as vendors do, then the messages."""
    tools = [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    beside = json.dumps([tools, request.answer_schema], ensure_ascii=False, default=dict)
    return beside.encode("utf-8", "surrogatepass") + spell_messages(request.messages)


def count_common(one: bytes, other: bytes) -> int:
    """The length of the common prefix of two spellings, in bytes."""
    if one[: len(other)] == other[: len(one)]:
        return min(len(one), len(other))
    # Whole blocks first: prompts are long, and mostly equal.
    at = 0
    while one[at : at + _BLOCK] == other[at : at + _BLOCK]:
        at += _BLOCK
    pairs = zip(one[at : at + _BLOCK], other[at : at + _BLOCK], strict=False)
    return at + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


_BLOCK = 4_096


@frozen
class PromptPart:
    """A named part of one message."""

    name: str
    text: str
    message: int
    """The index of its message."""

    weight: int | None = None
    """Its weight for cutting: the lowest is cut first; None if it is never cut."""


@frozen
class Prompt:
    """The first request of a turn."""

    messages: tuple[Message, ...]
    parts: tuple[PromptPart, ...]
    """All parts by name; a message is its parts joined."""

    cuts: tuple[SectionCut, ...] = ()

    @property
    def stable(self) -> tuple[Message, ...]:
        """The messages that the next prompt starts with, as long as nothing is cut: all but the tail."""
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


def disarm_prompt(prompt: Prompt) -> Prompt:
    """A prompt without markers of chat templates."""
    parts = [replace(part, text=disarm(part.text)) for part in prompt.parts]
    return replace(prompt, messages=disarm_messages(prompt.messages), parts=tuple(parts))


def disarm_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages without markers of chat templates; the author of the first may be a stranger."""
    return tuple(map(_disarm_message, messages))


def _disarm_message(message: Message) -> Message:
    made = replace(message, text=disarm(message.text))
    if isinstance(made, AssistantMessage) and made.calls:
        calls = tuple(replace(call, arguments=disarm_json(call.arguments)) for call in made.calls)
        made = replace(made, calls=calls)
    return made
