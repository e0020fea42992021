"""`talewright models`: what is set up, what answers on this machine, and which one is chosen."""

import json
from pathlib import Path

import pytest

from talewright.bootstrap import model_trial
from talewright.cli import WRONG_USE
from talewright.config.model_settings import ModelSettings
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle

SETTINGS = """\
model = "mini"

[models.mini]
service = "openai"
model = "gpt-5-mini"

[models.home]
base_url = "http://127.0.0.1:9/v1"
model = "x"
"""


RECOMMENDED = "mist_harbor was written for gpt-4.1-mini-or-gemini-1.5."
"""The one game that comes along and names a model."""


def serve_at(monkeypatch: pytest.MonkeyPatch, *urls: str) -> None:
    """Let the usual addresses be these."""
    servers = tuple(
        ModelSettings(name=f"s{number}", model="", base_url=url) for number, url in enumerate(urls)
    )
    monkeypatch.setattr(model_trial, "local_servers", lambda: servers)


def test_nothing_is_set_up_and_nobody_answers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_at(monkeypatch, "http://127.0.0.1:9/v1")
    told = desk.run("models")
    assert (told.code, told.err) == (0, "")
    assert told.lines == [
        f"No model is set up in {desk.settings}.",
        "s0 (http://127.0.0.1:9/v1): no answer",
        RECOMMENDED,
        "No model is chosen, so games use their written scenes. To set one up: talewright setup",
    ]


def test_what_is_set_up_and_what_answers(desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_at(monkeypatch, oracle.url)
    oracle.models = tuple(f"m{number}" for number in range(7))
    desk.write(SETTINGS)
    told = desk.run("models")
    price = "$0.25 in, $0.025 cached, $2 out per million tokens, about $0.17 for 100 turns"
    assert told.lines == [
        f"mini: gpt-5-mini at api.openai.com; {price}; key OPENAI_API_KEY is missing",
        "home: x at 127.0.0.1:9; free; needs no key",
        f"s0 ({oracle.url}): m0, m1, m2, m3, m4 and 2 more",
        RECOMMENDED,
        "mini is the storyteller. To choose another: talewright models use MODEL",
    ]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    assert "key OPENAI_API_KEY in the environment" in desk.run("models", "--no-search").out
    monkeypatch.delenv("OPENAI_API_KEY")
    Path(".env").write_text("OPENAI_API_KEY=sk-canary\n")
    assert "key OPENAI_API_KEY in the .env" in desk.run("models", "--no-search").out


def test_the_same_for_a_program(desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_at(monkeypatch, oracle.url, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    desk.write(SETTINGS)
    told = desk.run("models", "--json")
    facts = json.loads(told.out)
    assert "sk-canary" not in told.out + told.err
    assert (facts["model"], facts["cheap"], facts["settings"]) == ("mini", None, str(desk.settings))
    assert [row["name"] for row in facts["models"]] == ["mini", "home"]
    assert facts["servers"][0]["models"] == ["oracle-1", "oracle-2"]
    assert facts["servers"][1]["trouble"]
    assert facts["recommended"] == {"mist_harbor": "gpt-4.1-mini-or-gemini-1.5"}


def test_a_model_is_chosen(desk: Desk) -> None:
    desk.write(SETTINGS)
    assert desk.run("models", "use", "home").out == "Using home as the storyteller from now on.\n"
    assert desk.run("models", "use", "home", "--cheap").out == (
        "Using home for summaries and background tasks from now on.\n"
    )
    assert (
        desk.run("models", "use", "none", "--game", "harbor").out
        == "Using no model as the storyteller in harbor from now on.\n"
    )
    assert desk.run("models", "use", "ollama/x", "-c", "harbor-1").out == (
        "Using ollama/x as the storyteller in harbor-1 from now on.\n"
    )
    assert desk.settings.read_text() == (
        SETTINGS.replace('model = "mini"\n', 'model = "home"\ncheap = "home"\n', 1)
        + '\n[games.harbor]\nmodel = "none"\n\n[campaigns.harbor-1]\nmodel = "ollama/x"\n'
    )
    assert desk.run("models", "--no-search").lines[-1] == (
        "home is the storyteller; home does summaries and background tasks. "
        "To choose another: talewright models use MODEL"
    )


def test_a_model_that_nobody_knows_is_not_chosen(desk: Desk) -> None:
    told = desk.run("models", "use", "maxi")
    assert told.code == WRONG_USE
    assert told.err.startswith("talewright: there is no model 'maxi'\nNone is configured;")
    assert not desk.settings.exists()


def test_settings_that_do_not_fit_are_told(desk: Desk) -> None:
    desk.write("modell = 1\n")
    told = desk.run("models", "--no-search")
    assert told.code == WRONG_USE
    assert told.err == f"talewright: {desk.settings}: modell is not a known field\nDid you mean model?\n"
