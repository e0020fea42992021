"""Chance: the only source of randomness in a game, derived from a campaign's secret and auditable.

It neither creates nor stores secrets; the code that opens a campaign passes the secret in.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from struct import Struct
from types import MappingProxyType
from typing import Protocol

from talewright.common.frozen_values import frozen

SIDES_MAX = 2**32
"""The most sides a draw may have, since a draw is read from a 32-bit word."""

_WORDS = 2**32
"""How many values a 32-bit word can have."""

_HMAC_BLOCK_BYTES = 64
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))
_read_word = Struct(">I").unpack_from
_read_words = Struct(">8I").unpack
_NO_NONCES: Mapping[int, bytes] = MappingProxyType({})


class Chance(Protocol):
    """A source of random draws. Everything random in a game goes through `draw`."""

    def draw(self, sides: int, why: str = "") -> int:
        """A whole number from 1 to `sides`, all equally likely."""


@frozen
class Draw:
    """One draw as it is recorded in a commit."""

    version: int
    index: int
    """Which draw of its version it is, counted from zero."""

    sides: int
    face: int
    why: str
    name: str = ""
    """The text that its face is derived from; empty if that is its version and index."""


@frozen
class Discrepancy:
    """A contradiction between a record and its secret."""

    draw: Draw | None
    """The recorded draw; None if the secret itself is wrong."""

    expected: int | None
    """The face that follows from the secret; None if there is no such face."""

    reason: str


class Fate:
    """Draws determined by (secret, version, index): the same inputs always give the same draws.

    Draw `i` of version `v` is HMAC-SHA256(secret, "v:i"), read as 32-bit words; the first word below the
    largest multiple of `sides` decides, by its remainder. If none of the eight words qualifies, "v:i:1",
    "v:i:2" and so on follow. A nonce precedes all of it, as "nonce in hex@v:i".
    """

    __slots__ = ("_drawn", "_inner", "_outer", "_start", "_version")

    def __init__(self, secret: bytes, version: int, nonce: bytes = b"", start: int = 0) -> None:
        # The key and the start of every message are hashed once here and copied for each draw. This is the
        # HMAC of RFC 2104, at half the cost of the library's one-shot call.
        key = hashlib.sha256(secret).digest() if len(secret) > _HMAC_BLOCK_BYTES else secret
        block = key.ljust(_HMAC_BLOCK_BYTES, b"\0")
        prefix = f"{nonce.hex()}@{version}:" if nonce else f"{version}:"
        self._inner = hashlib.sha256(block.translate(_INNER_PAD) + prefix.encode())
        self._outer = hashlib.sha256(block.translate(_OUTER_PAD))
        self._version = version
        self._start = start
        self._drawn: list[tuple[int, int, str]] = []

    def draw(self, sides: int, why: str = "") -> int:
        """The next draw, from 1 to `sides`; it is recorded in `draws`."""
        if not 1 <= sides <= SIDES_MAX:
            raise ValueError(f"a draw has 1 to {SIDES_MAX} sides, not {sides}")
        drawn = self._drawn
        message = b"%d" % (self._start + len(drawn))
        # Inlined from `_digest`: another call per die would be measurable.
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        (word,) = _read_word(outer.digest())
        rest = word % sides
        if word - rest > _WORDS - sides:
            rest = _fit_word(self._digest, message, sides) % sides
        face: int = rest + 1
        drawn.append((sides, face, why))
        return face

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The draws so far, in order."""
        return tuple(
            Draw(self._version, index, sides, face, why)
            for index, (sides, face, why) in enumerate(self._drawn, self._start)
        )

    def _digest(self, message: bytes) -> bytes:
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


def _fit_word(digest: Callable[[bytes], bytes], message: bytes, sides: int) -> int:
    """Find the first word within a whole round of faces."""
    limit = _WORDS - _WORDS % sides
    block = 0
    words: tuple[int, ...] = _read_words(digest(message))
    while True:
        for word in words:
            if word < limit:
                return word
        block += 1
        words = _read_words(digest(b"%b:%d" % (message, block)))


def derive_face(secret: bytes, name: str, sides: int) -> int:
    """The face of a named draw: as in `Fate`, with the name instead of version and index."""
    return _fit_word(lambda message: hmac.digest(secret, message, "sha256"), name.encode(), sides) % sides + 1


def commitment(secret: bytes) -> str:
    """The hash of the secret that the first commit records, so that the secret cannot be replaced later."""
    return hashlib.sha256(secret).hexdigest()


def verify_draws(
    secret: bytes,
    committed: str,
    draws: Iterable[Draw],
    nonces: Mapping[int, bytes] = _NO_NONCES,
) -> list[Discrepancy]:
    """Derive recorded draws again from a revealed secret; an empty list means the record is honest.

    The draws of a version are in order from index zero. `nonces` holds, by version, the nonces mixed in for
    games with fresh fate. A wrong secret is reported once, and then no draws are compared.
    """
    if commitment(secret) != committed:
        return [Discrepancy(None, None, "this secret does not match the commitment")]
    found: list[Discrepancy] = []
    before: Draw | None = None
    for draw in draws:
        found += _compare(secret, draw, before, nonces.get(draw.version, b""))
        before = draw
    return found


def _compare(secret: bytes, draw: Draw, before: Draw | None, nonce: bytes) -> list[Discrepancy]:
    if not 1 <= draw.sides <= SIDES_MAX:
        return [Discrepancy(draw, None, f"no draw has {draw.sides} sides")]
    found: list[Discrepancy] = []
    if draw.name:
        expected = derive_face(secret, draw.name, draw.sides)
    else:
        expected = Fate(secret, draw.version, nonce, draw.index).draw(draw.sides)
    if draw.face != expected:
        found.append(Discrepancy(draw, expected, f"the secret gives {expected}, the record says {draw.face}"))
    # Index zero may recur: another branch or another attempt reaches the same version.
    follows = before.index + 1 if before is not None and before.version == draw.version else 0
    if draw.index not in (0, follows):
        found.append(Discrepancy(draw, expected, f"draw {follows} of version {draw.version} is missing"))
    return found
