"""Reports of installed systems: declared ones are listed without loading the system, others by asking it."""

import os
import subprocess
import sys

import pytest

from talewright.bootstrap import installed_systems
from talewright.bootstrap.reports.installed_reports import list_reports
from talewright.kernel.report_declarations import NO_REPORTS
from talewright.kernel.system import HasReports
from tests.bootstrap.test_system_plugins import Entry, fail, forget_systems, install
from tests.plugs.toll import Toll

__all__ = ["forget_systems"]
"""A fixture that every test here uses."""


def test_what_the_systems_declare_is_what_they_offer() -> None:
    declared = list(list_reports())
    systems = installed_systems()
    offered = [
        (name, report)
        for name, system in systems.items()
        for report in (system.reports() if isinstance(system, HasReports) else NO_REPORTS)
    ]
    assert declared == offered
    assert [report.name for _, report in declared] == ["rules", "rolls", "world"]


@pytest.mark.process
def test_listing_them_loads_no_system() -> None:
    code = (
        "import sys\n"
        "from talewright.bootstrap.reports.installed_reports import list_reports\n"
        "assert [report.name for _, report in list_reports()] == ['rules', 'rolls', 'world']\n"
        "print(*(name for name in ('dataclasses', 'importlib.metadata', 'talewright.kernel.system')"
        " if name in sys.modules))"
    )
    # A process whose coverage is measured imports dataclasses for that.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout == "\n"


def test_a_system_that_declares_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        monkeypatch,
        Entry("broken", fail(ImportError("no river"))),
        Entry("toll", lambda: Toll),
    )
    assert [(system, report.name) for system, report in list_reports()] == [
        ("toll", "prices"),
        ("toll", "crossings"),
    ]


def test_a_declaration_counts_and_one_that_cannot_be_read_lists_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = (Entry("toll", lambda: Toll), Entry("bridge", lambda: Toll), Entry("river", lambda: Toll))
    install(
        monkeypatch,
        *systems,
        reports={
            "toll": "talewright.systems.world.reports:REPORTS",
            "bridge": "talewright.nowhere:REPORTS",
            "river": "talewright.kernel.report_declarations:MISSING",
        },
    )
    assert [(system, report.name) for system, report in list_reports()] == [("toll", "world")]
