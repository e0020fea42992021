"""Answer grammars: pieces of a grammar in the notation of llama.cpp, for answers that are held to one.

Pieces only; each dialect puts its own grammar together. A full stop ends a sentence and is never within
one: where a grammar leaves a choice, the server follows both ways, and soon takes seconds for a token.
"""

import json
from collections.abc import Iterable

from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.contract.possible_updates import TEXT_LENGTH_MAX

SENTENCES_MAX = 3
SENTENCE_LENGTH_MIN = 12
LABEL_LENGTH_MIN = 4
LABEL_LENGTH_MAX = 48
"""Characters of something that the player might do next."""

WIDE_SHARE = 0.4
"""A text in Chinese has fewer characters for as many tokens."""

_WIDE = {"en": False, "zh-CN": True}
"""Whether a language is written without spaces."""

_ENDS = ".!?。！？"
_NEVER = r'"\\\x00-\x1F\x7F`{}<>|\[\]*#_~'
"""Characters that no narration needs: some would end a string, others look like code or markup."""


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
    """The rules `prose`, one to three whole sentences, and `label`, a few words without a full stop."""
    wide = pick_words(language, _WIDE)
    share = WIDE_SHARE if wide else 1.0
    length = max(SENTENCE_LENGTH_MIN, int(length_max * share) // SENTENCES_MAX)
    least = int(SENTENCE_LENGTH_MIN * share)
    label_max, label_min = int(LABEL_LENGTH_MAX * share), max(1, int(LABEL_LENGTH_MIN * share))
    gap, capital = ("", f"[^ {_NEVER}{_ENDS},;:]") if wide else ('" " ', "[A-Z]")
    return (
        f"prose ::= sentence ({gap}sentence){{0,{SENTENCES_MAX - 1}}}",
        f"sentence ::= [^ {_NEVER}{_ENDS},;:] [^{_NEVER}{_ENDS}]{{{least},{length}}} [{_ENDS}]",
        f"label ::= {capital} [^{_NEVER}{_ENDS}]{{{label_min},{label_max}}}",
        f'text ::= "\\"" [^ {_NEVER}{_ENDS}] [^{_NEVER}{_ENDS}]{{1,{TEXT_LENGTH_MAX - 1}}} "\\""',
    )
