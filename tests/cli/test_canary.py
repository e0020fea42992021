"""Canary keys: played and asked about through every command, against a server that repeats all it is sent.

The key must be nowhere afterwards: not on a screen, not in a save, not in a prompt, not in a crash report.
"""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.bootstrap import model_trial, provider_factory
from talewright.cli.help.command_table import COMMANDS
from talewright.llm.retry import RetryLimits
from talewright.providers.key_redaction import drop_log_record
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle, tell_cards
from tests.cli.test_models_command import serve_at
from tests.config.test_api_keys import Drawer

CANARY = "sk-canary-2b7e151628aed2a6abf71588"
SAID = "I hum an old song to myself\n/why oil\n/history 3\n"
GAME = ("lantern_road", "--language", "en")

REST = (
    ("models",),
    ("models", "--json"),
    ("models", "use", "own", "--game", "lantern_road"),
    ("doctor",),
    ("mcp", "--game", "mist_harbor", "--print-config", "cursor"),
    ("serve", "--link"),
    ("admin", "owner", "list"),
    ("worker",),
    ("doctor", "--json"),
    ("cost", "--turns"),
    ("cost", "--json"),
    ("cost", "limit", "50"),
    ("saves",),
    ("saves", "--json"),
    ("saves", "export", "lantern_road-1", "-"),
    ("saves", "export", "lantern_road-1", "-", "--whole"),
    ("tree", "--all"),
    ("tree", "--json"),
    ("inspect", "1"),
    ("inspect", "1", "--json"),
    ("inspect", "2", "--json"),
    ("diff", "0", "1"),
    ("blame", "oil", "--viewer", "author"),
    ("replay", "--json"),
    ("receipt",),
    ("verify", "--reveal"),
    ("export", "--format", "md"),
    ("undo",),
    ("fork", "1"),
    ("check", "games/lantern_road"),
    ("new", "mine"),
    ("schema", "game"),
    ("roll", "2d6"),
    ("odds", "2d6"),
    ("exam", "own", "--turns", "1"),
)
"""Every command but those that are run with a trouble of their own."""

TROUBLES: dict[str, dict[str, object]] = {
    "well": {},
    **{str(status): {"status": status} for status in (400, 401, 402, 403, 404, 409, 422, 429, 500, 503, 302)},
    "breaks off": {"breaks": True},
    "repeats": {"repeats": True},
    **{f"repeats {status}": {"repeats": True, "status": status} for status in (302, 307, 401, 500)},
    "JSON": {"repeats": True, "whole": True},
    "nonsense": {"text": "no JSON at all"},
    "told": {"text": tell_cards(f"The lamp gutters, and somebody says {CANARY}.")},
}


def find_canaries(folder: Path) -> Iterator[str]:
    """Files in which the key stands, whole or in part, by content or by name."""
    part = CANARY[10:].encode()
    for place, _, files in os.walk(folder):
        for name in files:
            file = Path(place, name)
            if part in file.read_bytes() or CANARY in str(file):
                yield str(file)


