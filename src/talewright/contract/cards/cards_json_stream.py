"""The stream of a cards answer: finds the JSON object in the arriving text and decodes its narration.

It follows the JSON grammar strictly and outputs nothing more once that is violated. It reads no other member.
"""

import re
from enum import Enum, auto

from talewright.contract.cards.cards_schema import MEMBERS, NARRATIVE, NARRATIVE_LENGTH_MAX
from talewright.contract.text.answer_json import DEPTH_MAX, strip_controls
from talewright.kernel.state.documents import is_text

_RUN = re.compile(r'[^"\\\x00-\x08\x0b\x0c\x0e-\x1f]*+')
_PLAIN_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_UNICODE_LENGTH = len("u0000")


class JsonStringDecoder:
    """Decodes one string, starting after its opening quote."""

    def __init__(self) -> None:
        self.closed = False
        self.broken = False
        """Whether it contains something no JSON string may. Line breaks and tabs are allowed."""

        self.damaged = False
        """Whether it contained half a surrogate pair, which is dropped."""

        self._escape: str | None = None
        """The part of an escape that has arrived, without its backslash; None outside one."""

        self._high: int | None = None
        """The first half of a pair whose second half must come next."""

    def feed(self, text: str, at: int) -> tuple[str, int]:
        """Read from a position; return the decoded text and the first position after the string."""
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
        """Take one UTF-16 code unit: a character, or half of one."""
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


_BLANK = re.compile(r"[ \t\n\r]*+")
_NO_BRACE = re.compile(r"[^{]*+")
_SCALAR = re.compile(r"[-+.0-9a-zA-Z]*+")


class CardsStage(Enum):
    """What may come next."""

    BEFORE = auto()
    """Words before the object, a fence, a byte order mark: skipped."""

    BRACE = auto()
    """After a brace before the object; a quote next means that it opens the object."""

    NAME = auto()
    NAME_OR_END = auto()
    COLON = auto()
    VALUE = auto()
    VALUE_OR_END = auto()
    STRING = auto()
    SCALAR = auto()
    NEXT = auto()
    """A comma, or the end of an object or list."""

    AFTER = auto()
    """After the object; the rest is skipped."""

    AFTER_BRACE = auto()
    BROKEN = auto()


class StreamedNarration:
    """The narration of one reply, as far as it has arrived."""

    def __init__(self) -> None:
        self.cut = False
        """Whether it continued after the last character that is shown."""

        self.closed = False
        self.damaged = False
        """Whether halves of surrogate pairs had to be dropped."""

        self.whole = False
        """Whether it was closed, and what followed shows that it really ended: after a quotation mark that
        should have been escaped, something other than a known member follows.
        """

        self._room = NARRATIVE_LENGTH_MAX

    def take(self, text: str) -> str:
        """Take more decoded text; return the part that may be shown."""
        self.damaged = self.damaged or not is_text(text)
        plain = strip_controls(text)
        shown = plain[: self._room]
        self._room -= len(shown)
        self.cut = self.cut or len(shown) < len(plain)
        return shown


