"""Assembly: the parts of a prompt in their one order, as messages.

Frozen first, then memory, then the transcript, then the tail: what changes stands as far back as it can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from talewright.llm.messages import Assistant, Message, System, User


@dataclass(frozen=True, slots=True)
class Past:
    """One earlier turn."""

    said: str
    told: str


def assemble(frozen: str, memory: str, transcript: Sequence[Past], tail: str) -> tuple[Message, ...]:
    """The messages of an ask."""
    messages: list[Message] = [System(frozen)]
    if memory:
        messages.append(System(memory))
    for past in transcript:
        messages += [User(past.said), Assistant(past.told)]
    return (*messages, User(tail))
