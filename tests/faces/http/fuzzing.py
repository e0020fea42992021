"""schemathesis against a server process: examples, edge cases, generated requests, and sequences of them.

Most requests name campaigns, games and turns that exist, so that they come past the first check. The news are
left out: their stream does not end.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from tests.faces.http.serving import HEADERS, TOKEN, ServerProcess, serve_process

GAME = "mist_harbor"
CAMPAIGNS = ("mist_harbor-1", "mist_harbor-2")
VICTIMS = ("victim-1", "victim-2")
"""Campaigns that may be removed."""

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "ignored_auth",
    "unsupported_method",
    "allow_header_conformance",
    "use_after_free",
)
LEFT_OUT = "/api/campaigns/{campaign}/news"
ALL_PHASES = ("examples", "coverage", "fuzzing", "stateful")


def play_before(server: ServerProcess) -> Mapping[str, Sequence[str]]:
    """Play a little; the names that requests may use."""
    heads, choices = [], []
    with httpx.Client(base_url=server.url, headers=HEADERS, timeout=60) as client:
        for name in (*CAMPAIGNS, *VICTIMS):
            begun = client.post("/api/campaigns", json={"game": GAME, "language": "en", "name": name})
            assert begun.status_code == 201, begun.text
            opening = begun.headers["talewright-opening"]
            place = f"/api/campaigns/{name}"
            ended = client.get(f"{place}/operations/{opening}", params={"wait": 30})
            assert ended.status_code == 200, ended.text
            view = client.get(f"{place}/view").json()
            heads.append(view["head"])
            choices += [one["id"] for one in view["choices"]]
            client.put(f"{place}/marks/start")
    return {
        "campaigns": CAMPAIGNS,
        "victims": VICTIMS,
        "games": (GAME, "chapel_watch"),
        "turns": (*heads, "main"),
        "choices": choices,
        "branches": ("main", "branch-1"),
        "marks": ("start",),
        "variables": ("gold", "energy"),
    }


def write_config(names: Mapping[str, Sequence[str]]) -> str:
    """The settings of schemathesis."""
    bound = {
        "path.campaign": "campaigns",
        "body.campaign": "campaigns",
        "path.game": "games",
        "body.game": "games",
        "path.commit": "turns",
        "body.commit": "turns",
        "query.one": "turns",
        "query.other": "turns",
        "query.before": "turns",
        "body.base": "turns",
        "body.choice": "choices",
        "body.branch": "branches",
        "body.mark": "marks",
        "path.variable": "variables",
    }
    lines = [f"[dictionaries.{name}]\nvalues = {json.dumps(list(words))}\n" for name, words in names.items()]
    lines.append("[parameters]")
    lines += [f'"{where}" = {{ dictionary = "{name}", probability = 0.8 }}' for where, name in bound.items()]
    lines.append('[[operations]]\ninclude-name = "DELETE /api/campaigns/{campaign}"')
    lines.append('parameters = { "path.campaign" = { dictionary = "victims" } }')
    return "\n".join(lines) + "\n"


def fuzz(seed: int, *options: str, phases: Sequence[str] = ALL_PHASES) -> subprocess.CompletedProcess[str]:
    """Run schemathesis; its exit code is 0 if every answer was as described."""
    with TemporaryDirectory() as folder, serve_process(saves=str(Path(folder) / "saves")) as server:
        config = Path(folder) / "schemathesis.toml"
        config.write_text(write_config(play_before(server)))
        return subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                f"--config-file={config}",
                "run",
                f"{server.url}/api/openapi.json",
                f"--header=Authorization: Bearer {TOKEN}",
                f"--exclude-path={LEFT_OUT}",
                f"--checks={','.join(CHECKS)}",
                f"--phases={','.join(phases)}",
                f"--seed={seed}",
                "--request-timeout=90",
                "--workers=1",
                "--warnings=off",
                *options,
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
