"""The header that names the opening of a session: a view that was read before its turn has it."""

import asyncio

import pytest

from talewright.play.campaign_view import View
from talewright.play.session import wait_for_opening
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import by
from tests.faces.http.serving import app_client
from tests.play.making import make_unsettled_lobby
from tests.play.tellers import Hesitant, cards


def test_a_view_from_before_the_opening_names_its_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, a client would take the empty beginning for the result of the opening."""
    slow = Hesitant([cards("The mist comes in.")], cut=by(30))
    read = StoreSession.view

    async def end_opening_meanwhile(session: StoreSession) -> View:
        view = await read(session)
        slow.let_on.set()
        await wait_for_opening(session)
        return view

    async def main() -> None:
        async with app_client(make_unsettled_lobby(slow)) as client:
            begun = await client.post("/api/campaigns", json={"game": "test", "language": "en"})
            place, opening = begun.headers["location"], begun.headers["talewright-opening"]
            monkeypatch.setattr(StoreSession, "view", end_opening_meanwhile)
            early = await client.get(f"{place}/view")
            assert (early.json()["turn"], early.headers["talewright-opening"]) == (None, opening)
            ended = await client.get(f"{place}/operations/{opening}")
            assert (ended.status_code, ended.json()["kind"]) == (200, "committed")
            late = await client.get(f"{place}/view")
            assert late.json()["head"] == ended.json()["commit"]

    asyncio.run(main())
