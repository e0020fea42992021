"""The rulebook: the named difficulties of a game, read from `odds.md`.

The file is Markdown for people. Only lines that start with a dash are read:

    - hard: 0.6, someone is listening
    - hopeless: blocked
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.systems.odds.success_chance import WHOLE, to_number, to_units

FILE = "odds.md"
BLOCKED = "blocked"
"""Written instead of a number: nothing is drawn for this difficulty."""

STEPS_MAX = 20
"""Difficulties of one game."""

NAME_LENGTH_MAX = 40
"""Characters of a difficulty's name."""

_HALF_WIDTH = str.maketrans("：，", ":,")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FORGOTTEN_DASH = re.compile(r"\w{1,40} ?: ?(?:[0-9]*\.[0-9]+|blocked)\b")
_LOOK = "Write it like `- hard: 0.6`."


@frozen
class DifficultyStep:
    """One named difficulty."""

    name: str
    difficulty: int | None
    """In ten-thousandths; None if an attempt is blocked."""

    meaning: str = ""
    """What it means, worded for the narrator."""

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
"""The difficulties of a game without `odds.md`."""


def read_steps(text: str, file: str) -> tuple[Json, tuple[Fault, ...]]:
    """The difficulties in a file as plain JSON, and the faults found."""
    steps: list[DifficultyStep] = []
    faults: list[Fault] = []
    for found in _read_lines(text, file):
        if isinstance(found, Fault):
            faults.append(found)
            continue
        step, place = found
        twin = next((other for other in steps if _is_same(other, step)), None)
        if twin is not None:
            message = f"`{step.name}` is the same as `{twin.name}`: names and numbers must be unique"
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
    """The difficulties of a game, from its parsed files."""
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
    """The difficulty with this name, or with this number."""
    if isinstance(said, str):
        plain = said.strip().casefold()
        for step in steps:
            if step.name == plain:
                return step
    units = to_units(said)
    return None if units is None else next((step for step in steps if step.difficulty == units), None)


def _is_same(one: DifficultyStep, other: DifficultyStep) -> bool:
    """Whether two difficulties share a name or a number, so that it would be ambiguous."""
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
            message = "this looks like a step but does not start with a dash"
            yield Fault("odds-step", message, SourcePlace(file, number, column), f"Write `- {written}`.")


def _read_step(body: str, file: str, line: int, column: int) -> tuple[DifficultyStep, SourcePlace] | Fault:
    head, _, rest = body.translate(_HALF_WIDTH).partition(":")
    number, _, words = rest.partition(",")
    name, value = head.rstrip(), number.strip()
    if not value:
        return Fault("odds-step", "this is not a step", SourcePlace(file, line, column), _LOOK)
    if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH_MAX:
        message = f"a step's name has at most {NAME_LENGTH_MAX} lower-case ASCII letters, digits and _"
        return Fault("odds-name", message, SourcePlace(file, line, column), "Write it like `very_hard`.")
    units = None if value == BLOCKED else to_units(value)
    if value != BLOCKED and (units is None or units > WHOLE):
        place = SourcePlace(file, line, column + len(head) + 1 + len(number) - len(number.lstrip()))
        message = f"a difficulty is a number from 0 to 1 with at most four decimals, or `{BLOCKED}`"
        return Fault("odds-difficulty", message, place, _LOOK)
    # The words as written, including their commas.
    meaning = body[len(body) - len(words) :].strip()
    return DifficultyStep(name, units, meaning), SourcePlace(file, line, column)
