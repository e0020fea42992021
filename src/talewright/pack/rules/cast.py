"""The cast read: people, things and lore, into the rules' own lists.

Their words go into the catalogue; only ids, tags and conditions are left.
"""

from collections.abc import Iterable

from talewright.kernel.story.cast_and_cards import GameItem, Lore, Person
from talewright.pack.compilation import Compilation
from talewright.pack.rules.patterns import check_patterns
from talewright.pack.sources.cast import ItemSource, LoreSource, PersonSource


def read_people(sources: Iterable[PersonSource], work: Compilation) -> tuple[Person, ...]:
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


def read_items(sources: Iterable[ItemSource], work: Compilation) -> tuple[GameItem, ...]:
    """Read items.yaml."""
    items: list[GameItem] = []
    for source in sources:
        prefix = f"item.{source.id}"
        work.catalogue.say_field(prefix, "name", source.name, source.node)
        work.catalogue.say_field(prefix, "description", source.description, source.node)
        items.append(GameItem(source.id, source.tags, source.stack))
    return tuple(items)


def read_lore(sources: Iterable[LoreSource], work: Compilation) -> tuple[Lore, ...]:
    """Read lore/*.yaml."""
    return tuple(_read_entry(source, work) for source in sources)


def _read_entry(source: LoreSource, work: Compilation) -> Lore:
    prefix = f"lore.{source.id}"
    work.catalogue.say_field(prefix, "text", source.text, source.node)
    for name in ("keys", "secondary_keys"):
        keys: tuple[str, ...] = getattr(source, name)
        work.catalogue.say_all(f"{prefix}.{name}", keys, source.place(name))
        if source.regex:
            check_patterns(source, name, keys, work.desk)
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
