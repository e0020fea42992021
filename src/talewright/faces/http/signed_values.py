"""Signed values: JSON objects written by this server that any process with the same key can check.

Nothing is stored or encrypted: anyone who holds a value can read it, but nobody can change it.
"""

import base64
import binascii
import hashlib
import hmac
import json

from talewright.common.json_values import Json

TEXT_LENGTH_MAX = 2048
"""Characters in a signed value; longer ones are not read."""

DOTS = 2
"""Dots in a signed value: it has a purpose, a body and a signature."""

OWNER_CLAIM = "owner"
"""The member of a value that says whose key signed it, on a host."""


class ValueSigner:
    """Writes and reads the values of one purpose; a value of another purpose is never taken for one."""

    def __init__(self, secret: bytes, purpose: str) -> None:
        self._purpose = purpose
        self._key = hmac.new(secret, f"talewright {purpose}".encode(), hashlib.sha256).digest()

    def write(self, value: dict[str, Json]) -> str:
        """The value as text, fit for headers, cookies and links."""
        body = _encode(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())
        return f"{self._purpose}.{body}.{self._sign(body)}"

    def read(self, text: str) -> dict[str, Json] | None:
        """The value; None if this key did not sign it for this purpose."""
        if len(text) > TEXT_LENGTH_MAX or not text.isascii():
            return None
        purpose, _, rest = text.partition(".")
        body, _, signature = rest.partition(".")
        if purpose != self._purpose or not hmac.compare_digest(self._sign(body), signature):
            return None
        return _decode(body)

    def complete(self, unsigned: str) -> str | None:
        """A value from its purpose and body; None if they are not of this purpose."""
        purpose, _, body = unsigned.partition(".")
        return f"{unsigned}.{self._sign(body)}" if purpose == self._purpose and body.isascii() else None

    def _sign(self, body: str) -> str:
        return _encode(hmac.new(self._key, body.encode(), hashlib.sha256).digest())


def read_owner_claim(text: str) -> str:
    """The owner a value claims, to find the key that proves it; empty if it claims none."""
    if len(text) > TEXT_LENGTH_MAX or not text.isascii():
        return ""
    value = _decode(text.split(".")[1]) if text.count(".") == DOTS else None
    owner = None if value is None else value.get(OWNER_CLAIM)
    return owner if isinstance(owner, str) else ""


def _decode(body: str) -> dict[str, Json] | None:
    try:
        value = json.loads(base64.urlsafe_b64decode(f"{body}{'=' * (-len(body) % 4)}"))
    except (binascii.Error, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
