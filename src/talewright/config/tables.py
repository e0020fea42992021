"""Tables: a part of the settings file, taken field by field, with a complaint for whatever does not fit.

A complaint names the place and what belongs there. It never quotes a value: a key might stand there.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import NoReturn

from talewright.errors import TalewrightError


class Table:
    """One table of the file."""

    def __init__(self, raw: Mapping[str, object], file: str, path: str = "") -> None:
        self._raw = raw
        self._file = file
        self._path = path
        self._taken: set[str] = set()

    def text(self, name: str, default: str = "") -> str:
        """A text on one line."""
        value = self._take(name)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.refuse(name, "must be a text", f'Write {name} = "..." on one line.')
        return value.strip()

    def number(self, name: str, low: float = 0.0, high: float = float("inf")) -> float | None:
        """A number within bounds; None where there is none."""
        value = self._take(name)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:  # type: ignore[operator]  # it is a number by then
            bounds = f"from {low:g} up" if high == float("inf") else f"from {low:g} to {high:g}"
            self.refuse(name, f"must be a number {bounds}", f"Write {name} = and a number, without quotes.")
        return float(value)  # type: ignore[arg-type]  # as above

    def whole(self, name: str, low: int = 1) -> int | None:
        """A whole number; None where there is none."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            self.refuse(name, f"must be a whole number from {low} up", f"Write {name} = and a number.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            self.refuse(name, "must be a list of texts", f'Write {name} = ["...", "..."].')
        return tuple(value)

    def table(self, name: str) -> "Table":
        """A table within this one, empty where there is none."""
        value = self._take(name)
        path = f"{self._path}.{name}" if self._path else name
        if value is not None and not isinstance(value, dict):
            self.refuse(name, "must be a table", f"Write [{path}] and what belongs to it beneath.")
        return Table(value or {}, self._file, path)

    def tables(self) -> Iterator[tuple[str, "Table"]]:
        """Every table within this one, by name."""
        for name in self._raw:
            yield name, self.table(name)

    def finish(self, *known: str) -> None:
        """Complain of whatever nobody has taken."""
        for name in self._raw:
            if name not in self._taken:
                near = get_close_matches(name, known, 1)
                hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(known)}."
                self.refuse(name, "is not known", hint)

    def refuse(self, name: str, what: str, hint: str) -> NoReturn:
        """Say what is wrong with a field; without a name, with the whole table."""
        path = ".".join(part for part in (self._path, name) if part)
        raise TalewrightError(f"{self._file}: {path} {what}", hint)

    def leave(self, name: str) -> None:
        """Leave a field to somebody else, whatever it holds."""
        self._taken.add(name)

    def has(self, name: str) -> bool:
        """Whether a field is there."""
        return name in self._raw

    def _take(self, name: str) -> object:
        self._taken.add(name)
        return self._raw.get(name)
