"""Text likeness: normalizes and cuts texts, and rates how alike words are to a name or a topic, out of 100.

The library is loaded on first use: most moves name a place or a person exactly, and many games never need it.
"""

import unicodedata

SHORT_LIKENESS = 90.0
"""How alike a name is to some of its own words."""

SAME = 100.0
"""How alike a text is to itself."""


def normalize(text: str) -> str:
    """A text normalized for comparison, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def to_one_line(text: str) -> str:
    """A text with single spaces, for reading: the full-width marks of Chinese stay as they are."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def cut_to_sentence(text: str, length_max: int) -> str:
    """A text, cut after a whole sentence if it is too long; a single long sentence stays."""
    line = to_one_line(text)
    if len(line) <= length_max:
        return text
    cut = line[:length_max]
    end = max(cut.rfind(sign) for sign in (". ", "! ", "? ", "。", "！", "？"))
    return cut[: end + 1] if end > 0 else text


def name_likeness(said: str, name: str) -> float:
    """How alike words and a name are, whatever their order; "square" is short for "market square"."""
    if said == name:
        return SAME
    from rapidfuzz.fuzz import token_sort_ratio

    short = bool(said) and set(said.split()) < set(name.split())
    likeness = token_sort_ratio(said, name)
    return max(likeness, SHORT_LIKENESS) if short else likeness


def topic_likeness(topic: str, text: str) -> float:
    """How much of a topic a text is about."""
    if not topic or not text:
        return 0.0
    from rapidfuzz.fuzz import token_set_ratio

    return token_set_ratio(topic, text)
