"""Language names: guesses the BCP 47 tag from a language's name or a misspelled tag.

Only used for suggestions; a language is never chosen by its name.
"""

import re

_NAMES = {
    "ar": "arabic العربية",
    "bg": "bulgarian български",
    "ca": "catalan català",
    "cs": "czech čeština česky",
    "da": "danish dansk",
    "de": "german deutsch",
    "el": "greek ελληνικά",
    "en": "english",
    "es": "spanish español castellano",
    "fi": "finnish suomi",
    "fr": "french français",
    "he": "hebrew עברית",
    "hi": "hindi हिन्दी",
    "hu": "hungarian magyar",
    "id": "indonesian indonesia",
    "it": "italian italiano",
    "ja": "japanese 日本語 jp",
    "ko": "korean 한국어 kr",
    "nb": "norwegian norsk",
    "nl": "dutch nederlands",
    "pl": "polish polski",
    "pt": "portuguese português",
    "ro": "romanian română",
    "ru": "russian русский",
    "sv": "swedish svenska",
    "th": "thai ไทย",
    "tr": "turkish türkçe",
    "uk": "ukrainian українська",
    "vi": "vietnamese việt",
    "zh-CN": "chinese mandarin 中文 汉语 简体中文 cn",
    "zh-TW": "繁體中文 繁体中文",
}
"""By tag, the names of a language in English and in the language itself."""

_TAGS = {name: tag for tag, names in _NAMES.items() for name in names.split()}
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")
_REGION_LENGTH = 2
_SCRIPT_LENGTH = 4


def guess_tag(text: str) -> str:
    """The tag for a name such as `german` or a spelling such as `zh_CN`; empty if unknown."""
    name = text.strip().casefold()
    if name in _TAGS:
        return _TAGS[name]
    # A locale such as `de_DE.UTF-8` contains more than a tag.
    written = text.strip().partition(".")[0].partition("@")[0]
    if not _TAG.fullmatch(written):
        return ""
    language, *parts = re.split("[-_]", written.lower())
    return "-".join([language, *map(_write_part, parts)])


def _write_part(part: str) -> str:
    """Uppercase a region, capitalize a script, leave anything else unchanged."""
    if len(part) == _REGION_LENGTH:
        return part.upper()
    return part.title() if len(part) == _SCRIPT_LENGTH and part.isalpha() else part
