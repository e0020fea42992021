"""Bootstrap: the one place where ports meet plugs.

Everything else is handed what it needs; here it is found and put together.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from talewright.errors import TalewrightError
from talewright.kernel.system import System

SYSTEMS_GROUP = "talewright.systems"
"""The entry-point group under which a package names the systems it brings."""


@cache
def installed_systems() -> Mapping[str, System]:
    """Every system that is installed, by the name `game.yaml` calls it."""
    found: dict[str, System] = {}
    for entry in sorted(entry_points(group=SYSTEMS_GROUP), key=lambda entry: entry.name):
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
