"""Client configurations: what to add to the settings of an assistant so that it starts our MCP server.

Each client has its own file and format. We write none of these files, and print no token: a server that a
client starts over standard input and output needs none.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json

SERVER_NAME = "talewright"
START_SECONDS_MAX = 300
"""How long a client waits for an answer, if its settings can say so."""


@frozen
class ServerCommand:
    """The command that a client runs."""

    name: str
    """How the client calls the server."""

    program: str
    """An absolute path: desktop programs often do not use your PATH."""

    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables: clients pass on few of their own."""


@frozen
class McpClient:
    """A client, and where its configuration is."""

    title: str
    place: str
    """The file, in words."""

    write: Callable[[ServerCommand], str]


def find_program(python: str, *, windows: bool = False) -> tuple[str, ...]:
    """The command `talewright` of this installation, with an absolute path."""
    script = Path(python).with_name("talewright.exe" if windows else "talewright")
    return (str(script),) if script.is_file() else (python, "-m", "talewright")


def _write_servers(command: ServerCommand) -> str:
    return _write_json({"mcpServers": {command.name: _entry(command)}})


def _write_typed_servers(command: ServerCommand) -> str:
    return _write_json({"mcpServers": {command.name: {"type": "stdio", **_entry(command)}}})


def _write_vscode(command: ServerCommand) -> str:
    return _write_json({"servers": {command.name: {"type": "stdio", **_entry(command)}}})


def _write_goose(command: ServerCommand) -> str:
    """YAML; every value is written as JSON, which YAML includes."""
    values: dict[str, Json] = {
        "name": command.name,
        "type": "stdio",
        "description": "Talewright: run or play a game whose rules are enforced",
        "cmd": command.program,
        "args": list(command.arguments),
        "envs": dict(command.variables),
        "timeout": START_SECONDS_MAX,
        "enabled": True,
    }
    lines = (f"    {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
    return "\n".join(("extensions:", f"  {command.name}:", *lines))


def _entry(command: ServerCommand) -> dict[str, Json]:
    entry: dict[str, Json] = {"command": command.program, "args": list(command.arguments)}
    return {**entry, "env": dict(command.variables)} if command.variables else entry


def _write_json(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


MCP_CLIENTS: Mapping[str, McpClient] = {
    "claude-desktop": McpClient(
        "Claude Desktop",
        "claude_desktop_config.json (Settings > Developer > Edit Config)",
        _write_servers,
    ),
    "claude-code": McpClient("Claude Code", ".mcp.json in your project's folder", _write_typed_servers),
    "vscode": McpClient(
        "VS Code", ".vscode/mcp.json, or what `MCP: Open User Configuration` opens", _write_vscode
    ),
    "cursor": McpClient("Cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in a project", _write_servers),
    "lm-studio": McpClient("LM Studio", "mcp.json (Program > Install > Edit mcp.json)", _write_servers),
    "goose": McpClient(
        "Goose",
        "~/.config/goose/config.yaml (on Windows %APPDATA%\\Block\\goose\\config\\config.yaml)",
        _write_goose,
    ),
}
"""The known clients, by the name on the command line."""


def make_arguments(
    start: Sequence[str], options: Mapping[str, str], *, git: bool = True
) -> tuple[str, tuple[str, ...]]:
    """The program and arguments that serve with these options."""
    given = [word for name, value in options.items() if value for word in (f"--{name}", value)]
    program, *rest = start
    return program, (*rest, "mcp", *given, *(() if git else ("--no-git",)))
