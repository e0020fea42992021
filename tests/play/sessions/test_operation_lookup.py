"""What the record says of an operation, for whichever session asks."""

import asyncio
from dataclasses import replace

from talewright.play.campaign_view import Viewer
from talewright.play.input_results import OperationState, OperationView, ResultKind
from talewright.play.session import Stamp
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.turn_context import Teller
from tests.play.making import compiled, make_lobby
from tests.play.tellers import BROKEN, Hesitant, cards

GAME = "mist_harbor"
TOLD = cards("The fog comes in.")


async def begin(provider: Hesitant) -> tuple[StoreSession, StoreSession]:
    """Two sessions of one campaign; the second never takes a turn."""
    lobby = make_lobby(compiled(GAME), teller=Teller(provider))
    session = await lobby.begin(GAME, "en")
    return session, await lobby.open((await session.view()).campaign, Viewer.AUTHOR)


async def ask(session: StoreSession, operation_id: str) -> tuple[OperationState, ResultKind | None, str]:
    """What a session says of an operation."""
    found = await session.find_operation(operation_id)
    assert isinstance(found, OperationView)
    assert found.operation_id == operation_id
    if found.result is None:
        return found.state, None, ""
    return found.state, found.result.kind, found.result.reason


def test_a_turn_waits_and_is_committed() -> None:
    async def main() -> None:
        provider = Hesitant([TOLD])
        session, other = await begin(provider)
        assert await other.find_operation("one") is None
        telling = asyncio.create_task(session.say("I wait.", Stamp("one")))
        await provider.reached.wait()
        assert await ask(other, "one") == (OperationState.WAITING, None, "")
        provider.let_on.set()
        result = await telling
        found = await other.find_operation("one")
        assert found is not None
        assert found.result == replace(result, repeated=True)

    asyncio.run(main())


def test_what_led_to_no_turn_has_its_reason() -> None:
    async def main() -> None:
        provider = Hesitant([TOLD, *[BROKEN] * 20])
        session, other = await begin(provider)
        stopped = asyncio.create_task(session.say("I wait.", Stamp("stopped")))
        await provider.reached.wait()
        await session.cancel()
        assert (await stopped).reason == "cancelled"
        assert await ask(other, "stopped") == (OperationState.ENDED, ResultKind.FAILED, "cancelled")
        provider.let_on.set()
        untold = await session.say("I wait longer.", Stamp("untold"))
        assert await ask(other, "untold") == (OperationState.ENDED, untold.kind, untold.reason)
        assert untold.kind is ResultKind.DEGRADED
        # An input that was never accepted is in no record.
        unfit = await session.choose("nothing", Stamp("unfit"))
        assert unfit.kind is ResultKind.UNSPENT
        found = await other.find_operation("unfit")
        assert found is None or found.result == replace(unfit, operation_id="unfit")

    asyncio.run(main())


def test_an_interrupted_turn_waits() -> None:
    async def main() -> None:
        provider = Hesitant([TOLD])
        session, other = await begin(provider)
        telling = asyncio.create_task(session.say("I wait.", Stamp("one")))
        await provider.reached.wait()
        await session.close()
        await telling
        assert await ask(other, "one") == (OperationState.WAITING, None, "")
        assert (await other.view()).unfinished == "I wait."

    asyncio.run(main())
