"""Installed reports: those of every installed system, without loading the systems that declare theirs.

A system declares its reports in a second group of entry points, under its name. Others are loaded and asked.
"""

import importlib
from collections.abc import Iterator

from talewright.bootstrap.reports.entry_point_files import SYSTEMS_GROUP, read_entry_points
from talewright.kernel.report_declarations import Report

REPORTS_GROUP = "talewright.reports"
"""The entry-point group in which packages declare the reports of their systems."""


def list_reports() -> Iterator[tuple[str, Report]]:
    """Every report of the installed systems, with the name of its system.

    A system that cannot be loaded has none; `talewright check` says why.
    """
    found = read_entry_points((SYSTEMS_GROUP, REPORTS_GROUP))
    for system in sorted(found[SYSTEMS_GROUP]):
        declared = found[REPORTS_GROUP].get(system)
        reports = _ask(system) if declared is None else _load(declared)
        yield from ((system, report) for report in reports)


def _load(declared: str) -> tuple[Report, ...]:
    """The reports in a module that a package names, such as `lantern.reports:REPORTS`."""
    module, _, name = declared.partition(":")
    try:
        reports: tuple[Report, ...] = getattr(importlib.import_module(module.strip()), name.strip())
    except (ImportError, AttributeError):
        return ()
    return reports


def _ask(system: str) -> tuple[Report, ...]:
    """The reports of a system that declares none; it is loaded for that."""
    from talewright.bootstrap.system_plugins import load_systems
    from talewright.errors import TalewrightError
    from talewright.kernel.system import HasReports

    try:
        loaded = load_systems()[system]
    except (TalewrightError, KeyError):
        return ()
    return loaded.reports() if isinstance(loaded, HasReports) else ()
