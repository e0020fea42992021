"""The keyring with the real package `keyring`: backends that keep, refuse, lose, or are not there at all."""

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.compat import properties
from keyring.errors import InitError, KeyringLocked, PasswordDeleteError, PasswordSetError

from talewright.bootstrap.keyrings import PROBE, REASONS, SERVICE, SWITCHED_OFF, SystemKeyring, import_keyring
from talewright.config.api_keys import ApiKey, KeyPlace, find_key
from talewright.config.environment import EnvironmentVariables
from talewright.errors import TalewrightError

CANARY = "sk-canary-7f3a9c"
NAME = "OPENAI_API_KEY"


class Memory(KeyringBackend):
    """A keyring that keeps secrets as long as it lives."""

    def __init__(self, trouble: Exception | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the package has no types there
        self.kept: dict[tuple[str, str], str] = {}
        self.trouble = trouble

    @properties.classproperty
    def priority(self) -> float:
        # Never chosen by the package itself: no other test shall find it.
        raise RuntimeError("only for tests")

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("there is none")


class Shut(Memory):
    """A keyring that cannot even be looked into."""

    def get_password(self, service: str, username: str) -> str | None:
        assert self.trouble is not None
        raise self.trouble


@pytest.fixture(autouse=True)
def memory() -> Iterator[Memory]:
    """The keyring of the system, for the time of one test."""
    backend, before = Memory(), keyring.get_keyring()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def test_the_package_is_found() -> None:
    assert import_keyring() is keyring


@pytest.mark.filterwarnings("error")
def test_a_key_is_kept_found_changed_and_withdrawn(memory: Memory) -> None:
    ring = SystemKeyring()
    assert ring.trouble == ""
    assert ring.get(NAME) is None
    ring.put(NAME, ApiKey(CANARY))
    assert memory.kept == {(SERVICE, NAME): CANARY}
    assert ring.get(NAME) == ApiKey(CANARY)
    assert ring.get(PROBE) is None
    found = find_key(NAME, EnvironmentVariables({}), ring)
    assert found is not None
    assert (found.key, found.place) == (ApiKey(CANARY), KeyPlace.KEYRING)
    ring.put(NAME, ApiKey("sk-other"))
    assert ring.get(NAME) == ApiKey("sk-other")
    # As `keyring del talewright OPENAI_API_KEY` does it.
    keyring.delete_password(SERVICE, NAME)
    assert ring.get(NAME) is None


def test_without_any_keyring_on_the_system() -> None:
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]  # likewise
    ring = SystemKeyring()
    assert ring.trouble == REASONS["NoKeyringError"]
    assert ring.get(NAME) is None
    with pytest.raises(TalewrightError) as caught:
        ring.put(NAME, ApiKey(CANARY))
    assert caught.value.message == f"the key was not stored: {REASONS['NoKeyringError']}"
    assert caught.value.hint == (
        "Unlock or start the keyring of your system, or put the key in the environment variable "
        "OPENAI_API_KEY."
    )


def test_a_keyring_that_throws_everything_away() -> None:
    keyring.set_keyring(null.Keyring())  # type: ignore[no-untyped-call]  # likewise
    ring = SystemKeyring()
    assert ring.trouble == SWITCHED_OFF
    with pytest.raises(TalewrightError, match="does not return it") as caught:
        ring.put(NAME, ApiKey(CANARY))
    assert CANARY not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("error", [KeyringLocked(CANARY), InitError(CANARY), PasswordSetError(CANARY)])
def test_a_keyring_that_refuses(error: Exception) -> None:
    keyring.set_keyring(Memory(error))
    ring = SystemKeyring()
    assert ring.trouble == ""
    with pytest.raises(TalewrightError) as caught:
        ring.put(NAME, ApiKey(CANARY))
    assert caught.value.message == f"the key was not stored: {REASONS[type(error).__name__]}"
    assert caught.value.__cause__ is None
    assert CANARY not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("error", [KeyringLocked(CANARY), OSError(CANARY), RuntimeError(CANARY)])
def test_a_keyring_that_cannot_be_looked_into(error: Exception) -> None:
    keyring.set_keyring(Shut(error))
    ring = SystemKeyring()
    name = type(error).__name__
    assert ring.trouble == REASONS.get(name, f"the keyring does not respond: {name}")
    assert ring.get(NAME) is None
