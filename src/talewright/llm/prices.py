"""Prices: what tokens cost, in dollars for a million of them, and what a call has cost by that.

Where a price is not known nothing is guessed. Prices change: the provider's bill is right, not we.
"""

from dataclasses import dataclass

from talewright.llm.usage import Usage

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    """For input that the provider had kept; None: no discount."""

    cache_write: float | None = None
    """For input that the provider keeps for later; None: the price of any other input."""


FREE = Prices(0.0, 0.0)
"""A model on one's own machine."""


def cost(usage: Usage, prices: Prices) -> float:
    """Dollars for this usage, rather too many than too few.

    Providers that charge for keeping seldom say how much they have kept: all input that was not cached is
    then counted at the price of keeping it.
    """
    cached = min(usage.cached_tokens, usage.input_tokens)
    fresh = usage.input_tokens - cached
    fresh_price = max(prices.input, prices.cache_write or 0.0)
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    return (fresh * fresh_price + cached * cached_price + usage.output_tokens * prices.output) / MILLION
