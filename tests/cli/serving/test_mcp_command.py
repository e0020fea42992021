"""`talewright mcp`: its options, and what stops it before it serves."""

import socket
from pathlib import Path

import pytest

from talewright.bootstrap.mcp_launcher import UnusablePortError, listen
from talewright.cli import main
from talewright.cli.serving import mcp_command
from tests.warm_homes import warm


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--game", "solo", "--campaign", "solo-1"], "not allowed with argument"),
        (["--game", "solo", "--role", "author"], "invalid choice"),
        (["--game", "solo", "--http", "--port", "70000"], "expected a number from 0 to 65535"),
        (["--game", "solo", "--token", "x"], "unrecognized arguments: --token"),
    ],
)
def test_wrong_options(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["mcp", *options])
    assert words in capsys.readouterr().err


def test_a_missing_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_command, "find_spec", lambda name: None)
    assert main(["mcp", "--game", "solo"]) == 2
    assert "pip install 'talewright[mcp]'" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--game", "nothing"], ["--campaign", "nothing"]])
def test_nothing_is_said_on_the_wire_before_it_serves(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path)))
    assert main(["mcp", *options]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "there is no" in told.err


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UnusablePortError, match="cannot be used"):
            listen("127.0.0.1", taken.getsockname()[1])
