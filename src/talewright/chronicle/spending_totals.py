"""Totals of spending: what all attempts and asides of a campaign have used, summed up by model as they come.

A store keeps them with its records, so that nobody has to read the records for a sum. What has no known price
counts as tokens alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from talewright.chronicle.records import Json
from talewright.common.frozen_values import frozen


@frozen
class ModelSpending:
    """What was used of one model, and what that cost."""

    input_tokens: int = 0
    """All of the input, that which was cached included."""

    output_tokens: int = 0
    cached_tokens: int = 0
    dollars: float = 0.0
    """What is known of it."""

    unpriced: bool = False
    """Whether the price of some of it was not known."""

    estimated: bool = False
    """Whether a provider did not say, and some of it is a guess."""

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
    """What was spent on a campaign."""

    by_model: Mapping[str, ModelSpending] = field(default_factory=dict)
    """By the model's name, in the order they came; an empty name where a record does not say which."""

    @property
    def whole(self) -> ModelSpending:
        """Everything together."""
        return sum(self.by_model.values(), ModelSpending())

    def add(self, body: Mapping[str, Json]) -> "SpendingTotals":
        """The totals with what the body of an attempt or an aside says was spent."""
        found = _read(body)
        if not found:
            return self
        totals = dict(self.by_model)
        for model, one in found:
            known = totals.get(model)
            totals[model] = one if known is None else known + one
        return SpendingTotals(totals)


def write_totals(totals: SpendingTotals) -> dict[str, Json]:
    """Totals as a store may keep them."""
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
    """The totals that `write_totals` made."""
    return SpendingTotals(
        {
            model: ModelSpending(int(one[0]), int(one[1]), int(one[2]), one[3], bool(one[4]), bool(one[5]))
            for model, one in form.items()
        }
    )


def _read(body: Mapping[str, Json]) -> list[tuple[str, ModelSpending]]:
    """What a body says, by model; a sum without a model where it says no more than that."""
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
    """A number of tokens; a store believes nothing of a body, so what is none counts as none."""
    value = raw.get(name)
    return value if isinstance(value, int) else 0
