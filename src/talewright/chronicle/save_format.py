"""Save format: the version number of saved records, and the upgrade steps that read older ones.

Steps are applied when a record is read. Written records are never rewritten.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TypeAlias

from talewright.chronicle.record_codec import RecordCodecError, RecordForm, dump, from_form, parse, to_form
from talewright.chronicle.records import Json, Record
from talewright.chronicle.store import NewerFormatError
from talewright.common.frozen_values import frozen

FORMAT_NUMBER = 2
"""The format this program writes. To change it, raise the number, add a step and save a fixture."""

FORMAT = "format"
"""The member that holds the number: always in the body of the first commit, whatever else changes."""

Upgrade: TypeAlias = Callable[[RecordForm], RecordForm]
"""Converts a record's form from one number to the next. It gets a copy and may alter it."""


def _know_replacing(form: RecordForm) -> RecordForm:
    """2: adds `replaces` to inputs and commits, and the verdict `interrupted`; older records have neither."""
    return form


UPGRADES: Mapping[int, Upgrade] = MappingProxyType({1: _know_replacing})
"""The step from each number to the next."""


@frozen
class SaveFormat:
    """How the records of one campaign are read and written."""

    number: int = FORMAT_NUMBER
    """The number in its first commit."""

    newest: int = FORMAT_NUMBER
    upgrades: Mapping[int, Upgrade] = field(default_factory=lambda: UPGRADES)

    def read(self, data: bytes) -> Record:
        """Read a record from bytes, upgraded to the newest form."""
        form = parse(data)
        return from_form(self.bring_up(form) if isinstance(form, dict) else form)

    def write(self, record: Record) -> bytes:
        """The bytes of a record in the newest form."""
        form = to_form(record)
        # A campaign started in an older format continues in the newest; each such record then states its
        # format.
        return dump(form if self.number == self.newest else {FORMAT: self.newest, **form})

    def bring_up(self, form: RecordForm) -> RecordForm:
        """A record's form, upgraded to the newest number."""
        form = dict(form)
        number = _number(form.pop(FORMAT, self.number))
        _refuse_newer(number, self.newest)
        for step in range(number, self.newest):
            form = self.upgrades[step](form)
        return form


def format_of(
    data: bytes, newest: int = FORMAT_NUMBER, upgrades: Mapping[int, Upgrade] = UPGRADES
) -> SaveFormat:
    """The format of a campaign, from the bytes of its first record; raises NewerFormatError for a later one.

    A first commit without a number has format 1.
    """
    form = parse(data)
    body = form.get("body") if isinstance(form, dict) else None
    if not isinstance(body, dict):
        raise RecordCodecError("the first record of a campaign is a commit with a body")
    number = _number(body.get(FORMAT, 1))
    _refuse_newer(number, newest)
    return SaveFormat(number, newest, upgrades)


def _number(value: Json) -> int:
    """A format number; raises FormError if it is invalid."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise RecordCodecError(f"the number of a save format is a whole number of 1 or more, not {value!r}")
    return value


def _refuse_newer(number: int, newest: int) -> None:
    if number > newest:
        raise NewerFormatError(
            f"the campaign was saved in format {number}; this version reads formats up to {newest}",
            "Update Talewright, then open the campaign again. Nothing in it was changed.",
        )
