"""Spelling: prompts that begin alike are spelled alike."""

import pytest

from talewright.llm.requests import (
    AssistantMessage,
    Request,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.prompt.prompt_assembly import (
    count_common,
    spell_head,
    spell_message,
    spell_messages,
    spell_request,
)

CALL = ToolCall("c1", "pay", '{"n":1}')


def test_every_kind_of_message() -> None:
    assert spell_message(SystemMessage("你")) == b"\x1esystem\n" + "你".encode()
    assert spell_message(UserMessage("a")) == b"\x1euser\na"
    assert spell_message(AssistantMessage("a", (CALL,))) == b'\x1eassistant\na\x1fc1 pay {"n":1}'
    assert spell_message(ToolResult("c1", "pay", "{}")) == b"\x1etoolresult c1 pay\n{}"
    assert spell_head(UserMessage("a")) == b"\x1euser\n"
    assert spell_messages([UserMessage("a"), AssistantMessage("b")]) == b"\x1euser\na\x1eassistant\nb"


def test_a_request_begins_with_its_tools_and_schema() -> None:
    request = Request((UserMessage("a"),), (ToolSpec("pay", "Pay.", {"type": "object"}),), {"type": "string"})
    assert spell_request(request) == (
        b'[[["pay", "Pay.", {"type": "object"}]], {"type": "string"}]\x1euser\na'
    )


@pytest.mark.parametrize("length", [0, 1, 4_095, 4_096, 4_097, 12_288, 20_000])
def test_how_far_two_spellings_go_together(length: int) -> None:
    same = b"x" * length
    assert count_common(same + b"a", same + b"b") == length
    assert count_common(same + b"a" * 9_000, same + b"b" * 3) == length
    assert count_common(same, same + b"b") == length
    assert count_common(same + b"b", same) == length
    assert count_common(same, same) == length
