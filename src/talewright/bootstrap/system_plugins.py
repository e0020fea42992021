"""System plugins: the systems that packages name under the entry-point group of systems.

Built-in ones come the same way as a stranger's. Each is loaded when it is first asked for, so that a game
waits only for the systems it switches on. One that cannot be loaded, that calls itself otherwise than its
entry point does, or whose tools ask for what is not checked, is an error with a hint.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from talewright.errors import TalewrightError
from talewright.kernel.system import System, check_tools

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SYSTEMS_GROUP = "talewright.systems"
"""The entry-point group under which a package names the systems it brings."""


@cache
def load_systems(group: str = SYSTEMS_GROUP) -> Mapping[str, System]:
    """Every system of a group, by the name `game.yaml` calls it.

    They are looked for once: what is installed does not change while a program runs.
    """
    return InstalledSystems(group)


class InstalledSystems(Mapping[str, System]):
    """Systems by name, in alphabetical order; each is loaded once, at its first use."""

    def __init__(self, group: str) -> None:
        self._group = group
        self._loaded: dict[str, System] = {}

    @cached_property
    def _entries(self) -> "Mapping[str, EntryPoint]":
        # Looking through everything that is installed takes its time, and a game without systems needs none.
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
            "Install what it needs, or remove the package that brings it.",
        ) from error
    if system.name != entry.name:
        raise TalewrightError(
            f"the system {entry.name!r} calls itself {system.name!r}",
            "Ask whoever wrote it to give it one name, or remove the package that brings it.",
        )
    check_tools(system)
    return system
