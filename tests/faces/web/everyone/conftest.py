"""One browser and two servers for all tests of this folder: starting them takes longer than most tests."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.faces.web.author.desks import make_game
from tests.faces.web.chromium import CHROMIUM
from tests.faces.web.everyone.shared_browser import SharedBrowser, serve_shared


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Tests may run as root, and Chromium's own sandbox does not.
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="package")
def held(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBrowser]:
    """A server whose model can be held in the middle of a turn."""
    with serve_shared(tmp_path_factory.mktemp("held"), "held", browser) as made:
        yield made


@pytest.fixture(scope="package")
def scenes(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedBrowser]:
    """A server whose games are told by scenes, with models to try and a game of the owner's own."""
    root = tmp_path_factory.mktemp("scenes")
    make_game(root)
    (root / "saves").mkdir()
    with serve_shared(root / "saves", "scenes", browser) as made:
        yield made
