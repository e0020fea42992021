"""The table of dialects: every way of answering there is, by the name that `game.yaml` gives it.

A dialect keeps nothing between two replies, so one of each serves every campaign.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import Dialect
from talewright.contract.patch.dialect import PatchDialect
from talewright.contract.tools.dialect import ToolsDialect

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {dialect.name: dialect for dialect in (CardsDialect(), PatchDialect(), ToolsDialect())}
)
