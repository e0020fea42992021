"""Paths: both spellings, their limits, and the way back to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.kernel.state.state_paths import (
    PATH_DEPTH_MAX,
    PATH_LENGTH_MAX,
    PATHS_CACHED_MAX,
    Path,
    PathError,
    dotted,
    index_of,
    is_index,
    parse_path,
    parse_pointer,
    pointer,
)

KEYS = st.sampled_from(["", "a", "0", "~", "/", ".", "~0", "~1", "a.b", "a/b", "/~", "é雾", " ", "-"])


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("hp", ("hp",)),
        ("time.minute", ("time", "minute")),
        ("/time/minute", ("time", "minute")),
        ("/hp", ("hp",)),
        ("/", ("",)),
        ("/a.b/c", ("a.b", "c")),
        ("/a~1b/~0/~01", ("a/b", "~", "~1")),
        ("bag.0.名", ("bag", "0", "名")),
        ("a/b.c~d", ("a/b", "c~d")),
    ],
)
def test_both_spellings_are_read(text: str, path: Path) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' has an empty key; write keys with single dots between them"),
        ("a..b", "'a..b' has an empty key; write keys with single dots between them"),
        (".a", "'.a' has an empty key; write keys with single dots between them"),
        ("/a~", "in a JSON pointer '~' stands as '~0' and a key's '/' as '~1', not so in '/a~'"),
        ("a" * 501, "a path has at most 500 characters"),
        ("a." * 16 + "a", "a path has at most 16 keys"),
        ("/a" * 17, "a path has at most 16 keys"),
    ],
)
def test_what_is_no_path_is_refused(text: str, message: str) -> None:
    with pytest.raises(PathError) as error:
        parse_path(text)
    assert str(error.value) == message


def test_the_limits_themselves_are_allowed() -> None:
    assert (PATH_LENGTH_MAX, PATH_DEPTH_MAX, PATHS_CACHED_MAX) == (500, 16, 4_096)
    assert parse_path("a" * 500) == ("a" * 500,)
    assert parse_path("/a" * 16) == ("a",) * 16
    assert parse_path.cache_info().maxsize == PATHS_CACHED_MAX


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ()),
        ("/", ("",)),
        ("//", ("", "")),
        ("/a/", ("a", "")),
        ("/m~0n", ("m~n",)),
        ("/~1~1", ("//",)),
        ("/~01", ("~1",)),
        ("/~00", ("~0",)),
        ("/c%d/ ", ("c%d", " ")),
    ],
)
def test_pointers_are_read(text: str, path: Path) -> None:
    assert parse_pointer(text) == path
    assert pointer(path) == text


@pytest.mark.parametrize("text", ["/~", "/~2", "/a~/b", "/~~01", "/~x", "/ok/~"])
def test_a_stray_tilde_is_refused(text: str) -> None:
    with pytest.raises(PathError, match="not so in"):
        parse_pointer(text)


def test_a_pointer_starts_with_a_slash() -> None:
    with pytest.raises(PathError) as error:
        parse_pointer("a/b")
    assert str(error.value) == "a JSON pointer starts with '/', 'a/b' does not"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("time", "minute"), "time.minute"),
        (("bag", "0"), "bag.0"),
        (("a/b",), "a/b"),
        (("a.b", "c"), "/a.b/c"),
        (("a", ""), "/a/"),
        (("/a",), "/~1a"),
        ((), ""),
    ],
)
def test_paths_are_written_for_authors(path: Path, text: str) -> None:
    assert dotted(path) == text


@given(st.lists(KEYS, max_size=5).map(tuple))
def test_a_pointer_reads_back(path: Path) -> None:
    assert parse_pointer(pointer(path)) == path


@given(st.lists(KEYS, min_size=1, max_size=5).map(tuple))
def test_a_written_path_reads_back(path: Path) -> None:
    assert parse_path(dotted(path)) == path


@pytest.mark.parametrize("key", ["0", "1", "9", "10", "105"])
def test_digits_are_an_index(key: str) -> None:
    assert is_index(key)
    assert index_of(key, 106) == int(key)


@pytest.mark.parametrize(
    "key", ["", "-", "-1", "00", "01", "+1", "1e0", "1.0", " 1", "1 ", "1_0", "²", "٣", "a"]
)
def test_anything_else_is_none(key: str) -> None:
    assert not is_index(key)
    assert index_of(key, 106) is None


def test_an_index_is_below_the_size() -> None:
    assert index_of("0", 0) is None
    assert index_of("0", 1) == 0
    assert index_of("1", 1) is None
    assert index_of("9", 10) == 9
    assert index_of("10", 10) is None
    assert index_of("10", 9) is None
    assert index_of("12345", 20_000) == 12_345
    assert index_of("9" * 5_000, 10) is None
