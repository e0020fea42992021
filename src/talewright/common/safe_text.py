"""Safe text: text made fit to be shown or kept, with a table of what each place takes out.

One function does it; a row of the table says what becomes of control characters, of what turns the direction
of writing, of tabs, line ends and what cannot be printed. Some rows decide what a campaign keeps: whoever
changes one of those changes how old campaigns replay.
"""

import re
from dataclasses import dataclass
from functools import cached_property

CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""C0 but the tab and the line feed, DEL and C1; written, like all sets here, as within `[]` of a pattern."""

TURNS = "\u202a-\u202e\u2066-\u2069"
"""What turns the direction of writing until it is turned back."""

DIRECTIONS = f"\u061c\u200e\u200f{TURNS}"
SEPARATORS = "\u2028\u2029"
BYTE_ORDER = "\ufeff"
ANNOTATIONS = "\ufff9-\ufffb"
TAGS = "\U000e0000-\U000e007f"
SURROGATES = "\ud800-\udfff"
"""Halves of surrogate pairs, which no UTF-8 can carry."""

FORMATS = (
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Unicode's category Cf, but the joiner that emoji are made with; bidi controls and tags are among them."""

FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0"
"""Fillers and selectors that take no place or an empty one, though they count as letters or marks."""

EMOJI = "\xa9\xae\u203c-\u3299\U0001f000-\U0001faff"

TAB = "\t"
REPLACEMENT = "\ufffd"


@dataclass(frozen=True, eq=False)
class SafeTextRule:
    """What one place does to a text, in the order of the members."""

    unprintable: str | None = None
    """What stands for a character that `str.isprintable` refuses; `{code}` is its number. None keeps it."""

    tab: str = TAB
    """What a tab becomes."""

    dropped: str = ""
    """A regular expression of what goes."""

    surrogate: str | None = None
    """What stands for half of a surrogate pair that was not dropped; None keeps it."""

    gaps: str = ""
    """A regular expression of what becomes one space; blanks at either end go as well."""

    @cached_property
    def dropped_pattern(self) -> re.Pattern[str]:
        """Compiled when it is first needed: not every face needs every row."""
        return re.compile(self.dropped)

    @cached_property
    def gaps_pattern(self) -> re.Pattern[str]:
        """Likewise."""
        return re.compile(self.gaps)


_SURROGATE = re.compile(f"[{SURROGATES}]")
_PLAYED = f"[{CONTROLS}{DIRECTIONS}{SEPARATORS}{BYTE_ORDER}{ANNOTATIONS}{TAGS}]"

# The table.

ANSWER_TEXT = SafeTextRule(
    dropped=f"[{CONTROLS}{DIRECTIONS}{SEPARATORS}{BYTE_ORDER}{ANNOTATIONS}{SURROGATES}]"
)
"""What a model answers, before anything else is done with it; it is kept so."""

PLAYER_TEXT = SafeTextRule(dropped=_PLAYED, surrogate=REPLACEMENT)
"""What play tells any face."""

PLAYER_LINE = SafeTextRule(dropped=_PLAYED, surrogate=REPLACEMENT, gaps=r"[^\S\u00a0]\s*|\u00a0\s+")
"""The same on one line; a space at which no line ends stays where it stands alone between two words."""

PLAIN_FACE_TEXT = SafeTextRule(
    tab=" ",
    dropped=f"[{CONTROLS}{DIRECTIONS}{SEPARATORS}{ANNOTATIONS}{TAGS}]",
    surrogate=REPLACEMENT,
)
"""What the plain face writes."""

TERMINAL_FACE_TEXT = SafeTextRule(
    tab="    ",
    dropped=(
        f"[{CONTROLS}{FORMATS}{FILLERS}]+"
        # A joiner stays between two emoji, and the selector of the coloured form stays behind one (or behind
        # a digit, for keycaps).
        f"|(?<![{EMOJI}])(?<![{EMOJI}]\ufe0f)\u200d|\u200d(?![{EMOJI}])|(?<![{EMOJI}#*0-9])\ufe0f"
    ),
    surrogate=REPLACEMENT,
)
"""What the terminal face draws, whose own limits of lines, lengths and accents come before and after."""

COMMAND_OUTPUT = SafeTextRule(unprintable=" ")
"""What a command prints."""

FAULT_MESSAGE = SafeTextRule(unprintable="\\u{code:04x}")
"""What is said about an author's files, in which nothing may stay unseen."""

SERVER_QUOTE = SafeTextRule(
    gaps=f"[\x00-\x20\x7f-\x9f\u200b-\u200f{SEPARATORS}{TURNS}{BYTE_ORDER}]+",
)
"""What a model server says about an error."""

SPIRAL_LINE = SafeTextRule(dropped=f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{TURNS}]", gaps=r"\s+")
"""What spiral keeps of what a model or a player wrote: controls go, but those that are blanks part words."""


def make_safe(text: str, rule: SafeTextRule) -> str:
    """A text as one place shows or keeps it."""
    if rule.unprintable is not None and not text.isprintable():
        text = "".join(
            char if char.isprintable() else rule.unprintable.format(code=ord(char)) for char in text
        )
    if rule.tab != TAB:
        text = text.replace(TAB, rule.tab)
    if rule.dropped:
        text = rule.dropped_pattern.sub("", text)
    if rule.surrogate is not None:
        text = _SURROGATE.sub(rule.surrogate, text)
    if not rule.gaps:
        return text
    # The one blank that can be printed is the space, and splitting is faster.
    return " ".join(text.split()) if text.isprintable() else rule.gaps_pattern.sub(" ", text).strip()


def clean(text: str) -> str:
    """Text without control bytes but line ends and tabs, without bidi controls and lone surrogates.

    Character by character: pieces cleaned one by one are the whole cleaned at once.
    """
    return make_safe(text, PLAYER_TEXT)


def clean_line(text: str) -> str:
    """The same on one line."""
    return make_safe(text, PLAYER_LINE)
