"""Processes of `talewright serve`, for tests."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from talewright.bootstrap.serving.server_launcher import derive_secret, make_link
from talewright.config.access_token import AccessToken
from talewright.config.api_keys import ApiKey
from talewright.faces.http.guards.browser_login import name_server
from tests.warm_homes import warm

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-for-tests-0123456789"
STOP_SECONDS_MAX = 30


@dataclass
class ServeCommand:
    """A running server."""

    process: "subprocess.Popen[str]"
    token: str
    link: str
    errors: Path
    printed: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(re.findall(r"127\.0\.0\.1:(\d+)", self.link)[0])

    @property
    def url(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def name(self) -> str:
        """The host name under which browsers log in."""
        return name_server(derive_secret(AccessToken(ApiKey(self.token), "")), self.port)

    @property
    def origin(self) -> str:
        """The origin of its pages for a browser that is logged in."""
        return f"http://{self.name}:{self.port}"

    def browser(self, **headers: str) -> httpx.Client:
        """A client that names the server as a browser does."""
        return self.client("", Host=f"{self.name}:{self.port}", **headers)

    def make_link(self) -> str:
        """Another login link, as `talewright serve --link` prints it."""
        return make_link(self.port, {"TALEWRIGHT_TOKEN": self.token})

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """A client with a token, the owner's if none is given; without one if it is empty."""
        token = self.token if token is None else token
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers={**given, **headers}, timeout=60)

    def stop(self, signal: int) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        self.process.send_signal(signal)
        out, _ = self.process.communicate(timeout=STOP_SECONDS_MAX)
        self.printed.append(out)
        return self.process.returncode

    def everything_printed(self) -> str:
        """All output so far; the standard output is complete only after the end."""
        return "".join(self.printed) + self.errors.read_text()


@contextmanager
def serve_command(
    home: Path, *options: str, token: str = TOKEN, folder: Path | None = None, quotas: str = ""
) -> Iterator[ServeCommand]:
    """Run `talewright serve` in a folder until the block ends; a token of its own if none is given."""
    variables = {
        **os.environ,
        "TALEWRIGHT_HOME": str(warm(home)),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "TALEWRIGHT_QUOTAS": quotas,
    }
    variables.pop("TALEWRIGHT_TOKEN", None)
    if token:
        variables["TALEWRIGHT_TOKEN"] = token
    words = ["serve", "--no-browser", "--no-git", *([] if "--port" in options else ["--port", "0"])]
    with tempfile.NamedTemporaryFile("w", suffix=".errors") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "talewright", *words, *options],
            env=variables,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(2)]
            found = re.fullmatch(r"token: (\S+)\nlogin: (\S+) \(.*\)\n", "".join(lines))
            assert found is not None, (lines, Path(errors.name).read_text())
            yield ServeCommand(process, found[1], found[2], Path(errors.name), lines)
        finally:
            process.kill()
            process.communicate()


def begin_campaign(client: httpx.Client, game: str = "lantern_road") -> str:
    """Start a campaign and wait for its opening; returns its name."""
    begun = client.post("/api/campaigns", json={"game": game, "language": "en"})
    assert begun.status_code == 201, begun.text
    campaign = str(begun.json()["campaign"])
    opening = begun.headers["talewright-opening"]
    client.get(f"/api/campaigns/{campaign}/operations/{opening}", params={"wait": 30}).raise_for_status()
    return campaign
