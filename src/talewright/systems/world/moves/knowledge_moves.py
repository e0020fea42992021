"""Knowledge moves: people are found, learn facts, and are asked what they know.

Every piece of knowledge records how it was learned: witnessed, told by someone, or inferred.
"""

from collections.abc import Iterable, Sequence

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.system import Grant
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.moves.world_arguments import WorldArguments
from talewright.systems.world.offscreen.life_ledger import note_events
from talewright.systems.world.people.discovery import find_named, names_in
from talewright.systems.world.people.knowledge import (
    KnowledgeEntry,
    add_knowledge,
    knowledge_of,
    may_tell,
    word_fact,
)
from talewright.systems.world.people.whereabouts import find_person, list_present, list_visible
from talewright.systems.world.slots import (
    DESCRIPTION_LENGTH_MAX,
    FACT_LENGTH_MAX,
    FACTS_MAX,
    INFERRED,
    NAME_LENGTH_MAX,
    PEOPLE_MAX,
    TOLD,
)
from talewright.systems.world.text_likeness import SAME, normalize, to_one_line, topic_likeness
from talewright.systems.world.world_state import WorldState, put

TOPIC_LIKENESS_MIN = 60
"""How alike a topic and a fact must be, of 100."""

PLAYER_NAMES = ("you", "the player", "player", "玩家", "你")
"""Other names for the player's character."""


def discover_character(said: WorldArguments, state: WorldState) -> Grant:
    """A hidden person appears, or a person is improvised."""
    name = said.needed("characterName", NAME_LENGTH_MAX)
    about = said.line("introduction", DESCRIPTION_LENGTH_MAX)
    goals = said.line("goals", DESCRIPTION_LENGTH_MAX)
    person = find_named(name, state.people.values())
    if person is None:
        return _improvise(said, state, name, about, goals)
    if find_person(state, person, state.tick) != state.at:
        where = state.places[state.at].name
        raise mend(
            f"{said.tool}: {person.name} is not at {where} now; tell it without them, or somebody else"
        )
    updates = () if person.id in state.part("met") else (put("met", person.id, value=state.tick),)
    return Grant(updates, {"message": f"Character {person.name} discovered.", "name": person.name})


def _improvise(said: WorldArguments, state: WorldState, name: str, about: str, goals: str) -> Grant:
    made = state.part("people")
    if len(made) >= PEOPLE_MAX:
        raise mend(f"{said.tool}: no more people can be added; use somebody who is here")
    row: dict[str, Json] = {"name": name, "description": about, "goals": goals, "at": state.at}
    new = f"new_{len(made) + 1}"
    updates = (put("people", new, value=row), put("met", new, value=state.tick))
    return Grant(updates, {"message": f"Character {name} discovered.", "name": name})


def discover_named(state: WorldState, prose: str) -> list[Update]:
    """Discover the hidden people whom the narration names."""
    hidden = [person for person in state.people.values() if not state.is_discovered(person)]
    return [put("met", name, value=state.tick) for name in names_in(prose, hidden)]


def note_fact(said: WorldArguments, state: WorldState) -> Grant:
    """People learn a fact: those who witnessed it, or those who are told."""
    text = said.needed("fact", FACT_LENGTH_MAX)
    here = [*list_present(state, state.at, state.tick), player_of(state)]
    teller = said.line("told_by", NAME_LENGTH_MAX)
    if teller:
        by = said.person("told_by", teller, here)
        named = said.people("told_to", here)
        to = [one for one in named or here if one.id != by.id]
        if named and not to:
            raise mend(f"{said.tool}: {by.name} cannot tell it to {by.name}; leave out `told_to`")
        updates, fact = write_fact(state, text, to, by)
    else:
        updates, fact = write_fact(state, text, said.people("witnesses", here) or here)
    return Grant(tuple(updates), {"message": "Noted.", "fact": fact})


def write_fact(
    state: WorldState, text: str, knowers: Sequence[AuthoredPerson], by: AuthoredPerson | None = None
) -> tuple[list[Update], str]:
    """The updates by which people learn a fact, and its id. The same words are the same fact.

    A scene may give the id of an authored fact, which has words in every language.
    """
    updates: list[Update] = []
    authored = text in state.world.facts
    same = text if authored else _find_same(state, text)
    noted = state.part("facts")
    if not same:
        if len(noted) >= FACTS_MAX:
            raise mend("no more facts can be noted; tell it without")
        same = f"note_{len(noted) + 1}"
        updates.append(put("facts", same, value={"text": text[:FACT_LENGTH_MAX], "tick": state.tick}))
    heard = knowledge_of(state, by.id).get(same) if authored and by is not None else None
    twist = heard.twist if heard is not None else 0
    learned = [(one.id, _entry(same, state.tick, by, twist)) for one in knowers]
    if by is not None:
        # A person who passes on something that nobody told them has inferred it.
        learned.append((by.id, KnowledgeEntry(same, INFERRED, "", state.tick)))
    updates += add_knowledge(state, learned)
    if any(one.id == PLAYER for one in knowers):
        updates += note_events(state, [(state.tick, same)])
    return updates, same


