"""State paths: the address of a place in a document, written with dots or as a JSON pointer.

A path is a tuple of keys. It does not say whether the place exists.
"""

import functools
import re
from typing import TypeAlias

Path: TypeAlias = tuple[str, ...]

PATH_LENGTH_MAX = 500
"""Characters in a written path."""

PATH_DEPTH_MAX = 16
"""Keys in a path."""

PATHS_CACHED_MAX = 4_096
"""Cached path conversions; a large game has about 2,000."""

_STRAY_TILDE = re.compile("~(?![01])")


class PathError(ValueError):
    """The text is not a valid path."""


# The same texts recur (every move names a slot), and the result depends on nothing else.
@functools.lru_cache(PATHS_CACHED_MAX)
def parse_path(text: str) -> Path:
    """Read `time.minute` or `/time/minute`; both give the same tuple."""
    if len(text) > PATH_LENGTH_MAX:
        raise PathError(f"a path has at most {PATH_LENGTH_MAX} characters")
    keys = parse_pointer(text) if text.startswith("/") else tuple(text.split("."))
    if len(keys) > PATH_DEPTH_MAX:
        raise PathError(f"a path has at most {PATH_DEPTH_MAX} keys")
    if not text.startswith("/") and "" in keys:
        raise PathError(f"{text!r} has an empty key; write keys with single dots between them")
    return keys


def parse_pointer(text: str) -> Path:
    """Read an RFC 6901 pointer; the empty text is the whole document."""
    if text == "":
        return ()
    if not text.startswith("/"):
        raise PathError(f"a JSON pointer starts with '/', {text!r} does not")
    if "~" not in text:
        return tuple(text[1:].split("/"))
    if _STRAY_TILDE.search(text):
        raise PathError(f"in a JSON pointer '~' stands as '~0' and a key's '/' as '~1', not so in {text!r}")
    return tuple(key.replace("~1", "/").replace("~0", "~") for key in text[1:].split("/"))


@functools.lru_cache(PATHS_CACHED_MAX)
def pointer(path: Path) -> str:
    """Write a path as an RFC 6901 pointer."""
    return "".join(["/" + key.replace("~", "~0").replace("/", "~1") for key in path])


@functools.lru_cache(PATHS_CACHED_MAX)
def dotted(path: Path) -> str:
    """Write a path with dots, as authors do, or as a pointer if dots would be ambiguous."""
    if any("." in key or not key or key.startswith("/") for key in path):
        return pointer(path)
    return ".".join(path)


def is_index(key: str) -> bool:
    """Whether a key is a list index as JSON Patch writes it: ASCII digits, no leading zero."""
    return key == "0" or (key.isascii() and key.isdigit() and key[0] != "0")


def index_of(key: str, size: int) -> int | None:
    """The index that a key addresses among the first `size` elements of a list, or None."""
    # A longer key cannot be a valid index, and `int` rejects strings of thousands of digits.
    if not is_index(key) or len(key) > len(str(size)):
        return None
    index = int(key)
    return index if index < size else None
