"""System plugins: loads the systems that installed packages register as entry points.

Built-in systems are registered the same way as third-party ones. Each is loaded on first use, so a game waits
only for its own systems. A system that cannot be loaded, has a different name than its entry point, lacks a
method or has tools with an unsupported schema raises an error with a hint.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from talewright.bootstrap.reports.entry_point_files import SYSTEMS_GROUP
from talewright.errors import TalewrightError
from talewright.kernel.system import System, check_system

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def load_systems(group: str = SYSTEMS_GROUP) -> Mapping[str, System]:
    """Every system of a group, by its name in `game.yaml`.

    The entry points are read once: installed packages do not change while a program runs.
    """
    return InstalledSystems(group)


class InstalledSystems(Mapping[str, System]):
    """Systems by name, in alphabetical order; each is loaded once, on first use."""

    def __init__(self, group: str) -> None:
        self._group = group
        self._loaded: dict[str, System] = {}

    @cached_property
    def _entries(self) -> "Mapping[str, EntryPoint]":
        # Searching all installed packages is slow, and a game without systems does not need it.
        from importlib.metadata import entry_points

        return {entry.name: entry for entry in entry_points(group=self._group)}

    def __getitem__(self, name: str) -> System:
        if name not in self._loaded:
            self._loaded[name] = _load(self._entries[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)


def _load(entry: "EntryPoint") -> System:
    try:
        system: System = entry.load()()
    except (ImportError, AttributeError) as error:
        raise TalewrightError(
            f"the system {entry.name!r} cannot be loaded: {error}",
            "Install what it needs, or uninstall the package that provides it.",
        ) from error
    if system.name != entry.name:
        raise TalewrightError(
            f"the system {entry.name!r} has the name {system.name!r} in its code",
            "Report this to its author, or uninstall the package that provides it.",
        )
    check_system(system)
    return system
