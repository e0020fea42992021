"""`talewright setup`: a model chosen, tried and written down; a key kept or not, and never shown."""

from pathlib import Path

import pytest

from talewright.bootstrap import provider_factory
from talewright.cli import WRONG_USE, setup_command
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle
from tests.cli.test_models_command import serve_at
from tests.config.test_api_keys import Drawer

CANARY = "sk-canary-7f3a9c"


class Shut(Drawer):
    """A keyring that cannot be used."""

    trouble = "the keyring does not respond: InitError"


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> Drawer:
    """The keyring of this test."""
    drawer = Drawer()
    monkeypatch.setattr(provider_factory, "SystemKeyring", lambda: drawer)
    return drawer


def own(oracle: Oracle, *more: str) -> tuple[str, ...]:
    return ("setup", "--base-url", oracle.url, "--model", "oracle-1", "--no-probe", *more)


def test_an_address_of_ones_own(desk: Desk, oracle: Oracle) -> None:
    oracle.text = "Ready."
    told = desk.run(*own(oracle, "--name", "own"))
    assert (told.code, told.err) == (0, "")
    host = oracle.url.removeprefix("http://").removesuffix("/v1")
    assert told.lines[0] == f"oracle-1 at {host}: free"
    assert told.lines[1].startswith("It answers: Ready. (")
    assert told.lines[1].endswith(" s, 1050 tokens)")
    assert told.lines[2] == f"own is your storyteller from now on ({desk.settings})."
    assert desk.settings.read_text() == (
        f'model = "own"\n\n[models.own]\nmodel = "oracle-1"\nbase_url = "{oracle.url}"\n'
    )
    assert len(oracle.asked) == 1


def test_a_service_without_a_question(desk: Desk) -> None:
    told = desk.run("setup", "--service", "ollama", "--model", "qwen2.5:7b", "--cheap", "--no-test")
    assert told.code == 0
    assert told.lines[1].startswith("ollama-qwen2.5:7b does summaries and background tasks from now on")
    assert desk.settings.read_text() == (
        'cheap = "ollama-qwen2.5:7b"\n\n[models."ollama-qwen2.5:7b"]\n'
        'service = "ollama"\nmodel = "qwen2.5:7b"\n'
    )


def test_one_that_does_not_answer_is_not_written_down(desk: Desk, oracle: Oracle, drawer: Drawer) -> None:
    oracle.status = 401
    told = desk.run(*own(oracle, "--key", "MY_KEY", "--key-stdin"), typed=f"{CANARY}\n")
    assert told.code == setup_command.FAILED
    assert told.err.startswith("It did not answer: ")
    assert told.err.endswith("\nNothing was saved.\n")
    assert CANARY not in told.out + told.err
    assert drawer.keys == {}
    assert not desk.settings.exists()


def test_a_key_from_the_input_goes_into_the_keyring(desk: Desk, oracle: Oracle, drawer: Drawer) -> None:
    told = desk.run(*own(oracle, "--key", "MY_KEY", "--key-stdin"), typed=f" {CANARY}\n")
    assert told.code == 0
    assert "Its key is stored in the keyring as MY_KEY." in told.lines
    assert CANARY not in told.out + told.err + desk.settings.read_text()
    assert drawer.keys == {"MY_KEY": CANARY}
    assert oracle.headers[-1]["authorization"] == f"Bearer {CANARY}"
    again = desk.run(*own(oracle, "--key", "MY_KEY"))
    assert "Its key MY_KEY is in the keyring." in again.lines


def test_without_a_keyring_it_is_told_how_to_keep_the_key(
    desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_factory, "SystemKeyring", Shut)
    monkeypatch.setattr(setup_command, "getpass", lambda prompt: CANARY)
    told = desk.run(*own(oracle, "--key", "MY_KEY"), terminal=True)
    assert told.code == 0
    assert "The key was not stored: the keyring does not respond: InitError." in told.lines
    assert any(line.startswith("  export MY_KEY=...") for line in told.lines)
    assert CANARY not in told.out + told.err + desk.settings.read_text()


