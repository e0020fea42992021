"""Safe text: sanitizes text for display or storage, with one rule for each place.

A single function does it. Each rule says what happens to control characters, bidi controls, tabs, line ends
and unprintable characters. Some rules decide what a campaign stores: changing those changes how old campaigns
replay.
"""

import re
from dataclasses import dataclass
from functools import cached_property

CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""C0 except tab and line feed, DEL and C1; like all sets here, written as inside `[]` of a pattern."""

TURNS = "\u202a-\u202e\u2066-\u2069"
"""Bidi controls that change the writing direction until it is reset."""

DIRECTIONS = f"\u061c\u200e\u200f{TURNS}"
SEPARATORS = "\u2028\u2029"
BYTE_ORDER = "\ufeff"
ANNOTATIONS = "\ufff9-\ufffb"
TAGS = "\U000e0000-\U000e007f"
SURROGATES = "\ud800-\udfff"
"""Surrogate code points, which UTF-8 cannot encode."""

FORMATS = (
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Unicode category Cf except the joiner used in emoji; includes bidi controls and tags."""

FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0"
"""Fillers and selectors that are invisible although they count as letters or marks."""

EMOJI = "\xa9\xae\u203c-\u3299\U0001f000-\U0001faff"

TAB = "\t"
REPLACEMENT = "\ufffd"


@dataclass(frozen=True, eq=False)
class SafeTextRule:
    """How one place sanitizes a text; the fields apply in this order."""

    unprintable: str | None = None
    """Replacement for a character that `str.isprintable` rejects; `{code}` is its number. None keeps it."""

    tab: str = TAB
    """Replacement for a tab."""

    dropped: str = ""
    """A regular expression of what is removed."""

    surrogate: str | None = None
    """Replacement for a surrogate that was not removed; None keeps it."""

    gaps: str = ""
    """A regular expression of what becomes one space; both ends are stripped as well."""

    @cached_property
    def dropped_pattern(self) -> re.Pattern[str]:
        """Compiled on first use: not every face needs every rule."""
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
"""A model's reply, before any other processing; stored in this form."""

PLAYER_TEXT = SafeTextRule(dropped=_PLAYED, surrogate=REPLACEMENT)
"""Text that the play layer sends to a face."""

PLAYER_LINE = SafeTextRule(dropped=_PLAYED, surrogate=REPLACEMENT, gaps=r"[^\S\u00a0]\s*|\u00a0\s+")
"""The same on one line; a single no-break space between two words stays."""

PLAIN_FACE_TEXT = SafeTextRule(
    tab=" ",
    dropped=f"[{CONTROLS}{DIRECTIONS}{SEPARATORS}{ANNOTATIONS}{TAGS}]",
    surrogate=REPLACEMENT,
)
"""Output of the plain face."""

TERMINAL_FACE_TEXT = SafeTextRule(
    tab="    ",
    dropped=(
        f"[{CONTROLS}{FORMATS}{FILLERS}]+"
        # A joiner stays between two emoji, and the emoji selector stays after one (or after a digit, for
        # keycaps).
        f"|(?<![{EMOJI}])(?<![{EMOJI}]\ufe0f)\u200d|\u200d(?![{EMOJI}])|(?<![{EMOJI}#*0-9])\ufe0f"
    ),
    surrogate=REPLACEMENT,
)
"""Output of the terminal face, which also limits lines, lengths and accents itself."""

COMMAND_OUTPUT = SafeTextRule(unprintable=" ")
"""Output of a command."""

FAULT_MESSAGE = SafeTextRule(unprintable="\\u{code:04x}")
"""Messages about an author's files, where nothing may stay invisible."""

SERVER_QUOTE = SafeTextRule(
    gaps=f"[\x00-\x20\x7f-\x9f\u200b-\u200f{SEPARATORS}{TURNS}{BYTE_ORDER}]+",
)
"""Error messages of a model server."""

SPIRAL_LINE = SafeTextRule(dropped=f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{TURNS}]", gaps=r"\s+")
"""Text of a model or player that spiral stores: controls are removed, except whitespace between words."""


def make_safe(text: str, rule: SafeTextRule) -> str:
    """Sanitize a text by the rule of one place."""
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
    # The only printable blank is the space, and splitting is faster.
    return " ".join(text.split()) if text.isprintable() else rule.gaps_pattern.sub(" ", text).strip()


def clean(text: str) -> str:
    """Remove control characters except line ends and tabs, bidi controls, and lone surrogates.

    Works per character: cleaning piece by piece gives the same result as cleaning the whole.
    """
    return make_safe(text, PLAYER_TEXT)


def clean_line(text: str) -> str:
    """The same on one line."""
    return make_safe(text, PLAYER_LINE)
