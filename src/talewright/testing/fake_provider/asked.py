"""What was asked: a request of any vendor after it has been read and found valid.

The blocks are the whole prompt in the order the vendor reads it; caching and counting know nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from talewright.testing.fake_provider import tokens

Json: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Block:
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
        return [f"<|{self.kind}|>", *tokens.split(self.text)]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    model: str
    blocks: tuple[Block, ...]
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
