"""The token challenge: a server must prove that it knows the token before it gets it.

Any user of a machine can listen on a port that is free. So each new connection that is not encrypted begins
with a request for a proof, and the token is sent only over connections that have passed. It does not matter
what the address looks like: this machine has many.
"""

import hmac
import json
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import urlencode

import httpx

from talewright.errors import TalewrightError
from talewright.play.wire.token_proof import (
    PROOF_PATH,
    hash_token,
    identify_token,
    make_nonce,
    prove_token,
)

CONNECTED = "connection.connect_tcp.complete"
"""The event after which a new connection can be used."""

ANSWER_SECONDS = 30.0
HEAD_END = b"\r\n\r\n"
ANSWER_BYTES_MAX = 16_384
READ_BYTES = 4096
NOT_READY = frozenset({429, 502, 503, 504})
"""Statuses of a server, or a proxy in front of it, that is not ready."""


class UnprovenServerError(TalewrightError):
    """A server did not prove that it knows the token."""


class NetworkStream(Protocol):
    """A connection, as the HTTP library reports it."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes: ...
    async def write(self, buffer: bytes, timeout: float | None = None) -> None: ...
    async def aclose(self) -> None: ...


class TokenChallenge:
    """Asks for a proof on every new connection of a client."""

    def __init__(self, url: str, host: str, path: str, token: str) -> None:
        """`url` is for messages; `host` is as in the Host header, and `path` is that of the API."""
        self._url = url
        self._host = host
        self._path = path
        self._id = identify_token(token)
        self._hash = hash_token(token)

    async def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Take part in the events of a request: its `trace` extension."""
        if event != CONNECTED:
            return
        stream: NetworkStream = info["return_value"]
        passed = False
        try:
            await self._check(stream)
            passed = True
        finally:
            # Nothing else closes a connection that was refused here.
            if not passed:
                await stream.aclose()

    async def _check(self, stream: NetworkStream) -> None:
        nonce = make_nonce()
        query = urlencode({"token": self._id, "nonce": nonce})
        lines = (f"GET {self._path}{PROOF_PATH}?{query} HTTP/1.1", f"Host: {self._host}", "Accept: */*")
        await stream.write("\r\n".join((*lines, "", "")).encode(), ANSWER_SECONDS)
        status, body = await self._read_answer(stream)
        if status in NOT_READY:
            raise httpx.ConnectError(f"status {status}")
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        given = answer.get("proof") if isinstance(answer, dict) else None
        proof = given.encode(errors="replace") if isinstance(given, str) else b""
        if not hmac.compare_digest(proof, prove_token(self._hash, nonce, self._host).encode()):
            raise self._unproven()

    async def _read_answer(self, stream: NetworkStream) -> tuple[int, bytes]:
        """The status and the body; the connection is then ready for the next request."""
        data = b""
        while HEAD_END not in data:
            data += await self._read(stream, len(data))
        head, _, body = data.partition(HEAD_END)
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = [line.partition(":") for line in lines]
        lengths = [value.strip() for name, _, value in pairs if name.lower() == "content-length"]
        words = first.split(" ")
        sound = words[0] == "HTTP/1.1" and len(words) > 1 and words[1].isascii() and words[1].isdigit()
        if not sound or len(lengths) != 1 or not lengths[0].isascii() or not lengths[0].isdigit():
            raise self._unproven()
        length = int(lengths[0][:9])
        while len(body) < length:
            body += await self._read(stream, len(body))
        if len(body) > length:
            # What comes next would be taken for the answer to the next request.
            raise self._unproven()
        return int(words[1][:9]), body

    async def _read(self, stream: NetworkStream, known: int) -> bytes:
        if known > ANSWER_BYTES_MAX:
            raise self._unproven()
        data = await stream.read(READ_BYTES, ANSWER_SECONDS)
        if not data:
            raise httpx.ConnectError("the connection was closed")
        return data

    def _unproven(self) -> UnprovenServerError:
        return UnprovenServerError(
            f"the server at {self._url} did not prove that it knows your token, so the token was not sent",
            "Check the address and the token. Another program may use this port, or the server may run an "
            "older version of Talewright: update it and start it again.",
        )
