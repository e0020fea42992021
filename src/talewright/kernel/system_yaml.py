"""YAML files of a system: the port for systems whose authors write data instead of prose.

The engine parses the YAML, with its limits and its faults; the system only says what the data means. All of a
system's files arrive at once, so that it can compare them.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system import AuthorFiles, System


@frozen
class AuthorYaml:
    """One parsed YAML file."""

    value: Json
    """Its content; None if it is empty."""

    locate: Callable[[Path], SourcePlace]
    """Where a value is in the file, by its path; for a missing value, where its parent is."""


@runtime_checkable
class HasAuthorYaml(System, Protocol):
    """A system that reads YAML files of the author."""

    def yaml_patterns(self) -> tuple[str, ...]:
        """The files it reads, such as `world/*.yaml`."""

    def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        """What the files mean, as plain JSON by file name, and the faults found.

        `files` are those of the game that match the patterns, by name; there may be none. A file that is not
        valid YAML is reported by the engine, and then this is not called.
        """
