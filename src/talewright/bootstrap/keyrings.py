"""Keyrings: the operating system's, and one that keeps keys in memory for this run only.

The `keyring` package is imported when a key is first looked up. Without it, keys come from the environment
only.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType

from talewright.config.api_keys import ApiKey, Keyring
from talewright.errors import TalewrightError

SERVICE = "talewright"
"""The service name of our keys in the keyring."""

MISSING = "the package keyring is not installed"
INSTALL = "Install it: pip install 'talewright[keyring]'. Or put the key in the environment."
SWITCHED_OFF = "the keyring is disabled and stores nothing"
PROBE = "talewright"
"""A name without a key, to test whether the keyring responds."""

NULL = "keyring.backends.null"
"""The package's null backend, which accepts everything and stores nothing."""

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "NoKeyringError": "no keyring runs on this system (on Linux: GNOME Keyring, KWallet or KeePassXC)",
        "KeyringLocked": "the keyring is locked",
        "InitError": "the keyring could not be opened",
        "PasswordSetError": "the keyring refused it",
    }
)
"""Explanations of the package's errors, by class name."""


def import_keyring() -> ModuleType | None:
    """Import the package; None if it is not installed."""
    try:
        import keyring
    except ImportError:
        return None
    return keyring


class SystemKeyring:
    """The keyring of the operating system."""

    def __init__(self, load: Callable[[], ModuleType | None] = import_keyring) -> None:
        self._load = load

    @property
    def trouble(self) -> str:
        """Why it cannot be used; empty if it can."""
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
        """The key with this name; None if there is none or the keyring cannot be used."""
        keyring = self._load()
        if keyring is None:
            return None
        try:
            text: str | None = keyring.get_password(SERVICE, name)
        except _failures(keyring):
            return None
        return ApiKey(text) if text else None

    def put(self, name: str, key: ApiKey) -> None:
        """Store a key."""
        keyring = self._load()
        if keyring is None:
            raise TalewrightError(MISSING, INSTALL)
        try:
            keyring.set_password(SERVICE, name, key.reveal())
        except _failures(keyring) as error:
            raise _not_kept(_describe(error), name) from None
        if self.get(name) != key:
            raise _not_kept("the keyring accepted it but does not return it", name)


def _failures(keyring: ModuleType) -> tuple[type[Exception], ...]:
    """What a keyring may raise: its own errors, and those of its backend."""
    own: type[Exception] = keyring.errors.KeyringError
    return own, RuntimeError, OSError


def _describe(error: Exception) -> str:
    # A backend's message might quote the key; the name of its class cannot.
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return next(
        (REASONS[kind] for kind in kinds if kind in REASONS), f"the keyring does not respond: {kinds[0]}"
    )


def _not_kept(reason: str, name: str) -> TalewrightError:
    return TalewrightError(
        f"the key was not stored: {reason}",
        f"Unlock or start the keyring of your system, or put the key in the environment variable {name}.",
    )


class TemporaryKeyring:
    """A keyring that also keeps keys in memory."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._held: dict[str, ApiKey] = {}

    @property
    def trouble(self) -> str:
        """Why keys cannot be stored; empty if they can."""
        return self._keyring.trouble

    def get(self, name: str) -> ApiKey | None:
        """The key with this name; one in memory takes precedence, because it was given last."""
        return self._held.get(name) or self._keyring.get(name)

    def put(self, name: str, key: ApiKey) -> None:
        """Store a key."""
        self._keyring.put(name, key)
        self._held.pop(name, None)

    def hold(self, name: str, key: ApiKey) -> None:
        """Keep a key in memory until the program ends."""
        self._held[name] = key
