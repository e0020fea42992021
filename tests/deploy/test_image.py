"""The container image, built and run with podman: a node and a worker from it play a turn over HTTP.

It needs a base image with Python, which TALEWRIGHT_IMAGE_BASE names, and a package index. CONTRIBUTING.md
("The container image") says how to make one where none can be pulled. Without it, these tests are skipped.
"""

import asyncio
import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from talewright_testkit.servers.server_process import find_port
from tests.bootstrap.hosting.test_host_commands import add_owner
from tests.deploy.test_deploy_files import read_pins
from tests.deploy.test_hosting_pages import READY_LINES, play

ROOT = Path(__file__).parents[2]
BASE = os.environ.get("TALEWRIGHT_IMAGE_BASE", "")
IMAGE = "localhost/talewright-tested"
RUN_SECONDS_MAX = 60

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.timeout(1_200),
    pytest.mark.skipif(
        not BASE or shutil.which("podman") is None, reason="needs podman and TALEWRIGHT_IMAGE_BASE"
    ),
]


def podman(*arguments: str) -> str:
    """Run podman; returns what it prints."""
    done = subprocess.run(["podman", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def image() -> str:
    """The image of the working copy. Health checks need Docker's format."""
    base = ("--build-arg", f"PYTHON_IMAGE={BASE}", "--ignorefile", ".dockerignore")
    podman("build", "--format", "docker", *base, "--file", "deploy/Dockerfile", "--tag", IMAGE, ".")
    return IMAGE


def list_options(service: str) -> list[str]:
    """The restrictions that the compose file puts on a service."""
    settings: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    found = settings["services"][service]
    options = ["--read-only"] if found["read_only"] else []
    options += [f"--cap-drop={one}" for one in found["cap_drop"]]
    options += [f"--tmpfs={one}" for one in found["tmpfs"]]
    return options + [f"--security-opt={one.partition(':')[0]}" for one in found["security_opt"]]


@contextmanager
def container(
    image: str, service: str, environment: dict[str, str], *command: str
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A container of a service, in the network of this machine; its name and its process."""
    name = f"talewright-tested-{service}-{os.getpid()}"
    variables = [part for one, value in environment.items() for part in ("--env", f"{one}={value}")]
    options = [*list_options(service), "--network=host", "--rm", f"--name={name}", *variables]
    process = subprocess.Popen(
        ["podman", "run", *options, image, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        yield name, process
    finally:
        subprocess.run(["podman", "rm", "--force", "--ignore", name], capture_output=True, check=False)
        process.kill()
        process.communicate()


def read_line(process: "subprocess.Popen[str]") -> str:
    """The next line that a container prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_turn_is_played_on_a_host_from_the_image(image: str, database_url: str, redis_url: str) -> None:
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "TALEWRIGHT_SEALING_KEYS": "k1:" + "A" * 43 + "=",
    }
    # Both share this machine's network, and only one of them can have the port of the health check.
    working = environment | {"TALEWRIGHT_OPERATIONS_BIND": f"127.0.0.1:{find_port()}"}
    serve = ("serve", "--hosted", "--bind", "127.0.0.1:0", "--public-url", "https://play.example.org")
    token = asyncio.run(add_owner(database_url, "Ann"))
    with (
        container(image, "worker", working, "worker") as (worker, working_process),
        container(image, "node", environment, *serve) as (node, serving_process),
    ):
        first = read_line(serving_process)
        assert first.startswith(READY_LINES["serve"]), first
        assert read_line(working_process) == READY_LINES["worker"]
        asyncio.run(asyncio.wait_for(play("http://" + first.removeprefix("node: "), token), 90))
        podman("healthcheck", "run", node)
        for name in (node, worker):
            check_rights(name)
            podman("kill", "--signal=TERM", name)
        assert serving_process.wait(RUN_SECONDS_MAX) == 0
        assert working_process.wait(RUN_SECONDS_MAX) == 0


def check_rights(name: str) -> None:
    """It is not root, has no capabilities, gets no new ones, and cannot write to its image."""
    status = dict(line.split(":", 1) for line in podman("exec", name, "cat", "/proc/1/status").splitlines())
    assert status["Uid"].split() == ["10001"] * 4
    assert {int(status[kind], 16) for kind in ("CapEff", "CapPrm", "CapBnd")} == {0}
    assert status["NoNewPrivs"].strip() == "1"
    for folder in ("/", "/opt/talewright", "/var/lib/talewright"):
        tried = subprocess.run(
            ["podman", "exec", name, "touch", f"{folder}/written"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert tried.returncode != 0
        assert "Read-only file system" in tried.stderr


def test_the_bill_of_materials_lists_what_is_installed(image: str) -> None:
    read = ("run", "--rm", "--network=none", "--entrypoint")
    bill = json.loads(podman(*read, "cat", image, "/opt/talewright/sbom.cdx.json"))
    assert bill["bomFormat"] == "CycloneDX"
    listed = {f"{one['name'].lower()}=={one['version']}" for one in bill["components"]}
    installed = podman(
        *read,
        "python",
        image,
        "-c",
        "from importlib.metadata import distributions\n"
        "for one in distributions(): print(one.name.lower() + '==' + one.version)",
    )
    assert listed == set(installed.split())
    pinned = {one.replace("-", "_") for one in read_pins("hosted.txt")}
    ours = {one for one in listed if one.startswith("talewright==")}
    assert len(ours) == 1
    assert {one.replace("-", "_") for one in listed - ours} <= pinned
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert len(listed) > len(project["dependencies"])
