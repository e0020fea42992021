"""Pacing: which tests `make test` leaves out, a guard against others like them, their costs and their order.

Tests that start a process, a browser or a host, or that need more than two seconds, are marked: in their
file, or here by the fixtures they use. Folders that took long the last time come first, so that in the end no
worker has to wait for one of them. Nothing here changes what a test checks.
"""

import json
import os
import sys
import time
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

MARKERS = ("process", "browser", "hosted", "slow")
"""Their meanings are in `pyproject.toml`."""

MARKED_FIXTURES = {
    "postgres_server": "hosted",
    "redis_server": "hosted",
    "browser": "browser",
    "model_url": "process",
}
"""Whatever uses one of these, directly or not, gets its marker."""

SLOW_SECONDS = 2.0
"""Processor time from which a test should be marked; time on the clock depends on what else is running."""

SHOWN_MAX = 30
"""How many slow tests without a marker are listed."""

STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
"""What Python's audit hooks call the start of a process."""

PROBES = frozenset({"cc", "file", "gcc", "ld", "ldconfig", "objdump", "uname"})
"""Programs with which `platform` and `ctypes` ask about the system, when some library is first imported."""

KEPT = Path(__file__).parents[1] / "bench" / "results" / "test_durations.json"
"""What each folder cost the last time it was recorded."""

FOLDER_DEPTH = 3
"""How far down folders are told apart: `tests/faces/tui`."""

COST = "cost"
"""The property by which the cost of a test reaches the process that reports."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one test needed: seconds in all, fixtures included, and seconds of its own."""

    processor: float
    wall: float
    own_processor: float
    marked: bool


@dataclass(slots=True)
class Running:
    """The test that is running."""

    processor: float
    wall: float
    own_processor: float = 0.0
    started: list[str] = field(default_factory=list)
    """The processes it has started."""


def is_marked(item: pytest.Item) -> bool:
    """Whether `make test` leaves a test out."""
    return any(item.get_closest_marker(name) for name in MARKERS)


def mark_all(items: Iterable[pytest.Item]) -> None:
    """Give every test the markers of its fixtures, and measure no coverage in slow ones.

    Measuring doubles what a test costs. Slow ones repeat a lot; quick ones must cover what they pass through.
    """
    for item in items:
        for fixture in MARKED_FIXTURES.keys() & getattr(item, "fixturenames", ()):
            item.add_marker(MARKED_FIXTURES[fixture])
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")


def folder_of(test: str) -> str:
    """The folder of a test, for costs: its file, or one of the folders above it."""
    return "/".join(Path(test.partition("::")[0]).parts[:FOLDER_DEPTH])


def read_folder_seconds(kept: Path = KEPT) -> dict[str, float]:
    """Seconds by folder, as they were recorded; nothing if none were."""
    if not kept.is_file():
        return {}
    return {folder: cost["wall"] for folder, cost in json.loads(kept.read_text("utf-8"))["folders"].items()}


def put_long_folders_first(items: list[pytest.Item], seconds: dict[str, float]) -> None:
    """Order tests by the seconds of their folders; a folder stays together, and so do its shared fixtures."""
    items.sort(key=lambda item: -seconds.get(folder_of(item.nodeid), 0.0))


def processor_seconds() -> float:
    """Processor time of this process and of those it has started and seen end."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


class Pace:
    """The plugin: measures every test, and fails a test without a marker that starts a process."""

    def __init__(self, costs_file: Path | None) -> None:
        self.costs_file = costs_file
        self.running: Running | None = None
        """Nothing outside of pytest's own loop, such as in mutation testing."""

        self.costs: dict[str, Cost] = {}
        """By test, in the process that reports."""

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Be an audit hook. Python has no way to remove one."""
        if event in STARTS and self.running is not None:
            command = arguments[1] if event == "subprocess.Popen" else event
            program = command if isinstance(command, str) else os.fsdecode(command[0])
            if Path(program.partition(" ")[0]).name not in PROBES:
                self.running.started.append(program)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure a test with its fixtures."""
        self.running = Running(processor_seconds(), time.perf_counter())
        try:
            return (yield)
        finally:
            self.running = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """Measure a test without its fixtures."""
        before = processor_seconds()
        try:
            return (yield)
        finally:
            if self.running is not None:
                self.running.own_processor = processor_seconds() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail a test without a marker that has started a process, and pass on what a finished test cost."""
        report = yield
        if self.running is None:
            return report
        marked = is_marked(item)
        if self.running.started and not marked and report.passed:
            report.outcome = "failed"
            report.longrepr = (
                f"{item.nodeid} starts a process ({self.running.started[0]}) and has no marker; "
                f"`make test` is for tests that need none of {', '.join(MARKERS)}"
            )
            self.running.started.clear()
        if report.when == "teardown":
            seconds = (
                processor_seconds() - self.running.processor,
                time.perf_counter() - self.running.wall,
                self.running.own_processor,
            )
            report.user_properties.append((COST, [*(round(value, 3) for value in seconds), marked]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test cost, wherever it ran."""
        for name, value in report.user_properties:
            if name == COST and isinstance(value, list):
                self.costs[report.nodeid] = Cost(*value)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List slow tests without a marker. They fail nothing: how slow a test is depends on the machine."""
        slow = {
            name: cost.own_processor
            for name, cost in self.costs.items()
            if cost.own_processor > SLOW_SECONDS and not cost.marked
        }
        if slow:
            terminalreporter.section(f"over {SLOW_SECONDS:g} s of processor time and not marked as slow")
        for name, seconds in sorted(slow.items(), key=lambda pair: -pair[1])[:SHOWN_MAX]:
            terminalreporter.write_line(f"{seconds:6.1f} s  {name}")
        if self.costs_file is not None and self.costs:
            costs = {name: asdict(cost) for name, cost in self.costs.items()}
            self.costs_file.parent.mkdir(parents=True, exist_ok=True)
            self.costs_file.write_text(json.dumps(costs))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say where the costs go, if anywhere."""
    parser.addoption("--costs", type=Path, help="write what every test cost to this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Measure from here on."""
    pace = Pace(config.getoption("--costs"))
    sys.addaudithook(pace.hear)
    config.pluginmanager.register(pace, "pace")
