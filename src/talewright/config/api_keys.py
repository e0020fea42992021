"""API keys: finds them in the environment, in `.env` or in the keyring, and keeps them out of texts.

A key never becomes part of a text by accident: it must be revealed explicitly. Nothing here writes one.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NoReturn, Protocol

from talewright.common.frozen_values import frozen
from talewright.config.environment import EnvironmentVariables

KEY_NAME = re.compile("[A-Z][A-Z0-9_]{0,63}")
"""The format of a key's name: an environment variable. No vendor's keys look like this."""

HIDDEN = "Key(hidden)"


class ApiKey:
    """A secret that is shown only by `reveal`."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The key itself, for the request header."""
        return self._text

    def __repr__(self) -> str:
        return HIDDEN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApiKey) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an API key cannot be pickled")


class KeyPlace(StrEnum):
    """Where a key can be, in the order of the search."""

    ENVIRONMENT = "environment"
    DOTENV = ".env"
    KEYRING = "keyring"


EVERYWHERE = tuple(KeyPlace)


class Keyring(Protocol):
    """The operating system's store for secrets, by name."""

    @property
    def trouble(self) -> str:
        """Why it cannot be used; empty if it can."""

    def get(self, name: str) -> ApiKey | None:
        """The key with this name; None if there is none or the keyring cannot be used."""

    def put(self, name: str, key: ApiKey) -> None:
        """Store a key. Raises TalewrightError if that fails."""


@frozen
class FoundKey:
    """A key and where it was found."""

    key: ApiKey
    place: KeyPlace


def find_key(
    name: str,
    variables: EnvironmentVariables,
    keyring: Keyring | None,
    places: Sequence[KeyPlace] = EVERYWHERE,
) -> FoundKey | None:
    """Find a key by name, in the first place that has it."""
    if not name:
        return None
    for place in places:
        match place:
            case KeyPlace.ENVIRONMENT:
                text = variables.environment.get(name, "").strip()
            case KeyPlace.DOTENV:
                text = variables.dotenv.get(name, "").strip()
            case KeyPlace.KEYRING:
                kept = None if keyring is None else keyring.get(name)
                text = "" if kept is None else kept.reveal().strip()
        if text:
            return FoundKey(ApiKey(text), place)
    return None
