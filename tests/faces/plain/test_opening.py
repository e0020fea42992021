"""The opening in the plain face: written while it is told, and as a finished turn where scenes tell it."""

import asyncio

import pytest

from talewright.faces.plain.command_loop import PlainFace
from talewright.play.session import InputResult, ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import by
from tests.faces.plain.fakes import OPERATION, VIEW, FakeSession, delta
from tests.faces.plain.tables import Table
from tests.play.making import make_lobby, make_unsettled_lobby
from tests.play.scenes import room
from tests.play.sessions.test_session_opening import OPENING
from tests.play.tellers import Hesitant, cards


def test_an_opening_is_written_while_it_is_told() -> None:
    async def main() -> None:
        session = FakeSession([VIEW, VIEW], news=[delta("She counts "), delta("the coins.")])
        session.opening = asyncio.get_running_loop().create_future()
        table = Table(terminal=True)
        playing = asyncio.create_task(PlainFace(session, table).play())
        session._heard.set()
        while "She counts" not in table.out.getvalue():
            await asyncio.sleep(0)
        shown = table.out.getvalue()
        assert shown.startswith("Mist Harbor\n")
        assert "Now:" not in shown
        session.opening.set_result(InputResult(ResultKind.COMMITTED, operation_id=OPERATION))
        await playing
        assert table.out.getvalue().count("She counts the coins.") == 1
        assert "The door closes." in table.out.getvalue()

    asyncio.run(asyncio.wait_for(main(), 30))


@pytest.mark.parametrize("terminal", [True, False])
def test_an_opening_that_failed_is_told(terminal: bool) -> None:
    async def main() -> None:
        session = FakeSession()
        session.opening = asyncio.get_running_loop().create_future()
        table = Table(terminal=terminal)
        playing = asyncio.create_task(PlainFace(session, table).play())
        await asyncio.sleep(0)
        session.opening.set_result(InputResult(ResultKind.FAILED, "error", "It went wrong."))
        await playing
        assert "It went wrong." in table.out.getvalue()

    asyncio.run(asyncio.wait_for(main(), 30))


def test_an_opening_by_a_model_ends_as_the_finished_turn() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING)], cut=by(8))
        session = await make_unsettled_lobby(slow).begin("test", "en")
        table = Table(terminal=True)
        playing = asyncio.create_task(PlainFace(session, table).play())
        await slow.reached.wait()
        slow.let_on.set()
        await playing
        assert table.out.getvalue().count(OPENING) == 1
        await session.close()

    asyncio.run(asyncio.wait_for(main(), 30))


@pytest.mark.parametrize("terminal", [True, False])
def test_an_opening_from_scenes_reads_as_before(terminal: bool) -> None:
    async def main() -> None:
        settled = make_lobby(room())
        at_first = StoreLobby(
            store=make_lobby().store,
            shelf=settled.shelf,
            now=settled.now,
            new_id=settled.new_id,
            new_secret=settled.new_secret,
        )
        shown = []
        for lobby in (settled, at_first):
            session = await lobby.begin("test", "en")
            table = Table(terminal=terminal)
            await PlainFace(session, table).play()
            await session.close()
            shown.append(table.out.getvalue())
        assert shown[0] == shown[1]

    asyncio.run(asyncio.wait_for(main(), 30))
