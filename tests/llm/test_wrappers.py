"""Every wrapper is a provider: it keeps the promises that a provider makes."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from talewright.llm.cost_meter import Metered
from talewright.llm.fallback import Fallback
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.testing.provider_suite import PROVIDER_CHECKS, FarSideReply

ONCE = RetryLimits(tries_max=1)
"""Patience that has run out: what it passes on is then the provider's own trouble."""

WRAPPERS: dict[str, Callable[[Provider], Provider]] = {
    "patient": lambda provider: RetryingProvider(provider, ONCE),
    "fallback": lambda provider: Fallback([provider]),
    "metered": lambda provider: Metered(provider, lambda usage, profile: None),
    "limited": lambda provider: RateLimitedProvider(provider, 2),
    "all of them": lambda provider: RateLimitedProvider(
        Fallback([RetryingProvider(Metered(provider, lambda usage, profile: None), ONCE)]), 2
    ),
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_a_wrapper_keeps_every_promise(name: str, wrapper: str) -> None:
    async def make(answers: Sequence[FarSideReply]) -> Provider:
        lines = [
            ScriptedReply(
                said.reply.text,
                said.reply.calls,
                said.reply.usage,
                said.reply.stop,
                None if said.trouble is None else ProviderError(said.trouble, "scripted trouble"),
            )
            for said in answers
        ]
        return WRAPPERS[wrapper](Scripted(lines, cut=by(50)))

    asyncio.run(PROVIDER_CHECKS[name](make))
