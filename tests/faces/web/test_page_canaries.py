"""Canaries in every private thing of a game: no byte of one reaches a page, headers and errors included.

The author's pages are there to show them; whatever leads to them shows none.
"""

import asyncio

from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.bootstrap.serving.test_http_canaries import VARIABLES
from tests.bootstrap.serving.test_route_matrix import PAGES, Workbench
from tests.bootstrap.serving.whole_server import ORIGIN, whole_server
from tests.faces.web.visiting import PageVisitor
from tests.play.making import make_lobby
from tests.privacy import MARK, Catch, Narrator, canary_edition

SEED = 21021
TURNS = 12

AUTHORS_PAGES = frozenset(row.route for row in PAGES if "/inspect" in row.route or "/author" in row.route)
"""The only pages of campaigns that may hold what players do not see."""


async def find_hidden(visitor: PageVisitor, table: str) -> set[str]:
    """The author's pages of a campaign on which a canary is found."""
    page = await visitor.get(f"{table}/author")
    (turn,) = [one["href"].rpartition("/")[2] for one in page.find("a") if f"{table}/inspect/" in one["href"]]
    found = set()
    for route in AUTHORS_PAGES:
        path = route.removeprefix("GET ").replace("{variable:path}", "CNRY_culprit").replace("{turn}", turn)
        await visitor.get(path.replace("/play/{campaign}", table))
        assert visitor.answer.status_code == 200, path
        if MARK in visitor.answer.text.replace("CNRY_culprit", ""):
            found.add(route)
    return found


def test_pages_hold_no_canary() -> None:
    async def run() -> None:
        told = Scripted(Narrator(SEED), cut=by(7))
        lobby = make_lobby(canary_edition(), teller=Teller(told), language="en", seed=SEED)
        catch = Catch()
        async with whole_server(lobby, workbench=Workbench()) as server, server.client() as client:
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
            await visitor.post(f"{table}/receipts", receipt="")
            look("the verification")
            every = await visitor.get(f"{table}/history?every=1")
            look("every turn")
            links = [given["href"] for given in every.find("a") if "?turn=" in given["href"]]
            assert len(links) > TURNS // 2
            for link in links:
                await visitor.get(link)
                look(link)
            for page_name in ("history", "compare?one=1&other=main", "book", "ending", "receipts/download"):
                await visitor.get(f"{table}/{page_name}")
                assert visitor.answer.status_code == 200, page_name
                look(page_name)
            for path in (
                *("/", "/author", "/author/state", f"{table}?before=nothing", "/play/nowhere"),
                *(f"{table}/reading", f"/offline?kept={table}", f"{table}/cost", f"{table}/remove"),
            ):
                await visitor.get(path)
                look(path)
            assert await find_hidden(visitor, table) == AUTHORS_PAGES - {"GET /play/{campaign}/author"}
        assert len(page.find("article")) > 3
        assert not catch.hits()[:5], f"seed {SEED}"
        assert "along the quay" in catch.stream()

    asyncio.run(run())
