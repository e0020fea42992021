"""The author's pages without a script: faults in place, reload between turns, the inspector, and 404s."""

import asyncio
import re
from pathlib import Path

import pytest

from talewright.faces.web.page_templates import tell_local_time
from talewright.pack.game_folders import write_starter
from talewright.play.campaign_view import Viewer
from tests.bootstrap.serving.raw_requests import send_request
from tests.bootstrap.serving.whole_server import ORIGIN, TOKEN, whole_server
from tests.faces.web.author.desks import (
    AuthoredGame,
    log_in,
    make_author_lobby,
    make_game,
    make_workbench,
    work,
)
from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageTree, PageVisitor
from tests.play.tellers import cards

LORE = "- id: the_clock\n  keys: [clock]\n  text: The clock has stopped for good.\n"
REPLIES = (
    cards("You wait."),
    "The clock coughs, and this is no reply at all.",
    cards(
        "The clock *coughs*.",
        {"op": "dec", "path": "steam", "value": 1, "reason": "it cools"},
        {"op": "set", "path": "has_key", "value": True, "reason": "found"},
    ),
)


async def start(visitor: PageVisitor) -> PageTree:
    """The author's table of a new campaign, when its opening has been told."""
    page = await visitor.post("/author/start", name="tea", language="en", operation_id="start-tea")
    while not page.find("article"):
        page = await visitor.get(visitor.path)
    return page


def find_inspection(page: PageTree) -> str:
    """The link of a table that inspects its newest turn."""
    links = [one["href"] for one in page.find("a")]
    (found,) = [link for link in links if re.search(r"/inspect/[0-9a-f]+$", link)]
    return found


async def choose(visitor: PageVisitor, page: PageTree, choice: str) -> PageTree:
    """Take a choice by the form of a page, as a browser sends it."""
    table = visitor.path
    headers = {"Origin": ORIGIN, "Referer": f"{ORIGIN}{table}"}
    fields = {**page.form_of("choose"), "choice": choice}
    visitor.answer = await visitor.client.post(
        table.removesuffix("/author"), data=fields, headers=headers, follow_redirects=True
    )
    return PageTree(visitor.answer.text)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Games you are working on", "1 error", "Suggestion: ", "no faults")),
        ("zh-CN", ("正在制作的游戏", "1 个错误", "建议：", "没有问题")),
    ],
)
def test_the_desk_shows_faults_in_place(tmp_path: Path, language: str, words: tuple[str, ...]) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        lobby = await visitor.get("/games")
        assert lobby.find("a", href="/author")
        page = await visitor.get("/author")
        check_policy(page, visitor)
        assert words[0] in page.text
        assert str(game.folder) in page.text
        assert tell_local_time("2026-01-01T00:00:00Z")[11:] in page.text
        assert page.find("input", name="name", value="tea")
        good = (await visitor.client.get("/author/state")).json()["mark"]
        assert page.find("div", **{"data-mark": good})
        game.break_it()
        bad = (await visitor.client.get("/author/state")).json()["mark"]
        assert bad != good
        page = await visitor.get("/author")
        line = (game.folder / "game.yaml").read_text("utf-8").split("\n").index("endingz: []") + 1
        assert f"game.yaml:{line}:1" in page.text
        assert words[1] in page.text
        assert f"{line} e ndingz: []" in page.text
        assert words[2].strip() in page.text
        assert "Delete it; endings is already there." in page.text
        assert not page.find("input", name="name")
        game.mend_it()
        page = await visitor.post("/author/reload", campaign="")
        assert visitor.path == "/author"
        assert words[1] not in page.text
        assert page.find("input", name="name", value="tea")

    asyncio.run(work(tmp_path, look, language=language))


