"""Language tags: matches BCP 47 tags, preferences and terminal locales, ignoring case.

Contains no texts, so that a language can be chosen before any texts are loaded.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeVar

_Words = TypeVar("_Words")

COMMON_LANGUAGE: Final = "en"
"""The fallback when the preferred language is not available."""


def normalize_tag(tag: str) -> str:
    """A tag normalized for comparison: lower case, with hyphens."""
    return tag.replace("_", "-").lower()


def pick_language(wanted: str, offered: Collection[str], default: str = "") -> str:
    """The offered tag that best matches the wanted one, spelled as offered.

    As in the lookup of RFC 4647, the wanted tag is shortened from its end until it matches: `zh-Hant-TW`,
    `zh-Hant`, `zh`. Failing that, the first offered tag of the same language is used: `zh-CN` for `zh-TW`.
    The default applies to other languages and to an empty `wanted`.
    """
    if wanted in offered:
        return wanted or default
    tags = {normalize_tag(tag): tag for tag in reversed([*offered])}
    meant = normalize_tag(wanted)
    while meant and meant not in tags:
        meant = meant.rpartition("-")[0]
    if meant:
        return tags[meant]
    language = normalize_tag(wanted).partition("-")[0]
    near = (tag for tag in offered if language and normalize_tag(tag).partition("-")[0] == language)
    return next(near, default)


def pick_told_language(wanted: str, offered: Sequence[str]) -> str:
    """The language for a text: the best match, else English, else the first one offered.

    Empty if nothing is offered.
    """
    return pick_language(wanted, offered) or pick_language(COMMON_LANGUAGE, offered, "".join(offered[:1]))


def pick_words(wanted: str, offered: Mapping[str, _Words]) -> _Words:
    """The value offered under the best-matching tag, or else the first one."""
    return offered[pick_language(wanted, offered) or next(iter(offered))]


def locale_language(environment: Mapping[str, str]) -> str:
    """The language of the terminal's locale, such as `zh-CN`; empty if it has none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environment.get(name, "").partition(".")[0].partition("@")[0]
        if code:
            return "" if code in ("C", "POSIX") else code.replace("_", "-")
    return ""
