"""API keys: what a provider is shown, and where it is found: environment, `.env`, keyring.

A key is never part of a text by accident: whoever wants it must ask for it. Nothing here writes one down.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NoReturn, Protocol

from talewright.common.frozen_values import frozen
from talewright.config.environment import EnvironmentVariables

KEY_NAME = re.compile("[A-Z][A-Z0-9_]{0,63}")
"""How the name of a key is written: as a variable of the environment. No key of any vendor looks so."""

HIDDEN = "Key(hidden)"


class ApiKey:
    """A secret that shows itself to nobody who does not ask for it by name."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The key itself, for the one header it belongs into."""
        return self._text

    def __repr__(self) -> str:
        return HIDDEN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApiKey) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written down")


class KeyPlace(StrEnum):
    """Where a key may be found, in the order in which it is looked for."""

    ENVIRONMENT = "environment"
    DOTENV = ".env"
    KEYRING = "keyring"


EVERYWHERE = tuple(KeyPlace)


class Keyring(Protocol):
    """Where an operating system keeps secrets; names stand for keys."""

    @property
    def trouble(self) -> str:
        """Why it cannot be used, as a sentence; empty where it can."""

    def get(self, name: str) -> ApiKey | None:
        """The key of a name; None where there is none, or the keyring cannot be used."""

    def put(self, name: str, key: ApiKey) -> None:
        """Keep a key; a TalewrightError where that cannot be done."""


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
    """The key of a name in the first of the places that has it."""
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
