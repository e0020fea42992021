"""The model pages: chosen, tried, saved by plain forms; and a key that nobody sees again."""

import asyncio
import logging
from pathlib import Path

import pytest

from talewright.play.model_choices import NO_MODEL
from tests.faces.web.test_page_routes import check_policy
from tests.faces.web.visiting import PageTree, PageVisitor, visit
from tests.play.serving.tried_models import FOUND, HELD, QUESTIONS, TriedModels

CANARY = "sk-canary-5f1e77d0c0ffee"
WRONG_CANARY = f"wrong-{CANARY}"


class Watch:
    """Everything that a browser gets to see."""

    def __init__(self, visitor: PageVisitor) -> None:
        self.visitor = visitor
        self.seen: list[str] = []

    def look(self) -> None:
        for answer in (*self.visitor.answer.history, self.visitor.answer):
            self.seen += [answer.text, str(answer.headers.multi_items()), str(answer.request.url)]
        self.seen.append(str(list(self.visitor.client.cookies.jar)))

    async def get(self, path: str) -> PageTree:
        page = await self.visitor.get(path)
        self.look()
        return page

    async def post(self, path: str, **fields: str) -> PageTree:
        page = await self.visitor.post(path, **fields)
        self.look()
        return page


async def wait_for(watch: Watch, path: str, words: str) -> PageTree:
    """Load a page until it says something, as one without scripts does by itself."""
    for _ in range(100):
        # Nothing in such a request waits, so let the trial go on.
        await asyncio.sleep(0)
        page = await watch.get(path)
        if words in page.text:
            break
    assert words in page.text
    return page


def test_a_key_is_pasted_tried_kept_and_never_seen_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    models = TriedModels()

    async def look(visitor: PageVisitor) -> None:
        watch = Watch(visitor)
        page = await watch.get("/models")
        check_policy(page, visitor)
        assert page.find("a", href="/models/new?source=cloud")
        page = await watch.get("/models/new?source=cloud")
        check_policy(page, visitor)
        (field,) = page.find("input", name="key")
        assert field["type"] == "password"
        assert field["autocomplete"] == "off"
        assert "required" in field
        await watch.post("/models/try", source="cloud", model="big-1", other="", key=f" {CANARY} ")
        trial = visitor.path
        page = await wait_for(watch, trial, f"(1 of 3): {QUESTIONS[0]}.")
        check_policy(page, visitor)
        assert page.find("meta", **{"http-equiv": "refresh"})
        assert "The <b>lamp</b> is lit." in page.text
        for number in (2, 3):
            await watch.post(f"{trial}/skip")
            await wait_for(watch, trial, f"({number} of 3): {QUESTIONS[number - 1]}.")
        await watch.post(f"{trial}/skip")
        page = await wait_for(watch, trial, "What its server can do")
        assert " ".join(FOUND.split()) in page.text
        assert "1.2 seconds · $0.0004 (estimated)" in page.text
        assert "Nothing is saved yet." in page.text
        assert models.kept == []
        page = await watch.post(f"{trial}/keep")
        assert HELD in page.text
        assert [one.key for one in models.kept] == [CANARY]
        # The key is forgotten here; sent again, the form saves nothing.
        await watch.post(f"{trial}/keep")
        assert len(models.kept) == 1
        for path in ("/", "/models", trial, f"{trial}/state", "/api/models", "/models/new?source=cloud"):
            await watch.get(path)
        assert not [text for text in watch.seen if CANARY in text]

    visit(tmp_path, look, models=models)
    assert CANARY not in caplog.text


