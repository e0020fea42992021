"""The table `[terminal]` of the settings: how a player likes the terminal face, as plain values by name.

Reading is light, for it comes before the first paint, and never fails: what cannot be read says nothing.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

TERMINAL = "terminal"
"""The name of the table."""

SETTINGS_BYTES_MAX = 1_000_000
"""Bytes of a settings file that are looked at."""

Liking: TypeAlias = str | bool


def read_terminal(file: Path) -> dict[str, Liking]:
    """What the table says; nothing where there is no file, no table or no TOML."""
    try:
        with file.open("rb") as stream:
            text = stream.read(SETTINGS_BYTES_MAX).decode("utf-8-sig")
        table = tomllib.loads(text).get(TERMINAL)
    except (OSError, ValueError):
        return {}
    if not isinstance(table, dict):
        return {}
    return {name: value for name, value in table.items() if isinstance(value, str | bool)}


def fit_liking(known: Mapping[str, Liking], found: Mapping[str, Liking]) -> dict[str, Liking]:
    """What was found of what is known, where it is of the same kind; the rest is left as it is known."""
    return {name: found[name] for name, usual in known.items() if type(found.get(name)) is type(usual)}
