"""System plugins: the systems that packages name under the entry-point group of systems.

Built-in ones come the same way as a stranger's. One that cannot be loaded, or that calls itself otherwise
than its entry point does, is an error with a hint. Loaded late: looking for entry points takes its time.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from talewright.errors import TalewrightError
from talewright.kernel.system import System

SYSTEMS_GROUP = "talewright.systems"
"""The entry-point group under which a package names the systems it brings."""


@cache
def load_systems(group: str = SYSTEMS_GROUP) -> Mapping[str, System]:
    """Every system of a group, by the name `game.yaml` calls it.

    They are looked for once: what is installed does not change while a program runs.
    """
    found: dict[str, System] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
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
        found[entry.name] = system
    return found
