"""The Runner port: how a step with an effect is run, plainly here, durably by a host.

The result of a step is JSON, so that a runner may keep it and give it back instead of running it again.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from talewright.kernel.state.documents import Json

Work: TypeAlias = Callable[[], Awaitable[Json]]


class Runner(Protocol):
    """Runs steps."""

    async def run(self, name: str, step: Work) -> Json:
        """Run a step, or give back what it gave when it was run before."""


class PlainRunner:
    """Runs every step as it comes."""

    async def run(self, name: str, step: Work) -> Json:
        return await step()
