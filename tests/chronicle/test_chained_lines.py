"""Chains: every line bound to all before it; a torn end told from damage, bit by bit."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.chronicle import chained_lines
from talewright.chronicle.chained_lines import (
    FRAME_BYTES_MAX,
    FRAME_OVERHEAD_BYTES,
    GENESIS,
    RECORD_BYTES_MAX,
    BrokenFrame,
    RecordFrame,
    TornFrame,
    frame,
    read_frame,
)
from tests.chronicle.kept import RECORDS, read_frames, write_chronicle

SMALL = (b"{}", '{"雾":"}"}'.encode())
FIRST = frame(GENESIS, SMALL[0])
SECOND = frame(FIRST.chain, SMALL[1])
DATA = FIRST.line + SECOND.line

NOT_A_LINE = BrokenFrame("a line does not start with a valid header")
TOO_LONG = BrokenFrame("a record would have more than 67108757 bytes")
SHORT = BrokenFrame("a line is shorter than its length says")
HASH = BrokenFrame("the hash does not match the record and everything before it")
END = BrokenFrame("a line does not end where its length says")


def header(length: str, chain: bytes = GENESIS) -> bytes:
    """A line up to its record."""
    return b'{"chain":"%b","length":"%b","record":' % (chain.hex().encode(), length.encode())


def test_line() -> None:
    chain = hashlib.sha256(bytes(32) + b"{}").hexdigest()
    line = b'{"chain":"%b","length":"00000002","record":{}}\n' % chain.encode()
    assert RecordFrame(bytes.fromhex(chain), b"{}", len(line)) == FIRST
    assert FIRST.line == line
    second = hashlib.sha256(FIRST.chain + SMALL[1]).digest()
    assert (SECOND.chain, SECOND.record, SECOND.size) == (second, SMALL[1], len(SECOND.line))
    assert b'"length":"0000000b"' in SECOND.line


def test_sizes() -> None:
    assert (bytes(32), 64 * 2**20) == (GENESIS, FRAME_BYTES_MAX)
    assert len(frame(GENESIS, b"").line) == FRAME_OVERHEAD_BYTES == FRAME_BYTES_MAX - RECORD_BYTES_MAX == 107


def test_reading() -> None:
    assert read_frame(DATA, 0, GENESIS) == FIRST
    assert read_frame(DATA, FIRST.size, FIRST.chain) == SECOND
    assert read_frame(DATA, len(DATA), SECOND.chain) == TornFrame(0)
    assert read_frame(b"", 0, GENESIS) == TornFrame(0)
    assert read_frames(DATA) == (list(SMALL), None)


def test_the_chain_before_counts() -> None:
    assert read_frame(DATA, 0, SECOND.chain) == HASH
    assert read_frame(SECOND.line + FIRST.line, 0, GENESIS) == HASH
    assert read_frames(FIRST.line * 2) == ([SMALL[0]], HASH)


def test_every_truncation_is_torn() -> None:
    for size in range(len(DATA)):
        records, rest = read_frames(DATA[:size])
        whole = size >= FIRST.size
        assert records == list(SMALL[:whole]), size
        left = size - FIRST.size * whole
        assert rest == (TornFrame(left) if left else None), size


def test_every_flipped_bit_is_broken() -> None:
    for place in range(len(DATA)):
        for bit in range(8):
            damaged = bytearray(DATA)
            damaged[place] ^= 1 << bit
            records, rest = read_frames(bytes(damaged))
            assert records == list(SMALL[: place >= FIRST.size]), (place, bit)
            assert isinstance(rest, BrokenFrame), (place, bit)


def test_every_lost_byte_is_broken() -> None:
    for place in range(len(DATA) - 1):
        records, rest = read_frames(DATA[:place] + DATA[place + 1 :])
        assert records == list(SMALL[: place >= FIRST.size]), place
        assert isinstance(rest, BrokenFrame), place


def test_every_doubled_byte_is_broken() -> None:
    for place in range(len(DATA)):
        records, rest = read_frames(DATA[: place + 1] + DATA[place:])
        assert records == list(SMALL[: (place >= FIRST.size - 1) + (place == len(DATA) - 1)]), place
        assert isinstance(rest, BrokenFrame), place


@pytest.mark.parametrize("count", [1, 50, 105, 106, 107, 500])
def test_zeros_are_broken(count: int) -> None:
    assert read_frames(DATA + bytes(count)) == (list(SMALL), NOT_A_LINE)
    for size in range(FIRST.size, len(DATA)):
        records, rest = read_frames(DATA[:size] + bytes(count))
        assert records == [SMALL[0]], size
        assert isinstance(rest, BrokenFrame), size


def test_reasons() -> None:
    good = hashlib.sha256(GENESIS + b'{"a":1}').digest()
    cases = {
        b"x": NOT_A_LINE,
        b"\n": NOT_A_LINE,
        header("00000007")[:-1] + b";": NOT_A_LINE,
        header("0000000A"): NOT_A_LINE,
        header("00000007") + b'{"a"\n': SHORT,
        header("00000007") + b"\x1f": SHORT,
        header("00000007") + b'{"a":1}': HASH,
        header("00000007") + b'{"a":1}}\n': HASH,
        header("00000007", good) + b'{"a":1}x': END,
        header("00000007", good) + b'{"a":1}\n': END,
        header("00000007", good) + b'{"a":1}}x': END,
        header("00000007", good) + b'{"a":1}': TornFrame(112),
        header("00000007", good) + b'{"a":1}}': TornFrame(113),
        header("00000007") + b'{"a": ': TornFrame(111),
    }
    for data, expected in cases.items():
        assert read_frame(data, 0, GENESIS) == expected, data


def test_a_length_beyond_the_limit() -> None:
    assert RECORD_BYTES_MAX == 0x3FFFF95
    for size in range(80, 120):
        assert isinstance(read_frame((header("03ffff95") + b"{" * 30)[:size], 0, GENESIS), TornFrame), size
    assert read_frame(header("03ffff96"), 0, GENESIS) == TOO_LONG
    assert read_frame(header("03ffff96") + b"{}", 0, GENESIS) == TOO_LONG
    # A part of a length is too long as soon as no digits to come can make it good.
    cut = header("").index(b'","record')
    assert read_frame(header("03ffff96")[: cut + 7], 0, GENESIS) == TornFrame(cut + 7)
    assert read_frame(header("03ffff96")[: cut + 8], 0, GENESIS) == TOO_LONG
    assert read_frame(header("04")[: cut + 2], 0, GENESIS) == TOO_LONG


def test_torn_size_counts_from_the_offset() -> None:
    for left in (1, 30, 110, SECOND.size - 1):
        assert read_frame(DATA[: FIRST.size + left], FIRST.size, FIRST.chain) == TornFrame(left)


@pytest.mark.parametrize("control", range(32))
def test_control_characters_are_refused(control: int) -> None:
    with pytest.raises(ValueError, match=r"^a record holds no control characters; JSON escapes them$"):
        frame(GENESIS, b'{"a":"' + bytes([control]) + b'"}')


def test_other_bytes_are_taken() -> None:
    record = bytes(range(32, 256))
    assert read_frame(frame(GENESIS, record).line, 0, GENESIS) == frame(GENESIS, record)


def test_a_record_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chained_lines, "RECORD_BYTES_MAX", 10)
    assert frame(GENESIS, b"1234567890").size == 117
    with pytest.raises(ValueError, match=r"^a record has at most 10 bytes, not 11$"):
        frame(GENESIS, b"12345678901")


@given(st.lists(st.binary(max_size=40).map(lambda data: data.translate(None, bytes(range(32)))), max_size=6))
def test_any_records_come_back(records: list[bytes]) -> None:
    lines, chain = [], GENESIS
    for record in records:
        framed = frame(chain, record)
        chain = framed.chain
        lines.append(framed.line)
    assert read_frames(b"".join(lines)) == (records, None)


def test_a_real_chronicle() -> None:
    data = write_chronicle(RECORDS)
    records, rest = read_frames(data)
    assert (len(records), rest) == (len(RECORDS), None)
    assert data.count(b"\n") == len(RECORDS)
