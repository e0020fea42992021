"""The meter: a provider whose every ask is entered in somebody's books, however it ended.

It reads and passes on; it neither stops an ask nor knows a budget.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeAlias

from talewright.llm.chunks import Chunk, add
from talewright.llm.errors import ProviderError
from talewright.llm.prices import cost
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.requests import Request
from talewright.llm.tries import Attempt
from talewright.llm.usage import Usage

Take: TypeAlias = Callable[[Usage, Profile], None]
"""Where an ask is entered: what was used, and of which model."""


class Metered:
    """A provider with a meter. Put it around each provider itself, inside a `Fallback`: prices differ."""

    def __init__(self, provider: Provider, take: Take) -> None:
        self._provider = provider
        self._take = take

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask; what it has cost is entered once, also where the answer breaks off or nobody listens on."""
        attempt = Attempt(request)
        failure: ProviderError | None = None
        try:
            async with aclosing(self._provider.stream(request)) as chunks:
                async for chunk in chunks:
                    attempt.note(chunk)
                    yield chunk
        except ProviderError as error:
            failure = error
            raise
        finally:
            used = add(attempt.before, attempt.cost(failure))
            if used is not None:
                self._take(used, self.profile)

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()


def price(usage: Usage, profile: Profile) -> float | None:
    """Dollars that this usage of a model costs; None where its prices are not known."""
    return None if profile.prices is None else cost(usage, profile.prices)
