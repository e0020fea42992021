"""Variables: what the environment and the file `.env` of the current folder say, by the names we read.

The file is read and never written. What stands in it is used here and is not handed on to other programs.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DOTENV_FILE = ".env"
DOTENV_BYTES_MAX = 65_536
"""Bytes of a `.env` that are read; a longer one is not ours."""

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*")
_QUOTES = ('"', "'")


@dataclass(frozen=True, slots=True)
class Variables:
    """Both sources; the environment comes first. Keys stand in them, so nothing of it is ever shown."""

    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    dotenv: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> str:
        """What a variable says; empty where it says nothing."""
        return self.environment.get(name, "").strip() or self.dotenv.get(name, "").strip()

    def in_dotenv(self, name: str) -> bool:
        """Whether what a variable says stands in `.env`."""
        return not self.environment.get(name, "").strip() and bool(self.dotenv.get(name, "").strip())


def gather_variables(environment: Mapping[str, str], folder: Path) -> Variables:
    """The variables of a program that runs in a folder."""
    return Variables(environment, read_dotenv(folder / DOTENV_FILE))


def read_dotenv(file: Path) -> dict[str, str]:
    """What a `.env` says; nothing where it cannot be read."""
    try:
        with file.open("rb") as stream:
            data = stream.read(DOTENV_BYTES_MAX + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return {}
    return {} if len(data) > DOTENV_BYTES_MAX else parse_dotenv(text)


def parse_dotenv(text: str) -> dict[str, str]:
    """`NAME=value` line by line, with or without quotes; nothing is substituted, nothing is run."""
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
