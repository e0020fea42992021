"""Sealing: stored data is encrypted and bound to its place, with keys from the environment.

A sealed value names its key, so that keys can be rotated. Neither a key nor a value is ever shown.
"""

import base64
import binascii
import hashlib
import hmac
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError

T = TypeVar("T")

SEALING_KEYS = "TALEWRIGHT_SEALING_KEYS"
"""The variable with the keys: `ID:BASE64`, separated by commas. The first one seals, all of them open."""

KEY_BYTES = 32
KEYS_MAX = 16
NONCE_BYTES = 12
MARK_BYTES = 16
"""Bytes of a mark, which shows that a row was written by us."""

PLAIN, DEFLATED = b"\x01", b"\x02"
"""The first byte of a sealed value: whether it was compressed."""

DEFLATE_BYTES_MIN = 512
DEFLATE_LEVEL = 1
"""The fastest level: it halves a record, and higher levels take three times as long to save a tenth more."""

WINDOW_BITS, MEMORY_LEVEL = 13, 5
"""A window and tables sized for a record: clearing the larger default ones takes longer."""

VALUE_BYTES_MAX = 128 * 1024 * 1024
"""Bytes of one value after decompression."""

SEALERS_CACHED = 4096

_KEY_ID = re.compile(rb"[a-z0-9]{1,16}")
_KEY = re.compile(r"([a-z0-9]{1,16}):([A-Za-z0-9+/_=-]+)")
_HINT = (
    f"Set {SEALING_KEYS} to `ID:KEY`, where KEY is 32 random bytes in base64: "
    "`python -c \"import base64, os; print('k1:' + base64.b64encode(os.urandom(32)).decode())\"`."
)


class UnsealError(Exception):
    """A sealed value was altered, belongs elsewhere, or was sealed with a key that is missing."""


@frozen
class SealingKeys:
    """The keys of a host. The first one seals; the others open older values."""

    keys: Mapping[str, bytes] = field(repr=False)
    """By id, in order."""

    @property
    def first(self) -> str:
        """The id of the key that seals."""
        return next(iter(self.keys))

    def find_fingerprint(self, name: str) -> bytes:
        """A hash that identifies a key and tells nothing else about it."""
        return _derive(self.keys[name], b"fingerprint", b"")

    def seal_for(self, campaign: bytes) -> "CampaignSeal":
        """The seal of a campaign; an empty id means data that no campaign owns."""
        return _make_seal(tuple(self.keys.items()), campaign)


def parse_keys(text: str) -> SealingKeys:
    """Read the keys from the value of the variable; raises SettingsError, which never shows them."""
    keys: dict[str, bytes] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        found = _KEY.fullmatch(part)
        if found is None:
            raise SettingsError("a sealing key is not of the form ID:KEY", _HINT)
        try:
            key = base64.b64decode(found[2].translate(str.maketrans("-_", "+/")), validate=True)
        except binascii.Error:
            raise SettingsError(f"the sealing key {found[1]!r} is not base64", _HINT) from None
        if len(key) != KEY_BYTES:
            raise SettingsError(f"the sealing key {found[1]!r} has {len(key)} bytes, not {KEY_BYTES}", _HINT)
        if found[1] in keys:
            raise SettingsError(f"there are two sealing keys {found[1]!r}", "Give each key an id of its own.")
        keys[found[1]] = key
    if not keys or len(keys) > KEYS_MAX:
        raise SettingsError(f"there must be 1 to {KEYS_MAX} sealing keys", _HINT)
    return SealingKeys(keys)


@lru_cache(SEALERS_CACHED)
def _make_seal(keys: tuple[tuple[str, bytes], ...], campaign: bytes) -> "CampaignSeal":
    return CampaignSeal(keys, campaign)


class CampaignSeal:
    """Seals and opens the values of one campaign, with keys derived for it alone.

    Separate keys keep the number of values per key far below what random nonces allow.
    """

    def __init__(self, keys: Sequence[tuple[str, bytes]], campaign: bytes) -> None:
        self._first = keys[0][0].encode()
        self._ciphers = {name.encode(): AESGCM(_derive(key, b"values", campaign)) for name, key in keys}
        self._marks = {name.encode(): _derive(key, b"rows", campaign) for name, key in keys}

    def seal(self, value: bytes, place: str) -> bytes:
        """Encrypt a value, bound to its place: it opens nowhere else."""
        kind = PLAIN
        if len(value) >= DEFLATE_BYTES_MIN:
            deflater = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL)
            shorter = deflater.compress(value) + deflater.flush()
            if len(shorter) < len(value):
                kind, value = DEFLATED, shorter
        head = kind + bytes([len(self._first)]) + self._first
        nonce = os.urandom(NONCE_BYTES)
        return head + nonce + self._ciphers[self._first].encrypt(nonce, value, head + place.encode())

    def unseal(self, sealed: bytes, place: str) -> bytes:
        """Decrypt a value; raises UnsealError if one bit of it or of its place differs."""
        size = 2 + (sealed[1] if len(sealed) > 1 else 0)
        head, nonce, body = sealed[:size], sealed[size : size + NONCE_BYTES], sealed[size + NONCE_BYTES :]
        cipher = _find_key(self._ciphers, head[2:])
        try:
            value = cipher.decrypt(nonce, body, head + place.encode())
        except (InvalidTag, ValueError):
            raise UnsealError("the value was changed") from None
        return _inflate(value) if head[:1] == DEFLATED else value

    def mark(self, row: str) -> bytes:
        """Return a mark that shows later that a row is as we wrote it."""
        return self._first + b":" + _sign(self._marks[self._first], row)

    def check_mark(self, mark: bytes, row: str) -> bool:
        """Whether a row is as we wrote it; raises UnsealError if the key is missing."""
        name, _, signature = mark.partition(b":")
        return hmac.compare_digest(signature, _sign(_find_key(self._marks, name), row))


def read_key_id(sealed: bytes) -> str:
    """The id of the key that a value was sealed with; empty if it has none."""
    name = sealed[2 : 2 + sealed[1]] if len(sealed) > 1 else b""
    return name.decode() if _KEY_ID.fullmatch(name) else ""


def _find_key(keys: Mapping[bytes, T], name: bytes) -> T:
    if name in keys:
        return keys[name]
    if _KEY_ID.fullmatch(name):
        raise UnsealError(f"the sealing key {name.decode()!r} is not there")
    raise UnsealError("the value was changed")


def _derive(key: bytes, use: bytes, campaign: bytes) -> bytes:
    return hmac.digest(key, b"talewright " + use + b"\0" + campaign, hashlib.sha256)


def _sign(key: bytes, row: str) -> bytes:
    return hmac.digest(key, row.encode("utf-8", "surrogatepass"), hashlib.sha256)[:MARK_BYTES]


def _inflate(value: bytes) -> bytes:
    inflater = zlib.decompressobj()
    found = inflater.decompress(value, VALUE_BYTES_MAX)
    if inflater.unconsumed_tail or not inflater.eof:
        raise UnsealError("the value is longer than any that is stored")
    return found
