"""Records: what the bench has simulated, as it is kept in `bench/results/spiral.json`.

Pictures and tests read it, so that neither has to throw a million dice.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

from bench.spirals.chain import FACES
from talewright.systems.spiral.oracle import chance_of

RESULTS = Path(__file__).parents[1] / "results" / "spiral.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """Something that was played many times over."""

    name: str
    number: int
    mean: float
    error: float
    """The standard error of the mean."""

    expected: float

    @property
    def sigmas(self) -> float:
        """How many standard errors lie between what was played and what was computed."""
        gap = abs(self.mean - self.expected)
        return gap / self.error if self.error else (math.inf if gap > 1e-9 else 0.0)


def sample(name: str, values: Sequence[float], expected: Fraction | float) -> Sample:
    """What values say, beside what they should."""
    number = len(values)
    mean = sum(values) / number
    variance = sum((value - mean) ** 2 for value in values) / (number - 1)
    return Sample(name, number, round(mean, 6), round(math.sqrt(variance / number), 6), float(expected))


@dataclass(frozen=True, slots=True)
class Record:
    """Everything one run of the bench has found."""

    rolls: Mapping[int, Sequence[int]]
    """By net dice: how often each face was the highest, from 1 on."""

    samples: Sequence[Sample]

    def find(self, name: str) -> Sample:
        """The sample of a name."""
        return next(one for one in self.samples if one.name == name)


def measure_gap(rolls: Mapping[int, Sequence[int]]) -> float:
    """The largest distance between a computed and a simulated chance, in points of a hundred."""
    return max(
        float(abs(Fraction(counts[face - 1], sum(counts)) - chance_of(face, net)) * 100)
        for net, counts in rolls.items()
        for face in FACES
    )


def write_record(record: Record, path: Path = RESULTS) -> None:
    """Keep a record."""
    found = {
        "rolls": {str(net): list(counts) for net, counts in record.rolls.items()},
        "samples": [asdict(one) for one in record.samples],
    }
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def read_record(path: Path = RESULTS) -> Record:
    """A record as it was kept."""
    found = json.loads(path.read_text(encoding="utf-8"))
    rolls = cast(Mapping[str, Sequence[int]], found["rolls"])
    samples = [Sample(**one) for one in found["samples"]]
    return Record({int(net): counts for net, counts in rolls.items()}, samples)