def test_a_campaign_goes_on_with_the_last_good_version_and_then_the_new_one(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        page = await start(visitor)
        assert visitor.path.endswith("/author")
        check_policy(page, visitor)
        assert "This page shows what players do not see." in page.text
        game.write("scenes/start.yaml", "It is good tea, very strong", "It is bad tea, very weak")
        game.break_it()
        page = await visitor.get(visitor.path)
        assert "1 error" in page.text
        assert (
            f"Campaigns continue with the version from {tell_local_time('2026-01-01T00:00:00Z')[11:]}."
            in page.text
        )
        assert "Delete it; endings is already there." in page.text
        page = await choose(visitor, page, "drink")
        assert visitor.path.endswith("/author"), "a form of the author's table leads back to it"
        assert "It is good tea, very strong" in page.text
        game.mend_it()
        page = await visitor.post("/author/reload", campaign=visitor.path.split("/")[2])
        assert visitor.path.endswith("/author")
        assert "1 error" not in page.text
        headers = {"Origin": ORIGIN, "Referer": f"{ORIGIN}{visitor.path}"}
        base = page.find("input", name="base")[0]["value"]
        visitor.answer = await visitor.client.post(
            f"{visitor.path.removesuffix('/author')}/undo",
            data={"base": base},
            headers=headers,
            follow_redirects=True,
        )
        assert visitor.path.endswith("/author")
        page = await choose(visitor, PageTree(visitor.answer.text), "drink")
        assert "It is bad tea, very weak" in page.text
        assert "It is good tea" not in page.text

    asyncio.run(work(tmp_path, look))


def test_a_version_that_does_not_fit_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        await start(visitor)
        game.write("game.yaml", "language: en", "language: en\ncontract: tools")
        page = await visitor.get(visitor.path)
        assert "the contract is now &#39;tools&#39;" in visitor.answer.text
        assert "What do you do?" in page.text

    asyncio.run(work(tmp_path, look))


def test_the_inspector_shows_the_whole_record_of_a_turn(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        game.write("game.yaml", "label: Key found", "label: Key found\n    rules: {readonly: true}")
        (game.folder / "lore").mkdir()
        (game.folder / "lore" / "clock.yaml").write_text(LORE, "utf-8")
        page = await start(visitor)
        table = visitor.path.removesuffix("/author")
        page = await visitor.post(table, **page.form_of("say"), text="I wait.")
        await visitor.post(table, **page.form_of("say"), text="I listen to the clock.")
        page = await visitor.get(f"{table}/author")
        link = find_inspection(page)
        page = await visitor.get(link)
        check_policy(page, visitor)
        assert "This page shows what players do not see." in page.text
        assert "Everything recorded about turn 3" in page.text
        ids = {one["id"] for one in page.find("section") if "id" in one}
        assert {"sections", "lore", "prefix", "replies", "repairs", "rulings", "cost"} <= ids
        assert "I listen to the clock." in page.text
        assert "the_clock" in page.text
        # As received, not as told.
        assert '"narrative_markdown": "The clock *coughs*."' in page.text
        assert "this is no reply at all" in page.text
        assert "1. asked again: " in page.text
        assert "granted dec steam 1" in page.text
        assert page.find("li", **{"class": "refused"})
        assert "refused (drop) set has_key true has_key is not yours to write" in page.text
        assert len(page.find("details", **{"class": "section"})) > 3
        page = await visitor.get(f"{table}/inspect")
        check_policy(page, visitor)
        assert page.find("a", href=f"{table}/inspect/values/steam")
        assert page.find("a", href=link)
        page = await visitor.get(f"{table}/inspect?variable=gate_open")
        assert visitor.path == f"{table}/inspect/values/gate_open"
        check_policy(page, visitor)
        assert "how the game begins" in page.text
        await visitor.get(f"{table}/inspect/values/nothing")
        assert visitor.answer.status_code == 404
        await visitor.get(f"{table}/inspect/nothing")
        assert visitor.answer.status_code == 404

    lobby = make_author_lobby(tmp_path, list(REPLIES))
    asyncio.run(work(tmp_path, look, lobby))


def test_rulings_are_shown_with_their_reasons(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        page = await start(visitor)
        page = await choose(visitor, page, "drink")
        link = find_inspection(page)
        page = await visitor.get(link)
        assert page.find("li", **{"class": "granted"})
        assert "dec steam 1" in page.text
        assert "steam 6 → 5" in page.text
        await visitor.get(link.replace("/inspect/", "/inspect/values/").rpartition("/")[0] + "/steam")
        assert visitor.answer.status_code == 200

    asyncio.run(work(tmp_path, look))


def test_forms_that_make_no_sense_change_nothing(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        await visitor.post("/author/start", name="elsewhere", operation_id="a")
        assert visitor.answer.status_code == 404
        await visitor.post("/author/start", name="tea", operation_id="a" * 5000)
        assert visitor.answer.status_code == 422
        await visitor.get("/play/nowhere/author")
        assert visitor.answer.status_code == 404
        await visitor.post("/display", theme="dark", back="/author")
        assert visitor.path == "/author"
        game.folder.joinpath("game.yaml").unlink()
        page = await visitor.get("/author")
        assert "talewright new my_game" in page.text

    asyncio.run(work(tmp_path, look))


def test_each_game_is_started_by_its_own_form(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        write_starter(game.folder.parent / "ale", "ale", "Ale")
        page = await visitor.get("/author")
        assert [one["value"] for one in page.find("input", name="name")] == ["ale", "tea"]
        for name, title in (("tea", "Tea"), ("ale", "Ale")):
            page = await visitor.post("/author/start", name=name, operation_id=f"start-{name}")
            assert page.find("input", name="campaign", value=visitor.path.split("/")[2])
            assert f"Author · {title} · " in page.text

    asyncio.run(work(tmp_path, look))


def test_player_pages_do_not_link_to_pages_for_authors(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor, game: AuthoredGame) -> None:
        await start(visitor)
        table = visitor.path.removesuffix("/author")
        for path in (table, f"{table}/cards/steam", f"{table}?before=nothing"):
            await visitor.get(path)
            assert "/inspect" not in visitor.answer.text, path
            assert "/author" not in visitor.answer.text, path
            assert "author.js" not in visitor.answer.text, path

    asyncio.run(work(tmp_path, look))


PATHS = (
    "/author",
    "/author/state",
    "/play/tea/author",
    "/play/tea/inspect",
    "/play/tea/inspect/latest",
    "/play/tea/inspect/values/steam",
)


def test_players_and_servers_without_a_workbench_know_nothing_of_them(tmp_path: Path) -> None:
    async def run() -> None:
        make_game(tmp_path)
        lobby = make_author_lobby(tmp_path)
        session = await lobby.begin(lobby.shelf.games()[0].id, "en", "tea")
        await session.close()
        for workbench in (make_workbench(tmp_path), None):
            async with whole_server(lobby, workbench=workbench) as server:
                players = {"authorization": f"Bearer {await server.token('tea', Viewer.PLAYER)}"}
                owners = {"authorization": f"Bearer {TOKEN}"}
                for path in PATHS:
                    missing = await send_request(server.app, "GET", "/api/nothing", players)
                    found = await send_request(server.app, "GET", path, players)
                    assert (found.status, found.body) == (404, missing.body), path
                    if workbench is None:
                        found = await send_request(server.app, "GET", path, owners)
                        assert (found.status, found.body) == (404, missing.body), path

                async def look(visitor: PageVisitor, has: bool = workbench is not None) -> None:
                    assert bool((await visitor.get("/games")).find("a", href="/author")) is has

                await log_in(server, look)

    asyncio.run(run())
