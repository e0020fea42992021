"""World notes: what the narrator reads: the place, the time, who is here, and what each of them knows.

For each character only that character's knowledge is listed. Nobody can reveal events elsewhere that they
could not know about.
"""

from collections.abc import Iterator

from talewright.kernel.system import Note, NoteAudience
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import describe_mind, knowledge_of, tell_entry
from talewright.systems.world.people.whereabouts import list_hidden, list_visible
from talewright.systems.world.places.routes import list_exits
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState


def notes_of(state: WorldState, words: WorldPhrases) -> Iterator[Note]:
    """The notes of a turn."""
    yield Note(words.rules)
    place = state.places[state.at]
    ways = words.comma.join(one.name for one in list_exits(state))
    lines = [words.here.format(place=place.name, about=place.description).strip()]
    lines += [words.exits.format(places=ways)] if ways else []
    lines.append(words.time.format(time=tell_time(state, words), tick=state.tick))
    yield Note(" ".join(lines), NoteAudience.EVERYONE)
    people = list_visible(state)
    for person in people:
        yield from notes_on(state, person, words)
    if not people:
        yield Note(words.alone, NoteAudience.EVERYONE)
    hidden = list_hidden(state)
    if hidden:
        yield Note(words.hidden.format(names=words.comma.join(person.name for person in hidden)))
    yield from _notes_on_player(state, words)


def notes_on(state: WorldState, person: AuthoredPerson, words: WorldPhrases) -> Iterator[Note]:
    """The notes on one character who is here: the part of the prompt from which this character speaks."""
    mind = describe_mind(state, person, words, state.world.rules.prompt_knowledge)
    yield Note(mind.open, NoteAudience.EVERYONE)
    if mind.private:
        yield Note(mind.private)


def _notes_on_player(state: WorldState, words: WorldPhrases) -> Iterator[Note]:
    count = state.world.rules.prompt_events
    lately = [text.rstrip(".。") for text in state.events_since(0)[-count:]] if count else ()
    if lately:
        yield Note(words.events.format(events=words.between.join(lately)), NoteAudience.EVERYONE)
    newest = list(knowledge_of(state, PLAYER).values())[-count:] if count else []
    facts = [text for entry in newest if (text := tell_entry(state, entry, words))]
    if facts:
        yield Note(words.player_knows.format(facts=words.between.join(facts)), NoteAudience.EVERYONE)
