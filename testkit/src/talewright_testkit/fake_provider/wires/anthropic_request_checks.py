"""Requests on the Anthropic wire: parsed into blocks with cache marks, and rejected as the vendor would.

For the answers see `anthropic_reply_format`.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

from talewright_testkit.fake_provider.parsed_request import (
    Json,
    ParsedRequest,
    RejectionError,
    RequestBlock,
    as_count,
    as_list,
    as_map,
    as_text,
    spell,
)
from talewright_testkit.fake_provider.vendor_cache import VendorCacheRules

FIELDS = frozenset(
    "model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences "
    "metadata thinking output_config service_tier container cache_control context_management mcp_servers "
    "inference_geo speed diagnostics".split()
)
LIFETIMES = {"5m": 300.0, "1h": 3_600.0}
BLOCKS = frozenset("text image document thinking redacted_thinking tool_use tool_result".split())
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def read(body: Json, headers: Mapping[str, str], rules: VendorCacheRules) -> ParsedRequest:
    """Parse the request; raise RejectionError where the vendor would reject it."""
    if "anthropic-version" not in headers:
        _refuse("anthropic-version: header is required")
    _check_fields(body)
    messages = [as_map(message) for message in as_list(body["messages"])]
    if not messages:
        _refuse("messages: at least one message is required")
    tools = [as_map(tool) for tool in as_list(body.get("tools"))]
    _check_tools(tools)
    _check_messages(messages)
    blocks = [_marked("tool", tool) for tool in tools] + _read_system(body)
    spoken = [block for number, message in enumerate(messages) for block in _read_message(number, message)]
    # These settings leave tools and system text cached and invalidate the cache from the first message on.
    salt = spell([body.get("tool_choice"), body.get("thinking")])
    spoken[0] = replace(spoken[0], salt=salt)
    blocks += spoken
    if body.get("cache_control") is not None:
        blocks[-1] = replace(blocks[-1], mark_seconds=_lifetime(body))
    _check_marks(blocks, rules)
    return ParsedRequest(
        as_text(body["model"]),
        tuple(blocks),
        body,
        tuple(as_text(tool.get("name")) for tool in tools),
        body.get("stream") is True,
        output_tokens_max=as_count(body["max_tokens"]),
    )


def _refuse(message: str) -> NoReturn:
    raise RejectionError(400, message)


def _check_fields(body: Json) -> None:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            _refuse(f"{name}: Field required")
    for name in sorted(set(body) - FIELDS):
        _refuse(f"{name}: Extra inputs are not permitted")
    if not isinstance(body["messages"], list):
        _refuse("messages: Input should be a valid list")
    if as_count(body["max_tokens"]) is None:
        _refuse("max_tokens: Input should be a valid integer")
    if (as_count(body["max_tokens"]) or 0) < 1:
        _refuse("max_tokens: Input should be greater than or equal to 1")
    temperature = body.get("temperature")
    if temperature is not None and not (isinstance(temperature, int | float) and 0 <= temperature <= 1):
        _refuse("temperature: range: 0..1")


def _check_tools(tools: list[Json]) -> None:
    for number, tool in enumerate(tools):
        if not _NAME.fullmatch(as_text(tool.get("name"))):
            _refuse(f"tools.{number}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if "input_schema" not in tool:
            _refuse(f"tools.{number}.custom.input_schema: Field required")
        if as_map(tool["input_schema"]).get("type") != "object":
            _refuse(f"tools.{number}.custom.input_schema.type: Input should be 'object'")
    if len({tool.get("name") for tool in tools}) < len(tools):
        _refuse("tools: Tool names must be unique.")


def _check_messages(messages: list[Json]) -> None:
    called: list[str] = []
    for number, message in enumerate(messages):
        role = message.get("role")
        if role == "system":
            _refuse(
                'messages: Unexpected role "system". The Messages API accepts a top-level `system` '
                'parameter, not "system" as an input message role.'
            )
        if role not in ("user", "assistant"):
            _refuse(f"messages.{number}.role: Input should be 'user' or 'assistant'")
        if number == 0 and role != "user":
            _refuse('messages: first message must use the "user" role')
        content = _content(message)
        if not content and not (role == "assistant" and number == len(messages) - 1):
            _refuse(
                f"messages.{number}: all messages must have non-empty content except for the optional final "
                "assistant message"
            )
        _check_content(number, content)
        called = _check_pairs(number, content, called)
    if called:
        _refuse_unanswered(len(messages) - 1, called)
    last = _content(messages[-1])
    if (
        messages[-1].get("role") == "assistant"
        and last
        and as_text(last[-1].get("text")).endswith((" ", "\n"))
    ):
        _refuse("messages: final assistant content cannot end with trailing whitespace")


def _check_content(number: int, content: list[Json]) -> None:
    for at, block in enumerate(content):
        if block.get("type") not in BLOCKS:
            _refuse(
                f"messages.{number}.content.{at}: Input tag '{block.get('type')}' found using 'type' does "
                "not match any of the expected tags"
            )
        if block["type"] == "text" and not as_text(block.get("text")):
            _refuse("messages: text content blocks must be non-empty")
        if block["type"] == "tool_use" and not isinstance(block.get("input"), Mapping):
            _refuse(f"messages.{number}.content.{at}.tool_use.input: Input should be a valid dictionary")


def _check_pairs(number: int, content: list[Json], called: list[str]) -> list[str]:
    """Check that every result follows its call and every call has a result; return the open calls."""
    results = [as_text(block.get("tool_use_id")) for block in content if block["type"] == "tool_result"]
    for at, block in enumerate(content):
        if block["type"] == "tool_result" and block.get("tool_use_id") not in called:
            _refuse(
                f"messages.{number}.content.{at}: unexpected `tool_use_id` found in `tool_result` blocks: "
                f"{block.get('tool_use_id')}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message."
            )
    if set(called) - set(results):
        _refuse_unanswered(number - 1, [name for name in called if name not in results])
    return [as_text(block.get("id")) for block in content if block["type"] == "tool_use"]


def _refuse_unanswered(number: int, called: list[str]) -> NoReturn:
    _refuse(
        f"messages.{number}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(called)}. Each `tool_use` block must have a corresponding `tool_result` block in the "
        "next message."
    )


def _check_marks(blocks: list[RequestBlock], rules: VendorCacheRules) -> None:
    marks = [block.mark_seconds for block in blocks if block.mark_seconds is not None]
    if rules.marks_max and len(marks) > rules.marks_max:
        _refuse(
            f"A maximum of {rules.marks_max} blocks with cache_control may be provided. Found {len(marks)}."
        )
    if any(late > early for early, late in pairwise(marks)):
        _refuse("a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.")


def _content(message: Json) -> list[Json]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [as_map(block) for block in as_list(content)]


def _read_system(body: Json) -> list[RequestBlock]:
    system = body.get("system")
    pieces = [{"type": "text", "text": system}] if isinstance(system, str) and system else as_list(system)
    form = as_map(as_map(body.get("output_config")).get("format"))
    # The schema of the answer becomes part of the system text: another schema is another prefix.
    schema = [RequestBlock("schema", spell(form))] if form else []
    return schema + [_marked("system", as_map(piece)) for piece in pieces]


def _read_message(number: int, message: Json) -> list[RequestBlock]:
    role = as_text(message["role"])
    return [
        _marked("result" if block["type"] == "tool_result" else role, block) for block in _content(message)
    ] or [RequestBlock(role, "")]


def _marked(kind: str, block: Json) -> RequestBlock:
    bare = {name: value for name, value in block.items() if name != "cache_control"}
    text = as_text(bare.get("text")) if bare.get("type") == "text" else spell(bare)
    return RequestBlock(kind, text, _lifetime(block) if block.get("cache_control") is not None else None)


def _lifetime(block: Json) -> float:
    mark = as_map(block.get("cache_control"))
    if mark.get("type") != "ephemeral":
        _refuse("cache_control.type: Input should be 'ephemeral'")
    if mark.get("ttl", "5m") not in LIFETIMES:
        _refuse("cache_control.ephemeral.ttl: Input should be '5m' or '1h'")
    return LIFETIMES[as_text(mark.get("ttl", "5m"))]
