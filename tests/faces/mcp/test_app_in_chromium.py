"""The table app in a real browser, in a small host: drawn, played, in both languages, and under attack."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talewright.play.campaign_view import Viewer
from tests.faces.mcp.app_host import FRAME, HOST, McpServerThread, open_host, serve_app, show_app
from tests.faces.mcp.test_decisions import reach_check
from tests.faces.web.chromium import CHROMIUM, DESK, PHONE, needs_chromium

pytestmark = needs_chromium

HOSTILE = (
    "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>\n\n"
    "<svg onload='window.hit = 3'><a href='javascript:window.hit = 4'>come</a>\n\n"
    "<iframe srcdoc='<script>parent.hit = 5</script>'></iframe><style>main{display:none}</style>"
    "<link rel=stylesheet href=http://evil.example/x.css><img src=http://evil.example/x.png>"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


def begin(server: McpServerThread, language: str) -> str:
    begun = server.call("start_campaign", {"operation_id": f"begin-{language}", "language": language})
    return str(begun["structuredContent"]["campaign"])


def heard(page: Any, method: str) -> list[Any]:
    return list(page.evaluate("(method) => heard.filter((one) => one.method === method)", method))


@pytest.mark.parametrize(
    ("language", "theme", "size"), [("en", "light", DESK), ("zh-CN", "dark", PHONE)], ids=["en", "zh-CN"]
)
def test_a_player_plays_in_the_frame(
    browser: Any, tmp_path: Path, language: str, theme: str, size: dict[str, int]
) -> None:
    asked: list[str] = []
    with serve_app(tmp_path, "solo" if language == "en" else "mist_harbor", Viewer.PLAYER) as server:
        page = open_host(browser, server.read_app(), server.call, asked, viewport=size)
        where = {"campaign": begin(server, language)}
        first = server.call("view", where)
        context = {"theme": theme, "locale": language}
        frame = show_app(page, where, first, context=context)
        frame.locator(".turn .narration p").first.wait_for()
        view = first["_meta"]["talewright/table"]["view"]
        root = frame.locator("html")
        assert (root.get_attribute("lang"), root.get_attribute("data-theme")) == (language, theme)
        assert frame.locator("#title").inner_text() == view["title"]
        assert frame.locator("#status li").count() == len(view["status"])
        assert frame.locator("#side .card").count() == len(view["cards"])
        label = frame.locator(".choices button .label").first.inner_text()
        frame.locator(".choices button").first.click()
        frame.locator("h3", has_text=str(view["version"] + 1)).first.wait_for()
        name, given = server.called[-1]
        assert (name, given["choice"]) == ("choose", view["choices"][0]["id"])
        assert frame.locator(".said").text_content().endswith(label)
        assert "[object" not in frame.locator("body").inner_text()
        (told,) = heard(page, "ui/update-model-context")
        assert label in told["params"]["content"][0]["text"]
        # What was drawn fits: the frame is as high as the app, and nothing sticks out sideways.
        wide, high = root.evaluate("(root) => [root.scrollWidth - innerWidth, root.scrollHeight]")
        assert wide <= 0
        page.wait_for_function("(high) => document.querySelector('iframe').clientHeight >= high", arg=high)
        other = "light" if theme == "dark" else "dark"
        change = {"method": "ui/notifications/host-context-changed", "params": {"theme": other}}
        page.evaluate("(one) => post(one)", change)
        frame.locator(f"html[data-theme={other}]").wait_for()
    assert set(asked) <= {HOST, FRAME}


def test_dice_fall_once_and_refusals_are_told(browser: Any, tmp_path: Path) -> None:
    asked: list[str] = []
    with serve_app(tmp_path, "chapel_watch", Viewer.PLAYER) as server:
        page = open_host(browser, server.read_app(), server.call, asked, viewport=DESK)
        where = {"campaign": begin(server, "en")}
        frame = show_app(page, where, server.call("view", where))
        # A free text that fits no choice is refused, and the words of the refusal are shown.
        frame.locator("#say").fill("I fly to the moon.")
        frame.locator("#say").press("Enter")
        frame.locator("#message", has_text="The choices are").wait_for()
        for _ in range(12):
            if frame.locator(".rolls.falling .roll .result").count():
                break
            before = frame.locator(".turn h3").text_content()
            frame.locator(".choices button").last.click()
            frame.locator(".turn h3").get_by_text(before, exact=True).wait_for(state="detached")
        assert frame.locator(".rolls.falling .roll").count(), "chance has decided something"
        last = server.call("view", where)
        page.evaluate("(params) => post({ method: 'ui/notifications/tool-result', params })", last)
        frame.locator(".rolls:not(.falling) .roll").first.wait_for()
    assert set(asked) <= {HOST, FRAME}


def test_a_game_master_hears_what_the_player_picks(browser: Any, tmp_path: Path) -> None:
    asked: list[str] = []
    with serve_app(tmp_path, "chapel_watch", Viewer.MASTER) as server:
        page = open_host(browser, server.read_app(), server.call, asked, viewport=DESK)
        where = {"campaign": begin(server, "en")}
        opened = server.call("begin_turn", {**where, "operation_id": "one"})["structuredContent"]
        choices: list[Any] = [{"label": "Go in."}, {"label": "Go away."}]
        choices[:0] = [{"label": HOSTILE.replace("\n", " ")[:190], "hint": "<b>bold</b>", "risk": "high"}]
        told = {**where, "turn": opened["turn"], "narration": HOSTILE, "choices": choices}
        finished = server.call("finish_turn", told)
        assert not finished.get("isError"), finished
        frame = show_app(page, where, server.call("show_table", where))
        frame.locator(".narration p").first.wait_for()
        assert "<script>window.hit = 1</script>" in frame.locator(".narration").text_content()
        assert "<b>bold</b>" in frame.locator(".choices").inner_text()
        assert frame.locator("main, aside").locator("script, img, iframe, style, a, b").count() == 0
        before = len(server.called)
        frame.locator(".choices button").first.click()
        frame.locator("#waiting", has_text="You: <script>").wait_for()
        page.locator("#chat", has_text="<script>window.hit = 1</script>").wait_for()
        assert len(server.called) == before, "the game master takes the turn, not the app"
        assert frame.locator("html").evaluate("() => [window.hit, parent.length]") == [None, 1]
        assert page.evaluate("() => window.hit") is None
    assert set(asked) <= {HOST, FRAME}


def test_the_player_of_a_game_master_decides_in_the_frame(browser: Any, tmp_path: Path) -> None:
    with serve_app(tmp_path, "solo", Viewer.MASTER) as server:
        where = {"campaign": server.run(reach_check(tmp_path, "solo"))}
        page = open_host(browser, server.read_app(), server.call, [], viewport=DESK)
        # The app knows its role, even if the host passes on only the words.
        frame = show_app(page, where, server.call("show_table", where), keepsMeta=False)
        frame.locator(".decision button").first.wait_for()
        label = frame.locator(".decision button").first.inner_text()
        frame.locator(".decision button").first.click()
        page.locator("#chat", has_text=label).wait_for()
        name, given = server.called[-1]
        assert (name, given["decision"], given["option"]) == ("answer_decision", "check", "roll")
        opened = server.call("begin_turn", {**where, "say": label})["structuredContent"]
        assert (opened["said"], len(opened["results"])) == (label, 1)


def test_a_host_that_passes_on_only_the_words_is_enough(browser: Any, tmp_path: Path) -> None:
    with serve_app(tmp_path, "mist_harbor", Viewer.PLAYER) as server:
        page = open_host(browser, server.read_app(), server.call, [], viewport=DESK)
        where = {"campaign": begin(server, "en")}
        first = server.call("view", where)
        frame = show_app(page, where, first, keepsMeta=False, abilities={})
        frame.locator(".narration p").first.wait_for()
        assert frame.locator("#status li").count() == len(first["structuredContent"]["status"])
        assert frame.locator(".card").count() == len(first["structuredContent"]["cards"])
        # A host that calls no tools for apps gets the player's words.
        label = frame.locator(".choices button .label").first.inner_text()
        frame.locator(".choices button").first.click()
        page.locator("#chat", has_text=label).wait_for()
