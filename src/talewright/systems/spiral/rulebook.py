"""The rulebook: the rules at the top of `prompt.md`, and what an edit of that file changes.

    ---
    oracle:
      6: {word: "Yes, and...", effects: [remove_glitch]}
    flush_on: failure
    ---

Only this form is read, line by line, so that every mistake has a position. Edited text takes effect at once;
if the rules contain a mistake, the previous ones stay in force.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.system import Denial
from talewright.systems.spiral.oracle import (
    DEFAULT_ORACLE,
    SIDES,
    FlushOn,
    Oracle,
    OracleAnswer,
    OracleEffect,
    with_flush_on,
)
from talewright.systems.spiral.slots import FRONT_LENGTH_MAX, OWN, PROMPT_LENGTH_MAX, TAG_LENGTH_MAX
from talewright.systems.spiral.words.phrases import SpiralPhrases

FILE = "prompt.md"
IN_LANGUAGE = "texts/{language}/prompt.md"
"""The path of the same file in another language."""

FENCE = "---"


class ClockTick(StrEnum):
    """When the clocks of the world move."""

    DAY = "day"
    HALF_DAY = "half_day"


class CompanionDice(StrEnum):
    """Whether a companion's tags count as dice."""

    COUNTED = "counted"
    TOLD = "told"


class TagRelevance(StrEnum):
    """How readily a tag counts."""

    STRICT = "strict"
    FAIR = "fair"
    GENEROUS = "generous"


class ConditionsEndedBy(StrEnum):
    """What ends a condition."""

    RESIST = "resist"
    STORY = "story"
    """Resist, or the story."""


@frozen
class SpiralRulebook:
    """The rules of one campaign."""

    oracle: Oracle = DEFAULT_ORACLE
    flush_on: FlushOn = FlushOn.FAILURE
    tick: ClockTick = ClockTick.DAY
    companion_dice: CompanionDice = CompanionDice.COUNTED
    relevance: TagRelevance = TagRelevance.FAIR
    conditions: ConditionsEndedBy = ConditionsEndedBy.RESIST
    text: str = ""
    """The text for the narrator."""

    @property
    def table(self) -> Oracle:
        """The oracle with the author's choice of flushing."""
        return with_flush_on(self.oracle, self.flush_on)


_ORACLE = "oracle"
_CHOICES: Mapping[str, type[StrEnum]] = {
    "flush_on": FlushOn,
    "tick": ClockTick,
    "companion_dice": CompanionDice,
    "relevance": TagRelevance,
    "conditions": ConditionsEndedBy,
}
_FACE = re.compile(
    r"""(?P<face>\d{1,9})\s*:\s*\{\s*word\s*:\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')\s*"""
    r"""(?:,\s*effects\s*:\s*\[(?P<effects>[^\]]*)\]\s*)?\}"""
)
_COMMENTED = re.compile(r"""(?:[^"'#]|"[^"]*"|'[^']*'|(?<=\S)#|["'])*""")
"""A line up to its comment; a # within quotes, or right after a letter, does not start one."""

_LOOK = 'Write it like `6: {word: "Yes, and...", effects: [remove_glitch]}`, two spaces in, under `oracle:`.'
_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(slots=True)
class _Draft:
    """What has been parsed so far."""

    file: str
    answers: dict[int, OracleAnswer] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    in_oracle: bool = False

    def blame(self, code: str, message: str, line: int, column: int, suggestion: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(f"spiral-{code}", message, SourcePlace(self.file, line, column), suggestion))

    def choose(self, name: str, otherwise: _Choice) -> _Choice:
        """The choice under a name."""
        return type(otherwise)(self.chosen[name]) if name in self.chosen else otherwise


def read_rulebook(text: str, file: str = FILE) -> tuple[SpiralRulebook, tuple[Fault, ...]]:
    """The rules of a file, and its faults; missing rules are those of the original design."""
    draft = _Draft(file)
    if len(text) > PROMPT_LENGTH_MAX:
        draft.blame("long", f"the file has more than {PROMPT_LENGTH_MAX} characters", 1, 1, "Shorten it.")
        text = text[:PROMPT_LENGTH_MAX]
    lines = text.split("\n")
    body = _read_front(lines, draft) if lines[0].rstrip() == FENCE else 0
    plain = SpiralRulebook()
    rules = SpiralRulebook(
        oracle=Oracle({**DEFAULT_ORACLE.answers, **draft.answers}),
        flush_on=draft.choose("flush_on", plain.flush_on),
        tick=draft.choose("tick", plain.tick),
        companion_dice=draft.choose("companion_dice", plain.companion_dice),
        relevance=draft.choose("relevance", plain.relevance),
        conditions=draft.choose("conditions", plain.conditions),
        text="\n".join(lines[body:]).strip(),
    )
    return rules, tuple(draft.faults)


