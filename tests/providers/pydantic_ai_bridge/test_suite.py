"""The bridge keeps every promise of a provider on both wires: exact bytes, and the fake servers."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial

import pytest

from talewright.llm.provider import Provider, Trouble
from talewright.testing.provider_suite import PROVIDER_CHECKS, FarSideReply
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_plan import FaultPlace, PlacedFault, ProviderFault
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.pydantic_ai_bridge.far_sides import FORMS, Served, bridge_to, serve_said


@pytest.mark.parametrize("wire", FORMS)
@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_every_promise(name: str, wire: Wire) -> None:
    asyncio.run(PROVIDER_CHECKS[name](partial(serve_said, wire)))


FAULTS = {
    Trouble.KEY: ProviderFault.KEY,
    Trouble.BUSY: ProviderFault.BUSY,
    Trouble.UNREACHABLE: ProviderFault.RESET,
}
AMISS = frozenset(
    {"usage", "a request is not altered", "trouble", "closing an answer early", "the order of chunks"}
)
"""Checks that fix tokens or troubles; the fake server counts and places them by its vendor's rules."""


async def serve_fake(wire: Wire, answers: Sequence[FarSideReply]) -> Provider:
    stack = AsyncExitStack()
    script = [FakeAnswer(said.reply.text, said.reply.calls, stop=said.reply.stop) for said in answers]
    faults = [
        PlacedFault(FAULTS[said.trouble], FaultPlace.START, at=number)
        for number, said in enumerate(answers, 1)
        if said.trouble is not None
    ]
    serving = serve(wire, script, faults=faults, pace=ReplyPace(piece_characters=40))
    server = await stack.enter_async_context(serving)
    return Served(stack, bridge_to(wire, server.url, key=server.key))


@pytest.mark.parametrize("wire", FORMS)
@pytest.mark.parametrize("name", [name for name in PROVIDER_CHECKS if name not in AMISS])
def test_promises_against_the_fake_servers(name: str, wire: Wire) -> None:
    asyncio.run(PROVIDER_CHECKS[name](partial(serve_fake, wire)))
