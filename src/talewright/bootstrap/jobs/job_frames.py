"""Job frames: how a server and its job processes exchange messages, as JSON and bytes over a pipe.

Neither side unpickles anything, so a message cannot run code.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from struct import Struct
from typing import BinaryIO, cast

from talewright.common.json_values import Json

_SIZES = Struct(">QQ")
"""The sizes in bytes of the two parts that follow: a JSON object, and data."""

OUT_OF_MEMORY = 71
"""The exit code of a job process that has used up its memory."""

_CHUNK_BYTES = 1024 * 1024


def _split_frame(members: Mapping[str, Json], data: bytes) -> Iterator[bytes | memoryview]:
    text = json.dumps(members).encode()
    yield _SIZES.pack(len(text), len(data)) + text
    view = memoryview(data)
    yield from (view[start : start + _CHUNK_BYTES] for start in range(0, len(data), _CHUNK_BYTES))


async def send_frame(pipe: asyncio.StreamWriter, members: Mapping[str, Json], data: bytes = b"") -> None:
    """Send a message from a server."""
    for part in _split_frame(members, data):
        pipe.write(part)
        await pipe.drain()


async def receive_frame(pipe: asyncio.StreamReader) -> tuple[dict[str, Json], bytes]:
    """Receive a message in a server. Raises IncompleteReadError if the process has ended."""
    text_size, data_size = _SIZES.unpack(await pipe.readexactly(_SIZES.size))
    text = await pipe.readexactly(text_size)
    return cast(dict[str, Json], json.loads(text)), await pipe.readexactly(data_size)


def write_frame(pipe: BinaryIO, members: Mapping[str, Json], data: bytes = b"") -> None:
    """Send a message from a job process."""
    for part in _split_frame(members, data):
        pipe.write(part)
    pipe.flush()


def read_frame(pipe: BinaryIO) -> tuple[dict[str, Json], bytes] | None:
    """Receive a message in a job process; None if the server has ended."""
    head = pipe.read(_SIZES.size)
    if len(head) < _SIZES.size:
        return None
    text_size, data_size = _SIZES.unpack(head)
    text, data = pipe.read(text_size), pipe.read(data_size)
    return (cast(dict[str, Json], json.loads(text)), data) if len(data) == data_size else None
