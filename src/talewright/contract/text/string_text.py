"""The inside of one JSON string, decoded while it arrives.

It gives characters as soon as they are certain and never part of an escape.
"""

import re

_RUN = re.compile(r'[^"\\\x00-\x08\x0b\x0c\x0e-\x1f]*+')
_PLAIN_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_UNICODE_LENGTH = len("u0000")


class StringText:
    """One string, from the character after its opening quote on."""

    def __init__(self) -> None:
        self.closed = False
        self.broken = False
        """Whether something stands in it that no JSON string can hold. Line breaks and tabs may."""

        self.damaged = False
        """Whether half a surrogate pair stood in it; it is left out."""

        self._escape: str | None = None
        """What has arrived of an escape, without its backslash; None outside of one."""

        self._high: int | None = None
        """The first half of a pair whose second half must come next."""

    def feed(self, text: str, at: int) -> tuple[str, int]:
        """Read on at a place; give what was decoded, and the first place that no longer belongs to it."""
        parts: list[str] = []
        while at < len(text) and not (self.closed or self.broken):
            if self._escape is not None:
                parts.append(self._add_to_escape(self._escape, text[at]))
                at += 1
                continue
            run = _RUN.match(text, at)
            assert run is not None
            if run.group():
                parts.append(self._pass(run.group()))
            at = run.end()
            if at < len(text):
                self._read_sign(text[at])
                at += 1
        return "".join(parts), at

    def _read_sign(self, sign: str) -> None:
        if sign == "\\":
            self._escape = ""
            return
        self._drop_high()
        self.closed = sign == '"'
        self.broken = not self.closed

    def _pass(self, text: str) -> str:
        self._drop_high()
        return text

    def _drop_high(self) -> None:
        self.damaged = self.damaged or self._high is not None
        self._high = None

    def _add_to_escape(self, before: str, sign: str) -> str:
        escape = before + sign
        if escape in _PLAIN_ESCAPES:
            self._escape = None
            return self._pass(_PLAIN_ESCAPES[escape])
        if escape != "u" and not (before and sign in _HEX_DIGITS):
            self.broken = True
            return ""
        if len(escape) < _UNICODE_LENGTH:
            self._escape = escape
            return ""
        self._escape = None
        return self._take_unit(int(escape[1:], 16))

    def _take_unit(self, unit: int) -> str:
        """One UTF-16 code unit: a character, or half of one."""
        if 0xDC00 <= unit <= 0xDFFF and self._high is not None:
            high, self._high = self._high, None
            return chr(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
        self._drop_high()
        if 0xD800 <= unit <= 0xDBFF:
            self._high = unit
            return ""
        if 0xDC00 <= unit <= 0xDFFF:
            self.damaged = True
            return ""
        return chr(unit)
