"""State paths: the way to one place in a document, written with dots or as a JSON pointer.

A path is a tuple of keys. It does not know whether anything stands at its end.
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
"""Paths whose other spelling is remembered; a large game has about 2,000."""

_STRAY_TILDE = re.compile("~(?![01])")


class PathError(ValueError):
    """The text is no path."""


# The texts come again and again (every move names a slot), and the answer depends on nothing else.
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
    """Write a path the way authors read it; a pointer where dots would not say it."""
    if any("." in key or not key or key.startswith("/") for key in path):
        return pointer(path)
    return ".".join(path)


def is_index(key: str) -> bool:
    """Whether a key is a list index as JSON Patch writes it: ASCII digits, no leading zero."""
    return key == "0" or (key.isascii() and key.isdigit() and key[0] != "0")


def index_of(key: str, size: int) -> int | None:
    """The index a key names among the first `size` elements of a list, or None."""
    # Longer keys name no element, and `int` refuses some thousand digits.
    if not is_index(key) or len(key) > len(str(size)):
        return None
    index = int(key)
    return index if index < size else None
