"""Keys: found by their name in the order that is promised, and shown to nobody."""

import copy
import json
import pickle
import traceback

import pytest

from talewright.config.api_keys import EVERYWHERE, KEY_NAME, ApiKey, FoundKey, KeyPlace, find_key
from talewright.config.environment import EnvironmentVariables

CANARY = "sk-canary-7f3a9c"


class Drawer:
    """A keyring in memory."""

    trouble = ""

    def __init__(self, **keys: str) -> None:
        self.keys = keys

    def get(self, name: str) -> ApiKey | None:
        return ApiKey(self.keys[name]) if name in self.keys else None

    def put(self, name: str, key: ApiKey) -> None:
        self.keys[name] = key.reveal()


def test_a_key_does_not_show_itself() -> None:
    key = ApiKey(CANARY)
    found = FoundKey(key, KeyPlace.KEYRING)
    for shown in (repr(key), str(key), f"{key}", f"{key!s:>40}", repr(found), repr([key]), repr({"k": key})):
        assert CANARY not in shown
    assert key.reveal() == CANARY


def test_a_key_is_not_written_down() -> None:
    with pytest.raises(TypeError, match="an API key cannot be pickled"):
        pickle.dumps(ApiKey(CANARY))
    with pytest.raises(TypeError):
        copy.copy(ApiKey(CANARY))
    with pytest.raises(TypeError):
        json.dumps({"key": ApiKey(CANARY)})
    assert not hasattr(ApiKey(CANARY), "__dict__")


def test_a_traceback_does_not_show_it() -> None:
    try:
        raise ValueError(ApiKey(CANARY), EnvironmentVariables({"K": CANARY}, {"K": CANARY}))
    except ValueError:
        assert CANARY not in traceback.format_exc()


def test_keys_are_equal_by_what_they_hold() -> None:
    assert ApiKey("a") == ApiKey("a")
    assert hash(ApiKey("a")) == hash(ApiKey("a"))
    assert ApiKey("a") != ApiKey("b")
    assert ApiKey("a") != "a"


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "A", "A1_B", "X" * 64])
def test_names_of_keys(name: str) -> None:
    assert KEY_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["", CANARY, "1A", "_A", "openai", "A-B", "A B", "X" * 65, "AIzaSyA1"])
def test_what_is_no_name_of_a_key(name: str) -> None:
    assert not KEY_NAME.fullmatch(name)


ALL = EnvironmentVariables({"A": "env"}, {"A": "file", "B": "file"})
DRAWER = Drawer(A="ring", B="ring", C="ring")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("A", FoundKey(ApiKey("env"), KeyPlace.ENVIRONMENT)),
        ("B", FoundKey(ApiKey("file"), KeyPlace.DOTENV)),
        ("C", FoundKey(ApiKey("ring"), KeyPlace.KEYRING)),
        ("D", None),
        ("", None),
    ],
)
def test_the_environment_comes_first_then_the_file_then_the_keyring(
    name: str, found: FoundKey | None
) -> None:
    assert find_key(name, ALL, DRAWER) == found
    assert (*EVERYWHERE,) == (KeyPlace.ENVIRONMENT, KeyPlace.DOTENV, KeyPlace.KEYRING)


def test_only_the_places_that_are_allowed_are_looked_into() -> None:
    assert find_key("A", ALL, DRAWER, (KeyPlace.DOTENV,)) == FoundKey(ApiKey("file"), KeyPlace.DOTENV)
    assert find_key("C", ALL, DRAWER, (KeyPlace.ENVIRONMENT, KeyPlace.DOTENV)) is None
    assert find_key("C", ALL, None) is None


def test_blanks_are_no_key_and_are_taken_off() -> None:
    blank = EnvironmentVariables({"A": "  ", "B": " b\n"}, {"A": "\t"})
    assert find_key("A", blank, Drawer(A=" ")) is None
    assert find_key("B", blank, None) == FoundKey(ApiKey("b"), KeyPlace.ENVIRONMENT)
