"""Tokens: the guess is near the truth, on its safe side, in both languages.

The true numbers were counted with o200k.
"""

from dataclasses import replace

import pytest

from talewright.llm.reply_chunks import Reply, Usage
from talewright.llm.requests import (
    AssistantMessage,
    Request,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.llm.token_estimate import (
    MESSAGE_TOKENS,
    estimate_message,
    estimate_request,
    estimate_tokens,
    estimate_usage,
)

TRUTHS = [
    (
        "The fog comes in over the quay, and somewhere in it a bell begins to count to thirteen. "
        "You put the lantern down.",
        26,
    ),
    ("雾气漫过码头，远处的钟敲了十三下。你把灯放下，听见有人在水面上喊你的名字，可是那里没有船。", 40),
    ('{"op": "inc", "path": "cast.keeper.trust", "value": 12, "reason": "kept a word"}', 31),
    ("# Rules\n\n- Answer in JSON.\n- Three to six choices.\n- Never decide dice yourself.\n", 20),
    ("Der Nebel kommt über den Kai, und irgendwo darin beginnt eine Glocke bis dreizehn zu zählen.", 22),
    ("12 345 678 2026-11-15 22:30", 16),
]


@pytest.mark.parametrize(("text", "truth"), TRUTHS)
def test_one_sentence_is_near(text: str, truth: int) -> None:
    assert 0.85 <= estimate_tokens(text) / truth <= 1.4


def test_together_they_are_on_the_safe_side() -> None:
    guessed, true = sum(estimate_tokens(text) for text, _ in TRUTHS), sum(truth for _, truth in TRUTHS)
    assert 1.0 <= guessed / true <= 1.2


def test_small_texts() -> None:
    assert [estimate_tokens(text) for text in ("", " ", "a", "好", "🜂", "a" * 11)] == [0, 1, 1, 1, 1, 2]


def test_a_message() -> None:
    plain = estimate_tokens("Go on.")
    assert [estimate_message(kind("Go on.")) for kind in (SystemMessage, UserMessage)] == [
        plain + MESSAGE_TOKENS
    ] * 2
    assert estimate_message(ToolResult("a", "pay", "Go on.")) == plain + MESSAGE_TOKENS
    call = ToolCall("a", "pay", '{"coins": 1}')
    called = estimate_tokens('pay{"coins": 1}') + MESSAGE_TOKENS
    assert estimate_message(AssistantMessage("Go on.", (call, call))) == plain + MESSAGE_TOKENS + 2 * called


def test_a_request_counts_all_it_says() -> None:
    bare = Request((UserMessage("Go on."), UserMessage("Go on.")))
    assert estimate_request(bare) == 2 * estimate_message(UserMessage("Go on."))
    tool = replace(bare, tools=(ToolSpec("pay", "Pay coins.", {"type": "object"}),))
    assert estimate_request(tool) - estimate_request(bare) == (
        estimate_tokens('payPay coins.{"type":"object"}') + MESSAGE_TOKENS
    )
    formed = replace(bare, answer_schema={"type": "object", "title": "答"})
    assert estimate_request(formed) - estimate_request(bare) == estimate_tokens(
        '{"type":"object","title":"答"}'
    )


def test_usage_is_marked_as_a_guess() -> None:
    request = Request((UserMessage("Go on."),))
    reply = Reply("He nods.", (ToolCall("a", "pay", "{}"),))
    told = estimate_tokens("He nods.") + estimate_tokens("pay{}")
    assert estimate_usage(request, reply) == Usage(estimate_request(request), told, estimated=True)
