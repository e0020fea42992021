"""The table of dialects: all answer formats, by their names in `game.yaml`.

A dialect keeps no data between two replies, so one instance serves every campaign.
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
