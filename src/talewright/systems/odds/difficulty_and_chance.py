"""Difficulty and chance: skills, the named difficulties of `odds.md`, and how likely an attempt is.

Chances are whole ten-thousandths, so they are the same on every machine. `odds.md` is Markdown for people;
only the lines that begin with a dash are read:

    - hard: 0.6, somebody is listening
    - hopeless: blocked
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from talewright.errors import Fault, SourcePlace
from talewright.kernel.state.documents import Json, find, normal_number

WHOLE = 10_000
"""Certainty; one ten-thousandth is the smallest step of a chance."""

SKILL_WEIGHT = WHOLE // 50
"""What one point of a skill adds."""

EVEN = WHOLE // 2
LEAST = WHOLE // 20
"""Nothing that may be tried is hopeless ..."""

GREATEST = WHOLE - LEAST
"""... and nothing is sure."""

SPELLED_MAX = 20
"""Characters of a number that is looked at."""

NUMBER_MAX = 1_000
"""Whole numbers above this are no share of anything."""

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")


def chance_of(skill: int, difficulty: int) -> int:
    """p = clamp(0.5 + skill/50 - difficulty, 0.05, 0.95); difficulty and p in ten-thousandths."""
    return max(LEAST, min(GREATEST, EVEN + skill * SKILL_WEIGHT - difficulty))


def to_number(units: int) -> int | float:
    """Ten-thousandths as the number that is shown: 1800 is 0.18."""
    number = normal_number(units / WHOLE)
    assert number is not None, "ten-thousandths are always finite"
    return number


def to_units(number: Json) -> int | None:
    """A number, or a text that is one, in ten-thousandths; None where it is no whole count of them."""
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        return None
    if isinstance(number, int) and not 0 <= number <= NUMBER_MAX:
        return None
    # The decimal spelling is compared, not the binary fraction: 0.6 is 6000 and nothing near it.
    spelled = repr(number) if isinstance(number, float) else str(number).strip()
    if len(spelled) > SPELLED_MAX or not _DECIMAL.fullmatch(spelled):
        return None
    units = Decimal(spelled) * WHOLE
    return int(units) if units == int(units) else None


SKILLS_PATH = ("player", "skills")

SKILL_SHOWN_MAX = 50
"""Where a meter ends: so much of a skill outweighs the greatest difficulty."""


def find_skill(skills: Mapping[str, int], said: Json) -> str:
    """The skill of a name, whatever its capitals; empty where there is none."""
    if not isinstance(said, str):
        return ""
    plain = said.strip().casefold()
    return next((name for name in skills if name.casefold() == plain), "")


def skills_of(document: Mapping[str, Json]) -> dict[str, int]:
    """Every skill that is a whole number, in the author's order."""
    found = find(document, SKILLS_PATH)
    members = found if isinstance(found, Mapping) else {}
    return {
        name: value
        for name, value in members.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


FILE = "odds.md"
BLOCKED = "blocked"
"""Written in place of a number: what is so difficult is not drawn for."""

STEPS_MAX = 20
"""Steps of one game."""

NAME_LENGTH_MAX = 40
"""Characters of a step's name."""

_HALF_WIDTH = str.maketrans("：，", ":,")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FORGOTTEN_DASH = re.compile(r"\w{1,40} ?: ?(?:[0-9]*\.[0-9]+|blocked)\b")
_LOOK = "Write it like `- hard: 0.6`."


@dataclass(frozen=True, slots=True)
class DifficultyStep:
    """One named difficulty."""

    name: str
    difficulty: int | None
    """In ten-thousandths; None where an attempt is blocked."""

    meaning: str = ""
    """What it stands for, in words for the storyteller."""

    def __str__(self) -> str:
        number = BLOCKED if self.difficulty is None else to_number(self.difficulty)
        return f"{self.name} {number}" + (f" ({self.meaning})" if self.meaning else "")


DEFAULT_STEPS = (
    DifficultyStep("easy", 2_000),
    DifficultyStep("moderate", 4_000),
    DifficultyStep("hard", 6_000),
    DifficultyStep("desperate", 8_000),
    DifficultyStep("impossible", None),
)
"""The steps of a game that has no `odds.md`."""


def read_steps(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
    """The steps of a file as plain JSON, and what is wrong with it."""
    steps: list[DifficultyStep] = []
    faults: list[Fault] = []
    for found in _read_lines(text, file):
        if isinstance(found, Fault):
            faults.append(found)
            continue
        step, place = found
        twin = next((other for other in steps if _is_same(other, step)), None)
        if twin is not None:
            message = f"`{step.name}` is the same as `{twin.name}`: a name and a number stand for one step"
            faults.append(Fault("odds-twice", message, place, "Delete one of the two, or change it."))
        elif len(steps) == STEPS_MAX:
            message = f"a game has at most {STEPS_MAX} steps"
            faults.append(Fault("odds-many", message, place, "Delete the rest."))
            break
        else:
            steps.append(step)
    if not steps and not faults:
        faults.append(Fault("odds-none", "there is no step in this file", SourcePlace(file), _LOOK))
    return [{"name": s.name, "difficulty": s.difficulty, "meaning": s.meaning} for s in steps], tuple(faults)


def steps_of(files: Mapping[str, Json]) -> tuple[DifficultyStep, ...]:
    """The steps of a game, from what was read of its files."""
    written = files.get(FILE)
    if not isinstance(written, Sequence) or isinstance(written, str):
        return DEFAULT_STEPS
    steps: list[DifficultyStep] = []
    for row in written:
        assert isinstance(row, Mapping)
        difficulty = row["difficulty"]
        assert difficulty is None or isinstance(difficulty, int)
        steps.append(DifficultyStep(str(row["name"]), difficulty, str(row["meaning"])))
    return tuple(steps)


def find_step(steps: Sequence[DifficultyStep], said: Json) -> DifficultyStep | None:
    """The step of a name, or of the number that belongs to it."""
    if isinstance(said, str):
        plain = said.strip().casefold()
        for step in steps:
            if step.name == plain:
                return step
    units = to_units(said)
    return None if units is None else next((step for step in steps if step.difficulty == units), None)


def _is_same(one: DifficultyStep, other: DifficultyStep) -> bool:
    """Whether a name, or the number that is drawn against, leaves open which of two steps is meant."""
    numbered = one.difficulty is not None and one.difficulty == other.difficulty
    return numbered or one.name == other.name


def _read_lines(text: str, file: str) -> Iterator[tuple[DifficultyStep, SourcePlace] | Fault]:
    for number, line in enumerate(text.split("\n"), 1):
        written = line.strip()
        column = len(line) - len(line.lstrip()) + 1
        if written.startswith(("- ", "* ")):
            body = written[2:].lstrip()
            yield _read_step(body, file, number, column + len(written) - len(body))
        elif _FORGOTTEN_DASH.match(written.translate(_HALF_WIDTH)):
            message = "this looks like a step and does not begin with a dash"
            yield Fault("odds-step", message, SourcePlace(file, number, column), f"Write `- {written}`.")


def _read_step(body: str, file: str, line: int, column: int) -> tuple[DifficultyStep, SourcePlace] | Fault:
    head, _, rest = body.translate(_HALF_WIDTH).partition(":")
    number, _, words = rest.partition(",")
    name, value = head.rstrip(), number.strip()
    if not value:
        return Fault("odds-step", "this is no step", SourcePlace(file, line, column), _LOOK)
    if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH_MAX:
        message = f"a step's name has small ASCII letters, digits and _, at most {NAME_LENGTH_MAX}"
        return Fault("odds-name", message, SourcePlace(file, line, column), "Write it like `very_hard`.")
    units = None if value == BLOCKED else to_units(value)
    if value != BLOCKED and (units is None or units > WHOLE):
        place = SourcePlace(file, line, column + len(head) + 1 + len(number) - len(number.lstrip()))
        message = f"a difficulty is a number from 0 to 1 with at most four decimals, or `{BLOCKED}`"
        return Fault("odds-difficulty", message, place, _LOOK)
    # The words as they are written, with their own commas.
    meaning = body[len(body) - len(words) :].strip()
    return DifficultyStep(name, units, meaning), SourcePlace(file, line, column)
