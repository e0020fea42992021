"""The keyring of the operating system, where the package `keyring` is installed.

It is loaded when a key is first looked for in it. Without it keys come from the environment alone.
"""

import importlib
from collections.abc import Callable
from types import ModuleType

from talewright.config.keys import Key
from talewright.errors import TalewrightError

SERVICE = "talewright"
"""Under which name the keyring keeps our keys."""

MISSING = "the package keyring is not installed"
INSTALL = "Install it: pip install 'talewright[keyring]'. Or put the key into the environment."


def import_keyring() -> ModuleType | None:
    """The package; None where it is not installed."""
    try:
        return importlib.import_module("keyring")
    except ImportError:
        return None


class SystemKeyring:
    """Keys in the keyring, by name."""

    def __init__(self, load: Callable[[], ModuleType | None] = import_keyring) -> None:
        self._load = load

    @property
    def trouble(self) -> str:
        """Why it cannot be used; empty where it can."""
        keyring = self._load()
        if keyring is None:
            return MISSING
        try:
            keyring.get_password(SERVICE, "")
        except _failures(keyring) as error:
            return f"the keyring does not answer: {_describe(error)}"
        return ""

    def get(self, name: str) -> Key | None:
        """The key of a name; None where there is none, or the keyring cannot be used."""
        keyring = self._load()
        if keyring is None:
            return None
        try:
            text: str | None = keyring.get_password(SERVICE, name)
        except _failures(keyring):
            return None
        return Key(text) if text else None

    def put(self, name: str, key: Key) -> None:
        """Keep a key."""
        keyring = self._load()
        if keyring is None:
            raise TalewrightError(MISSING, INSTALL)
        try:
            keyring.set_password(SERVICE, name, key.reveal())
        except _failures(keyring) as error:
            raise TalewrightError(
                f"the keyring did not take the key: {_describe(error)}",
                f"Unlock it, or put the key into the environment variable {name}.",
            ) from None


def _failures(keyring: ModuleType) -> tuple[type[Exception], ...]:
    """What a keyring may raise: its own errors, and those of the services behind it."""
    own: type[Exception] = keyring.errors.KeyringError
    return own, RuntimeError, OSError


def _describe(error: Exception) -> str:
    # The words of a backend might quote what it was given.
    return type(error).__name__
