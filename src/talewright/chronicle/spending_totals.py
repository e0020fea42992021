"""Totals of spending: the usage of all attempts and asides of a campaign, summed up by model.

A store saves them with its records, so that a sum does not require reading the records. Usage without a known
price counts as tokens only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from talewright.chronicle.records import Json
from talewright.common.frozen_values import frozen


@frozen
class ModelSpending:
    """The usage and cost of one model."""

    input_tokens: int = 0
    """All input, including cached input."""

    output_tokens: int = 0
    cached_tokens: int = 0
    dollars: float = 0.0
    """The known part of the cost."""

    unpriced: bool = False
    """Whether the price of some of it is unknown."""

    estimated: bool = False
    """Whether some of it is an estimate because a provider did not report it."""

    def __add__(self, other: "ModelSpending") -> "ModelSpending":
        return ModelSpending(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.dollars + other.dollars,
            self.unpriced or other.unpriced,
            self.estimated or other.estimated,
        )


@frozen
class SpendingTotals:
    """The spending of a campaign."""

    by_model: Mapping[str, ModelSpending] = field(default_factory=dict)
    """By model name, in order of first use; the name is empty if a record does not give it."""

    @property
    def whole(self) -> ModelSpending:
        """The sum over all models."""
        return sum(self.by_model.values(), ModelSpending())

    def add(self, body: Mapping[str, Json]) -> "SpendingTotals":
        """The totals plus the usage in the body of an attempt or an aside."""
        found = _read(body)
        if not found:
            return self
        totals = dict(self.by_model)
        for model, one in found:
            known = totals.get(model)
            totals[model] = one if known is None else known + one
        return SpendingTotals(totals)


def write_totals(totals: SpendingTotals) -> dict[str, Json]:
    """Totals as JSON, for a store."""
    return {
        model: [
            one.input_tokens,
            one.output_tokens,
            one.cached_tokens,
            one.dollars,
            one.unpriced,
            one.estimated,
        ]
        for model, one in totals.by_model.items()
    }


def read_totals(form: Mapping[str, Sequence[float]]) -> SpendingTotals:
    """Read what `write_totals` wrote."""
    return SpendingTotals(
        {
            model: ModelSpending(int(one[0]), int(one[1]), int(one[2]), one[3], bool(one[4]), bool(one[5]))
            for model, one in form.items()
        }
    )


def _read(body: Mapping[str, Json]) -> list[tuple[str, ModelSpending]]:
    """The usage in a body, by model; if it names no models, the sum under an empty name."""
    spent = body.get("spent")
    if isinstance(spent, Sequence) and not isinstance(spent, str):
        return [(str(one.get("model", "")), _read_one(one)) for one in spent if isinstance(one, Mapping)]
    usage = body.get("usage")
    return [("", _read_one(usage))] if isinstance(usage, Mapping) else []


def _read_one(raw: Mapping[str, Json]) -> ModelSpending:
    dollars = raw.get("dollars")
    priced = isinstance(dollars, int | float)
    return ModelSpending(
        _count(raw, "input_tokens"),
        _count(raw, "output_tokens"),
        _count(raw, "cached_tokens"),
        float(dollars) if isinstance(dollars, int | float) else 0.0,
        not priced,
        bool(raw.get("estimated")),
    )


def _count(raw: Mapping[str, Json], name: str) -> int:
    """A number of tokens; bodies are not trusted, so an invalid number counts as zero."""
    value = raw.get(name)
    return value if isinstance(value, int) else 0
