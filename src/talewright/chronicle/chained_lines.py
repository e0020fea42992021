"""Hash chain: records as lines of bytes, each bound by a hash to everything before it.

Pure functions on bytes. No file is opened here, and what a record says is not known.
"""

import hashlib
import re
from typing import NamedTuple

from talewright.common.frozen_values import frozen

GENESIS = bytes(32)
"""What stands before the first record."""

FRAME_BYTES_MAX = 64 * 1024 * 1024
"""Bytes of one line, its newline included."""

_HEADER = re.compile(rb'\{"chain":"([0-9a-f]{64})","length":"([0-9a-f]{8})","record":')
_LEAST_HEADER = b'{"chain":"%b","length":"%b","record":' % (b"0" * 64, b"0" * 8)
_END = b"}\n"
_CONTROLS = bytes(range(32))

FRAME_OVERHEAD_BYTES = len(_LEAST_HEADER) + len(_END)
"""Bytes of a line that are not the record's."""

RECORD_BYTES_MAX = FRAME_BYTES_MAX - FRAME_OVERHEAD_BYTES
"""Bytes of one record."""

_TOO_LONG = f"a record would have more than {RECORD_BYTES_MAX} bytes"


class RecordFrame(NamedTuple):
    """A record in its place in the chain. A tuple, as one is made for every record read or written."""

    chain: bytes
    """SHA-256 of the chain before it and the record: 32 bytes."""

    record: bytes
    size: int
    """Bytes of its line, the newline included."""

    @property
    def line(self) -> bytes:
        """The frame as it is written."""
        length = len(self.record)
        return b'{"chain":"%b","length":"%08x","record":%b}\n' % (
            self.chain.hex().encode(),
            length,
            self.record,
        )


@frozen
class ChainEnd:
    """Where the chain of a campaign ends: every store of the same records says the same."""

    length: int
    """How many records there are."""

    hash: str
    """The chain after the last of them, in hexadecimal digits."""


@frozen
class TornFrame:
    """The bytes end inside a frame: they may be the beginning of a good one, and no whole one was harmed."""

    size: int
    """Bytes that are there of it; none where the bytes end at the end of a frame."""


@frozen
class BrokenFrame:
    """What stands there is neither a frame nor the beginning of one."""

    reason: str


def frame(previous: bytes, record: bytes, *, encoded: bool = False) -> RecordFrame:
    """Put a record behind a chain; a ValueError where it is too long or is no canonical JSON.

    `encoded` says that the record came from JSON's encoder just now, which leaves no control character in it.
    """
    if len(record) > RECORD_BYTES_MAX:
        raise ValueError(f"a record has at most {RECORD_BYTES_MAX} bytes, not {len(record)}")
    if not encoded and _has_controls(record):
        raise ValueError("a record holds no control characters; JSON escapes them")
    return RecordFrame(bind(previous, record), record, FRAME_OVERHEAD_BYTES + len(record))


def read_frame(data: bytes, offset: int, previous: bytes) -> RecordFrame | TornFrame | BrokenFrame:
    """The frame that begins at an offset, where `previous` is the chain before it.

    A whole frame that was damaged is never taken for a torn one. A line has its only control character
    at its end, so bytes with one in them are no beginning of a line, whatever their length field says.
    """
    header = _HEADER.match(data, offset)
    if header is None:
        return _read_part(data[offset : offset + len(_LEAST_HEADER)])
    length = int(header[2], 16)
    if length > RECORD_BYTES_MAX:
        return BrokenFrame(_TOO_LONG)
    begin = header.end()
    end = begin + length
    record, closing = data[begin:end], data[end : end + len(_END)]
    if len(record) < length:
        if _has_controls(record):
            return BrokenFrame("a line ends before its length says")
        return TornFrame(len(data) - offset)
    chain = bind(previous, record)
    if chain != bytes.fromhex(header[1].decode()):
        return BrokenFrame("the hash is not that of the record and all before it")
    if closing == _END:
        return RecordFrame(chain, record, FRAME_OVERHEAD_BYTES + length)
    if _END.startswith(closing):
        return TornFrame(len(data) - offset)
    return BrokenFrame("a line does not end where its length says")


def _has_controls(data: bytes) -> bool:
    """Whether there is a control character of ASCII in bytes; canonical JSON has none."""
    # Six times as fast as a search with a pattern.
    return len(data.translate(None, _CONTROLS)) < len(data)


def bind(previous: bytes, record: bytes) -> bytes:
    """The chain after a record: its bytes are those that `SaveFormat.write` makes of it."""
    return hashlib.sha256(previous + record).digest()


def _read_part(part: bytes) -> TornFrame | BrokenFrame:
    """What bytes are that do not begin with a whole header."""
    # Completed with the least header there is, the beginning of a good one becomes a good one.
    header = _HEADER.fullmatch(part + _LEAST_HEADER[len(part) :])
    if header is None:
        return BrokenFrame("a line does not begin as every line does")
    if int(header[2], 16) > RECORD_BYTES_MAX:
        return BrokenFrame(_TOO_LONG)
    return TornFrame(len(part))
