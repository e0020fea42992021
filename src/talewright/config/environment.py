"""The environment: the variables we read, from the environment and from the file `.env`.

The file is never written, and its variables are not passed on to other programs. Every start loads this
module, so it imports little.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from talewright.common.frozen_values import frozen
from talewright.common.plain_files import read_plain
from talewright.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

MODEL = "TALEWRIGHT_MODEL"
"""The model to play with: a configured name, `service/model`, or `none`."""

NO_MODEL = "none"
"""The name that means no model: only the game's scenes are played."""

CHEAP_MODEL = "TALEWRIGHT_CHEAP_MODEL"
"""The same for background tasks and summaries."""

BASE_URL = "TALEWRIGHT_BASE_URL"
"""The address of the server for TALEWRIGHT_MODEL."""

API_KEY = "TALEWRIGHT_API_KEY"
"""The key for that address; no other key is ever sent there."""

TEMPERATURE = "TALEWRIGHT_TEMPERATURE"
MAX_OUTPUT_TOKENS = "TALEWRIGHT_MAX_OUTPUT_TOKENS"

DOTENV_VARIABLES = frozenset({MODEL, CHEAP_MODEL, BASE_URL, API_KEY, TEMPERATURE, MAX_OUTPUT_TOKENS})
"""The variables that a `.env` may set, besides API keys. The file may come with a folder that someone else
wrote, so it chooses neither tokens nor folders.
"""

FACE = "TALEWRIGHT_FACE"
"""Which face to open if the terminal could show more than one."""

PLAIN_FACE = "plain"
"""The value for plain lines of text."""

DOTENV_FILE = ".env"
DOTENV_BYTES_MAX = 65_536
"""Bytes read from a `.env`; a longer one is not meant for us."""

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")
_QUOTES = ('"', "'")


@frozen
class EnvironmentVariables:
    """Both sources; the environment takes precedence. They may contain keys, so nothing is ever shown."""

    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    dotenv: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> str:
        """The value of a variable; empty if it is not set."""
        return self.environment.get(name, "").strip() or self._read_dotenv(name)

    def in_dotenv(self, name: str) -> bool:
        """Whether the value of a variable comes from `.env`."""
        return not self.environment.get(name, "").strip() and bool(self._read_dotenv(name))

    def _read_dotenv(self, name: str) -> str:
        return self.dotenv.get(name, "").strip() if name in DOTENV_VARIABLES else ""


def gather_variables(environment: Mapping[str, str], folder: "Path") -> EnvironmentVariables:
    """Read the variables of the environment and of the `.env` in a folder."""
    return EnvironmentVariables(environment, read_dotenv(folder / DOTENV_FILE))


def read_dotenv(file: "Path") -> dict[str, str]:
    """The variables in a `.env`; empty if it cannot be read."""
    try:
        return parse_dotenv(read_plain(file, DOTENV_BYTES_MAX, follow=True).decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return {}


def parse_dotenv(text: str) -> dict[str, str]:
    """Parse lines of `NAME=value`, with or without quotes; nothing is substituted or executed."""
    found = {}
    for line in text.splitlines():
        matched = _LINE.fullmatch(line)
        if matched is not None:
            found[matched[1]] = _unquote(matched[2])
    return found


def _unquote(value: str) -> str:
    if value[:1] in _QUOTES:
        end = value.find(value[0], 1)
        if end > 0 and (end == len(value) - 1 or value[end + 1 :].lstrip().startswith("#")):
            return value[1:end]
    return value.partition(" #")[0].rstrip()


def read_number_variable(variables: EnvironmentVariables, name: str, high: float) -> float | None:
    text = variables.get(name)
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= high:
        raise SettingsError(f"{name} must be a number from 0 to {high:g}", "Change it or unset it.")
    return value


WHOLE_DIGITS_MAX = 18
"""Digits of a whole number in a variable."""


def read_whole_variable(variables: EnvironmentVariables, name: str) -> int | None:
    text = variables.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= WHOLE_DIGITS_MAX and int(text) > 0):
        raise SettingsError(f"{name} must be a whole number of 1 or more", "Change it or unset it.")
    return int(text)
