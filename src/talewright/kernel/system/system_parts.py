"""System parts: the systems of a game sorted by what they do, and the check that a system is complete.

It calls no system except to read its tools, patterns and computed slots.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from talewright.common.frozen_values import frozen
from talewright.common.json_schema import JsonSchema, SchemaError, read_schema
from talewright.errors import TalewrightError
from talewright.kernel.slots.slot_types import ComputedSlot
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system.system_files import AuthorFiles
from talewright.kernel.system.system_port import (
    HasAppraisals,
    HasArgumentMeanings,
    HasArgumentValues,
    HasAudits,
    HasAuthorFiles,
    HasAuthorYaml,
    HasChoices,
    HasComputedSlots,
    HasEditablePages,
    HasErrands,
    HasFileChecks,
    HasHeadings,
    HasHearing,
    HasMemories,
    HasNotes,
    HasPages,
    HasPanels,
    HasPhases,
    HasReach,
    HasReports,
    HasRetention,
    HasScenarios,
    HasSlots,
    HasStarters,
    HasTelling,
    HasTicks,
    HasTools,
    System,
)
from talewright.kernel.system.system_tools import Tool


@frozen
class SystemParts:
    """The systems of a game by what they do, each in the order of the game.

    Asking a system what it does takes much longer than a lookup here.
    """

    slots: tuple[HasSlots, ...]
    computed_slots: tuple[HasComputedSlots, ...]
    tools: tuple[HasTools, ...]
    argument_values: tuple[HasArgumentValues, ...]
    argument_meanings: tuple[HasArgumentMeanings, ...]
    ticks: tuple[HasTicks, ...]
    hearing: tuple[HasHearing, ...]
    phases: tuple[HasPhases, ...]
    notes: tuple[HasNotes, ...]
    choices: tuple[HasChoices, ...]
    panels: tuple[HasPanels, ...]
    appraisals: tuple[HasAppraisals, ...]
    author_files: tuple[HasAuthorFiles, ...]
    file_checks: tuple[HasFileChecks, ...]
    audits: tuple[HasAudits, ...]
    errands: tuple[HasErrands, ...]
    pages: tuple[HasPages, ...]
    editable_pages: tuple[HasEditablePages, ...]
    headings: tuple[HasHeadings, ...]
    memories: tuple[HasMemories, ...]
    retention: tuple[HasRetention, ...]
    reach: tuple[HasReach, ...]
    reports: tuple[HasReports, ...]
    starters: tuple[HasStarters, ...]
    telling: tuple[HasTelling, ...]
    author_yaml: tuple[HasAuthorYaml, ...]
    scenarios: tuple[HasScenarios, ...]


_PROTOCOLS: Mapping[str, type[System]] = {part.name: get_args(part.type)[0] for part in fields(SystemParts)}
"""Everything a system may do, by the name of its part."""


def sort_systems(systems: Iterable[System]) -> SystemParts:
    """Sort systems by what they do."""
    known = tuple(systems)
    # The type checker cannot see that each part gets the systems of its own protocol.
    parts: dict[str, Any] = {
        name: tuple(one for one in known if isinstance(one, kind)) for name, kind in _PROTOCOLS.items()
    }
    return SystemParts(**parts)


def check_system(system: System) -> None:
    """Reject a system that lacks a method it needs, or has a tool whose schema is not supported."""
    for protocol in _PROTOCOLS.values():
        members = [name for name in vars(protocol) if not name.startswith("_")]
        missing = [name for name in members if not _has(system, name, getattr(protocol, name))]
        if missing and (len(missing) < len(members) or isinstance(system, protocol)):
            raise TalewrightError(
                f"the system {system.name!r} lacks `{missing[0]}`, which {protocol.__name__} requires",
                "Ask its author to add it, or uninstall its package.",
            )
    check_tools(system)


def check_tools(system: System, files: AuthorFiles | None = None, languages: Sequence[str] = ("en",)) -> None:
    """Reject a system with a tool whose schema is not supported, or differs from one language to the next."""
    if not isinstance(system, HasTools):
        return
    first: dict[str, JsonSchema] = {}
    for language in languages:
        tools = {tool.name: _read(system, tool) for tool in system.tools(files or {}, language)}
        first = first or tools
        if tools != first:
            raise TalewrightError(
                f"the tools of the system {system.name!r} differ in {languages[0]} and {language}",
                "Only descriptions may depend on the language. Report this to the author of the system.",
            )


def file_patterns(systems: Iterable[System]) -> Iterator[str]:
    """The names of the author's files that systems read; `*` stands for any part of a name.

    Nothing is taken from `systems` before the first pattern is asked for.
    """
    parts = sort_systems(systems)
    for reader in parts.author_files:
        yield from (reading.pattern for reading in reader.reads())
    for yaml_reader in parts.author_yaml:
        yield from yaml_reader.yaml_patterns()


def collect_computed_slots(
    systems: Iterable[HasComputedSlots], files: Mapping[str, AuthorFiles]
) -> dict[Path, ComputedSlot]:
    """The computed values of all systems of a game.

    `files` are what each system parsed from the author's files, by the name of the system.
    """
    found: dict[Path, ComputedSlot] = {}
    for system in systems:
        # Every root belongs to one system, so no path can be there twice. Files that the author did not write
        # are missing.
        found.update(system.computed_slots(files.get(system.name, {})))
    return found


def _read(system: System, tool: Tool) -> JsonSchema:
    try:
        if tool.authored is not None:
            read_schema(tool.authored)
        return read_schema(tool.parameters)
    except SchemaError as error:
        raise TalewrightError(
            f"the tool {tool.name!r} of the system {system.name!r}: in its JSON Schema, {error.message}",
            "Ask its author to use only what docs/plug/systems.md lists, or uninstall its package.",
        ) from error


def _has(system: System, name: str, declared: object) -> bool:
    """Whether a system has a method of its own, not only the declaration it inherits."""
    return getattr(type(system), name, declared) is not declared
