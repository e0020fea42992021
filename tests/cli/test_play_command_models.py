"""`talewright play` with models: which one tells, what is honoured of the game's wishes, and what is said."""

import sys
from pathlib import Path

import pytest

from talewright.cli import WRONG_USE
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle

SAID = "I hum an old song to myself\n"
TOLD = "The lamp gutters."


def own(oracle: Oracle, *more: str) -> str:
    lines = ('model = "own"', "[models.own]", f'base_url = "{oracle.url}"', 'model = "oracle-1"', *more)
    return "\n".join(lines) + "\n"


def play(desk: Desk, *words: str, typed: str = SAID) -> str:
    told = desk.run("play", "lantern_road", "--language", "en", "--no-git", *words, typed=typed)
    assert told.code == 0, told
    return told.out


def test_a_configured_model_tells(desk: Desk, oracle: Oracle) -> None:
    desk.write(own(oracle))
    told = play(desk)
    assert TOLD in told
    assert "Type a number, or say what you do in your own words." in told
    # The game's own wishes hold, within what the profile allows.
    (asked,) = oracle.asked
    assert (asked["model"], asked["temperature"]) == ("oracle-1", 0.8)
    assert asked["max_tokens"] == 900


def test_no_model_tells_where_none_is_wanted(desk: Desk, oracle: Oracle) -> None:
    desk.write(own(oracle))
    told = play(desk, "--no-model")
    assert "Type a number, or a choice in your own words." in told
    assert oracle.asked == []
    # Settings that do not fit are nobody's business then.
    desk.write("model = 1\n")
    assert play(desk, "--no-model", typed="") != ""


def test_a_model_by_name_counts_more_than_everything(
    desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(own(oracle).replace('model = "own"', 'model = "none"', 1))
    monkeypatch.setenv("TALEWRIGHT_MODEL", "ollama/never-asked")
    assert TOLD in play(desk, "--model", "own")


def test_the_environment_alone_is_enough(desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALEWRIGHT_MODEL", "oracle-1")
    monkeypatch.setenv("TALEWRIGHT_BASE_URL", oracle.url)
    monkeypatch.setenv("TALEWRIGHT_TEMPERATURE", "0.25")
    monkeypatch.setenv("TALEWRIGHT_MAX_OUTPUT_TOKENS", "400")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-vendor")
    assert TOLD in play(desk)
    (asked,) = oracle.asked
    assert (asked["temperature"], asked["max_tokens"]) == (0.25, 400)
    assert all("authorization" not in headers for headers in oracle.headers)


def test_a_dotenv_is_read_and_never_written(desk: Desk, oracle: Oracle) -> None:
    text = f"TALEWRIGHT_MODEL=oracle-1\nTALEWRIGHT_BASE_URL={oracle.url}\nTALEWRIGHT_API_KEY='k1'\n"
    file = Path(".env")
    file.write_text(text)
    before = file.stat()
    desk.write(f'allowed_addresses = ["{oracle.url}"]\n')
    assert TOLD in play(desk)
    assert oracle.headers[0]["authorization"] == "Bearer k1"
    assert (file.read_text(), file.stat().st_mtime_ns) == (text, before.st_mtime_ns)


def test_a_foreign_address_is_named_and_asked_about_once(desk: Desk, oracle: Oracle) -> None:
    Path(".env").write_text(f"TALEWRIGHT_MODEL=oracle-1\nTALEWRIGHT_BASE_URL={oracle.url}\n")
    words = ("play", "lantern_road", "--language", "en", "--no-git", "--plain", "--new")
    # Nobody to ask: refused, with how to allow it.
    told = desk.run(*words, typed="look\n")
    assert told.code == WRONG_USE
    assert f"sends the story to {oracle.url}" in told.err
    assert f'allowed_addresses = ["{oracle.url}"]' in told.err
    # No: the scenes tell it, and nothing was sent.
    told = desk.run(*words, typed="n\n1\n", terminal=True)
    assert (told.code, oracle.asked) == (0, [])
    assert f"  {oracle.url}\n" in told.out
    # Another model than that of the file is nobody's business.
    assert oracle.url not in desk.run(*words, "--no-model", typed="1\n", terminal=True).out
    # Yes: from now on without a question, also for programs.
    told = desk.run(*words, typed="y\nlook\n", terminal=True)
    assert TOLD in told.out
    again = desk.run(*words, typed="look\n")
    assert TOLD in again.out
    assert "Allow it" not in again.out
    # Another address is another question.
    Path(".env").write_text("TALEWRIGHT_MODEL=oracle-1\nTALEWRIGHT_BASE_URL=http://127.0.0.1:9/v1\n")
    assert desk.run(*words, typed="look\n").code == WRONG_USE


def test_games_and_campaigns_have_models_of_their_own(desk: Desk, oracle: Oracle) -> None:
    desk.write(own(oracle) + '[games.lantern_road]\nmodel = "none"\n[campaigns.mine]\nmodel = "own"\n')
    assert TOLD not in play(desk)
    assert TOLD in play(desk, "--campaign", "mine")


def test_nothing_of_a_model_is_loaded_without_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name.startswith(
            ("talewright.bootstrap.provider_factory", "talewright.bootstrap.provider_factory")
        ):
            monkeypatch.delitem(sys.modules, name)
    play(desk)
    assert "talewright.bootstrap.provider_factory" not in sys.modules


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--model", "maxi"), "there is no model 'maxi'"),
        (("--model", "openai/gpt-5"), "the model 'openai/gpt-5' needs the key OPENAI_API_KEY"),
    ],
)
def test_a_model_that_cannot_be_had_is_told(desk: Desk, words: tuple[str, ...], message: str) -> None:
    told = desk.run("play", "lantern_road", "--language", "en", "--no-git", *words)
    assert told.code == WRONG_USE
    assert told.err.startswith(f"talewright: {message}")


def test_only_one_of_the_two_options(desk: Desk) -> None:
    told = desk.run("play", "--model", "a", "--no-model")
    assert told.code == WRONG_USE
    assert "not allowed with argument" in told.err


def test_a_server_that_fails_leaves_the_story_where_it_was(desk: Desk, oracle: Oracle) -> None:
    desk.write(own(oracle))
    oracle.status = 404
    told = play(desk)
    assert "Nothing has changed." in told
    assert "Retry" in told
