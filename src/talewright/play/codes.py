"""Codes: which language is meant by a code or a wish.

No words here, so that a language can be chosen before any are needed.
"""

from collections.abc import Sequence


def stem(code: str) -> str:
    """The language in a code, without the country: `zh` in `zh-CN`."""
    return code.replace("_", "-").partition("-")[0].lower()


def pick_language(wanted: str, told: Sequence[str]) -> str:
    """The code, among those a game is told in, that is meant; empty where none is."""
    exact = [code for code in told if code.lower() == wanted.lower()]
    near = [code for code in told if wanted and stem(code) == stem(wanted)]
    return next(iter(exact + near), "")
