"""The settings file: finds and reads `settings.toml`, its table `[terminal]`, and edits fields in place.

Edits leave everything else in the file untouched; if that is not possible, an error shows the lines to
write by hand. No key is ever written to the file. Loaded before the first paint, so it imports little.
"""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from talewright.common.plain_files import replace_file
from talewright.errors import SettingsError

HOME_VARIABLE = "TALEWRIGHT_HOME"
"""The environment variable for one folder with everything, including settings."""

SETTINGS_FILE = "settings.toml"


def find_settings_file(environment: Mapping[str, str], home: Path) -> Path:
    """The path of the user's settings on this platform."""
    named = environment.get(HOME_VARIABLE, "")
    if named:
        return Path(named) / SETTINGS_FILE
    shared = environment.get("XDG_CONFIG_HOME", "")
    if shared and os.path.isabs(shared):
        return Path(shared) / "talewright" / SETTINGS_FILE
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "talewright" / SETTINGS_FILE
    if sys.platform == "win32":
        roaming = environment.get("APPDATA", str(home / "AppData" / "Roaming"))
        return Path(roaming) / "talewright" / SETTINGS_FILE
    return home / ".config" / "talewright" / SETTINGS_FILE


SETTINGS_BYTES_MAX = 1_000_000
"""Bytes in a settings file."""


def read_settings_file(file: Path) -> str:
    """The text of the settings; empty if there is no file."""
    try:
        with file.open("rb") as stream:
            data = stream.read(SETTINGS_BYTES_MAX + 1)
        if len(data) > SETTINGS_BYTES_MAX:
            raise SettingsError(f"{file} is far too long", "Check that it is the right file.")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}", "Check its permissions.") from error
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8", "Save it as UTF-8.") from None


TERMINAL = "terminal"
"""The name of the table."""

TERMINAL_BYTES_MAX = 1_000_000
"""Bytes read from a settings file."""

TerminalPreference: TypeAlias = str | bool


def read_terminal(file: Path) -> dict[str, TerminalPreference]:
    """The table `[terminal]`; empty if there is no file, no table or no valid TOML."""
    try:
        with file.open("rb") as stream:
            text = stream.read(TERMINAL_BYTES_MAX).decode("utf-8-sig")
        table = _load(text).get(TERMINAL)
    except (OSError, ValueError):
        return {}
    if not isinstance(table, dict):
        return {}
    return {name: value for name, value in table.items() if isinstance(value, str | bool)}


def fit_preferences(
    known: Mapping[str, TerminalPreference], found: Mapping[str, TerminalPreference]
) -> dict[str, TerminalPreference]:
    """Update the known preferences with those found that have the right type."""
    return {name: found[name] for name, usual in known.items() if type(found.get(name)) is type(usual)}


SettingValue: TypeAlias = str | int | float | Sequence[str] | Mapping[str, float] | None
"""The value of a field; None deletes it."""

SettingFields: TypeAlias = Mapping[tuple[str, ...], Mapping[str, SettingValue]]
"""Fields by name, for each table by its path; the empty path is the top level."""

_BARE = re.compile("[A-Za-z0-9_-]+")
_FIELD = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_HEADER = re.compile(r"\s*\[")


def edit_file(file: Path, fields: SettingFields) -> None:
    """Set fields in a file, all or none; create the file if it does not exist."""
    text = read_settings_file(file)
    edited = edit(text, fields, str(file))
    if edited == text:
        return
    # If the settings file is a symlink, it stays one.
    target = file.resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(edited, encoding="utf-8", newline="\n")
        replace_file(draft, target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise SettingsError(
            f"{file} cannot be written: {error.strerror}", "Check the permissions of its folder."
        ) from error


def edit(text: str, fields: SettingFields, file: str = "the file") -> str:
    """Set fields in TOML text. Raises SettingsError if that is not possible without side effects."""
    wanted = _parse(text, file)
    edited = text
    for path, values in fields.items():
        for name, value in values.items():
            _set(wanted, path, name, value)
            edited = _edit_one(edited, path, name, value)
    try:
        if _load(edited) == wanted:
            return edited
    except ValueError:
        pass
    lines = "; ".join(_spell_all(fields))
    raise SettingsError(f"{file} cannot be edited safely", f"Edit it by hand: {lines}")


def _load(text: str) -> dict[str, object]:
    """Parse TOML. Raises ValueError if it is not valid."""
    # Imported here: a player without a settings file should not wait for it.
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _parse(text: str, file: str) -> dict[str, object]:
    try:
        return _load(text)
    except ValueError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}", "Fix it, or delete the file.") from None


def _set(raw: dict[str, object], path: Sequence[str], name: str, value: SettingValue) -> None:
    """Set a field in the parsed file. Anything that is not a table is left alone: the comparison finds it."""
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


def _edit_one(text: str, path: tuple[str, ...], name: str, value: SettingValue) -> str:
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
    # Right after the last field of the table: a comment below it may belong to the next table.
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return _join([*lines[:end], *new, *lines[end:]])


def _find_table(lines: Sequence[str], path: tuple[str, ...]) -> tuple[int | None, int]:
    """The lines of a table without its header; None if it has no header."""
    headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    if not path:
        return 0, headers[0] if headers else len(lines)
    for at, number in enumerate(headers):
        if _read_header(lines[number]) == path:
            return number + 1, headers[at + 1] if at + 1 < len(headers) else len(lines)
    return None, len(lines)


def _read_header(line: str) -> tuple[str, ...]:
    try:
        raw: object = _load(line)
    except ValueError:
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


def _spell(value: SettingValue) -> str:
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


def _spell_all(fields: SettingFields) -> list[str]:
    return [
        f"{name} = {_spell(value)}" + (f" under [{_spell_path(path)}]" if path else "")
        for path, values in fields.items()
        for name, value in values.items()
        if value is not None
    ]