def settle(desk: Desk, oracle: Oracle) -> None:
    desk.write(
        f'model = "own"\ncheap = "own"\n[models.own]\nbase_url = "{oracle.url}"\nmodel = "oracle-1"\n'
        'key = "MY_KEY"\nprices = { input = 1, output = 1 }\n'
    )


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits before another try."""
    monkeypatch.setattr(provider_factory, "ALONE", RetryLimits(first_wait_seconds=0.0, tries_max=2))


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Path]:
    """A file into which everything is logged, as whoever looks for a fault would have it."""
    root, file = logging.getLogger(), tmp_path / "debug.log"
    level, handler = root.level, logging.FileHandler(file)
    # What was hushed for another test must be hushed again.
    for name in list(logging.root.manager.loggerDict):
        logging.getLogger(name).removeFilter(drop_log_record)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("tests").debug("it is written")
    yield file
    root.setLevel(level)
    root.removeHandler(handler)
    handler.close()


@pytest.mark.process
@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
@pytest.mark.parametrize("place", ["environment", "keyring"])
def test_a_key_is_nowhere_after_playing(
    desk: Desk,
    oracle: Oracle,
    trouble: dict[str, object],
    place: str,
    logged: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(provider_factory, "SystemKeyring", lambda: Drawer(MY_KEY=CANARY))
    monkeypatch.setenv("TALEWRIGHT_DEBUG", "1")
    if place == "environment":
        monkeypatch.setenv("MY_KEY", CANARY)
    settle(desk, oracle)
    for name, value in trouble.items():
        setattr(oracle, name, value)
    told = [desk.run("play", *GAME, "--no-git", typed=SAID)]
    told += [desk.run("setup", "--base-url", oracle.url, "--model", "m", "--key", "MY_KEY")]
    told += [desk.run(*words) for words in (("doctor",), ("cost",), ("inspect", "1", "--json"))]
    assert any(f"Bearer {CANARY}" in headers.values() for headers in oracle.headers), "it was sent"
    assert all(CANARY not in str(asked) for asked in oracle.asked), "a prompt held it"
    assert "it is written" in logged.read_text()
    assert all(CANARY[10:] not in answer.out + answer.err for answer in told)
    assert list(find_canaries(tmp_path)) == []


@pytest.mark.process
def test_a_key_is_shown_by_no_command(
    desk: Desk, oracle: Oracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", CANARY)
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setattr(provider_factory, "SystemKeyring", Drawer)
    serve_at(monkeypatch, oracle.url)
    settle(desk, oracle)
    assert desk.run("play", *GAME, typed=SAID).code == 0
    for words in REST:
        answer = desk.run(*words)
        assert CANARY[10:] not in answer.out + answer.err, words
    assert {words[0] for words in REST} == set(COMMANDS) - {"play", "setup"}
    assert list(find_canaries(tmp_path)) == []


def test_a_crash_in_the_engine_does_not_show_it(
    desk: Desk, oracle: Oracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> object:
        raise ZeroDivisionError("in the middle of it")

    monkeypatch.setenv("MY_KEY", CANARY)
    monkeypatch.setenv("TALEWRIGHT_DEBUG", "1")
    monkeypatch.setattr(provider_factory, "SystemKeyring", Drawer)
    monkeypatch.setattr("talewright.providers.openai_wire.openai_provider.write_request", crash)
    settle(desk, oracle)
    told = desk.run("play", *GAME, "--no-git", typed=SAID)
    assert "Something went wrong" in told.out
    assert CANARY[10:] not in told.out + told.err
    monkeypatch.setattr(model_trial, "make_provider", crash)
    with pytest.raises(ZeroDivisionError) as caught:
        desk.run("setup", "--base-url", oracle.url, "--model", "m", "--key", "MY_KEY")
    shown = str(caught.getrepr(style="short", showlocals=False))
    assert CANARY[10:] not in shown
    assert list(find_canaries(tmp_path)) == []


@pytest.mark.process
def test_the_secret_of_the_dice_is_in_its_own_file_alone(
    desk: Desk, oracle: Oracle, logged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_factory, "SystemKeyring", Drawer)
    monkeypatch.setenv("TALEWRIGHT_DEBUG", "1")
    monkeypatch.setenv("MY_KEY", CANARY)
    serve_at(monkeypatch, oracle.url)
    settle(desk, oracle)
    told = [desk.run("play", *GAME, typed=SAID)]
    file = desk.home / "saves" / "lantern_road-1" / "secret"
    secret = file.read_text().split()[0]
    assert len(bytes.fromhex(secret)) == 32
    # Only `verify --reveal` shows it, and that is what it is for.
    told += [desk.run(*words) for words in REST if words != ("verify", "--reveal")]
    told += [desk.run("export", "--format", form) for form in ("html", "md")] + [desk.run("verify")]
    assert all(secret not in answer.out + answer.err for answer in told)
    assert oracle.asked
    assert all(secret not in str(asked) for asked in oracle.asked), "a prompt held it"
    assert "it is written" in logged.read_text()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if secret.encode() in path.read_bytes()] == [file]


def test_the_search_finds_a_canary(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_text(f"x{CANARY}y")
    assert list(find_canaries(tmp_path)) == [str(tmp_path / "a" / "file")]
