"""Keyrings: that of the operating system, and one that has keys in memory for this run only.

The package `keyring` is loaded when a key is first looked for in it. Without it keys come from the
environment alone; what is in memory is gone with the program.
"""

import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType

from talewright.config.api_keys import ApiKey, Keyring
from talewright.errors import TalewrightError

SERVICE = "talewright"
"""Under which name the keyring keeps our keys."""

MISSING = "the package keyring is not installed"
INSTALL = "Install it: pip install 'talewright[keyring]'. Or put the key into the environment."
SWITCHED_OFF = "the keyring is switched off: what is put into it is thrown away"
PROBE = "talewright"
"""A name under which no key is kept: it is only asked whether anybody answers."""

NULL = "keyring.backends.null"
"""Where the package has the keyring that takes everything and keeps nothing."""

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "NoKeyringError": "no keyring runs on this system (on Linux: GNOME Keyring, KWallet or KeePassXC)",
        "KeyringLocked": "the keyring is locked",
        "InitError": "the keyring could not be opened",
        "PasswordSetError": "the keyring refused it",
    }
)
"""What the errors of the package mean, by their names."""


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
            keyring.get_password(SERVICE, PROBE)
            backend: object = keyring.get_keyring()
        except _failures(keyring) as error:
            return _describe(error)
        return SWITCHED_OFF if type(backend).__module__ == NULL else ""

    def get(self, name: str) -> ApiKey | None:
        """The key of a name; None where there is none, or the keyring cannot be used."""
        keyring = self._load()
        if keyring is None:
            return None
        try:
            text: str | None = keyring.get_password(SERVICE, name)
        except _failures(keyring):
            return None
        return ApiKey(text) if text else None

    def put(self, name: str, key: ApiKey) -> None:
        """Keep a key."""
        keyring = self._load()
        if keyring is None:
            raise TalewrightError(MISSING, INSTALL)
        try:
            keyring.set_password(SERVICE, name, key.reveal())
        except _failures(keyring) as error:
            raise _not_kept(_describe(error), name) from None
        if self.get(name) != key:
            raise _not_kept("the keyring took it, and does not give it back", name)


def _failures(keyring: ModuleType) -> tuple[type[Exception], ...]:
    """What a keyring may raise: its own errors, and those of the services behind it."""
    own: type[Exception] = keyring.errors.KeyringError
    return own, RuntimeError, OSError


def _describe(error: Exception) -> str:
    # The words of a backend might quote what it was given; its kind cannot.
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return next(
        (REASONS[kind] for kind in kinds if kind in REASONS), f"the keyring does not answer: {kinds[0]}"
    )


def _not_kept(reason: str, name: str) -> TalewrightError:
    return TalewrightError(
        f"the key is not kept: {reason}",
        f"Unlock or start the keyring of your system, or put the key into the environment variable {name}.",
    )


class TemporaryKeyring:
    """A keyring that also has what it was handed to hold."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._held: dict[str, ApiKey] = {}

    @property
    def trouble(self) -> str:
        """Why keys cannot be kept; empty where they can."""
        return self._keyring.trouble

    def get(self, name: str) -> ApiKey | None:
        """The key of a name: what is held comes first, for it was given last."""
        return self._held.get(name) or self._keyring.get(name)

    def put(self, name: str, key: ApiKey) -> None:
        """Keep a key."""
        self._keyring.put(name, key)
        self._held.pop(name, None)

    def hold(self, name: str, key: ApiKey) -> None:
        """Have a key until the program ends."""
        self._held[name] = key
