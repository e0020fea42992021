"""Canaries in every private thing of a game: no byte of one reaches a page, headers and errors included."""

import asyncio

from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.bootstrap.serving.test_http_canaries import VARIABLES
from tests.bootstrap.serving.whole_server import ORIGIN, whole_server
from tests.faces.web.visiting import PageVisitor
from tests.play.making import make_lobby
from tests.privacy import Catch, Narrator, canary_edition

SEED = 21021
TURNS = 12


def test_pages_hold_no_canary() -> None:
    async def run() -> None:
        told = Scripted(Narrator(SEED), cut=by(7))
        lobby = make_lobby(canary_edition(), teller=Teller(told), language="en", seed=SEED)
        catch = Catch()
        async with whole_server(lobby) as server, server.client() as client:
            await client.get(server.login.make_link(ORIGIN))
            visitor = PageVisitor(client)

            def look(what: str) -> None:
                catch.add(what, visitor.answer.text, str(visitor.answer.headers))

            page = await visitor.start((await lobby.games())[0].id)
            look("the start")
            for turn in range(TURNS):
                if page.find("input", name="decision"):
                    option = page.find("button", name="option")[0]["value"]
                    page = await visitor.post(visitor.path, **page.form_of("answer"), option=option)
                else:
                    page = await visitor.post(visitor.path, **page.form_of("say"), text=f"I walk on, {turn}.")
                look(f"turn {turn}")
            table = visitor.path
            for name in VARIABLES:
                await visitor.get(f"{table}/cards/{name}")
                look(name)
            for path in ("/", f"{table}?before=nothing", "/play/nowhere"):
                await visitor.get(path)
                look(path)
        assert len(page.find("article")) > 3
        assert not catch.hits()[:5], f"seed {SEED}"
        assert "along the quay" in catch.stream()

    asyncio.run(run())
