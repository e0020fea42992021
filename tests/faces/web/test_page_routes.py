"""The pages as HTML: what they show, how they play without a script, and who gets them."""

import asyncio
import re
from pathlib import Path

import pytest

from talewright.faces.http.problems import STATUSES
from talewright.faces.web.page_templates import PAGE_POLICY
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS
from tests.bootstrap.serving.test_route_matrix import Workbench
from tests.bootstrap.serving.whole_server import ORIGIN, whole_server
from tests.faces.http.serving import make_lobby
from tests.faces.web.visiting import PageTree, PageVisitor, make_checking_lobby, visit
from tools.catalogues import DECLARED

FORMS = (
    *("/play/x/fork", "/play/x/switch", "/play/x/back", "/play/x/mark", "/play/x/receipts"),
    *("/start", "/display", "/import", "/play/x", "/play/x/undo", "/play/x/remove"),
    *("/models/choose", "/models/address", "/models/try", "/models/trials/x/keep", "/models/trials/x/again"),
    *("/author/start", "/author/reload"),
)


def check_policy(page: PageTree, visitor: PageVisitor) -> None:
    """Nothing inline, nothing from elsewhere."""
    assert visitor.answer.headers["content-security-policy"] == PAGE_POLICY
    assert visitor.answer.headers["referrer-policy"] == "same-origin"
    assert visitor.answer.headers["cache-control"] == "no-store"
    assert not page.find("style")
    for tag, given in page.tags:
        assert not {name for name in given if name == "style" or name.startswith("on")}, (tag, given)
        for name in ("src", "href", "action"):
            assert given.get(name, "/").startswith(("/", "#")), (tag, given)
        assert tag != "script" or given["type"] == "module"


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Start", "Mist Harbor Echoes")), ("zh-CN,zh;q=0.9", ("开始", "雾港回声"))],
)
def test_the_lobby_lists_games_and_campaigns(tmp_path: Path, language: str, words: tuple[str, ...]) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/games")
        check_policy(page, visitor)
        assert words[0] in page.text
        assert len(page.find("input", name="game")) == 6
        await visitor.start("lantern_road")
        again = await visitor.get("/")
        assert again.find("a", href=f"{visitor.path}play/lantern_road-1#now") or "lantern_road" in again.text
        assert [given["lang"] for given in again.find("html")] == ["zh-CN" if "zh" in language else "en"]

    visit(tmp_path, look, language=language)


