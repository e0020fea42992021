"""Variables: the environment first, then a `.env` that is read line by line and never written."""

from pathlib import Path

import pytest

from talewright.config.access_token import TOKEN
from talewright.config.environment import (
    API_KEY,
    BASE_URL,
    CHEAP_MODEL,
    DOTENV_BYTES_MAX,
    DOTENV_VARIABLES,
    MAX_OUTPUT_TOKENS,
    MODEL,
    TEMPERATURE,
    EnvironmentVariables,
    gather_variables,
    parse_dotenv,
    read_dotenv,
)
from talewright.config.settings_file import HOME_VARIABLE


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("A=1", {"A": "1"}),
        ("  A = 1  ", {"A": "1"}),
        ("export A=1", {"A": "1"}),
        ("A=", {"A": ""}),
        ("A=a=b", {"A": "a=b"}),
        ("A=a b", {"A": "a b"}),
        ("A=a # why", {"A": "a"}),
        ("A=a#b", {"A": "a#b"}),
        ('A="a # b"', {"A": "a # b"}),
        ("A='a \"b\"'", {"A": 'a "b"'}),
        ('A="a" # why', {"A": "a"}),
        ('A="a"b', {"A": '"a"b'}),
        ('A="a', {"A": '"a'}),
        ("A=$B `c` $(d)", {"A": "$B `c` $(d)"}),
        ("A_1=x", {"A_1": "x"}),
        ("# A=1", {}),
        ("", {}),
        ("A", {}),
        ("1A=x", {}),
        ("A-B=x", {}),
        ("=x", {}),
    ],
)
def test_a_line(line: str, found: dict[str, str]) -> None:
    assert parse_dotenv(line) == found


def test_several_lines_the_last_counts() -> None:
    assert parse_dotenv("A=1\r\nB=2\nA=3\n") == {"A": "3", "B": "2"}


def test_a_file_is_read_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(f"\ufeff{MODEL}=é\n".encode())
    before = file.stat()
    found = gather_variables({"B": "b"}, tmp_path)
    assert (found.get(MODEL), found.get("B"), found.get(BASE_URL)) == ("é", "b", "")
    assert file.stat() == before
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert read_dotenv(tmp_path / "nowhere") == {}
    assert read_dotenv(tmp_path) == {}
    (tmp_path / "latin").write_bytes(b"A=\xe9\n")
    assert read_dotenv(tmp_path / "latin") == {}
    (tmp_path / "long").write_bytes(b"A=1\n" + b"#" * (DOTENV_BYTES_MAX - 3))
    assert read_dotenv(tmp_path / "long") == {}
    (tmp_path / "full").write_bytes(b"A=1\n" + b"#" * (DOTENV_BYTES_MAX - 4))
    assert read_dotenv(tmp_path / "full") == {"A": "1"}


def test_the_environment_comes_first() -> None:
    both = EnvironmentVariables({MODEL: "env", BASE_URL: " "}, {MODEL: "file", BASE_URL: " file "})
    assert (both.get(MODEL), both.get(BASE_URL)) == ("env", "file")
    assert [both.in_dotenv(name) for name in (MODEL, BASE_URL, API_KEY)] == [False, True, False]


def test_a_dotenv_sets_what_is_listed_and_nothing_else() -> None:
    """A folder that someone gave you must not choose who may use your server, nor where your data is kept."""
    names = [*DOTENV_VARIABLES, TOKEN, HOME_VARIABLE, "TALEWRIGHT_DEBUG", "DATABASE_URL", "XDG_CONFIG_HOME"]
    found = EnvironmentVariables({}, dict.fromkeys(names, "from-a-folder-0123456789"))
    assert {name for name in names if found.get(name)} == DOTENV_VARIABLES
    assert {name for name in names if found.in_dotenv(name)} == DOTENV_VARIABLES
    assert (
        frozenset({MODEL, CHEAP_MODEL, BASE_URL, API_KEY, TEMPERATURE, MAX_OUTPUT_TOKENS}) == DOTENV_VARIABLES
    )
