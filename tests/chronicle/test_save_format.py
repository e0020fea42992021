"""Save formats: the kept file of every number, the steps between them, and later ones refused."""

import json
from dataclasses import replace

import pytest

from talewright.chronicle.record_codec import RecordCodecError, RecordForm, encode
from talewright.chronicle.records import Json
from talewright.chronicle.save_format import FORMAT, FORMAT_NUMBER, UPGRADES, SaveFormat, format_of
from talewright.chronicle.store import NewerFormatError
from tests.chronicle.kept import RECORDS, ROOT, SAID_IN, TURN, WISH, file_of, read_chronicle, write_chronicle

NUMBERS = range(1, FORMAT_NUMBER + 1)


def rename_base(form: RecordForm) -> RecordForm:
    """A step of this test: before it, `base` was called `on`."""
    if "on" in form:
        form["base"] = form.pop("on")
    return form


def add_at(form: RecordForm) -> RecordForm:
    """Another one: before it, records had no time."""
    form["at"] = "long ago"
    return form


STEPS = {1: rename_base, 2: add_at}
FIRST: RecordForm = {"kind": "accepted", "operation_id": "op", "branch": "main", "on": "c", "input": 1}
SECOND: RecordForm = {"kind": "accepted", "operation_id": "op", "branch": "main", "base": "c", "input": 1}
THIRD: RecordForm = {**SECOND, "at": "long ago"}


def spell(form: Json) -> bytes:
    """A form as bytes."""
    return json.dumps(form).encode()


@pytest.mark.parametrize("number", NUMBERS)
def test_every_kept_format_still_reads(number: int) -> None:
    records = read_chronicle(file_of(number).read_bytes())
    # The first commit says which number it was written in; all else reads alike.
    assert records == [replace(ROOT, body={**ROOT.body, FORMAT: number}), *SAID_IN[number][1:]]


def test_the_newest_format_is_written_as_it_was_kept() -> None:
    assert file_of(FORMAT_NUMBER).read_bytes() == write_chronicle(RECORDS)


def test_every_number_has_its_step() -> None:
    assert FORMAT_NUMBER == 2
    assert FORMAT == "format"
    assert set(UPGRADES) == set(range(1, FORMAT_NUMBER))


def test_the_format_of_a_campaign() -> None:
    assert format_of(encode(ROOT)) == SaveFormat() == SaveFormat(2, 2, UPGRADES)
    assert SaveFormat().upgrades is UPGRADES
    assert format_of(encode(TURN)) == SaveFormat(1)
    old = spell({"body": {"format": 2}})
    assert format_of(old, 3, STEPS) == SaveFormat(2, 3, STEPS)
    assert format_of(spell({"body": {}}), 3, STEPS).number == 1
    assert format_of(spell({"body": {"format": 3}}), 3).number == 3


@pytest.mark.parametrize("form", [[], None, {}, {"body": None}, {"body": []}, [{"body": {}}]])
def test_a_first_record_without_a_body(form: Json) -> None:
    with pytest.raises(RecordCodecError, match=r"^the first record of a campaign is a commit with a body$"):
        format_of(spell(form))


@pytest.mark.parametrize("number", [0, -1, True, False, 1.0, "1", None, [1]])
def test_numbers_that_are_none(number: Json) -> None:
    told = f"the number of a save format is a whole number of 1 or more, not {number!r}"
    with pytest.raises(RecordCodecError) as caught:
        format_of(spell({"body": {"format": number}}))
    assert caught.value.message == told
    with pytest.raises(RecordCodecError) as caught:
        SaveFormat().read(spell({"format": number, **THIRD}))
    assert caught.value.message == told


def test_later_formats_are_refused() -> None:
    for newest in (1, 2):
        later = newest + 1
        with pytest.raises(NewerFormatError) as caught:
            format_of(spell({"body": {"format": later}}), newest)
        assert caught.value.message == (
            f"the campaign was saved in format {later}; this version reads formats up to {newest}"
        )
        assert caught.value.hint == (
            "Update Talewright, then open the campaign again. Nothing in it was changed."
        )
        with pytest.raises(NewerFormatError):
            SaveFormat(1, newest, STEPS).read(spell({"format": later, **THIRD}))


@pytest.mark.parametrize(("number", "form"), [(1, FIRST), (2, SECOND), (3, THIRD)])
def test_steps_are_applied_from_the_number_on(number: int, form: RecordForm) -> None:
    read = SaveFormat(number, 3, STEPS).read(spell(form))
    assert read == SaveFormat().read(spell(THIRD))
    # A record that says its own number is read by that one.
    for campaign in (1, 2, 3):
        assert SaveFormat(campaign, 3, STEPS).read(spell({"format": number, **form})) == read


def test_steps_are_given_a_copy() -> None:
    form = dict(FIRST)
    assert SaveFormat(1, 3, STEPS).bring_up(form) == THIRD
    assert form == FIRST


def test_only_objects_are_brought_up() -> None:
    with pytest.raises(RecordCodecError, match=r"^a record is a JSON object$"):
        SaveFormat(1, 3, STEPS).read(b"[]")


def test_an_old_campaign_goes_on_in_the_newest_form() -> None:
    old = SaveFormat(1, 3, STEPS)
    data = old.write(WISH)
    assert json.loads(data) == {"format": 3, **json.loads(encode(WISH))}
    assert old.read(data) == WISH
    assert SaveFormat(3, 3, STEPS).write(WISH) == SaveFormat().write(WISH) == encode(WISH)
