"""Obfuscations: a hidden text set so that a search does not find it, and a reader still reads it."""

import random
from collections.abc import Callable, Mapping

from talewright.common.confusables_table import LOOK_ALIKES

SEED = 15

CYRILLIC = str.maketrans("aceopxyiTHEBMK", "асеорхуіТНЕВМК")
LEET = str.maketrans("oieastbgzOIEASTBGZ", "013457892013457892")
SYMBOLS = str.maketrans("aselitAS", "@$€|!+@$")
FILLER = {"en": " and so ", "zh-CN": "，也就是"}

_READ: dict[str, list[str]] = {}
for _sign, _read in sorted(LOOK_ALIKES.items()):
    _READ.setdefault(_read, []).append(_sign)


def words(text: str) -> list[str]:
    """The words of a text, or pairs of characters where it has no blanks."""
    return text.split(" ") if " " in text else [text[at : at + 2] for at in range(0, len(text), 2)]


def blank(text: str) -> str:
    return " " if " " in text else ""


def by_word(dress: Callable[[int, str], str]) -> Callable[[str], str]:
    return lambda text: blank(text).join(dress(at, word) for at, word in enumerate(words(text)))


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def look_alike(text: str) -> str:
    """Every letter as another one that Unicode says is confused with it."""
    rng = random.Random(SEED)
    return "".join(rng.choice(_READ.get(sign.lower(), [sign])) for sign in text)


def pieces(text: str, narrow: int, wide: int) -> str:
    language = "en" if text.isascii() else "zh-CN"
    return FILLER[language].join(cut(text, narrow if language == "en" else wide))


OBFUSCATIONS: Mapping[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "upper": str.upper,
    "backticks": by_word(lambda at, word: f"`{word}`" if at % 4 == 3 else word),
    "emphasis": by_word(lambda at, word: f"**{word}**"),
    "cyrillic": lambda text: text.translate(CYRILLIC),
    "look_alikes": look_alike,
    "fullwidth": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "dashes": lambda text: "\n".join(f"- {word}" for word in words(text)),
    "numbers": lambda text: "\n".join(f"{at}. {word}" for at, word in enumerate(words(text), 1)),
    "letters": lambda text: "\n".join(f"{chr(97 + at % 26)}) {word}" for at, word in enumerate(words(text))),
    "chinese_numbers": lambda text: "\n".join(
        f"{'一二三四五六七八九十'[at % 10]}、{word}" for at, word in enumerate(words(text))
    ),
    "tags": by_word(lambda at, word: f"<b>{word}</b>"),
    "tags_within": lambda text: "<i></i>".join(cut(text, 3)),
    "attributes": by_word(lambda at, word: f'<a href="https://x.example/{at}" class="k">{word}</a>'),
    "links": by_word(lambda at, word: f"[{word}](https://x.example/{at})"),
    "footnotes": by_word(lambda at, word: f"{word}[{at}]"),
    "entities": lambda text: "".join(f"&#{ord(sign)};" for sign in text),
    "commas": by_word(lambda at, word: f"{word},"),
    "dots": lambda text: "·".join(text),
    "spaced": " ".join,
    "zero_width": "\u200b".join,
    "hangul_filler": "\u3164".join,
    "low_strokes": "\u02cc".join,
    "middle_dots": "\u1427".join,
    "sound_marks": "\u30fc".join,
    "tone_letters": "\ua717".join,
    "tatweels": "\u0640".join,
    "vertical_dots": "\u2d57".join,
    "dot_strokes": "\u4e36".join,
    "kana_strokes": "\u30ce".join,
    "cyrillic_between": "\u0436".join,
    "leet": lambda text: text.translate(LEET) if text.isascii() else "7".join(text),
    "leet_in_a_list": lambda text: "\n".join(
        f"{at}. {word.translate(LEET)}" for at, word in enumerate(words(text), 1)
    ),
    "leet_with_strokes": lambda text: "\u02cc".join(text.translate(LEET)),
    "symbols": lambda text: text.translate(SYMBOLS) if text.isascii() else "$".join(text),
    "braille_blank": lambda text: text.replace(" ", "\u2800") if " " in text else "\u2800".join(text),
    "combining": "\u0335".join,
    "pieces_of_38": lambda text: pieces(text, 38, 19),
    "pieces_of_17": lambda text: pieces(text, 17, 6),
    "reversed_pieces": lambda text: " so ".join(reversed(cut(text, 17 if text.isascii() else 6))),
}
"""By name."""
