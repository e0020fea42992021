"""Systems: the plugs that are installed under an entry-point group.

Built-in ones come the same way as a stranger's.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from talewright.errors import TalewrightError
from talewright.kernel.system import System


@cache
def load_systems(group: str) -> Mapping[str, System]:
    """Every system of a group, by the name `game.yaml` calls it."""
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
