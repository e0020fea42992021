"""The stream of a cards answer: finds its object in what arrives, and its narration within the object.

It follows the grammar of JSON strictly and gives nothing out once that is broken. It reads no other member.
"""

import re
from enum import Enum, auto

from talewright.contract.cards.limits import NARRATIVE_LENGTH_MAX
from talewright.contract.text.json_text import DEPTH_MAX
from talewright.contract.text.plain_text import strip_controls
from talewright.contract.text.string_text import StringText
from talewright.kernel.state.documents import is_text

NARRATIVE = "narrative_markdown"
MEMBERS = (NARRATIVE, "choices", "state_updates", "new_facts", "events", "end")
"""The members of an answer, in the order in which they are asked for."""

_BLANK = re.compile(r"[ \t\n\r]*+")
_NO_BRACE = re.compile(r"[^{]*+")
_SCALAR = re.compile(r"[-+.0-9a-zA-Z]*+")


class Stage(Enum):
    """What may come next."""

    BEFORE = auto()
    """Words before the object, a fence, a byte order mark: passed over."""

    BRACE = auto()
    """After a brace before the object; a quote after it makes it the object's own."""

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
    """After the object; what stands there is passed over."""

    AFTER_BRACE = auto()
    BROKEN = auto()


class Narration:
    """The narration of one reply, as far as it has arrived."""

    def __init__(self) -> None:
        self.cut = False
        """Whether it went on after the last character that is shown."""

        self.closed = False
        self.damaged = False
        """Whether halves of surrogate pairs had to be left out of it."""

        self.whole = False
        """Whether it was closed, and what followed shows that this was its own end: after a quotation mark
        that should have been escaped, something else follows than a member of ours."""

        self._room = NARRATIVE_LENGTH_MAX

    def take(self, text: str) -> str:
        """More of it, decoded; what of that may be shown."""
        self.damaged = self.damaged or not is_text(text)
        plain = strip_controls(text)
        shown = plain[: self._room]
        self._room -= len(shown)
        self.cut = self.cut or len(shown) < len(plain)
        return shown


class CardsStream:
    """One reply while it arrives."""

    def __init__(self) -> None:
        self.stage = Stage.BEFORE
        self.start = 0
        """Where the object begins."""

        self.end = 0
        """Where it has ended, once it has."""

        self.doubled = False
        """Whether another object follows it."""

        self.narration = Narration()
        self._passed = 0
        """Characters of earlier chunks."""

        self._text = ""
        self._closing: list[str] = []
        """What closes the objects and lists that are open, the innermost last."""

        self._name = ""
        """The member of the whole object that is being read."""

        self._string = StringText()
        self._is_name = False
        self._told = ""
        """What the chunk at hand brought of the narration; one piece at most, for that is one string."""

    def feed(self, text: str) -> str:
        """Take more of the reply; give what it brought of the narration."""
        self._text = text
        self._told = ""
        at = 0
        while at < len(text) and self.stage is not Stage.BROKEN:
            at = self._step(at)
        self._passed += len(text)
        return self._told

    def _step(self, at: int) -> int:
        """Read one thing; the place where the next begins."""
        match self.stage:
            case Stage.BEFORE | Stage.AFTER:
                return self._seek_brace(at)
            case Stage.STRING:
                return self._read_string(at)
            case Stage.SCALAR:
                at = _end_of(_SCALAR, self._text, at)
                if at < len(self._text):
                    self.stage = Stage.NEXT
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
        if self.stage is Stage.BEFORE:
            self.start = self._passed + at
            self.stage = Stage.BRACE
        else:
            self.stage = Stage.AFTER_BRACE
        return at + 1

    def _read_sign(self, sign: str, at: int) -> int:
        """Read a character that is not blank, where the grammar asks for one."""
        closing = self._closing[-1] if self._closing else ""
        match self.stage, sign:
            case Stage.BRACE, '"':
                self._closing.append("}")
                self._begin_string(is_name=True)
            case Stage.BRACE, "{":
                # A doubled brace. Anything else is an object with its names written wrongly, or an empty one,
                # and no object that lies within or after it must be taken for the answer.
                self.stage = Stage.BEFORE
                return at
            case Stage.BRACE, "}":
                self._end(at)
            case Stage.AFTER_BRACE, _:
                self.doubled = self.doubled or sign == '"'
                self.stage = Stage.AFTER
                return at
            case ((Stage.NAME | Stage.NAME_OR_END), '"'):
                self._begin_string(is_name=True)
            case Stage.COLON, ":":
                self.stage = Stage.VALUE
                # Another member of ours: the narration before it was whole.
                if self._is_outermost and self._name in MEMBERS:
                    self.narration.whole = self.narration.closed
            case Stage.NEXT, ",":
                self.stage = Stage.NAME if closing == "}" else Stage.VALUE
            case ((Stage.NEXT | Stage.NAME_OR_END | Stage.VALUE_OR_END), _) if sign == closing:
                self._close(at)
            case ((Stage.VALUE | Stage.VALUE_OR_END), _):
                return self._begin_value(sign, at)
            case _:
                self.stage = Stage.BROKEN
        return at + 1

    def _begin_value(self, sign: str, at: int) -> int:
        if sign == '"':
            self._begin_string(is_name=False)
        elif sign in "{[" and len(self._closing) < DEPTH_MAX:
            self._closing.append("}" if sign == "{" else "]")
            self.stage = Stage.NAME_OR_END if sign == "{" else Stage.VALUE_OR_END
        elif _SCALAR.fullmatch(sign):
            self.stage = Stage.SCALAR
        else:
            self.stage = Stage.BROKEN
        return at + 1

    def _begin_string(self, *, is_name: bool) -> None:
        self.stage = Stage.STRING
        self._string = StringText()
        self._is_name = is_name
        if is_name and self._is_outermost:
            self._name = ""

    @property
    def _is_outermost(self) -> bool:
        return len(self._closing) == 1

    @property
    def _is_narrative(self) -> bool:
        """Whether the string at hand is the narration; of two, the first is."""
        at_hand = self._is_outermost and not self._is_name and self._name == NARRATIVE
        return at_hand and not self.narration.closed

    def _read_string(self, at: int) -> int:
        text, at = self._string.feed(self._text, at)
        if self._is_narrative:
            self._told = self.narration.take(text)
        elif self._is_name and self._is_outermost:
            # A name that is longer than any of ours is none of ours, however it goes on.
            self._name = (self._name + text)[: len(NARRATIVE) + 1]
        if self._string.closed:
            self._close_string()
        elif self._string.broken:
            self.stage = Stage.BROKEN
        return at

    def _close_string(self) -> None:
        self.stage = Stage.COLON if self._is_name else Stage.NEXT
        if self._is_narrative:
            self.narration.closed = True
            self.narration.damaged = self.narration.damaged or self._string.damaged

    def _close(self, at: int) -> None:
        self._closing.pop()
        self.stage = Stage.NEXT
        if not self._closing:
            self._end(at)

    def _end(self, at: int) -> None:
        self.end = self._passed + at + 1
        self.stage = Stage.AFTER
        self.narration.whole = self.narration.closed


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None
    return found.end()
