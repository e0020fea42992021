"""Knowledge: what each character knows, how they came to know it, and how it is put into words.

Nobody learns a fact without a source. The wording of a character's knowledge depends on nothing that this
character cannot know.
"""

from collections.abc import Iterable, Iterator, Mapping

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Update
from talewright.systems.world.authored.authored_world import AuthoredPerson, WorldFact
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.slots import INFERRED, TOLD, WITNESSED
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState, put_inner


@frozen
class KnowledgeEntry:
    """One fact that a person knows."""

    fact: str
    source: str = WITNESSED
    by: str = ""
    """Who told it; for an inference, the fact it follows from."""

    at: int = 0
    """The tick since which it is known."""

    twist: int = 0
    """Which twisted wording it has; 0 is the original."""

    def to_json(self) -> dict[str, Json]:
        """The entry as it is stored in the state."""
        return {"source": self.source, "by": self.by, "at": self.at, "twist": self.twist}


def knowledge_of(state: WorldState, person: str) -> dict[str, KnowledgeEntry]:
    """What a person knows, by fact, the oldest first."""
    found = state.world.rules.player if person == PLAYER else state.people.get(person)
    entries = list(_authored(found)) if found is not None else []
    rows = state.part("knowledge").get(person)
    learned = [_read(fact, row) for fact, row in rows.items()] if isinstance(rows, Mapping) else []
    return {entry.fact: entry for entry in (*entries, *sorted(learned, key=_age))}


def _authored(person: AuthoredPerson) -> Iterator[KnowledgeEntry]:
    yield from (KnowledgeEntry(fact) for fact in person.knows)
    yield from (KnowledgeEntry(fact, TOLD, by) for fact, by in person.heard.items())
    yield from (KnowledgeEntry(fact, INFERRED) for fact in person.inferred)


def _age(entry: KnowledgeEntry) -> tuple[int, str]:
    return entry.at, entry.fact


def _read(fact: str, row: Json) -> KnowledgeEntry:
    assert isinstance(row, Mapping)
    at, twist = row["at"], row["twist"]
    assert isinstance(at, int)
    assert isinstance(twist, int)
    return KnowledgeEntry(fact, str(row["source"]), str(row["by"]), at, twist)


def word_fact(fact: WorldFact, twist: int) -> str:
    """A fact in the words in which a person knows it."""
    return fact.twists[twist - 1] if 0 < twist <= len(fact.twists) else fact.text


def tell_entry(state: WorldState, entry: KnowledgeEntry, words: WorldPhrases) -> str:
    """What a person knows, with its source; empty if the game no longer has the fact."""
    fact = state.fact(entry.fact)
    text = word_fact(fact, entry.twist).rstrip(".。") if fact is not None else ""
    if not text:
        return ""
    if entry.source == TOLD:
        return words.told.format(fact=text, by=state.name_of(entry.by) or words.somebody)
    if entry.source == INFERRED:
        return words.inferred.format(fact=text)
    return words.witnessed.format(fact=text)


def add_knowledge(state: WorldState, learned: Iterable[tuple[str, KnowledgeEntry]]) -> list[Update]:
    """Updates by which people learn facts that are new to them."""
    rows: dict[str, dict[str, Json]] = {}
    for person, entry in learned:
        if entry.fact not in knowledge_of(state, person):
            rows.setdefault(person, {}).setdefault(entry.fact, entry.to_json())
    return put_inner(state, "knowledge", rows)


def may_tell(state: WorldState, teller: str, listener: str, fact: WorldFact) -> bool:
    """Whether a person likes another enough to pass a fact on, and it is not about the teller."""
    return teller not in fact.about and state.relation(teller, listener) >= fact.trust


def would_gossip(state: WorldState, teller: str, listener: str, fact: WorldFact) -> bool:
    """Whether a person would pass a fact on unasked: nobody talks about people to their faces."""
    return listener not in fact.about and may_tell(state, teller, listener, fact)


@frozen
class Mind:
    """One character as the narrator should play them: what everyone sees, and what nobody may quote."""

    open: str
    private: str


def describe_mind(state: WorldState, person: AuthoredPerson, words: WorldPhrases, entries_max: int) -> Mind:
    """A character with exactly what this character knows."""
    shown: list[str] = []
    kept: list[str] = []
    newest = list(knowledge_of(state, person.id).values())[-entries_max:] if entries_max else []
    for entry in newest:
        fact, text = state.fact(entry.fact), tell_entry(state, entry, words)
        if fact is None or not text:
            continue
        (shown if may_tell(state, person.id, PLAYER, fact) else kept).append(text)
    lines = [words.character.format(name=person.name, about=person.description).rstrip(" :：")]
    if shown:
        lines.append(words.knows.format(facts=words.between.join(shown)))
    private = [tell_goals(person, words)] if person.goals else []
    if kept:
        private.append(words.keeps.format(name=person.name, facts=words.between.join(kept)))
    return Mind(" ".join(lines), " ".join(private))


def tell_goals(person: AuthoredPerson, words: WorldPhrases) -> str:
    """What a character wants, as a sentence."""
    return words.goals.format(name=person.name, goals=person.goals.rstrip(" .。"))


def voice_prompt(state: WorldState, person: AuthoredPerson, words: WorldPhrases) -> str:
    """The instructions for a model that speaks for one character: everything that this character knows."""
    entries = knowledge_of(state, person.id).values()
    facts = [text for entry in entries if (text := tell_entry(state, entry, words))]
    mind = describe_mind(state, person, words, 0)
    lines = (words.voice.format(name=person.name), mind.open, mind.private, *(f"- {fact}" for fact in facts))
    return "\n".join(filter(None, lines))
