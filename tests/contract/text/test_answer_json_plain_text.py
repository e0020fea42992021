import sys
import unicodedata

from talewright.common.json_values import Json
from talewright.contract.text.answer_json import strip_controls, strip_document

BIDI = [*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]
OTHERS = [*"\u2028\u2029\ufeff\ufff9\ufffa\ufffb"]


def test_exactly_the_steering_characters_are_left_out() -> None:
    gone = {sign for sign in map(chr, range(sys.maxunicode + 1)) if not strip_controls(sign)}
    controls = {chr(code) for code in range(0x100) if unicodedata.category(chr(code)) == "Cc"} - {"\n", "\t"}
    surrogates = set(map(chr, range(0xD800, 0xE000)))
    assert gone == controls | surrogates | set(BIDI) | set(OTHERS)


def test_the_rest_stays_in_its_order() -> None:
    assert strip_controls("a\x1b[31mb\r\n\tc\u202ed\ud800e👩‍👧") == "a[31mb\n\tcde👩‍👧"
    assert strip_controls("") == ""


def test_text_cut_anywhere_is_stripped_alike() -> None:
    text = "a\x00\r\n\u202e雾\ud83c\udf2b"
    for at in range(len(text)):
        assert strip_controls(text[:at]) + strip_controls(text[at:]) == strip_controls(text)


def test_documents_are_stripped_throughout() -> None:
    document: Json = {"a\x00": ["\x1bb", 1, 2.5, None, True, {"c": "\r"}], "d": "e"}
    assert strip_document(document) == {"a": ["b", 1, 2.5, None, True, {"c": ""}], "d": "e"}
