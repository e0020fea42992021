"""Language tags: which language is meant by a BCP 47 tag, a wish or a terminal's locale, in any case.

No words here, so that a language can be chosen before any are needed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeVar

_Words = TypeVar("_Words")

COMMON_LANGUAGE: Final = "en"
"""The language most players have in common; taken where what they wish is not on offer."""


def normalize_tag(tag: str) -> str:
    """A tag as it is compared: in lower case, with hyphens."""
    return tag.replace("_", "-").lower()


def pick_language(wanted: str, offered: Collection[str], default: str = "") -> str:
    """The tag among those offered that comes nearest to the one wanted, written as it is offered.

    As in the lookup of RFC 4647 the tag wanted is shortened from its end until it is on offer:
    `zh-Hant-TW`, `zh-Hant`, `zh`. Where none is, the first one of the same language will do: `zh-CN` for
    `zh-TW`. The default is for other languages, and for whoever wants none.
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
    """The language in which something is told: the nearest to the wish, else English, else the first.

    Empty where nothing is on offer.
    """
    return pick_language(wanted, offered) or pick_language(COMMON_LANGUAGE, offered, "".join(offered[:1]))


def pick_words(wanted: str, offered: Mapping[str, _Words]) -> _Words:
    """What is offered under the tag that comes nearest to the one wanted, or else under the first one."""
    return offered[pick_language(wanted, offered) or next(iter(offered))]


def locale_language(environment: Mapping[str, str]) -> str:
    """The language a terminal is set to, such as `zh-CN`; empty where it says none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environment.get(name, "").partition(".")[0].partition("@")[0]
        if code:
            return "" if code in ("C", "POSIX") else code.replace("_", "-")
    return ""
