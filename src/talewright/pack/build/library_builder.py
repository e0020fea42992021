"""The library builder: builds characters, items and lore, and checks lore patterns.

`prompt.lore` decides which patterns are valid; nothing is matched here.
"""

from collections.abc import Iterable, Sequence

from talewright.kernel.story.cast import GameItem, Lore, Person
from talewright.pack.build.build_context import BuildContext
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ListNode
from talewright.pack.schema.library_fields import ItemSource, LoreSource, PersonSource
from talewright.pack.schema.record_form import SourceRecord
from talewright.prompt.lore.regex_matcher import find_mistake


def check_lore_patterns(source: SourceRecord, name: str, keys: Sequence[str], fault_list: FaultList) -> None:
    """Report which keys in a record's field are not valid patterns."""
    written = source.node.entries.get(name)
    if not isinstance(written, ListNode) or source.broken:
        return
    for node, key in zip(written.items, keys, strict=True):
        mistake = find_mistake(key)
        if mistake:
            message = f"this regular expression cannot be used: {mistake}"
            fault_list.report(FaultCode.BAD_PATTERN, node.place, message, "Fix it, or delete `regex`.")


def read_people(sources: Iterable[PersonSource], work: BuildContext) -> tuple[Person, ...]:
    """Read npcs.yaml."""
    people: list[Person] = []
    for source in sources:
        prefix = f"npc.{source.id}"
        for name in ("name", "description", "voice", "secret"):
            work.catalogue.say_field(prefix, name, getattr(source, name), source.node)
        work.catalogue.say_all(f"{prefix}.also", source.also, source.place("also"))
        work.catalogue.say_all(f"{prefix}.goals", source.goals, source.place("goals"))
        people.append(Person(source.id, source.where))
    return tuple(people)


def read_items(sources: Iterable[ItemSource], work: BuildContext) -> tuple[GameItem, ...]:
    """Read items.yaml."""
    items: list[GameItem] = []
    for source in sources:
        prefix = f"item.{source.id}"
        work.catalogue.say_field(prefix, "name", source.name, source.node)
        work.catalogue.say_field(prefix, "description", source.description, source.node)
        items.append(GameItem(source.id, source.tags, source.stack))
    return tuple(items)


def read_lore(sources: Iterable[LoreSource], work: BuildContext) -> tuple[Lore, ...]:
    """Read lore/*.yaml."""
    return tuple(_read_entry(source, work) for source in sources)


def _read_entry(source: LoreSource, work: BuildContext) -> Lore:
    prefix = f"lore.{source.id}"
    work.catalogue.say_field(prefix, "text", source.text, source.node)
    for name in ("keys", "secondary_keys"):
        keys: tuple[str, ...] = getattr(source, name)
        work.catalogue.say_all(f"{prefix}.{name}", keys, source.place(name))
        if source.regex:
            check_lore_patterns(source, name, keys, work.fault_list)
    return Lore(
        id=source.id,
        logic=source.logic,
        whole_words=source.whole_words,
        regex=source.regex,
        case_sensitive=source.case_sensitive,
        constant=source.constant,
        when=None if source.when is None else work.condition(source.when),
        reveal_when=None if source.reveal_when is None else work.condition(source.reveal_when),
        priority=source.priority,
        sticky=source.sticky,
        cooldown=source.cooldown,
        group=source.group,
        weight=source.weight,
        recurse=source.recurse,
        budget=source.budget,
    )
