"""Describing: models and their prices in words for a terminal.

Words only; nothing is looked up here but what is handed in.
"""

from urllib.parse import urlsplit

from talewright.config.models import ModelSettings
from talewright.llm.cost_meter import cost
from talewright.llm.profiles import Prices
from talewright.llm.reply_chunks import Usage

TURN = Usage(13_000, 350, 10_000)
"""A turn in the middle of a campaign: what the cache keeps, what is new, and the answer."""

TURNS = 100
"""Turns for which a price is told: an evening or two."""


def describe_prices(prices: Prices | None) -> str:
    """What tokens cost, in dollars for a million of them."""
    if prices is None:
        return "price not known"
    if not prices.input and not prices.output:
        return "free"
    cached = "" if prices.cached_input is None else f", {money(prices.cached_input)} cached"
    return f"{money(prices.input)} in{cached}, {money(prices.output)} out a million tokens"


def describe_turns(prices: Prices | None) -> str:
    """What a number of turns costs about; empty where that is not known, or nothing."""
    dollars = 0.0 if prices is None else TURNS * cost(TURN, prices)
    return f"about {money(dollars)} for {TURNS} turns" if dollars else ""


def describe_place(model: ModelSettings) -> str:
    """A model and where it is served."""
    return f"{model.model} at {urlsplit(model.base_url).netloc}"


def money(dollars: float) -> str:
    """Dollars with two digits that say something."""
    if dollars and dollars < 0.01:
        return f"${dollars:.2g}" if dollars >= 0.0001 else f"${dollars:.6f}"
    whole = f"{dollars:.3f}" if dollars < 1 else f"{dollars:.2f}"
    return "$" + (whole.rstrip("0").rstrip(".") if "." in whole else whole)
