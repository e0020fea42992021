"""Variables: the environment first, then a `.env` that is read line by line and never written."""

from pathlib import Path

import pytest

from talewright.config.environment import (
    DOTENV_BYTES_MAX,
    EnvironmentVariables,
    gather_variables,
    parse_dotenv,
    read_dotenv,
)


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
    file.write_bytes("\ufeffA=é\n".encode())
    before = file.stat()
    found = gather_variables({"B": "b"}, tmp_path)
    assert (found.get("A"), found.get("B"), found.get("C")) == ("é", "b", "")
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
    both = EnvironmentVariables({"A": "env", "B": " "}, {"A": "file", "B": " file "})
    assert (both.get("A"), both.get("B")) == ("env", "file")
    assert (both.in_dotenv("A"), both.in_dotenv("B"), both.in_dotenv("C")) == (False, True, False)
