"""The hidden tail: finds where the narration of a reply ends and the block hidden from players starts.

It starts once and never ends: nothing after a fence, a dump or a brace is shown.

A narration is prose. Three backticks or tildes, an opening brace, or a name of the engine's own data
(`GAME_STATE`, `PatchBundle`, `[STATE-OPS]` ...) never occur in it, anywhere in a line; written as two words,
such a name counts only at the start of a line. Single and double backticks are prose. Text that may turn out
to be the start of such a sign is held back until that is clear, and so is anything that leads in to one:
blank space, rules and brackets before it.
"""

import re
from functools import cache

TELLING_LENGTH_MAX = 20_000
"""Characters of a narration; a reply this long without a sign is no longer a narration."""

BEHIND_LENGTH_MAX = 400_000
"""Characters stored of the hidden tail."""

WHITE = " \t\n\xa0\u3000"
_OPENERS = "[(<#*_【［（"
_LEAD = WHITE + _OPENERS + "-=|>"
"""What may lead in to a sign: `---`, `### `, `[` and the like."""

_NAMES = (("game", "state"), ("state", "ops"), ("patch", "bundle"))
_LISTING = "inventory_index_by_id"
_FIRST_WORDS = ("game", "state", "patch", "inventory")
"""Words that are still prose if a reply ends with them."""

_SPELLINGS = frozenset(
    {first + joint + second for first, second in _NAMES for joint in ("", "_", "-", " ")}
    | {_LISTING, "```", "~~~"}
)
_BEGINNINGS = frozenset(sign[:size] for sign in _SPELLINGS for size in range(1, len(sign)))


@cache
def _sign() -> re.Pattern[str]:
    # Compiled with the first answer: a game without a model never needs it.
    return re.compile("|".join(map(re.escape, ["{", *sorted(_SPELLINGS)])), re.ASCII | re.IGNORECASE)


class HiddenTail:
    """Takes a text in pieces and returns the part that may be shown."""

    __slots__ = (
        *("_bare", "_behind", "_kept", "_lead", "_pending", "_shown", "_taken"),
        *("drawn", "overfull", "overlong"),
    )

    def __init__(self) -> None:
        self.drawn = False
        """Whether the tail has started."""

        self.overlong = False
        """Whether it started because the narration was too long."""

        self.overfull = False
        """Whether the tail is longer than what is stored."""

        self._taken = 0
        """Characters taken before the tail started."""

        self._shown = False
        self._pending = ""
        """Text that may be the start of a sign."""

        self._lead = ""
        """Text that may lead in to a sign; it comes before `_pending`."""

        self._bare = True
        """Whether the line has only a lead so far, before what is pending."""

        self._behind: list[str] = []
        self._kept = 0

    @property
    def behind(self) -> str:
        """The hidden tail, starting with the sign itself."""
        return "".join(self._behind)

    def feed(self, text: str) -> str:
        """Take a piece; return what is certainly narration."""
        if self.drawn:
            self._hide(text)
            return ""
        room = TELLING_LENGTH_MAX - self._taken
        self._taken += len(text)
        waiting = self._pending + text[:room]
        sign = self._find_sign(waiting)
        if sign is not None:
            shown = self._draw(waiting, sign)
        else:
            certain = len(waiting) - self._count_pending(waiting)
            self._pending = waiting[certain:]
            shown = self._show(waiting[:certain])
            self.overlong = self.drawn = len(text) > room
        if self.drawn:
            self._hide(text[room:])
        return shown

    def close(self) -> str:
        """Return what may be shown at the end: a word that became no sign, but no partial sign."""
        if self.drawn:
            return ""
        rest = self._pending.rstrip(WHITE)
        if not any(word.startswith(rest.lower()) for word in _FIRST_WORDS):
            return self._draw(self._pending, 0)
        shown = self._show(rest)
        return shown + self._lead.rstrip(WHITE) if self._shown else ""

    def _find_sign(self, text: str) -> int | None:
        found = _sign().search(text)
        while found is not None:
            if " " not in found[0] or self._begins_line(text, found.start()):
                return found.start()
            found = _sign().search(text, found.start() + 1)
        return None

    def _count_pending(self, text: str) -> int:
        for size in range(len(_LISTING) - 1, 0, -1):
            end = text[-size:].lower()
            if end in _BEGINNINGS and (" " not in end or self._begins_line(text, len(text) - len(end))):
                return len(end)
        return 0

    def _begins_line(self, text: str, at: int) -> bool:
        """Whether only a lead precedes a position in its line."""
        line = text.rfind("\n", 0, at) + 1
        return (line > 0 or self._bare) and not text[line:at].strip(_LEAD)

    def _show(self, text: str) -> str:
        self._bare = self._begins_line(text, len(text))
        text = self._lead + text
        shown = text.rstrip(_LEAD)
        self._lead = text[len(shown) :]
        if not self._shown:
            shown = shown.lstrip(WHITE)
        self._shown = self._shown or shown != ""
        return shown

    def _draw(self, text: str, sign: int) -> str:
        """Start the tail at a sign; return what precedes it and does not lead in to it."""
        self.drawn = True
        self._hide(text[sign:])
        shown = self._show(text[:sign])
        if not self._shown:
            return ""
        lead, line_end, _ = self._lead.partition("\n")
        if not line_end:
            lead = lead.rstrip(_OPENERS)
        # The list that makes up a dump may start some space, or a line, before it.
        return shown + lead.rstrip(WHITE).rstrip("[").rstrip(WHITE)

    def _hide(self, text: str) -> None:
        kept = text[: BEHIND_LENGTH_MAX - self._kept]
        self._behind.append(kept)
        self._kept += len(kept)
        self.overfull = self.overfull or len(kept) < len(text)


def begins_with_sign(text: str) -> bool:
    """Whether a text would be hidden from its very beginning."""
    return _sign().match(text.lstrip(_LEAD)) is not None