class CardsStream:
    """One reply while it arrives."""

    def __init__(self) -> None:
        self.stage = CardsStage.BEFORE
        self.start = 0
        """Where the object starts."""

        self.end = 0
        """Where it has ended, once it has."""

        self.doubled = False
        """Whether another object follows it."""

        self.narration = StreamedNarration()
        self._passed = 0
        """Characters of earlier chunks."""

        self._text = ""
        self._closing: list[str] = []
        """The closing brackets of the open objects and lists, innermost last."""

        self._name = ""
        """The member of the outermost object that is being read."""

        self._string = JsonStringDecoder()
        self._is_name = False
        self._told = ""
        """The narration in the current chunk; at most one piece, since it is one string."""

    def feed(self, text: str) -> str:
        """Take more of the reply; return the narration it contains."""
        self._text = text
        self._told = ""
        at = 0
        while at < len(text) and self.stage is not CardsStage.BROKEN:
            at = self._step(at)
        self._passed += len(text)
        return self._told

    def _step(self, at: int) -> int:
        """Read one element; return where the next one starts."""
        match self.stage:
            case CardsStage.BEFORE | CardsStage.AFTER:
                return self._seek_brace(at)
            case CardsStage.STRING:
                return self._read_string(at)
            case CardsStage.SCALAR:
                at = _end_of(_SCALAR, self._text, at)
                if at < len(self._text):
                    self.stage = CardsStage.NEXT
                return at
            case _:
                at = _end_of(_BLANK, self._text, at)
                if at == len(self._text):
                    return at
                return self._read_sign(self._text[at], at)

    def _seek_brace(self, at: int) -> int:
        at = _end_of(_NO_BRACE, self._text, at)
        if at == len(self._text):
            return at
        if self.stage is CardsStage.BEFORE:
            self.start = self._passed + at
            self.stage = CardsStage.BRACE
        else:
            self.stage = CardsStage.AFTER_BRACE
        return at + 1

    def _read_sign(self, sign: str, at: int) -> int:
        """Read a character that is not blank, as the grammar requires."""
        closing = self._closing[-1] if self._closing else ""
        match self.stage, sign:
            case CardsStage.BRACE, '"':
                self._closing.append("}")
                self._begin_string(is_name=True)
            case CardsStage.BRACE, "{":
                # A doubled brace. Anything else is an object with malformed names, or an empty one, and no
                # object inside or after it may be taken for the answer.
                self.stage = CardsStage.BEFORE
                return at
            case CardsStage.BRACE, "}":
                self._end(at)
            case CardsStage.AFTER_BRACE, _:
                self.doubled = self.doubled or sign == '"'
                self.stage = CardsStage.AFTER
                return at
            case ((CardsStage.NAME | CardsStage.NAME_OR_END), '"'):
                self._begin_string(is_name=True)
            case CardsStage.COLON, ":":
                self._end_name()
            case CardsStage.NEXT, ",":
                self.stage = CardsStage.NAME if closing == "}" else CardsStage.VALUE
            case ((CardsStage.NEXT | CardsStage.NAME_OR_END | CardsStage.VALUE_OR_END), _) if sign == closing:
                self._close(at)
            case ((CardsStage.VALUE | CardsStage.VALUE_OR_END), _):
                return self._begin_value(sign, at)
            case _:
                self.stage = CardsStage.BROKEN
        return at + 1

    def _begin_value(self, sign: str, at: int) -> int:
        if sign == '"':
            self._begin_string(is_name=False)
        elif sign in "{[" and len(self._closing) < DEPTH_MAX:
            self._closing.append("}" if sign == "{" else "]")
            self.stage = CardsStage.NAME_OR_END if sign == "{" else CardsStage.VALUE_OR_END
        elif _SCALAR.fullmatch(sign):
            self.stage = CardsStage.SCALAR
        else:
            self.stage = CardsStage.BROKEN
        return at + 1

    def _begin_string(self, *, is_name: bool) -> None:
        self.stage = CardsStage.STRING
        self._string = JsonStringDecoder()
        self._is_name = is_name
        if is_name and self._is_outermost:
            self._name = ""

    def _end_name(self) -> None:
        self.stage = CardsStage.VALUE
        # Another known member: the narration before it was complete.
        if self._is_outermost and self._name in MEMBERS:
            self.narration.whole = self.narration.closed

    @property
    def _is_outermost(self) -> bool:
        return len(self._closing) == 1

    @property
    def _is_narrative(self) -> bool:
        """Whether the current string is the narration; the first one if there are two."""
        at_hand = self._is_outermost and not self._is_name and self._name == NARRATIVE
        return at_hand and not self.narration.closed

    def _read_string(self, at: int) -> int:
        text, at = self._string.feed(self._text, at)
        if self._is_narrative:
            self._told = self.narration.take(text)
            self.narration.damaged = self.narration.damaged or self._string.damaged
        elif self._is_name and self._is_outermost:
            # A name longer than all known ones cannot match, however it continues.
            self._name = (self._name + text)[: len(NARRATIVE) + 1]
        if self._string.closed:
            self._close_string()
        elif self._string.broken:
            self.stage = CardsStage.BROKEN
        return at

    def _close_string(self) -> None:
        self.stage = CardsStage.COLON if self._is_name else CardsStage.NEXT
        if self._is_narrative:
            self.narration.closed = True

    def _close(self, at: int) -> None:
        self._closing.pop()
        self.stage = CardsStage.NEXT
        if not self._closing:
            self._end(at)

    def _end(self, at: int) -> None:
        self.end = self._passed + at + 1
        self.stage = CardsStage.AFTER
        self.narration.whole = self.narration.closed


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None
    return found.end()
