"""One browser and two servers for all tests of this folder: started when needed, stopped at the end."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.faces.web.chromium import ServedPages, launch_browser, serve


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium, for contexts of one's own."""
    with launch_browser() as launched:
        yield launched


@pytest.fixture(scope="package")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPages]:
    """A server whose games are told by scenes."""
    with serve(tmp_path_factory.mktemp("scenes")) as server:
        yield server


@pytest.fixture(scope="package")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPages]:
    """A server whose games are told by a scripted storyteller."""
    models = "tests.faces.web.in_chromium.scripted_storyteller:make_models"
    with serve(tmp_path_factory.mktemp("told"), model=models) as server:
        yield server
