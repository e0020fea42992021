"""The parsed request: what any vendor was asked, in blocks and in tokens of the fake's own tokenizer.

Caching and counting know nothing else. JSON of the wrong shape is read as empty or None; what that means is
for the wire to say. The tokens of a text are, but for the last one, the first tokens of every longer text
that begins with it, so that common prefixes can be counted in tokens.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import takewhile
from typing import TypeAlias

from talewright.common.frozen_values import frozen

WORD_LETTERS_MAX = 8
"""Letters of one token; longer words are several."""

DIGITS_MAX = 3
"""Digits of one token."""

# Chinese, Japanese and Korean characters are one token each, as a vendor's tokenizer nearly has it.
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"[{_CJK}]| ?[^\W\d_{_CJK}]{{1,{WORD_LETTERS_MAX}}}|\d{{1,{DIGITS_MAX}}}|\s{{1,8}}| ?[^\w\s]{{1,2}}|.",
    re.DOTALL,
)


def split_tokens(text: str) -> list[str]:
    """The tokens of a text; joined they are the text again."""
    return _TOKEN.findall(text)


def count_tokens(text: str) -> int:
    """How many tokens a text has."""
    return len(split_tokens(text))


def cut_tokens(text: str, tokens_max: int) -> str:
    """The first tokens of a text."""
    return "".join(split_tokens(text)[:tokens_max])


def count_common_tokens(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two prompts have in common from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


Json: TypeAlias = Mapping[str, object]


@frozen
class RequestBlock:
    """One block of the prompt: a tool, a piece of system text, a piece of a message."""

    kind: str
    """Who speaks: `tool`, `schema`, `system`, `user`, `assistant`, `result`."""

    text: str
    mark_seconds: float | None = None
    """How long the prefix up to here is to be kept; None where the client set no mark."""

    salt: str = ""
    """Settings that break the cache from here on without being tokens."""

    def split(self) -> list[str]:
        """The tokens of the block; the first one says who speaks, so that blocks never melt together."""
        return [f"<|{self.kind}|>", *split_tokens(self.text)]


@frozen
class ParsedRequest:
    """One request."""

    model: str
    blocks: tuple[RequestBlock, ...]
    body: Json = field(default_factory=dict)
    """The body as it came, but for the key if it stood in it."""

    tools: tuple[str, ...] = ()
    """Names of the tools offered."""

    stream: bool = False
    wants_usage: bool = False
    """Whether a stream is to end with what it cost, where that has to be asked for."""

    output_tokens_max: int | None = None
    number: int = 1
    """Which request to the model it is, counted from one."""

    events: bool = True
    """Whether a stream is to come as server-sent events."""

    wants_progress: bool = False
    """Whether a stream is to say how much of the prompt has been read."""

    @property
    def text(self) -> str:
        """What the last block says: the question."""
        return self.blocks[-1].text if self.blocks else ""


class RejectionError(Exception):
    """The request is refused before the model sees it."""

    def __init__(
        self, status: int, message: str, *, kind: str = "", param: str | None = None, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.kind = kind
        """The vendor's own word for what went wrong; empty: the usual one of the status."""

        self.param = param
        self.code = code


def as_map(value: object) -> Json:
    """The value as an object; empty where it is none."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[object]:
    """The value as a list; empty where it is none."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value as a string; empty where it is none."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    """The value as a whole number; None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def spell(value: object, *, escaped: bool = False) -> str:
    """The value as JSON without spaces, keys in their order."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))


def parse_object(text: str) -> Json | None:
    """The JSON object a text spells; None where it spells none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def keywords(schema: object) -> set[str]:
    """Every JSON Schema keyword used anywhere in a schema."""
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
