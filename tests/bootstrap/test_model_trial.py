"""Probes: servers that answer and servers that do not, all at once, and one question to a model."""

import asyncio

import pytest

from talewright.bootstrap.model_trial import (
    ServerProbe,
    local_servers,
    probe,
    probe_servers,
    try_model,
)
from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings
from talewright.errors import TalewrightError
from talewright.llm.profiles import Prices
from tests.cli.oracle import consult

CANARY = "sk-canary-7f3a9c"
NOWHERE = ModelSettings(name="nowhere", model="", base_url="http://127.0.0.1:9/v1")


def test_the_usual_addresses() -> None:
    ports = {server.name: server.base_url for server in local_servers()}
    assert ports == {
        "ollama": "http://127.0.0.1:11434/v1",
        "lm_studio": "http://127.0.0.1:1234/v1",
        "llama_cpp": "http://127.0.0.1:8080/v1",
        "vllm": "http://127.0.0.1:8000/v1",
        "kobold_cpp": "http://127.0.0.1:5001/v1",
    }


def test_several_servers_at_once_with_progress() -> None:
    with consult() as oracle:
        here = ModelSettings(name="here", model="", base_url=oracle.url, service="ollama")
        heard: list[tuple[int, int]] = []
        found = asyncio.run(probe_servers([NOWHERE, here], lambda done, of: heard.append((done, of))))
    assert heard == [(1, 2), (2, 2)]
    assert found[1] == ServerProbe("here", "Ollama", here.base_url, ("oracle-1", "oracle-2"))
    assert found[0].models == ()
    assert found[0].trouble.startswith("127.0.0.1:9 cannot be reached")
    assert found[0].hint


def test_a_server_that_repeats_the_key_in_its_refusal() -> None:
    with consult() as oracle:
        oracle.status = 400
        here = ModelSettings(name="here", model="x", base_url=oracle.url)
        found = asyncio.run(probe(here, ApiKey(CANARY)))
        assert f"Bearer {CANARY}" in oracle.headers[0].values()
    assert found.trouble
    assert CANARY not in repr(found)


def test_one_question() -> None:
    with consult() as oracle:
        oracle.text = "I am\nready."
        here = ModelSettings(name="a", model="oracle-1", base_url=oracle.url, prices=Prices(1.0, 10.0, 0.5))
        trial = asyncio.run(try_model(here, ApiKey(CANARY)))
        assert (trial.text, trial.input_tokens, trial.output_tokens) == ("I am ready.", 1000, 50)
        assert trial.dollars == pytest.approx((600 + 400 * 0.5 + 50 * 10) / 1e6)
        assert oracle.asked[0]["max_tokens"] == 64
        oracle.status = 404
        with pytest.raises(TalewrightError) as caught:
            asyncio.run(try_model(here, ApiKey(CANARY)))
    assert CANARY not in caught.value.message + caught.value.hint
