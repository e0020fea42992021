"""An older version of Talewright beside this one: its tree comes from the history, and its commands are run.

Both versions run on the same servers, with the same home folder, and with the libraries of this environment.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

import httpx

from talewright_testkit.servers.server_process import find_port
from tests.hosting.chaos.chaos_host import GAME, GAME_FILES, KEY, MODEL_KEY, OWNER, TOKEN
from tests.plays.stage import ROOT
from tests.tar_archives import unpack

OLD_COMMIT = "6fd4db860fdf564d54fa224e6f8c35d225f001d5"
"""The last commit of engine 3."""

START_SECONDS_MAX = 180.0
STOP_SECONDS_MAX = 60.0


def unpack_old_tree(folder: Path) -> Path | None:
    """The sources of the older version; None if the history does not have them."""
    git = shutil.which("git")
    if git is None:
        return None
    made = subprocess.run([git, "archive", OLD_COMMIT, "src"], cwd=ROOT, capture_output=True, check=False)
    if made.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        unpack(archive, folder)
    return folder / "src"


@dataclass
class VersionedHost:
    """Nodes and workers of two versions on the same servers."""

    folder: Path
    sources: Mapping[str, Path]
    """By the name of a version."""

    environment: Mapping[str, str]
    started: list["subprocess.Popen[str]"] = field(default_factory=list)

    def start_worker(self, version: str) -> "subprocess.Popen[str]":
        """Start a worker."""
        return self._start(version, "worker", "--drain-seconds", "20")

    def start_node(self, version: str) -> str:
        """Start a node; returns its address."""
        port = find_port()
        node = self._start(version, "serve", "--hosted", "--bind", f"127.0.0.1:{port}", "--owner", OWNER)
        until = monotonic() + START_SECONDS_MAX
        url = f"http://127.0.0.1:{port}"
        while True:
            with suppress(httpx.TransportError):
                httpx.get(f"{url}/api/games", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
                return url
            assert node.poll() is None, self.log
            assert monotonic() < until, self.log
            sleep(0.05)

    def _start(self, version: str, *words: str) -> "subprocess.Popen[str]":
        with (self.folder / "log").open("a", encoding="utf-8") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "talewright", *words],
                cwd=self.folder,
                env={**os.environ, **self.environment, "PYTHONPATH": str(self.sources[version])},
                stdout=log,
                stderr=log,
                text=True,
            )
        self.started.append(process)
        return process

    @property
    def log(self) -> str:
        """What all processes have printed."""
        return (self.folder / "log").read_text(encoding="utf-8")


@contextmanager
def versioned_host(
    folder: Path, old: Path, database_url: str, redis_url: str, provider_url: str
) -> Iterator[VersionedHost]:
    """Such a host, without a process yet; all are killed at the end."""
    game = folder / "games" / GAME
    game.mkdir(parents=True)
    for name, text in GAME_FILES.items():
        (game / name).write_text(text, encoding="utf-8")
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "TALEWRIGHT_SEALING_KEYS": KEY,
        "TALEWRIGHT_TOKEN": TOKEN,
        "TALEWRIGHT_MODEL": "local/m",
        "TALEWRIGHT_BASE_URL": f"{provider_url}/v1",
        "TALEWRIGHT_API_KEY": MODEL_KEY,
        "TALEWRIGHT_MODEL_SERVERS": f"{provider_url}=127.0.0.1",
        "TALEWRIGHT_HOME": str(folder),
        "HOME": str(folder),
    }
    host = VersionedHost(folder, {"old": old, "new": ROOT / "src"}, environment)
    try:
        yield host
    finally:
        for process in host.started:
            process.kill()
            process.wait(STOP_SECONDS_MAX)
