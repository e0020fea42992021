"""The keyring of the system: used where it is there, and no reason to stop where it is not."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from talewright.bootstrap.keyrings import (
    MISSING,
    NULL,
    SERVICE,
    SWITCHED_OFF,
    SystemKeyring,
    import_keyring,
)
from talewright.config.api_keys import ApiKey
from talewright.errors import TalewrightError

CANARY = "sk-canary-7f3a9c"


class KeyringError(Exception):
    """As the package calls it."""


class FakeKeyring(ModuleType):
    """The package, as far as we use it."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("keyring")
        self.errors = SimpleNamespace(KeyringError=KeyringError)
        self.kept: dict[tuple[str, str], str] = {}
        self.error = error

    def get_password(self, service: str, name: str) -> str | None:
        if self.error is not None:
            raise self.error
        return self.kept.get((service, name))

    def get_keyring(self) -> object:
        return self

    def set_password(self, service: str, name: str, text: str) -> None:
        if self.error is not None:
            raise self.error
        self.kept[service, name] = text


def test_a_key_is_kept_and_found() -> None:
    package = FakeKeyring()
    keyring = SystemKeyring(lambda: package)
    assert keyring.trouble == ""
    assert keyring.get("A") is None
    keyring.put("A", ApiKey(CANARY))
    assert keyring.get("A") == ApiKey(CANARY)
    assert package.kept == {(SERVICE, "A"): CANARY}


def test_without_the_package() -> None:
    keyring = SystemKeyring(lambda: None)
    assert keyring.trouble == MISSING
    assert keyring.get("A") is None
    with pytest.raises(TalewrightError, match=MISSING) as caught:
        keyring.put("A", ApiKey(CANARY))
    assert "pip install 'talewright[keyring]'" in caught.value.hint


@pytest.mark.parametrize("error", [KeyringError(CANARY), RuntimeError(CANARY), OSError(CANARY)])
def test_a_keyring_that_does_not_answer(error: Exception) -> None:
    keyring = SystemKeyring(lambda: FakeKeyring(error))
    name = type(error).__name__
    assert keyring.trouble == f"the keyring does not respond: {name}"
    assert keyring.get("A") is None
    with pytest.raises(TalewrightError) as caught:
        keyring.put("A", ApiKey(CANARY))
    # What a backend says may quote what it was given.
    assert caught.value.message == f"the key was not stored: the keyring does not respond: {name}"
    assert caught.value.__cause__ is None
    assert CANARY not in caught.value.hint


class Forgetful(FakeKeyring):
    """Takes everything and keeps nothing, as the package's own null keyring does."""

    def set_password(self, service: str, name: str, text: str) -> None:
        """It is gone."""

    def get_keyring(self) -> object:
        return type("Keyring", (), {"__module__": NULL})()


def test_a_keyring_that_keeps_nothing_is_not_believed() -> None:
    keyring = SystemKeyring(Forgetful)
    assert keyring.trouble == SWITCHED_OFF
    with pytest.raises(TalewrightError, match="the key was not stored: ") as caught:
        keyring.put("A", ApiKey(CANARY))
    assert CANARY not in caught.value.message + caught.value.hint


def test_the_package_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    package = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", package)
    assert import_keyring() is package
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert import_keyring() is None