def _find_same(state: WorldState, text: str) -> str:
    """The id of the fact with these words; empty if there is none."""
    known = {**state.world.facts, **dict.fromkeys(state.part("facts"))}
    plain = normalize(text).casefold()
    found = (
        one for one in map(state.fact, known) if one is not None and normalize(one.text).casefold() == plain
    )
    return next((fact.id for fact in found), "")


def _entry(fact: str, tick: int, by: AuthoredPerson | None, twist: int) -> KnowledgeEntry:
    return KnowledgeEntry(fact, at=tick) if by is None else KnowledgeEntry(fact, TOLD, by.id, tick, twist)


def note_told_facts(state: WorldState, facts: Iterable[str]) -> list[Update]:
    """Facts that the storyteller wants remembered become knowledge of those present."""
    here = [*list_visible(state), player_of(state)]
    count = len(state.part("facts"))
    lines = dict.fromkeys(to_one_line(text)[:FACT_LENGTH_MAX] for text in facts)
    noted = {
        f"note_{count + at}": line
        for at, line in enumerate(filter(None, lines), 1)
        if count + at <= FACTS_MAX
    }
    updates = [put("facts", name, value={"text": line, "tick": state.tick}) for name, line in noted.items()]
    learned = [(one.id, KnowledgeEntry(name, at=state.tick)) for name in noted for one in here]
    return updates + add_knowledge(state, learned)


def player_of(state: WorldState) -> AuthoredPerson:
    """The player's character."""
    player = state.world.rules.player
    return AuthoredPerson(PLAYER, player.name or PLAYER, (*player.also, *PLAYER_NAMES), player.description)


def ask_character(said: WorldArguments, state: WorldState) -> Grant:
    """The player asks someone here, who answers with one fact."""
    person = said.person("characterName", said.needed("characterName", NAME_LENGTH_MAX), list_visible(state))
    topic = said.line("topic", NAME_LENGTH_MAX)
    entry = choose_answer(state, person, topic)
    fact = state.fact(entry.fact) if entry is not None else None
    row: dict[str, Json] = {
        "by": person.id, "fact": fact.id if fact is not None else "",
        "twist": entry.twist if entry is not None else 0, "turn": state.turn,
    }  # fmt: skip
    if entry is None or fact is None:
        return Grant(
            (put("said", value=row),), {"says": "", "message": f"{person.name} has nothing to tell about it."}
        )
    told = KnowledgeEntry(fact.id, TOLD, person.id, state.tick, entry.twist)
    updates = (put("said", value=row), *add_knowledge(state, [(PLAYER, told)]))
    source: dict[str, Json] = {
        "source": entry.source,
        "by": state.name_of(entry.by) if entry.source == TOLD else "",
    }
    return Grant(updates, {"says": word_fact(fact, entry.twist), **source})


def choose_answer(state: WorldState, person: AuthoredPerson, topic: str) -> KnowledgeEntry | None:
    """What a person tells the player: the best fact about a topic, or the newest that the player lacks."""
    known = knowledge_of(state, PLAYER)
    entries = [
        entry
        for entry in reversed(knowledge_of(state, person.id).values())
        if (fact := state.fact(entry.fact)) is not None
        and fact.text
        and may_tell(state, person.id, PLAYER, fact)
    ]
    if not topic:
        return next((entry for entry in entries if entry.fact not in known), None)
    plain = normalize(topic).casefold()
    scored = [(_likeness(state, entry, plain), entry) for entry in entries]
    best = max((score for score, _ in scored), default=0.0)
    return next((entry for score, entry in scored if score == best >= TOPIC_LIKENESS_MIN), None)


def _likeness(state: WorldState, entry: KnowledgeEntry, plain: str) -> float:
    fact = state.fact(entry.fact)
    assert fact is not None
    if plain == fact.id or (fact.topic and plain == normalize(fact.topic).casefold()):
        return SAME + 1
    return topic_likeness(plain, normalize(f"{fact.topic} {fact.text}").casefold())
