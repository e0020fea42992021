"""Sealing: values open only where they were sealed, also those of earlier versions, and keys stay hidden."""

import base64
import os

import pytest

from talewright.errors import SettingsError
from talewright.stores.postgres.sealing import UnsealError, parse_keys
from tests.stores.postgres.stores import KEYS

OTHER = "k2:" + base64.b64encode(bytes(range(32))).decode()


def test_sealed_values_open_only_at_their_place() -> None:
    seal = KEYS.seal_for(b"campaign")
    for value in (b"", b"short", b"long " * 1000, os.urandom(500)):
        sealed = seal.seal(value, "here")
        assert seal.unseal(sealed, "here") == value
        assert seal.seal(value, "here") != sealed
        for wrong in (sealed[:-1], sealed[1:], b"", sealed[:5], sealed + b"x", b"\x02" + sealed[1:]):
            if wrong != sealed:
                with pytest.raises(UnsealError):
                    seal.unseal(wrong, "here")
        with pytest.raises(UnsealError):
            seal.unseal(sealed, "there")
        with pytest.raises(UnsealError):
            KEYS.seal_for(b"other").unseal(sealed, "here")
        for position in range(0, len(sealed), max(1, len(sealed) // 30)):
            flipped = bytearray(sealed)
            flipped[position] ^= 1
            with pytest.raises(UnsealError):
                seal.unseal(bytes(flipped), "here")
    assert len(seal.seal(b"long " * 1000, "here")) < 200
    assert seal.check_mark(seal.mark("row"), "row")
    assert not seal.check_mark(seal.mark("row"), "rows")
    with pytest.raises(UnsealError, match="the sealing key 'k9' is not there"):
        seal.check_mark(b"k9:" + seal.mark("row")[3:], "row")
    assert "AAAA" not in repr(KEYS)


def test_what_an_earlier_version_has_sealed_still_opens() -> None:
    seal = KEYS.seal_for(b"campaign")
    sealed = (
        "01026b310ca43e1af4f782bc33e7eef5aff7cf814ad957d89261f4f6475f3106f057d5d71e06301a4747a074e22899ea"
    )
    assert seal.unseal(bytes.fromhex(sealed), "here") == b"The ferry turns."
    mark = b"k1:" + bytes.fromhex("dd4a61c5637132c83d8dde2c1bbc956d")
    assert seal.check_mark(mark, "row")
    assert seal.mark("row") == mark


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there must be"),
        ("nonsense", "not of the form"),
        ("k1:AAAA", "has 3 bytes"),
        ("k1:" + "A" * 42 + "=", "is not base64"),
        (OTHER + "," + OTHER, "two sealing keys"),
        ("K1:" + "A" * 43 + "=", "not of the form"),
    ],
)
def test_wrong_keys_are_refused_without_showing_them(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as error:
        parse_keys(text)
    assert "AAAA" not in str(error.value)
    assert "TALEWRIGHT_SEALING_KEYS" in error.value.hint or "Give each key" in error.value.hint
