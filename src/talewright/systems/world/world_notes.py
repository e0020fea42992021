"""World notes: what the narrator reads: a guide, the places, the time, who is here, and what they know.

For each character only that character's knowledge is listed. Nobody can reveal events elsewhere that they
could not know about.
"""

from collections.abc import Iterator

from talewright.kernel.system import Note, NoteAudience, Phase
from talewright.systems.world.authored.authored_world import AuthoredPerson, AuthoredWorld
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import describe_mind, knowledge_of, tell_entry
from talewright.systems.world.people.whereabouts import list_hidden, list_visible
from talewright.systems.world.places.routes import list_exits, list_known
from talewright.systems.world.slots import ROOT
from talewright.systems.world.text_likeness import cut_to_sentence, to_one_line
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

GUIDED_SINCE_ENGINE = 5
"""From this engine number on, a guide with the places is in the part of a prompt that stays the same, and the
notes name all the places the player knows.
"""

PLACES_DESCRIBED_MAX = 40
"""Places in the guide."""

PLACE_NOTE_LENGTH_MAX = 120
"""Characters of the description of a place in the notes; all of it is in the guide."""


def phase_of(world: AuthoredWorld, words: WorldPhrases) -> Phase:
    """How to play people and places, and what the places look like that nobody hides; always the same."""
    open_places = [place for place in world.places.values() if place.description and not place.hidden]
    lines = [
        words.place_line.format(name=place.name, about=to_one_line(place.description))
        for place in open_places[:PLACES_DESCRIBED_MAX]
    ]
    places = "\n".join(("", "", words.places_heading, "", *lines)) if lines else ""
    return Phase(ROOT, rulebook=f"{words.guide}{places}")


def notes_of(state: WorldState, words: WorldPhrases, *, guided: bool = True) -> Iterator[Note]:
    """The notes of a turn; `guided` says whether the narrator has the guide."""
    if guided:
        yield from _notes_on_place(state, words)
    else:
        yield Note(words.rules)
        yield Note(
            " ".join(note.text for note in _notes_on_place(state, words, names_all=False)),
            NoteAudience.EVERYONE,
        )
    people = list_visible(state)
    for person in people:
        yield from notes_on(state, person, words)
    if not people:
        yield Note(words.alone, NoteAudience.EVERYONE)
    hidden = list_hidden(state)
    if hidden:
        yield Note(words.hidden.format(names=words.comma.join(person.name for person in hidden)))
    yield from _notes_on_player(state, words, repeats=not guided)
    if guided:
        known = [tell_entry(state, entry, words) for entry in knowledge_of(state, PLAYER).values()]
        yield from [Note("\n".join(known), NoteAudience.PLAYER)] if any(known) else []


def _notes_on_place(state: WorldState, words: WorldPhrases, *, names_all: bool = True) -> Iterator[Note]:
    """Where the player is and may go, and when it is; time passes without anything else changing."""
    place, ways = state.places[state.at], list_exits(state)
    about = cut_to_sentence(place.description, PLACE_NOTE_LENGTH_MAX) if names_all else place.description
    lines = [words.here.format(place=place.name, about=about).strip()]
    lines += [words.exits.format(places=words.comma.join(one.name for one in ways))] if ways else []
    others = [one.name for one in list_known(state) if one not in ways and one is not place]
    lines += [words.also_known.format(places=words.comma.join(others))] if others and names_all else []
    yield Note(" ".join(lines), NoteAudience.EVERYONE)
    yield Note(words.time.format(time=tell_time(state, words), tick=state.tick), NoteAudience.EVERYONE)


def notes_on(state: WorldState, person: AuthoredPerson, words: WorldPhrases) -> Iterator[Note]:
    """The notes on one character who is here: the part of the prompt from which this character speaks."""
    mind = describe_mind(state, person, words, state.world.rules.prompt_knowledge)
    yield Note(mind.open, NoteAudience.EVERYONE)
    if mind.private:
        yield Note(mind.private)


def _notes_on_player(state: WorldState, words: WorldPhrases, *, repeats: bool) -> Iterator[Note]:
    """What happened lately and what the player has learned; with `repeats`, an event may be in both."""
    count = state.world.rules.prompt_events
    lately = [text.rstrip(".。") for text in state.events_since(0)[-count:]] if count else ()
    if lately:
        yield Note(words.events.format(events=words.between.join(lately)), NoteAudience.EVERYONE)
    newest = list(knowledge_of(state, PLAYER).values())[-count:] if count else []
    facts = [text for entry in newest if (text := tell_entry(state, entry, words))]
    if not repeats:
        facts = [text for text in facts if text.rstrip(".。") not in lately]
    if facts:
        yield Note(words.player_knows.format(facts=words.between.join(facts)), NoteAudience.EVERYONE)
