"""The wire form: what the three vendors' protocols have in common, and the port each of them implements.

A wire parses a request and formats an answer. It opens no socket, and of faults it knows only the format of
an error.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright_testkit.fake_provider.parsed_request import Json, ParsedRequest, RejectionError
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.vendor_cache import VendorCacheRules


class Wire(StrEnum):
    """A protocol, by the name profiles use."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "google"


class WireReplyPart(StrEnum):
    """Which part of a reply an event carries."""

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
    """The model's own text that it carries."""


class RequestedAct(StrEnum):
    """What a path requests."""

    ASK = "ask"
    LIST = "list"


@frozen
class RoutedRequest:
    """What a request is for, from its method and path."""

    act: RequestedAct
    model: str = ""
    """The model, if the path names it."""

    stream: bool = False
    """Whether the path requests a stream."""

    events: bool = True


@frozen
class ReplyTokenTally:
    """Token counts of one call, as reported to the client."""

    prompt: int
    cached: int = 0
    written: int = 0
    written_long: int = 0
    output: int = 0
    reasoning: int = 0
    """How many of the output tokens were reasoning."""


@frozen
class OutgoingAnswer:
    """An answer to be sent."""

    asked: ParsedRequest
    answer: FakeAnswer
    tally: ReplyTokenTally
    pace: ReplyPace
    created: int
    """Creation time, in whole seconds."""


class WireForm(Protocol):
    """A vendor's protocol."""

    @property
    def wire(self) -> Wire:
        """Which protocol it is."""

    @property
    def cache(self) -> VendorCacheRules:
        """The vendor's usual caching rules."""

    @property
    def stream_type(self) -> str:
        """The content type of its streams."""

    def route(self, method: str, path: str, query: Mapping[str, str]) -> RoutedRequest:
        """Find out what a path requests; raise RejectionError for an unknown path."""

    def find_key(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
        """Return the API key of the client."""

    def refuse_key(self, key: str | None) -> RejectionError | None:
        """Return the error for a missing (None) or wrong key; None if no key is needed."""

    def read(self, body: Json, headers: Mapping[str, str], errand: RoutedRequest) -> ParsedRequest:
        """Parse the request; raise RejectionError where the vendor would reject it."""

    def refuse_model(self, model: str) -> RejectionError:
        """Return the error for an unknown model."""

    def list_models(self, models: tuple[str, ...], created: int) -> Json:
        """List the available models."""

    def tell_error(self, error: RejectionError) -> Json:
        """Return the body of an error."""

    def tell_error_event(self, error: RejectionError) -> bytes:
        """Return an error within a stream."""

    def tell_whole(self, telling: OutgoingAnswer) -> Json:
        """Return the answer in one body."""

    def tell_stream(self, telling: OutgoingAnswer) -> list[FakeWireEvent]:
        """Return the answer as events."""
