"""The Provider port: answers a request in chunks, or raises an error.

A provider knows its wire and its key. It never knows a game. Errors are sorted by what can be done about
them, and a player reads that in their own language.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import read_word
from talewright.errors import TalewrightError
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request


class Trouble(StrEnum):
    """The kind of problem."""

    KEY = "key"
    """The key is missing or wrong."""

    MONEY = "money"
    """The account has no credit left."""

    BUDGET = "budget"
    """The payer's limit does not allow the cost of this request; it was not sent."""

    MISSING = "missing"
    """The model does not exist."""

    BUSY = "busy"
    """Too many requests, or the provider is overloaded: retrying later may work."""

    SLOW = "slow"
    """No answer in time."""

    UNREACHABLE = "unreachable"
    """No connection, or it broke off."""

    GARBLED = "garbled"
    """The response violates the provider's own protocol."""

    REQUEST = "request"
    """The provider rejects the request."""

    SPENT = "spent"
    """A scripted provider has no reply left."""


class ProviderError(TalewrightError):
    """A model could not be reached, or its answer broke off."""

    def __init__(
        self,
        trouble: Trouble,
        message: str,
        hint: str = "",
        *,
        retry_after_seconds: float | None = None,
        usage: Usage | None = None,
        unpaid: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.trouble = trouble
        self.retry_after_seconds = retry_after_seconds
        """How long the provider asks to wait."""

        self.usage = usage
        """What was spent before the failure, if the provider reported it."""

        self.unpaid = unpaid
        """Whether the model certainly did no work: the request was rejected, or never arrived."""

    def costing(self, usage: Usage | None) -> "ProviderError":
        """The same error with the usage of all attempts that led to it."""
        return ProviderError(
            self.trouble,
            self.message,
            self.hint,
            retry_after_seconds=self.retry_after_seconds,
            usage=usage,
            unpaid=self.unpaid,
        )


class Provider(Protocol):
    """A model that can be asked."""

    @property
    def profile(self) -> Profile:
        """What the model can do."""

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask. Raises ProviderError if the answer fails; closing the generator cancels the request."""

    async def close(self) -> None:
        """Release connections."""


class ProfiledProvider:
    """A model with another profile: the one that the turn started with, whatever the settings are now."""

    def __init__(self, provider: Provider | None, profile: Profile) -> None:
        """Without a provider it cannot be asked."""
        self._provider = provider
        self._profile = profile

    @property
    def profile(self) -> Profile:
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        if self._provider is None:
            raise ProviderError(
                Trouble.MISSING,
                f"the model {self._profile.name!r} is not set up here",
                unpaid=True,
            )
        async with aclosing(self._provider.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        if self._provider is not None:
            await self._provider.close()


@frozen
class TroubleWords:
    """What a problem means for a player: two sentences. A provider's own words are in the error's message."""

    what: str
    then: str
    """What to do."""


def word_trouble(trouble: Trouble, language: str) -> TroubleWords:
    """The words for a player, which fit every provider."""
    what, then = (read_word("provider_errors", f"{trouble}.{part}", language) for part in ("what", "then"))
    return TroubleWords(what, then)
