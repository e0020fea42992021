"""Wording of dice: turns `3d6kh1 (5, 4 dropped, 1 dropped)` into words: best of 3d6, and what did not count.

Records use the kernel's notation; only the words are made here.
"""

import re
from collections.abc import Mapping

from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase

TEXT_LENGTH_MAX = 20_000
"""The maximum length of a roll's text that is parsed: 500 dice with all annotations."""

_NAMES = "kh|kl|dh|dl|ph|pl|adv|dis|ro|mi|ma|[es!]"
# After a space, a rule must not be the start of a word, as in the kernel.
_RULE = rf"(?:(?:{_NAMES})| (?:{_NAMES})(?![a-z]))(?: ?(?:>=|<=|==?|>|<) ?-?\d+| ?\d+)?"
_POOL = re.compile(rf"(\d*)(d(?:\d+|%|F))((?:{_RULE})*)", re.IGNORECASE)
_ONE_RULE = re.compile(rf"({_NAMES}) ?(>=|<=|==?|>|<)? ?(-?\d+)?", re.IGNORECASE)

THROW = re.compile(
    rf"(\d*d(?:\d+|%|F)(?:{_RULE})*) \(((?:[^()]|\([^()]*\))*)\)",
    re.IGNORECASE,
)
"""One pool and its dice: `4d6kh3 (6, 5, 2 dropped, 4)`; an exploded die may be in parentheses."""

DROPPED = " dropped"
"""The record's annotation of a die that does not count."""

_WORDS: Mapping[str, Phrase] = {
    "rerolled to": Phrase.DIE_REROLLED,
    "as": Phrase.DIE_WORTH,
    "counts": Phrase.DIE_COUNTS,
    "then": Phrase.DIE_AGAIN,
}
"""The record's annotations of single dice, for translation."""

_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b")

_LEFT_OUT: Mapping[str, tuple[Phrase, Phrase]] = {
    "kh": (Phrase.POOL_BEST_ONE, Phrase.POOL_BEST),
    "kl": (Phrase.POOL_WORST_ONE, Phrase.POOL_WORST),
    "dh": (Phrase.POOL_NOT_BEST_ONE, Phrase.POOL_NOT_BEST),
    "ph": (Phrase.POOL_NOT_BEST_ONE, Phrase.POOL_NOT_BEST),
    "dl": (Phrase.POOL_NOT_WORST_ONE, Phrase.POOL_NOT_WORST),
    "pl": (Phrase.POOL_NOT_WORST_ONE, Phrase.POOL_NOT_WORST),
}
"""By rule: its words for one die, and for several."""

_FACES: Mapping[str, Phrase] = {
    "ro": Phrase.POOL_REROLL,
    "e": Phrase.POOL_EXPLODE,
    "!": Phrase.POOL_EXPLODE,
    "s": Phrase.POOL_SUCCESS,
}
_BOUNDS: Mapping[str, Phrase] = {"mi": Phrase.POOL_LEAST, "ma": Phrase.POOL_MOST}
_ADVANTAGE: Mapping[str, Phrase] = {"adv": Phrase.POOL_BEST_ONE, "dis": Phrase.POOL_WORST_ONE}
_HIGHEST: Mapping[str, str] = {"%": "100", "F": "+1"}


def word_throws(text: str, wording: Wording) -> str:
    """The text of a roll with its pools and annotations in the viewer's language."""
    if len(text) > TEXT_LENGTH_MAX:
        return text
    return THROW.sub(lambda throw: f"{word_pools(throw[1], wording)} ({_word_dice(throw[2], wording)})", text)


def word_pools(text: str, wording: Wording) -> str:
    """A sum of dice with the rules of its pools in words: `4d6kh3 + 1` is best 3 of 4d6 + 1."""
    if len(text) > TEXT_LENGTH_MAX:
        return text
    return _POOL.sub(lambda pool: _word_pool(pool, wording), text)


def _word_pool(pool: re.Match[str], wording: Wording) -> str:
    die = pool[2]
    told = f"{pool[1]}{die}"
    for name, sign, number in _ONE_RULE.findall(pool[3]):
        rule = name.lower()
        if rule in _ADVANTAGE:
            told = wording.say(_ADVANTAGE[rule], pool=f"2{die}")
        elif rule in _LEFT_OUT:
            one, several = _LEFT_OUT[rule]
            told = wording.say(one if number in ("", "1") else several, pool=told, count=number)
        elif rule in _BOUNDS:
            told = wording.say(_BOUNDS[rule], pool=told, count=number)
        else:
            highest = _HIGHEST.get(die[1:].upper(), die[1:])
            faces = _word_faces(sign, number or highest, wording)
            told = wording.say(_FACES[rule], pool=told, faces=faces)
    return told


def _word_faces(sign: str, number: str, wording: Wording) -> str:
    """The faces that a rule applies to."""
    if sign in (">", ">="):
        return wording.say(Phrase.FACES_FROM, count=str(int(number) + (sign == ">")))
    if sign in ("<", "<="):
        return wording.say(Phrase.FACES_TO, count=str(int(number) - (sign == "<")))
    return number


def _word_dice(told: str, wording: Wording) -> str:
    """The dice of a pool: those that count, then those that do not."""
    dice = _WORD.sub(lambda found: wording.say(_WORDS[found[1]]), told).split(", ")
    kept = [die for die in dice if not die.endswith(DROPPED)]
    dropped = [die.removesuffix(DROPPED) for die in dice if die.endswith(DROPPED)]
    if not dropped:
        return ", ".join(kept)
    return wording.say(Phrase.DICE_LEFT_OUT, kept=", ".join(kept), dropped=", ".join(dropped))
