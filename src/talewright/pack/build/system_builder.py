"""The system builder: the systems that a game uses, their tools and files.

Systems are chosen by name from those installed; each parses its own files.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import partial

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import SourcePlace
from talewright.kernel.state.state_paths import Path, index_of
from talewright.kernel.system import AuthorFiles, AuthorYaml, System, Tool
from talewright.kernel.system.system_parts import check_system, sort_systems
from talewright.pack.build.game_settings import place_of_element
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder, decode, matches_pattern
from talewright.pack.files.yaml_nodes import BrokenError, ListNode, MapNode, Node, json_of
from talewright.pack.files.yaml_reader import NodeBudget, read_yaml
from talewright.pack.game_folders import RULEBOOK_FILE
from talewright.pack.schema.game_fields import GameSource


@frozen
class GameTools:
    """The tools available to a game."""

    on: Mapping[str, Tool] = field(default_factory=dict)
    """The tools of the game's systems."""

    installed: Mapping[str, System] = field(default_factory=dict)
    """Every installed system; loaded only if a tool is missing."""

    unsure: bool = False
    """Whether `systems` has a fault, which may be why a tool is missing."""

    offering: frozenset[str] = frozenset()
    """The roots of systems that offer choices to the player."""

    def find_owner(self, name: str) -> str:
        """The installed system that has a tool of this name; empty if there is none."""
        others = sort_systems(self.installed.values()).tools
        owners = (one.name for one in others if name in {tool.name for tool in one.tools({}, "en")})
        return next(owners, "")


def collect_game_tools(
    game: GameSource,
    chosen: Iterable[System],
    installed: Mapping[str, System],
    files: Mapping[str, AuthorFiles],
) -> GameTools:
    """The tools of a game; `files` are what each system parsed."""
    on: dict[str, Tool] = {}
    parts = sort_systems(chosen)
    for system in parts.tools:
        on.update({tool.name: tool for tool in system.tools(files.get(system.name, {}), game.language)})
    names = {system.name for system in parts.choices}
    offering = frozenset(
        root for one in parts.slots if one.name in names for root in one.slots(files.get(one.name, {}))
    )
    unsure = "systems" in game.broken or any(name not in installed for name in game.systems)
    return GameTools(on, installed, unsure, offering)


def choose_systems(
    game: GameSource, installed: Mapping[str, System], fault_list: FaultList, folder: GameFolder
) -> tuple[System, ...]:
    """The systems that a game uses; if it is only a rulebook, those that read it.

    Raises TalewrightError if the schema of a tool is not supported.
    """
    chosen: dict[str, System] = {}
    if folder.added:
        chosen = {name: one for name, one in installed.items() if reads_rulebook(one)}
    for number, name in enumerate(game.systems):
        if name in chosen:
            message, suggestion = f"`{name}` appears twice", "Delete one of the two."
            fault_list.report(
                FaultCode.DUPLICATE_ID, place_of_element(game, "systems", number), message, suggestion
            )
        elif name in installed:
            chosen[name] = installed[name]
        else:
            message = f"there is no system `{name}`"
            suggestion = fault_list.suggest(name, installed, "systems")
            if not installed:
                suggestion = (
                    "No system is installed: install the package that provides it, or delete it here."
                )
            fault_list.report(
                FaultCode.UNKNOWN_SYSTEM, place_of_element(game, "systems", number), message, suggestion
            )
    for system in chosen.values():
        check_system(system)
    has_rulebook = RULEBOOK_FILE in folder.files and not folder.added
    if has_rulebook and not any(map(reads_rulebook, chosen.values())):
        _report_unread_rulebook(installed, fault_list)
    return tuple(chosen.values())


def reads_rulebook(system: System) -> bool:
    """Whether a system reads the rulebook of a game."""
    readers = sort_systems([system]).author_files
    return any(matches_pattern(RULEBOOK_FILE, file.pattern) for one in readers for file in one.reads())


def _report_unread_rulebook(installed: Mapping[str, System], fault_list: FaultList) -> None:
    """Warn about a rulebook that has no effect."""
    readers = [name for name, system in installed.items() if reads_rulebook(system)]
    suggestion = "Rename it, or install a system that reads it."
    if readers:
        suggestion = f"Add `{readers[0]}` to `systems` in game.yaml, or rename the file."
    fault_list.remark(
        FaultCode.UNEXPECTED_FILE,
        SourcePlace(RULEBOOK_FILE),
        "no system of this game reads the rulebook",
        suggestion,
    )


def read_system_files(
    systems: Iterable[System], folder: GameFolder, fault_list: FaultList
) -> Mapping[str, AuthorFiles]:
    """What each system parsed from its files, as JSON by system and file."""
    read: dict[str, dict[str, Json]] = {}
    parts = sort_systems(systems)
    for system in parts.author_files:
        for reading in system.reads():
            for name, data in folder.files.items():
                text = decode(name, data, fault_list) if matches_pattern(name, reading.pattern) else None
                if text is None:
                    continue
                value, faults = reading.parse(text, name)
                read.setdefault(system.name, {})[name] = value
                for fault in faults:
                    fault_list.add(fault)
    budget = NodeBudget()
    for reader in parts.author_yaml:
        files = _parse_yaml(reader.yaml_patterns(), folder, fault_list, budget)
        if files is None:
            continue
        values, faults = reader.read_yaml(files)
        if values:
            read.setdefault(reader.name, {}).update(values)
        for fault in faults:
            fault_list.add(fault)
    for checker in parts.file_checks:
        for fault in checker.check_files(read.get(checker.name, {})):
            fault_list.add(fault)
    return read


def _parse_yaml(
    patterns: Iterable[str], folder: GameFolder, fault_list: FaultList, budget: NodeBudget
) -> Mapping[str, AuthorYaml] | None:
    """The YAML files that match; None if one of them is not valid YAML."""
    known = tuple(patterns)
    files: dict[str, AuthorYaml] = {}
    broken = False
    for name, data in folder.files.items():
        if not any(matches_pattern(name, pattern) for pattern in known):
            continue
        text = decode(name, data, fault_list)
        node = None if text is None else read_yaml(name, text, fault_list, budget)
        try:
            if node is not None:
                files[name] = AuthorYaml(json_of(node), partial(_locate, node))
        except BrokenError:
            node = None
        broken = broken or node is None
    return None if broken else files


def _locate(node: Node, path: Path) -> SourcePlace:
    """The place of the value at a path; of the nearest one above it, if there is none."""
    for key in path:
        if isinstance(node, MapNode) and key in node.entries:
            node = node.entries[key]
        elif isinstance(node, ListNode) and (index := index_of(key, len(node.items))) is not None:
            node = node.items[index]
        else:
            break
    return node.place