def test_a_game_is_played_by_plain_forms(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("mist_harbor")
        check_policy(page, visitor)
        table = visitor.path
        assert [given["data-version"] for given in page.find("article")] == ["1"]
        assert "Health 80 /100" in page.text
        assert [float(given["data-progress-after"]) for given in page.find("main")] == [
            PROGRESS_AFTER_SECONDS
        ]
        assert page.find("meta", **{"http-equiv": "refresh"}) == []
        choice = page.find("button", name="choice")[0]["value"]
        form = page.form_of("choose")
        page = await visitor.post(table, **form, choice=choice)
        assert visitor.path == table
        assert [given["data-version"] for given in page.find("article")] == ["1", "2"]
        assert "Energy 70 → 69" in page.text
        # The number of a choice may be typed, as in the terminal.
        typed = await visitor.post(table, **{**page.form_of("say"), "operation_id": "typed"}, text=" 1 ")
        assert len(typed.find("article")) == 3
        page = await visitor.post(f"{table}/undo", base=typed.form_of("choose")["base"])
        # The same form again takes no second turn.
        page = await visitor.post(table, **form, choice=choice)
        assert len(page.find("article")) == 2
        page = await visitor.post(f"{table}/undo", base="another")
        assert len(page.find("article")) == 2
        page = await visitor.post(f"{table}/undo", base=page.form_of("choose")["base"])
        assert len(page.find("article")) == 1

    visit(tmp_path, look)


def test_a_card_leads_to_where_its_value_comes_from(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("mist_harbor", "zh-CN")
        table = visitor.path
        for _ in range(2):
            choice = page.find("button", name="choice")[0]["value"]
            page = await visitor.post(table, **page.form_of("choose"), choice=choice)
        links = [given["href"] for given in page.find("a") if "/cards/" in given["href"]]
        assert f"{table}/cards/suspicion" in links
        for link in links:
            await visitor.get(link)
            assert visitor.answer.status_code == 200, link
        page = await visitor.get(f"{table}/cards/suspicion")
        check_policy(page, visitor)
        assert "变化的由来" in page.text
        assert "10 → 15" in page.text
        await visitor.get(f"{table}/cards/nothing")
        assert visitor.answer.status_code == 404

    visit(tmp_path, look)


def test_an_input_without_a_turn_says_why_and_keeps_the_words(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("mist_harbor")
        form = page.form_of("say")
        page = await visitor.post(visitor.path, **form, text="juggle <b>seven</b> anvils")
        assert visitor.answer.status_code == 200
        assert len(page.find("article")) == 1
        message = re.search(r'id="message" role="alert">([^<]+)<', visitor.answer.text)
        assert message is not None
        assert page.form_of("say")["operation_id"] != form["operation_id"]

    visit(tmp_path, look)


def test_decisions_are_answered_by_forms_too(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("solo")
        page = await visitor.post(visitor.path, **page.form_of("choose"), choice="frontier")
        page = await visitor.post(visitor.path, **page.form_of("say"), text="I throw her the rope.")
        assert "Haul the ferry in" in page.text
        assert not page.find("textarea", name="text")
        assert not page.find("button", name="choice")
        before = len(page.find("article"))
        page = await visitor.post(
            visitor.path, **page.form_of("answer"), option="withdraw", note="I am strong."
        )
        assert len(page.find("article")) == before + 1
        assert "Haul the ferry in" not in page.text

    visit(tmp_path, look, lobby=make_checking_lobby(tmp_path))


def test_only_the_owner_gets_pages(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = make_lobby(str(tmp_path))
        async with whole_server(lobby, workbench=Workbench()) as server, server.client() as stranger:
            for path in ("/", "/play/x"):
                answer = await stranger.get(path)
                assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
                assert "talewright serve --link" in answer.text
            for path in FORMS:
                assert (await stranger.post(path, data={"a": "b"})).status_code == 401
            await stranger.get(server.login.make_link(ORIGIN))
            for path in FORMS:
                # With the cookie, but not from one of our pages.
                for origin in ({}, {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}):
                    refused = await stranger.post(path, data={"a": "b"}, headers=origin)
                    assert refused.status_code == 403, (path, origin)

    asyncio.run(run())


def test_errors_are_pages(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/play/nowhere")
        assert visitor.answer.status_code == 404
        check_policy(page, visitor)
        # In plain words: no command, and nothing of the engine.
        assert "There is no such campaign" in page.text
        assert "talewright saves" not in page.text
        visitor.client.headers["Accept"] = "text/html"
        page = await visitor.get("/nowhere/at/all")
        assert visitor.answer.status_code == 404
        check_policy(page, visitor)
        assert "There is nothing here" in page.text
        assert (await visitor.client.get("/nowhere", headers={"Accept": "*/*"})).json()["code"] == "not_found"
        await visitor.post("/start", game="<script>alert(1)</script>")
        assert visitor.answer.status_code == 404
        assert "<script>alert" not in visitor.answer.text
        await visitor.post("/start", game="x" * 300)
        assert visitor.answer.status_code == 422
        await visitor.start("lantern_road")
        for fields in ({"kind": "fly"}, {"kind": "say", "operation_id": "é"}, {}):
            await visitor.post(visitor.path, **fields)
            assert visitor.answer.status_code == 422
        sent = await visitor.client.post("/display", content=b"{}", headers={"Origin": ORIGIN})
        assert sent.status_code == 422
        many = "&".join(f"f{at}=1" for at in range(99))
        headers = {"Origin": ORIGIN, "Content-Type": "application/x-www-form-urlencoded"}
        assert (await visitor.client.post("/display", content=many, headers=headers)).status_code == 422

    visit(tmp_path, look)


def test_errors_are_told_in_the_language_of_the_pages(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.post("/display", theme="auto", size="medium", language="zh-CN", back="/")
        page = await visitor.get("/play/nowhere")
        assert "没有这个存档" in page.text
        # The message of the engine stays readable for whoever is asked for help.
        await visitor.post("/start", game="x" * 300)
        assert "这个表单读不懂" in visitor.answer.text

    visit(tmp_path, look)


def test_sentences_are_of_codes_that_exist() -> None:
    assert {word.key for word in DECLARED["web_errors"]} <= set(STATUSES)


def test_display_choices_are_kept_and_lead_back(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.post("/display", theme="dark", size="large", language="zh-CN", back="/")
        wanted = {"lang": "zh-CN", "data-theme": "dark", "data-size": "large"}
        assert wanted.items() <= page.find("html")[0].items()
        for back in ("//evil.example/", "https://evil.example/", "/play/\\evil.example", "/play/\r\nX: y"):
            await visitor.post("/display", theme="evil", size="\n", language="xx", back=back)
            assert (visitor.answer.url.host, visitor.path) == ("127.0.0.1", "/")
        page = await visitor.get("/")
        usual = {"lang": "en", "data-theme": "auto", "data-size": "medium"}
        assert usual.items() <= page.find("html")[0].items()

    visit(tmp_path, look)


def test_files_have_addresses_of_their_own_content(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/")
        style, *_ = page.find("link", rel="stylesheet")
        await visitor.get(style["href"])
        assert visitor.answer.headers["content-type"] == "text/css; charset=utf-8"
        assert "immutable" in visitor.answer.headers["cache-control"]
        folder = style["href"].rpartition("/")[0]
        for path in (f"{folder}/missing.css", "/static/other/page.css", f"{folder}/..%2fweb_words.py"):
            await visitor.get(path)
            assert visitor.answer.status_code == 404

    visit(tmp_path, look)
