"""Safe text: text made fit to be shown, without control bytes, bidi controls and lone surrogates.

Every face shows only what went through here; the table says what each face takes out besides.
"""

import re

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_GAPS = re.compile(r"\s+")

NO_BREAK = "\u00a0"
"""A space at which no line ends: it stays where it stands alone between two words."""


def clean(text: str) -> str:
    """Text without control bytes but line ends and tabs, without bidi controls and lone surrogates.

    Character by character: pieces cleaned one by one are the whole cleaned at once.
    """
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


def clean_line(text: str) -> str:
    """The same on one line."""
    text = clean(text)
    if NO_BREAK not in text:
        return " ".join(text.split())
    return _GAPS.sub(lambda gap: gap[0] if gap[0] == NO_BREAK else " ", text).strip()
