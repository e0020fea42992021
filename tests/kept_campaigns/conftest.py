"""A set of kept campaigns that was made a moment ago, once for all tests here."""

import pytest

from tests.kept_campaigns.keeping import Kept
from tests.kept_campaigns.make import make_set


@pytest.fixture(name="made", scope="package")
def make_once(tmp_path_factory: pytest.TempPathFactory) -> list[Kept]:
    """Every campaign that needs no servers."""
    return make_set(tmp_path_factory.mktemp("made") / "set")