def test_a_service_that_repeats_a_wrong_key_does_not_show_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    models = TriedModels()

    async def look(visitor: PageVisitor) -> None:
        watch = Watch(visitor)
        await watch.post("/models/try", source="cloud", model="", other="huge-2", key=WRONG_CANARY)
        trial = visitor.path
        page = await wait_for(watch, trial, "It did not work.")
        assert "401: … is not a key" in page.text
        assert "huge-2" in page.text
        assert not page.find("form", action=f"{trial}/keep")
        await watch.post(f"{trial}/keep")
        await watch.post(f"{trial}/again")
        assert visitor.path != trial
        await wait_for(watch, visitor.path, "401: … is not a key")
        # A key that cannot be one is refused without being quoted.
        await watch.post("/models/try", source="cloud", model="m", key=CANARY + "x" * 3000)
        assert visitor.answer.status_code == 422
        await watch.post("/models/try", source="cloud", model="m" * 300, key=CANARY)
        assert visitor.answer.status_code == 422
        assert not [text for text in watch.seen if CANARY in text]
        assert models.kept == []

    visit(tmp_path, look, models=models)
    assert CANARY not in caplog.text


def test_a_trial_can_be_stopped_and_the_model_used_all_the_same(tmp_path: Path) -> None:
    models = TriedModels()

    async def look(visitor: PageVisitor) -> None:
        watch = Watch(visitor)
        await watch.post("/models/try", source="home", model="home-8b")
        trial = visitor.path
        await wait_for(watch, trial, "(1 of 3)")
        page = await watch.post(f"{trial}/stop")
        assert "You stopped the questions." in page.text
        page = await watch.post(f"{trial}/keep")
        assert "home-8b is now your storyteller." in page.text
        assert len(models.kept) == 1

    visit(tmp_path, look, models=models)


def test_a_server_at_an_address(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        page = await visitor.post("/models/address", base_url="http://me:secret@127.0.0.1:9/v1")
        check_policy(page, visitor)
        assert "secret" not in str(visitor.answer.url)
        assert "Leave this empty if the server needs no key." in page.text
        assert "required" not in page.find("input", name="key")[0]
        assert [given["value"] for given in page.find("input", name="base_url")] == [
            "http://me:secret@127.0.0.1:9/v1"
        ]

    visit(tmp_path, look, models=TriedModels())


def test_models_are_chosen_by_default_and_for_a_campaign(tmp_path: Path) -> None:
    models = TriedModels()

    def chosen(page: PageTree) -> list[str]:
        return [given["value"] for given in page.find("input", type="radio") if "checked" in given]

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("lantern_road")
        campaign = visitor.path.removeprefix("/play/")
        assert page.find("a", href=f"/models?campaign={campaign}")
        assert chosen(await visitor.get("/models")) == [NO_MODEL]
        page = await visitor.post("/models/choose", name="home")
        assert chosen(page) == ["home"]
        page = await visitor.post("/models/choose", name="away", campaign=campaign)
        assert chosen(page) == ["away"]
        assert "Storyteller of Lantern Road" in page.text
        assert models.chosen_by_campaign == {"": "home", campaign: "away"}
        for place, name in (("nowhere", "home"), ("", "none-such")):
            await visitor.post("/models/choose", name=name, campaign=place)
            assert visitor.answer.status_code in (400, 404)
        for path in ("/models?campaign=nowhere", "/models/new?source=nothing", "/models/trials/x"):
            await visitor.get(path)
            assert visitor.answer.status_code == 404, path

    visit(tmp_path, look, models=models)


def test_the_pages_speak_chinese(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        assert "新存档的讲述者" in (await visitor.get("/models")).text
        assert "Cloud 的密钥" in (await visitor.get("/models/new?source=cloud")).text
        await visitor.post("/models/try", source="home", model="home-8b")
        assert "正在测试 home-8b" in (await visitor.get(visitor.path)).text

    visit(tmp_path, look, models=TriedModels(), language="zh-CN")


def test_without_a_chooser_there_are_no_model_pages(tmp_path: Path) -> None:
    async def look(visitor: PageVisitor) -> None:
        assert not (await visitor.get("/games")).find("a", href="/models")
        for path in ("/models", "/models/trials/x"):
            await visitor.get(path)
            assert visitor.answer.status_code == 404

    visit(tmp_path, look)
