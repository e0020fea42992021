"""Two versions in chaos runs: workers of a later engine come and go beside those of this one.

What the later engine has played waits for it while it is gone; its players are refused, and try again. A
later version is a copy of this tree with the next number; an older one comes from the history of this
repository.
"""

import io
import math
import shutil
import subprocess
import tarfile
from pathlib import Path
from time import monotonic

from talewright.turn.engine_number import ENGINE_NUMBER
from tests.hosting.chaos.chaos_faults import Fault, Wrecker
from tests.hosting.chaos.chaos_host import HostProcess, Version
from tests.plays.stage import ROOT
from tests.tar_archives import unpack

LATER_WORKERS = 2
GONE = "later engine gone"
OLD_COMMIT = "6fd4db860fdf564d54fa224e6f8c35d225f001d5"
"""The last commit of engine 3."""

OLD_ENGINE = 3


def copy_later_version(folder: Path) -> Version:
    """This version with the next engine number, as an update would have it."""
    source = folder / "src"
    if not source.exists():
        shutil.copytree(ROOT / "src" / "talewright", source / "talewright")
        with (source / "talewright" / "turn" / "engine_number.py").open("a", encoding="utf-8") as file:
            file.write("\nENGINE_NUMBER += 1\n")
    return Version(ENGINE_NUMBER + 1, source)


def unpack_old_version(folder: Path) -> Version | None:
    """The older version, with the libraries of this environment; None if the history does not have it."""
    git = shutil.which("git")
    if git is None:
        return None
    made = subprocess.run([git, "archive", OLD_COMMIT, "src"], cwd=ROOT, capture_output=True, check=False)
    if made.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        unpack(archive, folder)
    return Version(OLD_ENGINE, folder / "src")


async def swap_versions(wrecker: Wrecker) -> None:
    """Every 2 to 8 seconds, a worker of the later engine comes or goes; sometimes an older one is killed."""
    host, rng = wrecker.host, wrecker.rng
    version = copy_later_version(host.folder / "later")
    later = [HostProcess(host, version=version) for _ in range(LATER_WORKERS)]
    wrecker.absences.append(Fault(GONE, monotonic(), math.inf))
    try:
        while True:
            await wrecker.pause(2, 8)
            one = rng.choice(later)
            if not one.is_running:
                await wrecker.strike("later worker came", one.start, one.wait_working)
                wrecker.absences[-1].ended = min(wrecker.absences[-1].ended, monotonic())
            elif rng.random() < 0.5:
                await wrecker.strike("later worker killed", one.kill)
            else:
                await wrecker.strike("later worker stopped", one.stop)
            if not any(one.is_running for one in later):
                wrecker.absences.append(Fault(GONE, monotonic(), math.inf))
            if rng.random() < 0.3:
                worker = rng.choice(host.workers)
                await wrecker.strike("worker killed", worker.kill, worker.start)
    finally:
        wrecker.absences[-1].ended = min(wrecker.absences[-1].ended, monotonic())
        for one in later:
            one.kill()
