"""The wire form: what the three vendors' protocols have in common, and the port each of them fills.

A wire reads a request and spells an answer. It opens no socket and knows no fault but the shape of an error.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.testing.fake_provider.parsed_request import Json, ParsedRequest, RejectionError
from talewright.testing.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright.testing.fake_provider.vendor_cache import VendorCacheRules


class Wire(StrEnum):
    """A protocol, by the name profiles use."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "google"


class WireReplyPart(StrEnum):
    """What of a reply an event carries."""

    HEAD = "head"
    REASONING = "reasoning"
    TEXT = "text"
    CALL = "call"
    TAIL = "tail"
    WHOLE = "whole"
    """All of it: the answer is not streamed."""


@frozen
class FakeWireEvent:
    """One event of a stream, framed."""

    part: WireReplyPart
    data: bytes
    said: str = ""
    """What of the model's own words it carries."""


class RequestedAct(StrEnum):
    """What a path asks for."""

    ASK = "ask"
    LIST = "list"


@frozen
class RoutedRequest:
    """What is wanted of the server, read from method and path."""

    act: RequestedAct
    model: str = ""
    """The model, where the path names it."""

    stream: bool = False
    """Whether the path asks for a stream."""

    events: bool = True


@frozen
class ReplyTokenTally:
    """Tokens of one call, as they are told to the client."""

    prompt: int
    cached: int = 0
    written: int = 0
    written_long: int = 0
    output: int = 0
    reasoning: int = 0
    """Those of the output that were thinking."""


@frozen
class OutgoingAnswer:
    """One answer on its way out."""

    asked: ParsedRequest
    answer: FakeAnswer
    tally: ReplyTokenTally
    pace: ReplyPace
    created: int
    """When, in whole seconds."""


class WireForm(Protocol):
    """A vendor's protocol."""

    @property
    def wire(self) -> Wire:
        """Which one."""

    @property
    def cache(self) -> VendorCacheRules:
        """The vendor's usual caching rules."""

    @property
    def stream_type(self) -> str:
        """The content type of its streams."""

    def route(self, method: str, path: str, query: Mapping[str, str]) -> RoutedRequest:
        """What is wanted; raises a RejectionError for a path that is not there."""

    def find_key(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
        """The key the client shows."""

    def refuse_key(self, key: str | None) -> RejectionError | None:
        """What is said to a missing (None) or wrong key; None where none is needed."""

    def read(self, body: Json, headers: Mapping[str, str], errand: RoutedRequest) -> ParsedRequest:
        """The request; raises a RejectionError where the vendor would not take it."""

    def refuse_model(self, model: str) -> RejectionError:
        """What is said to a model that is not there."""

    def list_models(self, models: tuple[str, ...], created: int) -> Json:
        """The models there are."""

    def tell_error(self, error: RejectionError) -> Json:
        """The body of an error."""

    def tell_error_event(self, error: RejectionError) -> bytes:
        """An error in the middle of a stream."""

    def tell_whole(self, telling: OutgoingAnswer) -> Json:
        """The answer in one body."""

    def tell_stream(self, telling: OutgoingAnswer) -> list[FakeWireEvent]:
        """The answer as events."""
