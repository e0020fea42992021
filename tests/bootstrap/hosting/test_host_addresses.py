"""Addresses of a host: models are asked only at listed servers, else at those of the settings.

Only workers ask them, so only workers need their keys.
"""

import asyncio
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap.hosting.host_addresses import MODEL_SERVERS, open_host_models
from talewright.bootstrap.provider_factory import MissingKeyError
from talewright.config.settings_file import HOME_VARIABLE, SETTINGS_FILE
from talewright.llm.provider import ProviderError
from talewright.llm.requests import Request, UserMessage

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


WITH_KEYS = """
model = "ours"
fallback = ["other"]
[models.ours]
base_url = "https://models.example.org/v1"
model = "any"
key = "MODEL_API_KEY"
[models.other]
base_url = "https://other.example.org/v1"
model = "any"
key = "OTHER_API_KEY"
"""


def test_a_node_names_its_models_without_their_keys(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text(WITH_KEYS, encoding="utf-8")
    environment = {HOME_VARIABLE: str(tmp_path), "HOME": str(tmp_path)}
    worker = open_host_models(environment)
    node = open_host_models(environment, calls_models=False)
    assert worker is not None
    assert node is not None
    with pytest.raises(MissingKeyError):
        worker.hire("any", "any-1")
    named = node.hire("any", "any-1")
    keys = {"MODEL_API_KEY": "one", "OTHER_API_KEY": "two"}
    with_keys = open_host_models(environment | keys)
    assert with_keys is not None
    hired = with_keys.hire("any", "any-1")
    assert named is not None
    assert hired is not None
    assert named.main.profile == hired.main.profile
    assert type(named.main) is type(hired.main)


def test_a_node_never_calls_a_model(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text(WITH_KEYS, encoding="utf-8")
    keys = {"MODEL_API_KEY": "one", "OTHER_API_KEY": "two"}
    node = open_host_models({HOME_VARIABLE: str(tmp_path), **keys}, calls_models=False)
    assert node is not None
    named = node.hire("any", "any-1")
    assert named is not None

    async def ask() -> None:
        async for _ in named.main.stream(Request((UserMessage("Go on."),), max_output_tokens=10)):
            pass

    with pytest.raises(AssertionError, match="never calls a model"):
        asyncio.run(ask())
