"""Requests on the Anthropic wire: what is taken, what is refused and in which words."""

from typing import Any

import pytest

from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RejectionError, RequestBlock
from talewright_testkit.fake_provider.vendor_cache import ANTHROPIC_CACHE
from talewright_testkit.fake_provider.wires.anthropic_request_checks import read

HEADERS = {"anthropic-version": "2023-06-01"}
USER = {"role": "user", "content": "Go on."}
USE = {"type": "tool_use", "id": "t1", "name": "roll", "input": {}}
CALLED = {"role": "assistant", "content": [{"type": "text", "text": "I roll."}, USE]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "20"}]}
TOOL = {"name": "roll", "input_schema": {"type": "object"}}
MARK = {"type": "ephemeral"}
LONG_MARK = {"type": "ephemeral", "ttl": "1h"}


def body(*messages: object, **more: Any) -> dict[str, Any]:
    """A request with these messages."""
    return {"model": "m", "max_tokens": 100, "messages": list(messages) or [USER], **more}


def take(request: dict[str, Any]) -> ParsedRequest:
    """The request as read."""
    return read(request, HEADERS, ANTHROPIC_CACHE)


def marked(text: str, mark: object = MARK) -> dict[str, Any]:
    """A block of text with a mark."""
    return {"type": "text", "text": text, "cache_control": mark}


def test_a_whole_conversation_becomes_blocks_in_the_vendors_order() -> None:
    asked = take(body(USER, CALLED, RESULT, system="Tell.", tools=[TOOL], stream=True))
    assert [block.kind for block in asked.blocks] == "tool system user assistant assistant result".split()
    assert asked.blocks[1] == RequestBlock("system", "Tell.")
    assert asked.blocks[3].text == "I roll."
    assert '"tool_use_id":"t1"' in asked.text
    assert (asked.tools, asked.stream, asked.output_tokens_max) == (("roll",), True, 100)


def test_marks_are_read_and_are_no_text() -> None:
    asked = take(
        body(
            {"role": "user", "content": [marked("a", LONG_MARK), marked("b")]},
            system=[marked("s", LONG_MARK)],
        )
    )
    assert [(block.text, block.mark_seconds) for block in asked.blocks] == [
        ("s", 3_600.0),
        ("a", 3_600.0),
        ("b", 300.0),
    ]
    tool = {**TOOL, "cache_control": MARK}
    asked = take(body(tools=[tool], cache_control=MARK))
    assert "cache_control" not in asked.blocks[0].text
    assert [block.mark_seconds for block in asked.blocks] == [300.0, 300.0]


def test_settings_salt_the_messages_and_the_schema_stands_before_the_system_text() -> None:
    plain, chosen = take(body(system="s")), take(body(system="s", tool_choice={"type": "any"}))
    assert plain.blocks[0] == chosen.blocks[0]
    assert plain.blocks[1].salt != chosen.blocks[1].salt
    form = {"format": {"type": "json_schema", "schema": {"type": "object"}}}
    assert [
        block.kind for block in take(body(system="s", output_config=form)).blocks
    ] == "schema system user".split()


@pytest.mark.parametrize("name", ["model", "max_tokens", "messages"])
def test_fields_that_must_be_there(name: str) -> None:
    request = body()
    del request[name]
    with pytest.raises(RejectionError, match=f"^{name}: Field required$"):
        take(request)


def test_the_version_must_be_named() -> None:
    with pytest.raises(RejectionError, match="anthropic-version: header is required"):
        read(body(), {}, ANTHROPIC_CACHE)


@pytest.mark.parametrize(
    ("request_body", "message"),
    [
        (body(colour="red"), "colour: Extra inputs are not permitted"),
        (body(max_tokens="many"), "max_tokens: Input should be a valid integer"),
        (body(max_tokens=0), "max_tokens: Input should be greater than or equal to 1"),
        (body(temperature=1.1), "temperature: range: 0..1"),
        ({**body(), "messages": "x"}, "messages: Input should be a valid list"),
        ({**body(), "messages": []}, "messages: at least one message is required"),
        (body({"role": "system", "content": "x"}), 'messages: Unexpected role "system"'),
        (body({"role": "tool", "content": "x"}), "messages.0.role: Input should be 'user' or 'assistant'"),
        (body(CALLED), 'messages: first message must use the "user" role'),
        (body({"role": "user", "content": ""}), "messages.0: all messages must have non-empty content"),
        (
            body({"role": "user", "content": [{"type": "text", "text": ""}]}),
            "text content blocks must be non-empty",
        ),
        (
            body({"role": "user", "content": [{"type": "song"}]}),
            "messages.0.content.0: Input tag 'song' found",
        ),
        (
            body(USER, {"role": "assistant", "content": [{**USE, "input": "{}"}]}),
            "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
        ),
        (
            body(USER, CALLED),
            "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1",
        ),
        (body(USER, CALLED, USER), "messages.1: `tool_use` ids were found without `tool_result` blocks"),
        (body(RESULT), "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1."),
        (
            body(USER, {"role": "assistant", "content": "So "}),
            "messages: final assistant content cannot end with trailing whitespace",
        ),
        (body(tools=[{**TOOL, "name": "a b"}]), "tools.0.custom.name: String should match pattern"),
        (body(tools=[{"name": "a"}]), "tools.0.custom.input_schema: Field required"),
        (body(tools=[{"name": "a", "input_schema": {}}]), "input_schema.type: Input should be 'object'"),
        (body(tools=[TOOL, TOOL]), "tools: Tool names must be unique."),
        (
            body(system=[marked("a")] * 5),
            "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ),
        (
            body(system=[marked("a"), marked("b", LONG_MARK)]),
            "a ttl='1h' cache_control block must not come after",
        ),
        (body(system=[marked("a", {"type": "eternal"})]), "cache_control.type: Input should be 'ephemeral'"),
        (body(system=[marked("a", {**MARK, "ttl": "1d"})]), "ttl: Input should be '5m' or '1h'"),
    ],
)
def test_refusals(request_body: dict[str, Any], message: str) -> None:
    with pytest.raises(RejectionError) as caught:
        take(request_body)
    assert caught.value.status == 400
    assert caught.value.message.startswith(message) or message in caught.value.message


def test_an_unfinished_answer_may_be_the_last_message() -> None:
    assert take(body(USER, {"role": "assistant", "content": "So"})).text == "So"
    assert take(body(USER, {"role": "assistant", "content": ""})).text == ""
