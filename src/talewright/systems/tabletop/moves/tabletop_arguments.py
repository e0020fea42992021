"""Arguments of the tabletop's tools: names, items and hit points, besides what every tool may say.

Only their form is checked here; each move interprets the words itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.common.safe_text import clean_line
from talewright.kernel.judging.call_arguments import CallArguments
from talewright.kernel.judging.rulings import Refusal, mend
from talewright.kernel.state.documents import normal_number
from talewright.systems.tabletop.character_sheets import (
    EQUIPPED,
    NOTE,
    PROPERTIES_MAX,
    name_length_max,
    trim_item,
    write_property,
)
from talewright.systems.tabletop.damage import HIT_POINTS_MAX, HitPoints
from talewright.systems.tabletop.rulebook_parser.npc_lines import read_item
from talewright.systems.tabletop.rulebook_parser.rulebook_types import LootItem
from talewright.systems.tabletop.slots import ITEMS_MAX, QUANTITY_MAX, STAT_LIMIT


@frozen
class TabletopArguments(CallArguments):
    """The arguments of one call, or of an object in it."""

    revised: bool = True
    """Whether items keep all they are given; older turns are judged as they were."""

    def name(self, name: str) -> str:
        """A name on one line; empty if there is none."""
        return self.line(name, name_length_max)

    def lines(self, name: str) -> tuple[str, ...]:
        """A list of texts; a bare text is a list of one."""
        value = self.members.get(name)
        rows = [] if value is None else [value] if isinstance(value, str) else value
        if not isinstance(rows, Sequence):
            raise mend(f"{self.tool}: `{name}` is a list of texts, not {quote_value(value)}")
        return tuple(replace(self, members={name: row}).name(name) for row in rows)

    def numbers(self, name: str) -> dict[str, int]:
        """Whole numbers by name."""
        members = self.within(name)
        return {
            clean_line(key).strip()[:STAT_LIMIT]: members.whole(key, -STAT_LIMIT, STAT_LIMIT)
            for key in members.members
        }

    def hit_points(self, name: str) -> HitPoints:
        """Hit points: a number, or {current, max}."""
        if isinstance(self.members.get(name), int | float):
            points = self.whole(name, 1, HIT_POINTS_MAX)
            return HitPoints(points, points)
        said = self.within(name)
        most = said.whole("max", 1, HIT_POINTS_MAX)
        return HitPoints(said.whole("current", 0, most) if said.has("current") else most, most)

    def items(self, name: str) -> tuple[LootItem, ...]:
        """Items, each a text such as `3 torches` or an object."""
        value = self.members.get(name)
        if value is None:
            return ()
        rows = [value] if isinstance(value, str | Mapping) else value
        if not isinstance(rows, Sequence) or len(rows) > ITEMS_MAX:
            raise mend(f"{self.tool}: `{name}` is a list of at most {ITEMS_MAX} items")
        return tuple(self._item(name, row) for row in rows)

    def _item(self, name: str, row: Json) -> LootItem:
        if isinstance(row, str) and clean_line(row).strip():
            return trim_item(read_item(clean_line(row).strip()))
        if not isinstance(row, Mapping) or not row.get("name"):
            look = 'Give a text such as "3 torches", or {"name": "torch", "quantity": 3}'
            raise mend(f"{self.tool}: `{name}` has {quote_value(row)}, which is no item. {look}")
        said = replace(self, members=row)
        quantity = said.whole("quantity", 1, QUANTITY_MAX) if said.has("quantity") else 1
        properties = row.get("properties")
        known = properties if isinstance(properties, Mapping) else {}
        item = trim_item(LootItem(said.name("name"), quantity, clean_line(str(known.get(NOTE, "")))))
        if not self.revised:
            return item
        others = {name: value for name, value in known.items() if name not in (NOTE, EQUIPPED)}
        if len(others) > PROPERTIES_MAX:
            raise mend(f"{self.tool}: an item has at most {PROPERTIES_MAX} properties besides its note")
        kept = (
            (str(self._property(name, name)), self._property(name, value)) for name, value in others.items()
        )
        equipped = said.truth(EQUIPPED) if said.has(EQUIPPED) else None
        return replace(item, equipped=equipped, properties=tuple(kept))

    def _property(self, name: str, value: Json) -> Json:
        """A property of an item, or its name, if it can be kept."""
        if isinstance(value, str):
            value = clean_line(value).strip()
        elif not isinstance(value, bool):
            value = normal_number(value) if isinstance(value, int | float) else None
        text = write_property(value)
        if value in (None, "") or len(text) > name_length_max(text):
            raise mend(
                f"{self.tool}: the property {quote_value(name)} of an item is a number, true, false or a "
                f"text of at most {name_length_max(text)} characters"
            )
        return value


def no_such(tool: str, noun: str, said: str, known: Iterable[str]) -> Refusal:
    """A refusal of an unknown name, with the known ones."""
    names = [*known]
    near = nearest(said, names)
    meant = f"; did you mean {near}?" if near else ""
    there = f"there is {listed(names)}" if names else "there is none"
    return mend(f"{tool}: there is no {noun} {quote_value(said)}; {there}{meant}")


def find_name(said: str, known: Iterable[str]) -> str:
    """The known name that is meant, ignoring case; empty if there is none."""
    plain = said.casefold()
    return next((name for name in known if name.casefold() == plain), "")
