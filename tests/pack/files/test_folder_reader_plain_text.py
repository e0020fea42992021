"""Plain text: bytes into characters, and where they cannot be."""

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import decode
from tests.pack.making import brief

KEPT = [
    (b"plain\n", "plain\n"),
    (b"\xef\xbb\xbfmarked", "marked"),
    (b"a\r\nb\rc\n", "a\nb\nc\n"),
    ("井边\t“枯”\n".encode(), "井边\t“枯”\n"),
    ("emoji \U0001f3ee, \u200d joiner".encode(), "emoji \U0001f3ee, \u200d joiner"),
    (b"", ""),
]


@pytest.mark.parametrize(("data", "text"), KEPT)
def test_a_text_is_kept(data: bytes, text: str) -> None:
    fault_list = FaultList()
    assert decode("a.md", data, fault_list) == text
    assert fault_list.faults() == ()


REFUSED = [
    (b"\xff", "a.md:1:1 not-utf8: Save the file as UTF-8."),
    (b"one\r\ntwo \xe9", "a.md:2:5 not-utf8: Save the file as UTF-8."),
    ("井边".encode() + b"\x80", "a.md:1:3 not-utf8: Save the file as UTF-8."),
    ("b\u00e9\n".encode("utf-16"), "a.md:1:1 not-utf8: Save the file as UTF-8."),
    (b"\xed\xa0\x80", "a.md:1:1 not-utf8: Save the file as UTF-8."),
    (b"a\x00", "a.md:1:2 control-character: Delete the character."),
    (b"a\n\x1b[31m", "a.md:2:1 control-character: Delete the character."),
    (b"\x7f", "a.md:1:1 control-character: Delete the character."),
    ("a\u0085b".encode(), "a.md:1:2 control-character: Delete the character."),
    ("a\u2028b".encode(), "a.md:1:2 control-character: Delete the character."),
    ("井\ufeff".encode(), "a.md:1:2 control-character: Delete the character."),
    ("\uffff".encode(), "a.md:1:1 control-character: Delete the character."),
]


@pytest.mark.parametrize(("data", "fault"), REFUSED)
def test_what_is_no_text_is_told_at_its_place(data: bytes, fault: str) -> None:
    fault_list = FaultList()
    assert decode("a.md", data, fault_list) is None
    assert [brief(one) for one in fault_list.faults()] == [fault]
