"""Language tags: which language is meant by a BCP 47 tag, a wish or a terminal's locale, in any case.

No words here, so that a language can be chosen before any are needed.
"""

from collections.abc import Mapping, Sequence


def primary_language(code: str) -> str:
    """The language in a code, without the country: `zh` in `zh-CN`."""
    return code.replace("_", "-").partition("-")[0].lower()


def pick_language(wanted: str, told: Sequence[str]) -> str:
    """The code, among those a game is told in, that is meant; empty where none is."""
    exact = [code for code in told if code.lower() == wanted.lower()]
    near = [code for code in told if wanted and primary_language(code) == primary_language(wanted)]
    return next(iter(exact + near), "")


def locale_language(environment: Mapping[str, str]) -> str:
    """The language a terminal is set to, such as `zh-CN`; empty where it says none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environment.get(name, "").partition(".")[0].partition("@")[0]
        if code:
            return "" if code in ("C", "POSIX") else code.replace("_", "-")
    return ""