def parse_file(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
    """An author's `prompt.md` as a system sees it: the whole text, since a campaign stores a copy."""
    _, faults = read_rulebook(text, file)
    return {"text": text[:PROMPT_LENGTH_MAX]}, faults


def find_prompt(files: Mapping[str, Json], language: str) -> str:
    """The author's `prompt.md` in a language, else in the game's own; empty if there is none."""
    for name in (IN_LANGUAGE.format(language=language), FILE):
        found = files.get(name)
        if isinstance(found, Mapping) and isinstance(found.get("text"), str):
            return str(found["text"])
    return ""


def rules_in_force(own: Mapping[str, Json], files: Mapping[str, Json], language: str) -> SpiralRulebook:
    """The rules of a campaign: those of its own copy or, if that has mistakes, the last without any."""
    book, faults = read_rulebook(str(own.get("prompt", "")) or find_prompt(files, language))
    if not faults:
        return book
    kept, _ = read_rulebook(str(own.get("rules", "")))
    return replace(kept, text=book.text)


def front_of(text: str) -> str:
    """The rules at the top of a text, with their fences; empty if there are none."""
    lines = text.split("\n")
    ends = [number for number, line in enumerate(lines) if line.rstrip() == FENCE]
    return "\n".join(lines[: ends[1] + 1]) if ends[:1] == [0] and len(ends) > 1 else ""


def _read_front(lines: list[str], draft: _Draft) -> int:
    """Read the lines between the fences; return the number of the first line after them."""
    size = 0
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == FENCE:
            return number
        size += len(line) + 1
        if size > FRONT_LENGTH_MAX - 2 * len(FENCE) - 2:
            draft.blame(
                "front", f"the rules have more than {FRONT_LENGTH_MAX} characters", number, 1,
                f"Close them with a line `{FENCE}`; the text beneath may be long.",
            )  # fmt: skip
            return len(lines)
        found = _COMMENTED.match(line)
        written = found[0].rstrip() if found else ""
        if written.strip():
            column = len(written) - len(written.lstrip()) + 1
            _read_line(written.strip(), number, column, draft)
    draft.blame("open", "the rules are not closed", 1, 1, f"Put a line `{FENCE}` under them.")
    return len(lines)


def _read_line(written: str, number: int, column: int, draft: _Draft) -> None:
    if column > 1 and draft.in_oracle:
        _read_face(written, number, column, draft)
        return
    head, _, rest = written.partition(":")
    name, value = head.strip(), rest.strip()
    draft.in_oracle = name == _ORACLE and not value
    if draft.in_oracle:
        return
    kinds = _CHOICES.get(name)
    if name == _ORACLE:
        draft.blame("oracle", "each answer of the oracle has a line of its own", number, column, _LOOK)
    elif kinds is None:
        near = get_close_matches(name, [*_CHOICES, _ORACLE], 1)
        hint = f"Did you mean `{near[0]}`?" if near else f"There is {', '.join([_ORACLE, *_CHOICES])}."
        draft.blame("field", f"there is no rule `{name[:TAG_LENGTH_MAX]}`", number, column, hint)
    elif value not in list(kinds):
        at = column + len(head) + 1 + len(rest) - len(rest.lstrip())
        shown = value[:TAG_LENGTH_MAX]
        draft.blame("value", f"`{name}` cannot be `{shown}`", number, at, f"It is {' or '.join(kinds)}.")
    elif name in draft.chosen:
        draft.blame("twice", f"`{name}` is said twice", number, column, "Delete one of the two.")
    else:
        draft.chosen[name] = value


def _read_face(written: str, number: int, column: int, draft: _Draft) -> None:
    found = _FACE.fullmatch(written)
    if found is None:
        draft.blame("oracle", "this is no line of the oracle", number, column, _LOOK)
        return
    face, word = int(found["face"]), " ".join((found["double"] or found["single"] or "").split())
    effects = [effect.strip() for effect in (found["effects"] or "").split(",") if effect.strip()]
    wrong = next((effect for effect in effects if effect not in list(OracleEffect)), "")
    if not 1 <= face <= SIDES:
        draft.blame("oracle", f"a die has no face {face}", number, column, f"The faces are 1 to {SIDES}.")
    elif face in draft.answers:
        message = f"the face {face} is answered twice"
        draft.blame("oracle", message, number, column, "Delete one of the two.")
    elif not 1 <= len(word) <= TAG_LENGTH_MAX:
        message = f"the word of {face} has 1 to {TAG_LENGTH_MAX} characters"
        draft.blame("oracle", message, number, column, _LOOK)
    elif wrong:
        at = column + written.index(wrong, found.start("effects"))
        message = f"there is no effect `{wrong[:TAG_LENGTH_MAX]}`"
        draft.blame("oracle", message, number, at, f"There is {', '.join(OracleEffect)}.")
    else:
        draft.answers[face] = OracleAnswer(word, tuple(dict.fromkeys(map(OracleEffect, effects))))


EDITABLE = frozenset({FILE})


def take_edit(path: str, text: str) -> Sequence[Update] | Denial:
    """The updates from an edited file."""
    if path not in EDITABLE:
        return Denial(f"{path} is made from the state; only {FILE} can be changed by hand")
    text = text.replace("\r\n", "\n")
    if not text.strip():
        return Denial(f"{FILE} is empty; the one from before holds")
    if len(text) > PROMPT_LENGTH_MAX:
        return Denial(
            f"{FILE} has at most {PROMPT_LENGTH_MAX} characters, this one has {len(text)}; shorten it"
        )
    _, faults = read_rulebook(text)
    rules = () if faults else (Update(Op.SET, f"{OWN}.rules", front_of(text)),)
    return (Update(Op.SET, f"{OWN}.prompt", text), *rules)


def find_trouble(own: Mapping[str, Json], words: SpiralPhrases) -> str:
    """What is wrong with the rules of a campaign's own `prompt.md`, in words; empty if nothing is."""
    _, faults = read_rulebook(str(own["prompt"]))
    if not faults:
        return ""
    first = faults[0]
    return words.old_rules.format(place=first.place, message=first.message)
