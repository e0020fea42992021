"""System files: the author's files that a system reads, as prose or as YAML.

A system parses its prose files itself. The engine parses YAML, with its limits and its faults; the system
only says what the data means, and gets all of its files at once, so that it can compare them.

Values only: nothing is opened, parsed or written here.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.kernel.state.state_paths import Path

AuthorFiles: TypeAlias = Mapping[str, Json]
"""What a system parsed from the author's files, by file name."""


@frozen
class AuthorFileReader:
    """A parser for an author's file that a system reads."""

    pattern: str
    """Such as `System.md` or `System/*.md`."""

    parse: Callable[[str, str], tuple[Json, tuple[Fault, ...]]]
    """Takes the text and the file name; returns plain JSON and the faults found."""


@frozen
class AuthorYaml:
    """One parsed YAML file."""

    value: Json
    """Its content; None if it is empty."""

    locate: Callable[[Path], SourcePlace]
    """Where a value is in the file, by its path; for a missing value, where its parent is."""
