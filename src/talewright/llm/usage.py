"""Usage: the tokens of a call, as the provider reports them or as we estimate them.

Prices are not known here.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, or of several."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Those of the input that the provider had kept and charges less for."""

    estimated: bool = False
    """Whether any of it is our guess, because the provider did not say."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated or other.estimated,
        )
