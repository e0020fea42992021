"""One real model for all tests of this folder; without its packages they are skipped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models.serving import MISSING, find_weights, serve_model


@pytest.fixture(scope="session")
def weights() -> Path:
    """The weights of the model."""
    found = find_weights()
    if found is None:
        pytest.skip(MISSING)
    return found


@pytest.fixture(scope="session")
def model_url(weights: Path) -> Iterator[str]:
    """The address of a real model on this machine."""
    with serve_model(weights) as served:
        yield served.url
