"""Answer grammars: pieces of llama.cpp grammars, for servers that enforce the form of an answer.

Pieces only; each dialect puts its own grammar together. A full stop ends a sentence and is never within one:
if a grammar is ambiguous, the server follows both ways, and soon takes seconds for a token.
"""

import json
from collections.abc import Iterable

from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.contract.possible_updates import TEXT_LENGTH_MAX

SENTENCES_MAX = 3
SENTENCE_LENGTH_MIN = 12
LABEL_LENGTH_MIN = 4
LABEL_LENGTH_MAX = 48
"""Characters of a suggestion for the player's next action."""

WIDE_SHARE = 0.4
"""A text in Chinese has fewer characters for as many tokens."""

ENGLISH, CHINESE = "en", "zh-CN"
OPENERS = (
    "You",
    "Your",
    "Before you",
    "Beside you",
    "Behind you",
    "Above you",
    "Around you",
    "For a moment",
    "At first",
    "From somewhere",
    "Somewhere",
    "Nothing",
)
"""Words that the narration of a small model may begin with in English."""

RULES_WITHOUT_CHOICES = {
    ENGLISH: """\
Tell what happens now in two or three sentences: "you", in the present tense. Never act for the player. Then \
write what changes in the state.
""",
    CHINESE: "用两三句话写此刻发生的事：用“你”和现在时，绝不替玩家行动。然后写状态有什么变化。\n",
}
"""How to answer in a short form that a grammar enforces, if scenes offer the choices."""

_ENDS = ".!?。！？"
_NEVER = r'"\\\x00-\x1F\x7F`{}<>|\[\]*#_~'
"""Characters that no narration needs: some would end a string, others look like code or markup."""


_DIGITS = "0-9"
"""Numbers in a narration are written as words; with digits, small models slip into lists and dates."""


def literal(text: str) -> str:
    """A piece that allows one text."""
    # A JSON string has the same escapes, except that of a character beyond the first plane.
    return json.dumps(text, ensure_ascii=False)


QUOTE = literal('"')
"""The quotation mark around a string."""


def one_of(pieces: Iterable[str]) -> str:
    """A piece that allows any of these pieces."""
    return f"({' | '.join(pieces)})"


def any_value(values: Iterable[Json]) -> str:
    """A piece that allows any of these values, written as JSON."""
    return one_of(literal(json.dumps(value, ensure_ascii=False)) for value in values)


def write_prose_rules(length_max: int, language: str) -> tuple[str, ...]:
    """The rules `prose` (two or three whole sentences), `label` (a few words) and `text` (a value)."""
    spoken = pick_language(language, (ENGLISH, CHINESE))
    share, gap = (WIDE_SHARE, "") if spoken == CHINESE else (1.0, '" " ')
    length = max(SENTENCE_LENGTH_MIN, int(length_max * share) // SENTENCES_MAX)
    least = int(SENTENCE_LENGTH_MIN * share)
    label_max, label_min = int(LABEL_LENGTH_MAX * share), int(LABEL_LENGTH_MIN * share)
    begin = f"[^ {_NEVER}{_ENDS}{_DIGITS},;:]"
    rest = f"[^{_NEVER}{_ENDS}{_DIGITS}]"
    first, capital, ends = begin, begin, _ENDS
    if spoken == ENGLISH:
        ends = ".!?"
        # A small model begins to talk about its task unless it is led into the story.
        first, capital = one_of(literal(f"{word} ") for word in OPENERS), "[A-Z]"
    return (
        f"prose ::= first ({gap}sentence){{1,{SENTENCES_MAX - 1}}}",
        f"first ::= {first} {rest}{{{least},{length}}} [{ends}]",
        f"sentence ::= {begin} {rest}{{{least},{length}}} [{ends}]",
        f"label ::= {capital} {rest}{{{label_min},{label_max}}}",
        f"text ::= {QUOTE} [^ {_NEVER}{_ENDS}] {rest}{{1,{TEXT_LENGTH_MAX - 1}}} {QUOTE}",
    )
