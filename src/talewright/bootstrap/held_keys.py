"""Held keys: a keyring behind which a key is held for this run, where the system has none to keep it in.

What is held is in memory alone and gone with the program.
"""

from talewright.config.api_keys import ApiKey, Keyring


class HeldKeys:
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
