"""`talewright play --server`: the same text as on one machine, and where its token comes from."""

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright import bootstrap
from talewright.bootstrap.serving.remote_play import find_access
from talewright.cli import WRONG_USE, main
from talewright.errors import SettingsError
from tests.faces.http.serving import SECRET, TOKEN, ServerProcess, serve_process
from tests.warm_homes import warm

GAME = "mist_harbor"
TYPED = "1\n2\nxyzzy plugh\n/undo\n1\n/tree\n/mark here\n1\n/quit\n"


@pytest.fixture(scope="module", name="server")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serve_process(saves=str(tmp_path_factory.mktemp("saves"))) as server:
        yield server


@pytest.fixture(autouse=True)
def live_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path)))
    monkeypatch.setattr(bootstrap, "new_secret", lambda: SECRET)


def play(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *options: str
) -> str:
    """What is printed when this is typed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["play", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.process
def test_the_plain_face_prints_the_same(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = play(TYPED, capsys, monkeypatch, GAME, "--language", "en", "--no-git")
    monkeypatch.setenv("TALEWRIGHT_TOKEN", TOKEN)
    there = play(TYPED, capsys, monkeypatch, GAME, "--language", "en", "--server", server.url)
    *told, _, goodbye = here.splitlines()
    *told_there, _, goodbye_there = there.splitlines()
    # The receipts and ids of two campaigns differ; the rest is the same, line by line.
    assert len(told) == len(told_there)
    same = [line for line, other in zip(told, told_there, strict=True) if line == other]
    assert len(same) > len(told) * 0.9
    assert goodbye_there == f"{goodbye} --server {server.url}"
    again = play("/quit\n", capsys, monkeypatch, f"{GAME}-1", "--server", server.url)
    assert same[-2] in again or told_there[-2] in again


def test_a_server_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("talewright.bootstrap.serving.remote_play.FIRST_ANSWER_SECONDS", 0.1)
    monkeypatch.setenv("TALEWRIGHT_TOKEN", TOKEN)
    assert main(["play", "--server", "http://127.0.0.1:9"]) == WRONG_USE
    assert "does not answer: no connection" in capsys.readouterr().err


@pytest.mark.process
def test_a_wrong_token(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_TOKEN", "another-token-0123456789")
    assert main(["play", "--server", server.url]) == WRONG_USE
    shown = capsys.readouterr().err
    assert "did not prove that it knows your token, so the token was not sent" in shown
    assert "another-token" not in shown


@pytest.mark.parametrize("option", [["--saves", "x"], ["--model", "x"], ["--no-model"], ["--no-git"]])
def test_what_belongs_to_the_server_is_refused(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--server", "http://127.0.0.1:9", *option]) == WRONG_USE
    assert "cannot be used with --server" in capsys.readouterr().err


def test_the_token_comes_from_the_environment_the_file_or_the_user(tmp_path: Path) -> None:
    near, far = "http://localhost:1/", "https://tales.example"
    settings = {"TALEWRIGHT_HOME": str(tmp_path)}
    with pytest.raises(SettingsError, match="is not known"):
        find_access(near, settings)
    assert find_access(near, settings, lambda _: " typed-token ").token == "typed-token"
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    os.chmod(file, 0o600)
    assert find_access(near, settings).token == TOKEN
    # No other machine gets to see the token of this one.
    assert find_access(far, settings, lambda _: "typed-token").token == "typed-token"
    given = {**settings, "TALEWRIGHT_TOKEN": "given-token-0123456789"}
    for server in (near, far):
        assert find_access(server, given).token == "given-token-0123456789"
