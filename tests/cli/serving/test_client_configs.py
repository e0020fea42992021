"""`talewright mcp --print-config`: each client gets its own form, with a command that starts our server."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from talewright.cli import main
from talewright.cli.serving.client_configs import MCP_CLIENTS, ServerCommand, find_program, make_arguments

COMMAND = ServerCommand("talewright", "/opt/a b/talewright", ("mcp", "--game", 'x"y', "--saves", "雾"))


def read(client: str, text: str) -> Any:
    """The entry of our server, as the client reads it."""
    if client != "goose":
        whole = json.loads(text)
        (root,) = whole
        assert root == ("servers" if client == "vscode" else "mcpServers")
        (entry,) = whole[root].values()
        return entry
    lines = [line.strip().partition(": ") for line in text.splitlines()[2:]]
    assert text.splitlines()[0] == "extensions:"
    return {name: json.loads(value) for name, _, value in lines}


@pytest.mark.parametrize("client", MCP_CLIENTS)
def test_every_client_gets_its_own_form(client: str) -> None:
    entry = read(client, MCP_CLIENTS[client].write(COMMAND))
    program, arguments = ("cmd", "args") if client == "goose" else ("command", "args")
    assert entry[program] == COMMAND.program
    assert entry[arguments] == list(COMMAND.arguments)
    assert entry.get("type", "stdio") == "stdio"
    assert ("type" in entry) == (client in ("claude-code", "vscode", "goose"))


def test_the_program_of_this_installation_is_named_with_its_whole_path(tmp_path: Path) -> None:
    python = tmp_path / "python"
    assert find_program(str(python)) == (str(python), "-m", "talewright")
    (tmp_path / "talewright").write_text("")
    assert find_program(str(python)) == (str(tmp_path / "talewright"),)
    assert find_program(str(python), windows=True) == (str(python), "-m", "talewright")
    assert make_arguments(("py", "-m", "talewright"), {"game": "solo", "campaign": ""}, git=False) == (
        "py",
        ("-m", "talewright", "mcp", "--game", "solo", "--no-git"),
    )


@pytest.mark.parametrize("client", MCP_CLIENTS)
def test_the_printed_command_is_one_that_we_understand(
    client: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TALEWRIGHT_TOKEN", "a-token-that-is-not-to-be-printed")
    asked = ["mcp", "--game", "mist_harbor", "--role", "player", "--language", "en", "--print-config", client]
    assert main(asked) == 0
    printed = capsys.readouterr()
    assert MCP_CLIENTS[client].place in printed.err
    assert "not-to-be-printed" not in printed.out + printed.err
    entry = read(client, printed.out.strip())
    words = entry["args"][entry["args"].index("mcp") :]
    assert words[:7] == ["mcp", "--game", "mist_harbor", "--role", "player", "--language", "en"]
    assert Path(words[words.index("--saves") + 1]).is_absolute()
    variables = entry["envs" if client == "goose" else "env"]
    assert variables == {"TALEWRIGHT_HOME": str(tmp_path / "home")}


def test_a_folder_of_a_game_is_named_with_its_whole_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["mcp", "--game", "mine", "--saves", "kept", "--print-config", "cursor"]) == 0
    words = read("cursor", capsys.readouterr().out)["args"]
    assert words[words.index("--game") + 1] == str(tmp_path / "mine")
    assert words[words.index("--saves") + 1] == str(tmp_path / "kept")


def test_a_server_with_http_is_not_started_by_a_client(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--game", "solo", "--http", "--print-config", "cursor"]) == 2
    assert "leave out --http" in capsys.readouterr().err


@pytest.mark.process
def test_the_printed_command_starts_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["mcp", "--game", "mist_harbor", "--saves", str(tmp_path), "--no-git"]
    assert main([*asked, "--print-config", "claude-code"]) == 0
    entry = read("claude-code", capsys.readouterr().out)
    # Without a client there is no message, and the server ends.
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert sys.executable.rpartition("/")[0] in entry["command"]
