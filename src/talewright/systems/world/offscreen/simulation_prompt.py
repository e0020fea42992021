"""The simulation prompt: what a model is asked about people away from the player, and the form of its answer.

It contains only what those people know and would say in this company. A model that voices a single person
gets only that person's own knowledge.
"""

from collections.abc import Iterator

from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import Errand
from talewright.systems.world.authored.authored_world import AuthoredPerson, AuthoredPlace, SimulationDepth
from talewright.systems.world.offscreen.simulated_scenes import SimulatedScene
from talewright.systems.world.offscreen.simulation_depth import exchanges_in
from talewright.systems.world.offscreen.unresolved_threads import group_agendas, list_threads
from talewright.systems.world.people.knowledge import (
    KnowledgeEntry,
    knowledge_of,
    may_tell,
    tell_entry,
    tell_goals,
    voice_prompt,
)
from talewright.systems.world.text_likeness import cut_to_sentence, to_one_line
from talewright.systems.world.time_words import tell_clock
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

PLACE_LENGTH_MAX = 160
"""Characters of the description of a place."""

FACTS_SHOWN_MAX = 5
"""The newest facts of each person that a model reads."""

SUMMARY_TOKENS_MAX = 300
FULL_TOKENS_MAX = 1_500
"""The longest answers, in tokens."""

RELATION_STEP_MAX = 20
"""How much feelings may change in one conversation."""

_TEXT: Json = {"type": "string"}


def _record(**members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


SUMMARY_SCHEMA: Json = _record(summary=_TEXT)

FULL_SCHEMA: Json = _record(
    dialogue=_list(_TEXT),
    reportSimulation=_record(
        events=_list(_record(description=_TEXT, witnesses=_list(_TEXT))),
        movements=_list(_record(characterName=_TEXT, destination=_TEXT)),
        told=_list(_record(fact=_TEXT, by=_TEXT, to=_TEXT)),
        relationships=_list(_record(characterName=_TEXT, towards=_TEXT, change={"type": "integer"})),
    ),
)
"""`reportSimulation` with its events and movements is from the original design."""


def ask_simulation(
    state: WorldState, scene: SimulatedScene, words: WorldPhrases, scenario: str = ""
) -> Errand:
    """The question about a scene; `scenario` is the author's description of the game."""
    is_full = scene.depth is SimulationDepth.FULL
    schema, tokens = (FULL_SCHEMA, FULL_TOKENS_MAX) if is_full else (SUMMARY_SCHEMA, SUMMARY_TOKENS_MAX)
    question = "\n".join(filter(None, _write(state, scene, words, scenario)))
    return Errand(scene.to_id(), question, schema, answer_tokens=tokens, optional=True, apart=True)


def _write(state: WorldState, scene: SimulatedScene, words: WorldPhrases, scenario: str) -> Iterator[str]:
    people = [state.people[name] for name in scene.people]
    place = state.places[scene.place]
    known = {
        "names": words.comma.join(person.name for person in people),
        "place": place.name,
        "minutes": scene.ticks * state.world.rules.tick_minutes,
        "exchanges": exchanges_in(state.world.rules.simulation, scene.ticks),
        "places": words.comma.join(one.name for one in list_destinations(state, scene)),
        "step": RELATION_STEP_MAX,
    }
    if len(people) == 1:
        yield voice_prompt(state, people[0], words)
    else:
        full, summary = words.simulate, words.sum_up
        yield (full if scene.depth is SimulationDepth.FULL else summary).format(**known)
        for person in people:
            yield from _describe(state, person, people, words)
    if scenario:
        yield words.scene_scenario.format(about=to_one_line(scenario))
    about = cut_to_sentence(place.description, PLACE_LENGTH_MAX)
    yield words.scene_place.format(place=place.name, about=about).rstrip()
    yield words.scene_time.format(time=tell_clock(state.world, scene.tick, words))
    threads = list_threads(state, scene.people, scene.since, group_agendas(state.world))
    for thread in threads:
        if thread.goal:
            yield words.scene_thread.format(name=state.name_of(thread.owner), goal=thread.goal)
    if len(people) == 1:
        yield words.sum_up_alone.format(**known)
    else:
        yield (words.report if scene.depth is SimulationDepth.FULL else words.sum_up_form).format(**known)


def _describe(
    state: WorldState, person: AuthoredPerson, people: list[AuthoredPerson], words: WorldPhrases
) -> Iterator[str]:
    """One of several people, with what that person would say here."""
    yield "- " + words.character.format(name=person.name, about=person.description).rstrip(" :：")
    if person.goals:
        yield "  " + tell_goals(person, words)
    others = [one for one in people if one is not person]
    said = list(_list_said(state, person, others))[-FACTS_SHOWN_MAX:]
    told = [f"[{entry.fact}] {tell_entry(state, entry, words)}" for entry in said]
    if told:
        yield "  " + words.knows.format(facts=words.between.join(told))
    feelings = [(one.name, state.relation(person.id, one.id)) for one in others]
    felt = [words.scene_feeling.format(name=name, felt=number) for name, number in feelings if number]
    if felt:
        yield "  " + words.scene_feelings.format(felt=words.comma.join(felt))


def _list_said(
    state: WorldState, person: AuthoredPerson, others: list[AuthoredPerson]
) -> Iterator[KnowledgeEntry]:
    """What a person knows and would tell everyone here who does not know it yet.

    A fact that the person would keep from one of them is left out: everyone here would learn it.
    """
    for entry in knowledge_of(state, person.id).values():
        fact = state.fact(entry.fact)
        if fact is None or not fact.text:
            continue
        if any(one.id in fact.about for one in (person, *others)):
            # Nobody talks about people to their faces, or about themselves by name.
            continue
        if all(
            may_tell(state, person.id, one.id, fact) or entry.fact in knowledge_of(state, one.id)
            for one in others
        ):
            yield entry


def list_destinations(state: WorldState, scene: SimulatedScene) -> list[AuthoredPlace]:
    """Where the people of a scene could go: next door, or where they would go anyway."""
    ways = [way.to for way in state.places[scene.place].exits]
    near = [name for name in ways if name in state.places and not state.places[name].hidden]
    people = [state.people[name] for name in scene.people]
    own = [one.at for one in people]
    own += [row.at for one in people for row in one.schedule]
    own += [row.at for one in people for row in one.needs]
    names = dict.fromkeys((*near, *own))
    return [state.places[name] for name in names if name != scene.place and name in state.places]
