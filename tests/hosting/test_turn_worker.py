"""The turn worker: takes what is ordered, and grants what players wish while it runs."""

import asyncio

import pytest

from talewright.hosting import turn_worker
from talewright.play.session import ResultKind
from talewright.turn.turn_context import Teller
from tests.hosting.memory_host import MemoryHost
from tests.play.scenes import room
from tests.play.tellers import Hesitant, cards, teller


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let wishes be heard soon."""
    monkeypatch.setattr(turn_worker, "WISH_SECONDS", 0.005)


def test_an_ordered_turn_is_narrated_and_leaves_nothing_running(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        host = MemoryHost(monkeypatch, room(), teller(cards("You wait.")))
        async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
            assert (await session.say("I wait.")).kind is ResultKind.COMMITTED
            view = await session.view()
            assert view.turn is not None
            assert (view.version, view.turn.narration) == (2, "You wait.")
            await host.queue.finish()
            assert not host.worker.running
            assert [one.is_open for one in host.queue.states.values()] == [False, False]
            # Neither a summary nor an errand is due.
            assert host.queue.background == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("wish", "kind", "version"),
    [("cancel", ResultKind.FAILED, 1), ("skip", ResultKind.COMMITTED, 2)],
)
def test_a_player_can_stop_a_turn_or_continue_it_without_the_model(
    monkeypatch: pytest.MonkeyPatch, wish: str, kind: ResultKind, version: int
) -> None:
    async def run() -> None:
        storyteller = Hesitant([cards("The model's words.")])
        host = MemoryHost(monkeypatch, room(), Teller(storyteller))
        async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
            turn = asyncio.create_task(session.choose("wait"))
            await storyteller.reached.wait()
            await (session.cancel() if wish == "cancel" else session.skip())
            assert (await turn).kind is kind
            view = await session.view()
            assert view.version == version
            assert view.turn is not None
            assert "model" not in view.turn.narration
            await host.queue.finish()
            assert not host.worker.running

    asyncio.run(run())