def test_a_key_of_the_environment_is_used(
    desk: Desk, oracle: Oracle, drawer: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", CANARY)
    told = desk.run(*own(oracle, "--key", "MY_KEY"))
    assert "Its key MY_KEY is in the environment." in told.lines
    assert drawer.keys == {}
    assert oracle.headers[-1]["authorization"] == f"Bearer {CANARY}"


@pytest.mark.parametrize(
    ("words", "typed", "message"),
    [
        (("--service", "acme", "--model", "x"), "", "there is no service 'acme'"),
        (("--model", "x"), "", "the options: models.x.base_url is missing"),
        (("--model", "x", "--base-url", "nowhere"), "", "the options: models.x.base_url is not the address"),
        (("--service", "openai", "--model", "x"), "", "the model 'openai-x' needs the key OPENAI_API_KEY"),
        (("--service", "openai", "--model", "x", "--key-stdin"), "\n", "standard input contained no key"),
        (
            ("--base-url", "http://127.0.0.1:9/v1", "--model", "x", "--key", CANARY),
            "",
            "--key takes the name of a variable, such as OPENAI_API_KEY",
        ),
        ((), "", "no model is given, and this is not an interactive terminal"),
    ],
)
def test_wrong_use_is_told(
    desk: Desk, drawer: Drawer, words: tuple[str, ...], typed: str, message: str
) -> None:
    told = desk.run("setup", *words, typed=typed)
    assert told.code == WRONG_USE
    assert told.err.startswith(f"talewright: {message}")
    assert CANARY not in told.out + told.err
    assert not desk.settings.exists()


def test_an_empty_key_at_the_terminal_is_none(
    desk: Desk, drawer: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_command, "getpass", lambda prompt: " ")
    told = desk.run("setup", "--service", "openai", "--model", "x", terminal=True)
    assert told.code == WRONG_USE
    assert "needs the key OPENAI_API_KEY" in told.err


def test_the_interview(desk: Desk, oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_at(monkeypatch, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    answers = iter(["1", "gpt-9"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    told = desk.run("setup", "--no-test", terminal=True)
    assert told.code == 0
    assert told.lines[:3] == [
        "mist_harbor was written for gpt-4.1-mini-or-gemini-1.5.",
        "Which storyteller do you want to use?",
        setup_command.NOTHING_RUNS,
    ]
    assert told.lines[3] == "  1. OpenAI, with your own key"
    assert "Its key OPENAI_API_KEY is in the environment." in told.lines
    assert 'service = "openai"\nmodel = "gpt-9"\n' in desk.settings.read_text()


@pytest.mark.parametrize("key", [EOFError, KeyboardInterrupt])
@pytest.mark.parametrize("answers", [[], ["1"], ["1", "gpt-9"]], ids=len)
def test_the_interview_can_be_left_at_any_question(
    desk: Desk, answers: list[str], key: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve_at(monkeypatch, "http://127.0.0.1:9/v1")
    given = iter(answers)

    def ask(prompt: str) -> str:
        for answer in given:
            return answer
        raise key

    monkeypatch.setattr("builtins.input", ask)
    monkeypatch.setattr(setup_command, "getpass", ask)
    told = desk.run("setup", "--no-test", terminal=True)
    assert told.code == WRONG_USE
    assert told.err.startswith("talewright: no model was set up\n")
    assert not desk.settings.exists()


def test_comments_of_the_settings_stay(desk: Desk, oracle: Oracle) -> None:
    desk.write("# mine\n[timeouts]\nturn_seconds = 60 # enough\n")
    assert desk.run(*own(oracle, "--name", "own")).code == 0
    text = desk.settings.read_text()
    assert text.startswith('model = "own"\n# mine\n')
    assert "turn_seconds = 60 # enough\n" in text
    assert Path(desk.settings).stat().st_size == len(text)


def test_names_have_no_slash(desk: Desk) -> None:
    told = desk.run(
        "setup", "--service", "openrouter", "--model", "a/b", "--no-test", "--key-stdin", typed="k\n"
    )
    assert told.code == 0
    assert "openrouter-a-b is your storyteller" in told.out
