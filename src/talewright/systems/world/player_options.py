"""Player options: what the player can do here without a model: go, talk, ask about something, wait.

Each option is a call of one of the world's tools, judged like any other.
"""

from collections.abc import Iterator

from talewright.kernel.judging.moves import Call
from talewright.kernel.story.scenes import ChoiceGroup, SystemChoice
from talewright.systems.world import tool_descriptions as tools
from talewright.systems.world.authored.authored_world import AuthoredPerson, WorldFact
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import knowledge_of
from talewright.systems.world.people.whereabouts import list_visible
from talewright.systems.world.places.routes import list_exits, travel_ticks
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

TALKS_MAX = 3
"""The most people offered to talk to."""

ASKS_MAX = 2
"""The most topics offered to ask about."""

WAIT_MINUTES = 60
WAIT_LONG_MINUTES = 360


def choices_of(state: WorldState, words: WorldPhrases) -> Iterator[SystemChoice]:
    """What can be done here, the most interesting first; there is always something."""
    people = list_visible(state)
    shift = state.turn % len(people) if people else 0
    near = [*people[shift:], *people[:shift]][:TALKS_MAX]
    for person in near:
        yield _talk(person, words)
    yield from _asks(state, near, words)
    hint = words.wait_hint.format(time=tell_time(state, words))
    yield _wait("wait", words.wait, hint, state.world.ticks_in(WAIT_MINUTES))
    for place in list_exits(state):
        minutes = travel_ticks(state, state.at, place.id) * state.world.rules.tick_minutes
        call = Call(tools.MOVE, {"destination": place.id, "narrativeTime": "", "accompaniedBy": []})
        yield SystemChoice(
            f"go-{place.id}",
            words.go.format(place=place.name),
            call,
            words.go_hint.format(minutes=minutes),
            group=ChoiceGroup.GO,
        )
    yield _wait("wait-long", words.wait_long, "", state.world.ticks_in(WAIT_LONG_MINUTES))


def _talk(person: AuthoredPerson, words: WorldPhrases) -> SystemChoice:
    call = Call(tools.ASK, {"characterName": person.id, "topic": ""})
    return SystemChoice(
        f"talk-{person.id}", words.talk.format(name=person.name), call, group=ChoiceGroup.TALK
    )


def _wait(name: str, label: str, hint: str, ticks: int) -> SystemChoice:
    call = Call(tools.ADVANCE, {"narrativeTime": "", "ticks": ticks})
    return SystemChoice(name, label, call, hint, group=ChoiceGroup.WAIT)


def _asks(state: WorldState, people: list[AuthoredPerson], words: WorldPhrases) -> Iterator[SystemChoice]:
    """The newest topics the player has heard of, to ask someone here about."""
    heard = [
        fact
        for name in reversed(knowledge_of(state, PLAYER))
        if (fact := state.fact(name)) is not None and fact.topic
    ]
    for fact, person in list(zip(heard, people, strict=False))[:ASKS_MAX]:
        yield _ask(fact, person, words)


def _ask(fact: WorldFact, person: AuthoredPerson, words: WorldPhrases) -> SystemChoice:
    call = Call(tools.ASK, {"characterName": person.id, "topic": fact.id})
    label = words.ask.format(name=person.name, topic=fact.topic)
    return SystemChoice(f"ask-{person.id}-{fact.id}", label, call, group=ChoiceGroup.TALK)
