"""Tags: a few plain words that count as one die, and how a caller's spelling is matched to them.

Comparison ignores case, surrounding spaces and Unicode composition; what is stored is always the spelling in
the state.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from talewright.common.json_values import Json, quote_value
from talewright.common.safe_text import SPIRAL_LINE, make_safe
from talewright.kernel.judging.rulings import mend
from talewright.systems.spiral.slots import SLUG_LENGTH_MAX, TAG_LENGTH_MAX

NEAR_MAX = 3
"""Similar tags that a message suggests."""

LISTED_MAX = 8
"""Tags that a message lists if none is similar."""

_NEAR_ENOUGH = 0.5


def fold(tag: str) -> str:
    """A tag normalized for comparison."""
    return " ".join(unicodedata.normalize("NFC", tag).casefold().split())


def find(tag: str, known: Iterable[str]) -> str | None:
    """The tag as spelled in the state; None if there is no such tag."""
    wanted = fold(tag)
    return next((each for each in known if fold(each) == wanted), None)


def to_line(text: str) -> str:
    """A text on one line, without control characters and bidi marks."""
    return make_safe(text, SPIRAL_LINE)


def tidy(tag: Json, name: str, length_max: int = TAG_LENGTH_MAX) -> str:
    """A tag as it is stored: on one line, without a full stop; raises Refusal if it is invalid."""
    if not isinstance(tag, str):
        raise mend(f"{name}: a tag is a text of a few words, not {quote_value(tag)}")
    line = to_line(tag).strip(".。;；,， ")
    if not line:
        raise mend(f"{name}: a tag has words; an empty text is none")
    if len(line) > length_max:
        raise mend(
            f"{name}: a tag has at most {length_max} characters; {quote_value(line[:24])} has {len(line)}"
        )
    return line


def suggest(tag: str, known: Sequence[str]) -> str:
    """What would be accepted instead, in words."""
    if not known:
        return "there is none now"
    folded = {fold(each): each for each in known}
    near = get_close_matches(fold(tag), folded, NEAR_MAX, _NEAR_ENOUGH)
    shown = near or list(folded)[:LISTED_MAX]
    more = ", ..." if not near and len(folded) > LISTED_MAX else ""
    return "there is " + ", ".join(f"`{folded[each]}`" for each in shown) + more


def read_list(value: Json) -> tuple[str, ...]:
    """The tags of a list in the state."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


def replace_all(tags: Iterable[str]) -> list[str]:
    """A list of tags without duplicates, keeping the first spelling."""
    kept: dict[str, str] = {}
    for tag in tags:
        kept.setdefault(fold(tag), tag)
    return list(kept.values())


def take_away(current: Sequence[str], gone: Iterable[str], name: str) -> list[str]:
    """A list without some of its tags; raises Refusal if one of them is not in it."""
    left = list(current)
    for tag in gone:
        real = find(tag, left)
        if real is None:
            raise mend(f"{name}: there is no tag {quote_value(tag)}; {suggest(tag, left)}")
        left.remove(real)
    return left


def add_to(current: Sequence[str], more: Iterable[str], name: str, most: int) -> list[str]:
    """A list with more tags at its end, without duplicates; raises Refusal if it would be too long."""
    joined = replace_all([*current, *more])
    if len(joined) > most:
        raise mend(
            f"{name}: at most {most} tags stand here, this would make {len(joined)}; remove some first"
        )
    return joined


_GAPS = re.compile(r"[\W_]+")


def to_slug(name: str) -> str:
    """A name as a file name: words of letters and digits joined by dashes."""
    return _GAPS.sub("-", fold(name)).strip("-")[:SLUG_LENGTH_MAX].strip("-")
