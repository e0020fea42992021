"""Editing: a field of the settings file set or taken out, with everything else left as its owner wrote it.

What cannot be edited safely is refused with the lines to write by hand. No key is ever put into the file.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from talewright.config.loading import read_settings_file
from talewright.errors import TalewrightError

Value: TypeAlias = str | int | float | Sequence[str] | Mapping[str, float] | None
"""What a field may hold; None takes it out."""

Fields: TypeAlias = Mapping[tuple[str, ...], Mapping[str, Value]]
"""Fields by name, for each table by its path; the empty path is the top of the file."""

_BARE = re.compile("[A-Za-z0-9_-]+")
_FIELD = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_HEADER = re.compile(r"\s*\[")


def edit_file(file: Path, fields: Fields) -> None:
    """Set fields in a file, which is made where it is not there; all of them or none."""
    text = read_settings_file(file)
    edited = edit(text, fields, str(file))
    if edited == text:
        return
    # A settings file that is a link stays one.
    target = file.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(edited, encoding="utf-8")
        os.replace(draft, target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise TalewrightError(
            f"{file} cannot be written: {error.strerror}", "Look whether you may write there."
        ) from error


def edit(text: str, fields: Fields, file: str = "the file") -> str:
    """A text of TOML with fields set; a TalewrightError where that cannot be done without harm."""
    wanted = _parse(text, file)
    edited = text
    for path, values in fields.items():
        for name, value in values.items():
            _set(wanted, path, name, value)
            edited = _edit_one(edited, path, name, value)
    try:
        if tomllib.loads(edited) == wanted:
            return edited
    except tomllib.TOMLDecodeError:
        pass
    lines = "; ".join(_spell_all(fields))
    raise TalewrightError(
        f"{file} is written in a way that cannot be edited safely", f"Write by hand: {lines}"
    )


def _parse(text: str, file: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TalewrightError(
            f"{file} is no TOML: {error}", "Put it right there, or remove the file."
        ) from None


def _set(raw: dict[str, object], path: Sequence[str], name: str, value: Value) -> None:
    """What the file is to say afterwards. A table that is none is left alone: the comparison finds it."""
    table: object = raw
    for part in path:
        if not isinstance(table, dict):
            return
        if value is not None:
            table.setdefault(part, {})
        table = table.get(part, {})
    if isinstance(table, dict) and value is None:
        table.pop(name, None)
    elif isinstance(table, dict):
        table[name] = list(value) if isinstance(value, tuple) else value


def _edit_one(text: str, path: tuple[str, ...], name: str, value: Value) -> str:
    lines = text.splitlines()
    start, end = _find_table(lines, path)
    if start is None:
        if value is None:
            return text
        header = ["", f"[{_spell_path(path)}]"] if lines else [f"[{_spell_path(path)}]"]
        return _join([*lines, *header, f"{name} = {_spell(value)}"])
    at = next((number for number in range(start, end) if _names(lines[number], name)), None)
    new = [] if value is None else [f"{name} = {_spell(value)}"]
    if at is not None:
        return _join([*lines[:at], *new, *lines[at + 1 :]])
    # Behind the last field of the table: a remark after it may belong to the next one.
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return _join([*lines[:end], *new, *lines[end:]])


def _find_table(lines: Sequence[str], path: tuple[str, ...]) -> tuple[int | None, int]:
    """The lines of a table without its header; None where it has no header of its own."""
    headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    if not path:
        return 0, headers[0] if headers else len(lines)
    for at, number in enumerate(headers):
        if _read_header(lines[number]) == path:
            return number + 1, headers[at + 1] if at + 1 < len(headers) else len(lines)
    return None, len(lines)


def _read_header(line: str) -> tuple[str, ...]:
    try:
        raw: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path = []
    while isinstance(raw, dict) and len(raw) == 1:
        ((name, raw),) = raw.items()
        path.append(name)
    return tuple(path)


def _names(line: str, name: str) -> bool:
    found = _FIELD.match(line)
    return found is not None and found[1] == name


def _join(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n" if lines else ""


def _spell(value: Value) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case Mapping():
            return "{ " + ", ".join(f"{name} = {number!r}" for name, number in value.items()) + " }"
        case None:
            return ""
        case _:
            return "[" + ", ".join(json.dumps(one, ensure_ascii=False) for one in value) + "]"


def _spell_path(path: Sequence[str]) -> str:
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in path)


def _spell_all(fields: Fields) -> list[str]:
    return [
        f"{name} = {_spell(value)}" + (f" under [{_spell_path(path)}]" if path else "")
        for path, values in fields.items()
        for name, value in values.items()
        if value is not None
    ]
