"""Stored results: how the result of a durable step is written, with the number of its form, and read again.

A worker may read a step that an older program wrote. What a step's value contains is part of the form, and
`tests/hosting/recovery/kept_steps` has samples of every form that was ever written.
"""

from collections.abc import Iterator, Mapping
from typing import Final, cast

from talewright.chronicle.store import HeadMovedError, StoreAwayError
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.stores.postgres.connection_retry import LostWriteError

FORM: Final = 1
"""The form that is written. Results without a number have the form 0, which kept no types of errors."""

TRANSIENT: Final = (StoreAwayError, LostWriteError, OSError)
"""Errors that say nothing about the step: it may succeed a moment later. They are never stored; a timeout is
an OSError too.
"""


class UnknownFormError(TalewrightError):
    """A newer program has stored the step."""


def write_value(value: Json) -> dict[str, Json]:
    """The result of a step that succeeded."""
    return {"form": FORM, "value": value}


def write_error(error: Exception) -> dict[str, Json]:
    """The result of a step that failed."""
    kept: dict[str, Json] = {"type": type(error).__name__, "message": str(error)}
    if isinstance(error, TalewrightError):
        details = {name: one for name, one in vars(error).items() if isinstance(one, str | int | float)}
        kept |= {"details": cast(Json, details)}
    return {"form": FORM, "error": kept}


def read_result(stored: Json) -> Json:
    """The value of a step; raises the error that it failed with, or UnknownFormError."""
    result = cast(Mapping[str, Json], stored)
    form = cast(int, result.get("form", 0))
    if form > FORM:
        raise UnknownFormError(
            f"a step has the form {form}; this version knows forms up to {FORM}", "Update this worker."
        )
    if "moved" in result:
        raise HeadMovedError(str(result["moved"]))
    if "failed" in result:
        raise TalewrightError(str(result["failed"]))
    if "error" in result:
        raise _read_error(cast(Mapping[str, Json], result["error"]))
    return result["value"]


def find_value(stored: Json) -> Json:
    """The value of a step; None if it failed, or if a newer program has stored it."""
    if not isinstance(stored, Mapping) or cast(int, stored.get("form", 0)) > FORM:
        return None
    return stored.get("value")


def _read_error(kept: Mapping[str, Json]) -> Exception:
    """The error again: of the same type if it is one of ours, otherwise with its type in the message."""
    name, message = str(kept["type"]), str(kept["message"])
    if "details" not in kept:
        return TalewrightError(f"{name}: {message}")
    kind = next((one for one in _list_kinds(TalewrightError) if one.__name__ == name), TalewrightError)
    error = kind.__new__(kind, message)
    vars(error).update(cast(Mapping[str, Json], kept["details"]))
    return error


def _list_kinds(kind: type[TalewrightError]) -> Iterator[type[TalewrightError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _list_kinds(narrower)
