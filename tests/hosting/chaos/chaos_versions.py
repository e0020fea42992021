"""Two versions in chaos runs: workers of a later engine come and go beside those of this one.

What the later engine has played waits for it while it is gone; its players are refused, and try again.
"""

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass, field
from time import monotonic, sleep

from talewright.turn.engine_number import ENGINE_NUMBER
from tests.hosting.chaos.chaos_faults import Fault, Wrecker
from tests.hosting.chaos.chaos_host import START_SECONDS_MAX, STOP_SECONDS_MAX, ChaosHost
from tests.plays.stage import ROOT

LATER = ENGINE_NUMBER + 1
LATER_WORKERS = 2
GONE = "later engine gone"


@dataclass
class LaterWorker:
    """A worker of the later engine; it is no fork, because a fork would carry the number of this one."""

    host: ChaosHost
    process: "subprocess.Popen[bytes] | None" = None
    _known: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_running(self) -> bool:
        """Whether it was started, and not ended since."""
        return self.process is not None

    def start(self) -> None:
        """Start it, and wait until it works."""
        host = self.host
        self._known = host.list_working()
        options = {"engine": LATER, "environment": host.environment, "folder": str(host.folder)}
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hosting.engine_host"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "WORKER_OPTIONS": json.dumps(options)},
        )
        until = monotonic() + START_SECONDS_MAX
        while not host.list_working() - self._known:
            assert self.process.poll() is None, f"the later worker has ended: {host.log[-2000:]}"
            assert monotonic() < until, f"the later worker does not begin: {host.log[-2000:]}"
            sleep(0.1)

    def kill(self) -> None:
        """Kill -9; does nothing the second time."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """SIGTERM, and wait."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(STOP_SECONDS_MAX)
        self.process = None


async def swap_versions(wrecker: Wrecker) -> None:
    """Every 2 to 8 seconds, a worker of the later engine comes or goes; sometimes an older one is killed."""
    host, rng = wrecker.host, wrecker.rng
    later = [LaterWorker(host) for _ in range(LATER_WORKERS)]
    wrecker.absences.append(Fault(GONE, monotonic(), math.inf))
    try:
        while True:
            await wrecker.pause(2, 8)
            one = rng.choice(later)
            if not one.is_running:
                await wrecker.strike("later worker came", one.start)
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
