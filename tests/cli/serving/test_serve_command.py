"""`talewright serve`: its options, and what stops it before it serves."""

import re
import socket
from pathlib import Path

import pytest

from talewright.cli import main
from talewright.cli.serving import serve_command
from tests.warm_homes import warm


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "70000"], "expected a number from 0 to 65535"),
        (["--host", "0.0.0.0"], "unrecognized arguments: --host"),
        (["--token", "x"], "unrecognized arguments: --token"),
    ],
)
def test_wrong_options(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", *options])
    assert words in capsys.readouterr().err


def test_missing_packages_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve_command, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert "pip install 'talewright[server]'" in capsys.readouterr().err


def test_a_link_is_printed_without_the_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path)))
    monkeypatch.delenv("TALEWRIGHT_TOKEN", raising=False)
    assert main(["serve", "--link", "--port", "9000"]) == 0
    printed = capsys.readouterr().out
    assert re.fullmatch(r"http://127\.0\.0\.1:9000/login\?code=[A-Za-z0-9._-]+\n", printed)
    assert (tmp_path / "token").read_text().strip() not in printed


def test_a_port_that_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path)))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Choose another with --port." in told.err
