"""Codes: which language is meant by a code, a wish or the settings of a terminal.

No words here, so that a language can be chosen before any are needed.
"""

from collections.abc import Mapping

from talewright.play.codes import pick_language, stem

__all__ = ["locale_language", "pick_language", "stem"]


def locale_language(environment: Mapping[str, str]) -> str:
    """The language a terminal is set to, such as `zh-CN`; empty where it says none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environment.get(name, "").partition(".")[0].partition("@")[0]
        if code:
            return "" if code in ("C", "POSIX") else code.replace("_", "-")
    return ""
