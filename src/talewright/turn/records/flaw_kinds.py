"""Kinds of flaws: why recorded replies were requested again.

It reads what is recorded. Whether a reply has a flaw is decided when the reply arrives.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import cast

from talewright.common.json_values import Json
from talewright.contract.dialect import IN_CIRCLES
from talewright.contract.text.leak_guard import LEAK, NAMED


class FlawKind(StrEnum):
    """What a flaw is about."""

    FORM = "form"
    """The answer could not be read, or something was missing in it."""

    HIDDEN = "hidden"
    """It quoted or named something that the player may not read."""

    REPETITION = "repetition"
    """It went round in circles."""

    MODERATION = "moderation"
    """The moderation objected to it."""

    REFUSED = "refused"
    """The rules refused a proposal in it, or a system refused its narration."""


def sort_flaws(exchange: Mapping[str, Json]) -> tuple[tuple[FlawKind, str], ...]:
    """Why a reply was requested again, each reason with its kind; empty if it was not."""
    found = cast(Sequence[str], exchange.get("flaws", ()))
    objection = exchange.get("objection")
    kinds = dict.fromkeys(found, FlawKind.FORM)
    kinds |= {LEAK.message: FlawKind.HIDDEN, NAMED.message: FlawKind.HIDDEN}
    kinds |= {IN_CIRCLES.message: FlawKind.REPETITION}
    kinds |= {str(objection): FlawKind.MODERATION} if objection else {}
    mends = cast(Sequence[str], exchange.get("mend", ()))
    return tuple((kinds.get(message, FlawKind.REFUSED), message) for message in mends)
