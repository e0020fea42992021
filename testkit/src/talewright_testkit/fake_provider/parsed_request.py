"""The parsed request: any vendor's request as blocks, and tokens of the fake's own tokenizer.

Caching and token counts use nothing else. JSON of the wrong shape is read as empty or None; the wire decides
what that means. All tokens of a text but the last are also the first tokens of every longer text that starts
with it, so common prefixes can be counted in tokens.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import takewhile
from typing import TypeAlias

from talewright.common.frozen_values import frozen

WORD_LETTERS_MAX = 8
"""Maximum letters per token; longer words are several tokens."""

DIGITS_MAX = 3
"""Maximum digits per token."""

# Chinese, Japanese and Korean characters are one token each, close to what vendors' tokenizers do.
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"[{_CJK}]| ?[^\W\d_{_CJK}]{{1,{WORD_LETTERS_MAX}}}|\d{{1,{DIGITS_MAX}}}|\s{{1,8}}| ?[^\w\s]{{1,2}}|.",
    re.DOTALL,
)


def split_tokens(text: str) -> list[str]:
    """Split a text into tokens; joined, they are the text again."""
    return _TOKEN.findall(text)


def count_tokens(text: str) -> int:
    """Count the tokens of a text."""
    return len(split_tokens(text))


def cut_tokens(text: str, tokens_max: int) -> str:
    """Return the first tokens of a text."""
    return "".join(split_tokens(text)[:tokens_max])


def count_common_tokens(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the tokens two prompts share from their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


Json: TypeAlias = Mapping[str, object]


@frozen
class RequestBlock:
    """One block of the prompt: a tool, a piece of system text, a piece of a message."""

    kind: str
    """The role: `tool`, `schema`, `system`, `user`, `assistant`, `result`."""

    text: str
    mark_seconds: float | None = None
    """How long the prefix up to here is cached; None without a cache mark from the client."""

    salt: str = ""
    """Settings that invalidate the cache from here on without being tokens."""

    def split(self) -> list[str]:
        """Split the block into tokens; the first names the role, so that blocks never merge."""
        return [f"<|{self.kind}|>", *split_tokens(self.text)]


@frozen
class ParsedRequest:
    """One request."""

    model: str
    blocks: tuple[RequestBlock, ...]
    body: Json = field(default_factory=dict)
    """The body as received, with the key removed if it was in it."""

    tools: tuple[str, ...] = ()
    """Names of the offered tools."""

    stream: bool = False
    wants_usage: bool = False
    """Whether a stream should end with usage figures, where that must be requested."""

    output_tokens_max: int | None = None
    number: int = 1
    """Number of the request to the model, counted from 1."""

    events: bool = True
    """Whether the stream uses server-sent events."""

    wants_progress: bool = False
    """Whether a stream should report how much of the prompt has been read."""

    @property
    def text(self) -> str:
        """The text of the last block: the question."""
        return self.blocks[-1].text if self.blocks else ""


class RejectionError(Exception):
    """The request is rejected before the model sees it."""

    def __init__(
        self, status: int, message: str, *, kind: str = "", param: str | None = None, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.kind = kind
        """The vendor's own error type; empty for the usual one of the status."""

        self.param = param
        self.code = code


def as_map(value: object) -> Json:
    """Return the value as an object; empty if it is not one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[object]:
    """Return the value as a list; empty if it is not one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return the value as a string; empty if it is not one."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    """Return the value as an integer; None if it is not one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def spell(value: object, *, escaped: bool = False) -> str:
    """Return the value as compact JSON, with keys in their order."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))


def parse_object(text: str) -> Json | None:
    """Parse a JSON object; None if the text is not one."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def keywords(schema: object) -> set[str]:
    """Return every JSON Schema keyword used anywhere in a schema."""
    found: set[str] = set()
    for key, value in as_map(schema).items():
        found.add(key)
        if key in ("properties", "$defs", "definitions", "patternProperties"):
            for inner in as_map(value).values():
                found |= keywords(inner)
        elif key not in ("enum", "const", "default", "examples", "required"):
            for inner in value if isinstance(value, list) else [value]:
                found |= keywords(inner)
    return found
