"""What a browser keeps for reading offline, as the server makes it: the app, copies of stories, the list."""

import asyncio
import json
import zlib
from pathlib import Path

import pytest

from talewright.faces.web.offline import offline_copies
from talewright.faces.web.offline.app_manifest import ICON_SIZES, draw_icon
from talewright.faces.web.offline.offline_copies import KEPT_HEADER, OFFLINE_FILES
from talewright.faces.web.offline.offline_words import offline_words
from talewright.faces.web.static_files import find_page_files
from tests.bootstrap.serving.whole_server import ORIGIN, whole_server
from tests.faces.http.serving import make_lobby
from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageVisitor, visit


def test_the_app_can_be_installed(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/")
        (link,) = page.find("link", rel="manifest")
        await visitor.get(link["href"])
        assert visitor.answer.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(visitor.answer.text)
        assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
        assert manifest["description"] == offline_words("zh-CN").description
        assert {"192x192", "512x512", "any"} == {icon["sizes"] for icon in manifest["icons"]}
        for icon in manifest["icons"]:
            await visitor.get(icon["src"])
            assert visitor.answer.headers["content-type"] == icon["type"]

    visit(tmp_path, look, language="zh-CN")


def test_icons_are_pictures() -> None:
    for size in ICON_SIZES:
        data = draw_icon(size)
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        start = data.index(b"IDAT")
        pixels = zlib.decompress(data[start + 4 : data.index(b"IEND") - 8])
        assert len(pixels) == size * (1 + 3 * size)
        middle = pixels[(size // 2) * (1 + 3 * size) + 1 + 3 * (size // 2) :][:3]
        assert (pixels[1:4], middle) == (b"\x7a\x3b\x2e", b"\xfb\xf6\xea")


def test_a_story_is_copied_in_parts_that_never_change(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("mist_harbor")
        table = visitor.path
        for _ in range(4):
            choice = page.find("button", name="choice")[0]["value"]
            page = await visitor.post(table, **page.form_of("choose"), choice=choice)
        page = await visitor.get(f"{table}/reading")
        check_policy(page, visitor)
        assert not page.find("form")
        assert not page.find("textarea")
        assert [given["data-version"] for given in page.find("article")] == ["5"]
        assert {given["href"] for given in page.find("link", rel="stylesheet")} == {"/offline/page.css"}
        assert {given["src"] for given in page.find("script")} == {"/offline/speech.js"}
        older = visitor.answer.headers["link"].removeprefix("<").partition(">")[0]
        page = await visitor.get(older)
        first = visitor.answer.text
        assert [given["data-version"] for given in page.find("article")] == ["3", "4"]
        oldest = visitor.answer.headers["link"].removeprefix("<").partition(">")[0]
        page = await visitor.get(oldest)
        assert [given["data-version"] for given in page.find("article")] == ["1", "2"]
        assert "link" not in visitor.answer.headers
        page = await visitor.get(table)
        await visitor.post(f"{table}/undo", base=page.form_of("choose")["base"])
        await visitor.get(older)
        assert visitor.answer.text == first

    parts = offline_copies.PART_TURNS
    offline_copies.PART_TURNS = 2
    try:
        visit(tmp_path, look)
    finally:
        offline_copies.PART_TURNS = parts


def test_the_list_names_what_was_kept_and_still_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(visitor: PageVisitor) -> None:
        await visitor.start("lantern_road")
        one = visitor.path
        await visitor.start("mist_harbor", "zh-CN")
        other = visitor.path
        page = await visitor.get(f"/offline?kept={one}&kept={other}&kept=/play/gone")
        check_policy(page, visitor)
        assert set(visitor.answer.headers[KEPT_HEADER].split(" ")) == {one, other}
        assert len([given for given in page.find("a") if given["href"].endswith("/reading")]) == 2
        name = other.rpartition("/")[2]
        monkeypatch.setattr(offline_copies, "CAMPAIGNS_KEPT_MAX", 1)
        await visitor.get(f"/offline?kept={one}&kept={other}")
        assert visitor.answer.headers[KEPT_HEADER] == other, "the one that was played last"
        monkeypatch.undo()
        removed = await visitor.client.delete(f"/api/campaigns/{name}", headers={"Origin": ORIGIN})
        assert removed.status_code == 200
        page = await visitor.get(f"/offline?kept={one}&kept={other}")
        assert visitor.answer.headers[KEPT_HEADER] == one
        page = await visitor.get("/offline")
        assert visitor.answer.headers[KEPT_HEADER] == ""
        assert offline_words("en").nothing_kept in page.text

    visit(tmp_path, look)


def test_the_worker_and_its_files_tell_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with whole_server(make_lobby(str(tmp_path))) as server, server.client() as stranger:
            worker = await stranger.get("/worker.js")
            assert worker.headers["content-security-policy"] == "default-src 'none'; connect-src 'self'"
            for name in OFFLINE_FILES:
                answer = await stranger.get(f"/offline/{name}")
                assert answer.content == find_page_files().contents[name]
                assert f'"{name}"'.encode() in worker.content
            for path in ("/offline/worker.js", "/offline/icon-7.png"):
                assert (await stranger.get(path)).status_code == 404
            for path in ("/offline", "/play/x/reading"):
                assert (await stranger.get(path)).status_code == 401

    asyncio.run(run())


def test_logging_out_clears_the_cookie_and_what_was_kept(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/games")
        assert page.find("button", formaction="/logout")
        sent = await visitor.client.post("/logout", data={"theme": "dark"}, headers={"Origin": ORIGIN})
        assert (sent.status_code, sent.headers["clear-site-data"]) == (303, '"storage"')
        await visitor.get("/")
        assert visitor.answer.status_code == 401

    visit(tmp_path, look)
