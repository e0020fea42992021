"""Spelling: messages as bytes, to compare one prompt with the next.

No wire of a provider: it only keeps what every wire keeps, that prompts which begin alike are spelled alike.
"""

import json
from collections.abc import Sequence
from itertools import takewhile

from talewright.llm.messages import Assistant, Message, System, ToolResult, User
from talewright.llm.requests import Request

_ROLES = {System: "system", User: "user", Assistant: "assistant", ToolResult: "toolresult"}
"""Who speaks. Digests of prompts stand in records, so these words never change."""


def spell_head(message: Message) -> bytes:
    """What stands before the text of a message: who speaks."""
    about = f" {message.call_id} {message.name}" if isinstance(message, ToolResult) else ""
    return f"\x1e{_ROLES[type(message)]}{about}\n".encode()


def spell_message(message: Message) -> bytes:
    """One message."""
    calls = message.calls if isinstance(message, Assistant) else ()
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
