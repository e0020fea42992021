"""Builds what MCP clients install: an `.mcpb` bundle, and `server.json` for a registry; `make dist` runs it.

The bundle holds the wheel. A client that opens it gets Python and the other packages with uv, and starts
`talewright mcp`. Names and addresses come from `base-url` in `pyproject.toml`. While that is empty, both
files have those of an example, and must not be published.
"""

import hashlib
import json
import re
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatch_build import list_urls, name_server

ROOT = Path(__file__).parents[1]
EXAMPLE_BASE = "https://example.org/talewright"
"""Where the repository is, as long as `base-url` is empty."""

MANIFEST_VERSION = "0.4"
"""The first with servers that uv runs."""

SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
"""What a registry calls the format of `server.json`."""

ENTRY_POINT = "server/main.py"
MAIN = '''"""Starts the MCP server with all games."""

import sys

from talewright.cli import main

sys.exit(main(["mcp", *sys.argv[1:]]))
'''

TITLE = "Talewright"
SHORT_DESCRIPTION = "Your assistant narrates a game; the engine keeps the rules, the state and the dice."
"""At most 100 characters, for a registry."""

LONG_DESCRIPTION = (
    "Your assistant becomes the game master of a text game. It narrates; Talewright keeps the state, rolls "
    "the dice and decides whether each change is allowed. Six games are included, and the assistant can make "
    "new ones of a premise or of rules that you paste. Your campaigns are files on your machine."
)
PLATFORMS = ("darwin", "linux", "win32")
SOURCES = {"github.com": "github", "gitlab.com": "gitlab"}
"""What a registry calls the hosts of repositories."""

ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""Of every file in a bundle: its bytes do not depend on when it was built."""

ZIP_FILE_MODE = 0o100644 << 16

_PRE_RELEASE = re.compile(r"(?P<release>[0-9.]+?)\.?(?P<kind>a|b|rc|dev)(?P<number>[0-9]+)")


def read_project(root: Path = ROOT) -> dict[str, Any]:
    """`pyproject.toml`."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def find_base(project: Mapping[str, Any]) -> str:
    """The address of the repository, or that of the example."""
    base: str = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["base-url"]
    return base.rstrip("/") or EXAMPLE_BASE


def make_semantic(version: str) -> str:
    """A version of Python packages as a semantic version, such as 1.0.0-rc.1."""
    found = _PRE_RELEASE.fullmatch(version)
    return f"{found['release']}-{found['kind']}.{found['number']}" if found else version


def make_manifest(project: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The manifest of the bundle."""
    about, base = project["project"], find_base(project)
    urls = list_urls(base)
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": about["name"],
        "display_name": TITLE,
        "version": make_semantic(version),
        "description": SHORT_DESCRIPTION,
        "long_description": LONG_DESCRIPTION,
        "author": {"name": about["authors"][0]["name"], "url": base},
        "homepage": urls["Homepage"],
        "documentation": urls["Documentation"],
        "support": urls["Issues"],
        "license": about["license"],
        "keywords": about["keywords"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY_POINT,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY_POINT],
            },
        },
        # Which tools there are depends on the game.
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {
            "platforms": list(PLATFORMS),
            "runtimes": {"python": about["requires-python"]},
        },
    }


def make_bundle_project(project: Mapping[str, Any], version: str, wheel: str) -> str:
    """The `pyproject.toml` in the bundle: uv installs the wheel next to it."""
    name, python = project["project"]["name"], project["project"]["requires-python"]
    return (
        f'[project]\nname = "{name}-bundle"\nversion = "{version}"\nrequires-python = "{python}"\n'
        f'dependencies = ["{name}[mcp]"]\n\n[tool.uv.sources]\n{name} = {{ path = "{wheel}" }}\n'
    )


def write_bundle(wheel: Path, target: Path, root: Path = ROOT) -> Path:
    """Write the bundle of a wheel into a folder."""
    project, version = read_project(root), wheel.name.split("-")[1]
    files = {
        "LICENSE": (root / "LICENSE").read_bytes(),
        "manifest.json": _dump(make_manifest(project, version)),
        "pyproject.toml": make_bundle_project(project, version, wheel.name).encode(),
        ENTRY_POINT: MAIN.encode(),
        wheel.name: wheel.read_bytes(),
    }
    bundle = target / f"{project['project']['name']}-{version}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, ZIP_FILE_MODE
            opened.writestr(entry, data)
    return bundle


def make_server_document(project: Mapping[str, Any], version: str, bundle: Path) -> dict[str, Any]:
    """What a registry is told: the package on its index, and the bundle among the releases."""
    base, package = find_base(project), project["project"]
    (needed,) = package["optional-dependencies"]["mcp"]
    host = base.split("/")[2]
    transport = {"type": "stdio"}
    source = {"repository": {"url": base, "source": SOURCES[host]}} if host in SOURCES else {}
    return {
        "$schema": SERVER_SCHEMA,
        "name": name_server(base),
        "title": TITLE,
        "description": SHORT_DESCRIPTION,
        "version": make_semantic(version),
        "websiteUrl": base,
        **source,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": package["name"],
                "version": version,
                "runtimeHint": "uvx",
                "runtimeArguments": [{"type": "named", "name": "--with", "value": needed}],
                "packageArguments": [{"type": "positional", "value": "mcp"}],
                "transport": transport,
            },
            {
                "registryType": "mcpb",
                "identifier": f"{base}/releases/download/v{version}/{bundle.name}",
                "version": make_semantic(version),
                "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
                "transport": transport,
            },
        ],
    }


def write_server_document(bundle: Path, target: Path, root: Path = ROOT) -> Path:
    """Write `server.json` for a bundle into a folder."""
    project, version = read_project(root), bundle.stem.split("-")[1]
    document = target / "server.json"
    document.write_bytes(_dump(make_server_document(project, version, bundle)))
    return document


def _dump(value: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(value, indent=2, ensure_ascii=False)}\n".encode()
