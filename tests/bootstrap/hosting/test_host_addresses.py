"""Addresses of a host: models are asked only at listed servers, else at those of the settings."""

from pathlib import Path

import httpx
import pytest

from talewright.bootstrap.hosting.host_addresses import MODEL_SERVERS, open_host_models
from talewright.config.settings_file import HOME_VARIABLE, SETTINGS_FILE
from talewright.llm.provider import ProviderError

SETTINGS = """
[models.ours]
base_url = "https://models.example.org/v1"
model = "any"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An operator with one model."""
    (tmp_path / SETTINGS_FILE).write_text(SETTINGS, encoding="utf-8")
    return {HOME_VARIABLE: str(tmp_path)}


def may_ask(environment: dict[str, str], url: str) -> bool:
    factory = open_host_models(environment)
    assert factory is not None
    assert factory.outgoing is not None
    try:
        factory.outgoing.check(httpx.URL(url))
    except ProviderError:
        return False
    return True


def test_without_a_list_the_servers_of_the_models_may_be_asked(environment: dict[str, str]) -> None:
    assert may_ask(environment, "https://models.example.org/v1/models")
    assert not may_ask(environment, "https://elsewhere.example.org/v1")
    assert not may_ask(environment, "http://127.0.0.1:8080/v1")


def test_a_list_says_it_all(environment: dict[str, str]) -> None:
    environment[MODEL_SERVERS] = "http://inner.example.org:8000=10.0.0.5"
    assert may_ask(environment, "http://inner.example.org:8000/v1")
    assert not may_ask(environment, "https://models.example.org/v1/models")


def test_without_models_nothing_is_opened(tmp_path: Path) -> None:
    assert (
        open_host_models({"HOME": str(tmp_path), "TALEWRIGHT_SETTINGS": str(tmp_path / "none.toml")}) is None
    )
