"""Canaries in every private thing of a game: none reaches a real browser, its caches or its storage."""

from typing import Any

import pytest

from tests.faces.web.chromium import TOKEN, needs_chromium
from tests.faces.web.everyone.counted_server import CANARY_SEED, SENT
from tests.faces.web.everyone.shared_browser import TEXT_HAS, serve_shared, wait_for_turn, wait_until
from tests.privacy import Catch

pytestmark = needs_chromium

TURNS = 3

BEGIN = """async () => {
    const [game] = await (await fetch("/api/games")).json();
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ game: game.id, operation_id: "canaries" });
    const answer = await fetch("/api/campaigns", { method: "POST", headers, body });
    return (await answer.json()).campaign;
}"""

STORED = """async () => {
    const found = { caches: {}, local: { ...localStorage }, session: { ...sessionStorage } };
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            const answer = await cache.match(request);
            found.caches[request.url] = [...answer.headers].join() + (await answer.text());
        }
    }
    found.databases = (await indexedDB.databases()).map((one) => one.name);
    return found;
}"""
"""Everything that the pages of an origin can store."""


def test_nothing_hidden_reaches_the_browser_or_its_storage(
    browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with serve_shared(tmp_path_factory.mktemp("canaries"), "canaries", browser) as shared:
        context = shared.context()
        catch = Catch()
        page = context.new_page()
        page.goto(shared.server.home)
        table = f"/play/{page.evaluate(BEGIN)}"
        page.goto(shared.address(table))
        wait_for_turn(page, 1)
        for turn in range(2, TURNS + 2):
            if page.locator(".decision").count():
                page.locator(".decision button").first.click()
            else:
                page.locator("#say").fill(f"I walk on, {turn}.")
                page.keyboard.press("Enter")
            wait_for_turn(page, turn)
        newest = f'data-version="{TURNS + 1}"'
        wait_until(page, TEXT_HAS, f"{table}/reading", newest)
        stored = page.evaluate(STORED)
        assert any(newest in text for text in stored["caches"].values())
        assert (stored["local"], stored["session"], stored["databases"]) == ({}, {}, [])
        for address, text in stored["caches"].items():
            catch.add(address, text)
            assert TOKEN not in text
            assert "talewright serve --link" not in text, "the login page is kept nowhere"
        sent = (shared.server.saves / SENT).read_text("utf-8", errors="replace")
        assert "event: turn.committed" in sent
        catch.add("everything that was sent", sent)
        catch.add("the page", page.content())
        assert not catch.hits()[:5], f"seed {CANARY_SEED}"
        assert "along the quay" in catch.stream()
        context.close()
