"""`deploy/pin_images.sh`: it writes the digests of all images into the operator's `.env`.

No image is pulled: a script stands in for Docker.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.test_deploy_files import DEPLOY, VARIABLE

pytestmark = pytest.mark.process

DOCKER = """#!/bin/sh
echo "$@" >> "$HOME/asked"
case "$1" in
pull) test "$3" != "$MISSING" && echo "$3" ;;
image) test "$5" != "$UNNAMED" && echo "${5%%:*}@sha256:$DIGEST" ;;
esac
"""
DIGEST = "ab" * 32
SECRETS = "# Secret.\nPUBLIC_HOST=play.example.org\nREDIS_PASSWORD=abc\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of `deploy/` with an `.env`, and a Docker that knows one digest."""
    (tmp_path / "docker").write_text(DOCKER, "utf-8")
    (tmp_path / "docker").chmod(0o755)
    shutil.copytree(DEPLOY, tmp_path / "deploy", ignore=shutil.ignore_patterns(".env", "home"))
    (tmp_path / "deploy" / ".env").write_text(SECRETS, "utf-8")
    (tmp_path / "deploy" / ".env").chmod(0o600)
    return tmp_path


def pin(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    known = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "DIGEST": DIGEST}
    return subprocess.run(
        ["sh", "deploy/pin_images.sh"],
        cwd=folder,
        env=os.environ | known | {"MISSING": "", "UNNAMED": ""} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_image_of_the_compose_file_is_pinned(folder: Path) -> None:
    done = pin(folder)
    assert done.returncode == 0, done.stderr
    text = (folder / "deploy" / ".env").read_text("utf-8")
    assert text.startswith(SECRETS)
    pinned = dict(line.split("=", 1) for line in text.removeprefix(SECRETS).splitlines())
    compose = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert pinned.keys() == {one[1] for one in VARIABLE.finditer(compose) if one[1].endswith("_IMAGE")}
    assert pinned["POSTGRES_IMAGE"] == f"postgres@sha256:{DIGEST}"
    assert all(re.fullmatch(r"[a-z]+@sha256:[0-9a-f]{64}", image) for image in pinned.values())
    assert (folder / "deploy" / ".env").stat().st_mode & 0o777 == 0o600


def test_pinning_again_replaces_the_digests(folder: Path) -> None:
    pin(folder, DIGEST="cd" * 32)
    pin(folder)
    first = (folder / "deploy" / ".env").read_text("utf-8")
    assert "cdcd" not in first
    assert first.count("POSTGRES_IMAGE=") == 1
    # It looks up the tags of the compose file, not what was pinned before.
    assert "pull --quiet postgres:15\n" in (folder / "asked").read_text("utf-8")
    assert "pull --quiet postgres@" not in (folder / "asked").read_text("utf-8")


@pytest.mark.parametrize("trouble", ["MISSING", "UNNAMED"])
def test_if_one_image_is_not_found_nothing_changes(folder: Path, trouble: str) -> None:
    done = pin(folder, **{trouble: "redis:7"})
    assert done.returncode != 0
    assert "redis:7" in done.stderr
    assert (folder / "deploy" / ".env").read_text("utf-8") == SECRETS
    assert [file.name for file in (folder / "deploy").glob(".env*")] == [".env"]


def test_without_an_env_file_it_says_what_to_do(folder: Path) -> None:
    (folder / "deploy" / ".env").unlink()
    done = pin(folder)
    assert done.returncode != 0
    assert "example.env" in done.stderr
    assert not (folder / "asked").exists()
