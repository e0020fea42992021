"""Assembly: the parts of a prompt in their one order, as messages.

Frozen first, then memory, then the transcript, then the tail: what changes stands as far back as it can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from talewright.llm.messages import Message, System, User
from talewright.prompt.sections import Cut, Fitted
from talewright.prompt.transcript import Past, write_past
from talewright.prompt.words.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of one message."""

    name: str
    text: str
    message: int
    """Which message it stands in."""

    weight: int | None = None
    """How much must be gone before it is cut: the least weight goes first; None where it is never cut."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The first ask of a turn."""

    messages: tuple[Message, ...]
    parts: tuple[Part, ...]
    """Everything in it by name; a message is its parts one after the other."""

    cuts: tuple[Cut, ...] = ()

    @property
    def stable(self) -> tuple[Message, ...]:
        """The messages that the next prompt begins with, as long as nothing is cut: all but the tail."""
        return self.messages[:-1]


def assemble(
    frozen: Fitted, memory: Fitted, transcript: Sequence[Past], tail: Fitted, phrases: Phrases
) -> Prompt:
    """Put the parts together."""
    messages: list[Message] = [System(frozen.text)]
    parts = [Part(section.name, section.text, 0, section.weight) for section in frozen.sections]
    if memory.sections:
        parts += [Part(section.name, section.text, 1) for section in memory.sections]
        messages.append(System(memory.text))
    for past in transcript:
        for message in write_past(past, phrases):
            parts.append(Part(f"turn {past.version}", message.text, len(messages)))
            messages.append(message)
    last = len(messages)
    parts += [Part(section.name, section.text, last, section.weight) for section in tail.sections]
    messages.append(User(tail.text))
    return Prompt(tuple(messages), tuple(parts), (*frozen.cuts, *memory.cuts, *tail.cuts))
