"""The lobby as HTML: campaigns with details and cost, a language filter, imported files, and removal."""

import json
from dataclasses import replace
from pathlib import Path

from talewright.llm.profiles import Prices, Profile
from talewright.play.lobby import ExportForm
from talewright.providers.scripted import Scripted
from talewright.turn.turn_context import Teller
from tests.faces.http.serving import make_lobby
from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageVisitor, visit

PROFILE = Profile("big-1", context_tokens=64_000, prices=Prices(100.0, 1000.0))


def test_a_campaign_shows_turn_outcome_time_and_cost(tmp_path: Path) -> None:
    lobby = make_lobby(str(tmp_path))
    lobby = replace(lobby, teller=Teller(Scripted(lambda _: "The lamp burns.", profile=PROFILE)))

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("goblin_road")
        table = visitor.path
        await visitor.post(table, **page.form_of("say"), text="I light the lamp.")
        page = await visitor.get("/")
        check_policy(page, visitor)
        assert "turn 2 · " in page.text
        assert "just now" in page.text
        assert page.find("span", **{"class": "last"})
        assert "All campaigns together have cost about $" in page.text
        assert page.find("a", href=f"{table}/cost")
        page = await visitor.get(f"{table}/cost")
        check_policy(page, visitor)
        assert "Amounts are estimates" in page.text
        assert "big-1" in page.text
        assert len(page.find("tr", **{"class": "total"})) == 1

    visit(tmp_path, look, lobby)


def test_without_a_model_nothing_was_spent(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("lantern_road")
        table = visitor.path
        assert "have cost" not in (await visitor.get("/")).text
        assert "no model was used" in (await visitor.get(f"{table}/cost")).text
        await visitor.get("/play/nowhere/cost")
        assert visitor.answer.status_code == 404

    visit(tmp_path, look)


def test_campaigns_are_filtered_by_language_and_come_in_pages(tmp_path: Path) -> None:
    lobby = make_lobby(str(tmp_path))

    async def look(visitor: PageVisitor) -> None:
        for at in range(26):
            session = await lobby.begin("lantern_road", "zh-CN" if at < 2 else "en", f"run-{at}")
            await session.close()
        page = await visitor.get("/")
        assert page.text.count("run-") == 24
        assert page.find("a", rel="next", href="/?page=2")
        page = await visitor.get("/?page=2&language=en")
        assert page.text.count("run-") == 0
        page = await visitor.get("/?language=zh-CN")
        assert page.text.count("run-") == 2
        assert page.find("a", href="/games?language=zh-CN", **{"aria-current": "page"})
        assert not page.find("a", rel="next")
        for query in ("page=0", "page=x", "page=99999999999", "language=%3Cscript%3E"):
            await visitor.get(f"/?{query}")
            assert visitor.answer.status_code == 200

    visit(tmp_path, look, lobby)


def test_removing_asks_first_and_says_where_it_is(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("lantern_road")
        table = visitor.path
        page = await visitor.get(f"{table}/remove")
        check_policy(page, visitor)
        assert "Remove Lantern Road?" in page.text
        assert (await visitor.get("/")).find("a", href=f"{table}#now")
        page = await visitor.post(f"{table}/remove", sure="yes")
        assert "was moved to the bin" in page.text
        assert not (await visitor.get("/")).find("a", href=f"{table}#now")
        await visitor.post(f"{table}/remove", sure="yes")
        assert visitor.answer.status_code == 404

    visit(tmp_path, look)


def test_a_saved_campaign_is_imported(tmp_path: Path) -> None:
    lobby = make_lobby(str(tmp_path))

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("lantern_road")
        choice = page.find("button", name="choice")[0]["value"]
        await visitor.post(visitor.path, **page.form_of("choose"), choice=choice)
        campaign = visitor.path.removeprefix("/play/")
        for form in (ExportForm.SAVE, ExportForm.WHOLE):
            data = await lobby.write_out(campaign, form)
            page = await visitor.upload("/import", f"My save.{form}", data)
            assert visitor.path.startswith("/play/my_save"), form
            assert visitor.answer.status_code == 200

    visit(tmp_path, look, lobby)


def test_a_scenario_becomes_a_game(tmp_path: Path) -> None:
    taken: list[bytes] = []

    async def make_game(data: bytes, name: str) -> str:
        taken.append(data)
        return "new_town"

    async def look(visitor: PageVisitor) -> None:
        await visitor.upload("/import", "town.json", b'{"world": {}}')
        assert str(visitor.answer.url).endswith("/#game-new_town")
        assert taken == [b'{"world": {}}']
        # What claims to be a save game is none of it.
        await visitor.upload("/import", "save.json", json.dumps({"save_version": 1}).encode())
        assert visitor.answer.status_code == 422
        assert len(taken) == 1

    visit(tmp_path, look, import_scenario=make_game)


def test_a_file_that_is_neither_leads_to_a_page_that_says_what_to_do(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        for data in (b"", b"\x00\xff", b"[]", b"<script>alert(1)</script>"):
            page = await visitor.upload("/import", "x.json", data)
            assert visitor.answer.status_code == 422, data
            check_policy(page, visitor)
            assert "That did not work" in page.text
            assert page.find("p", **{"class": "hint"})
            assert [one for one in page.find("script") if not one["src"].startswith("/static/")] == []
        await visitor.post("/import", file="x")
        assert visitor.answer.status_code == 422
        assert not (await visitor.get("/")).find("a", **{"class": "open"})

    visit(tmp_path, look)
