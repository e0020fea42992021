"""The world report: the true state of a world for its author, or the part that the player may know.

It is printed by `talewright world`, as lines and as JSON, and draws the timeline and the knowledge graph.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.json_values import Json
from talewright.kernel.panel_parts import Chips, Lines, PlaceMap
from talewright.kernel.system import PastTurn, ReportContent
from talewright.systems.world.authored.authored_world import AuthoredPerson, PersonAgenda
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.offscreen.agendas import NEVER, clock_of, read_progress
from talewright.systems.world.offscreen.unresolved_threads import group_agendas
from talewright.systems.world.panels import panels_of
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of, tell_entry, word_fact
from talewright.systems.world.people.whereabouts import find_person
from talewright.systems.world.reports import KNOWLEDGE, TIMELINE
from talewright.systems.world.reports.knowledge_picture import draw_knowledge
from talewright.systems.world.reports.timeline_picture import draw_timeline
from talewright.systems.world.reports.world_history import read_past, tell_moment
from talewright.systems.world.slots import INFERRED
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState


def report_world(
    state: WorldState, turns: Sequence[PastTurn], words: WorldPhrases, *, spoilers: bool
) -> ReportContent:
    """The report for the state after the last of these turns."""
    if not spoilers:
        return _report_seen(state, words)
    pictures = {TIMELINE: draw_timeline(state, read_past(state, turns)), KNOWLEDGE: draw_knowledge(state)}
    return ReportContent(tuple(_tell(state, words)), _write(state), pictures)


def _report_seen(state: WorldState, words: WorldPhrases) -> ReportContent:
    """The part that the player sees too."""
    lines: list[str] = []
    data: dict[str, Json] = {"tick": state.tick, "at": state.at}
    for panel in panels_of(state, words):
        for part in panel.parts:
            match part:
                case Lines(label, inner) | Chips(label, inner):
                    rows = list(inner)
                case PlaceMap(label, places):
                    rows = [place.name for place in places]
                case _:
                    continue
            lines += [label, *(f"  {row}" for row in rows)]
            data[label] = [*rows]
    return ReportContent(tuple(lines), data)


def _tell(state: WorldState, words: WorldPhrases) -> Iterator[str]:
    moment = tell_moment(state.world, state.tick)
    yield f"{moment}, tick {state.tick}"
    yield "Places"
    present: dict[str, list[str]] = {state.at: [_name(state, PLAYER)]}
    for person in state.people.values():
        mark = "" if state.is_discovered(person) else " (hidden)"
        present.setdefault(find_person(state, person, state.tick), []).append(f"{person.name}{mark}")
    for place in state.places.values():
        yield f"  {place.name}: {', '.join(present.get(place.id, ())) or '-'}"
    yield "People"
    yield f"  {_name(state, PLAYER)}, at {state.places[state.at].name}"
    yield from _tell_knowledge(state, PLAYER, words)
    owned = group_agendas(state.world)
    for person in state.people.values():
        yield from _tell_person(state, person, owned.get(person.id, ()), words)


def _tell_person(
    state: WorldState, person: AuthoredPerson, agendas: Sequence[PersonAgenda], words: WorldPhrases
) -> Iterator[str]:
    at = find_person(state, person, state.tick)
    yield f"  {person.name}, at {state.places[at].name}"
    felt = _list_felt(state, person)
    if felt:
        told = ", ".join(f"{_name(state, other)} {value:+}" for other, value in felt.items())
        yield f"    feels: {told}"
    for agenda in agendas:
        yield f"    plan {agenda.id}: {_tell_agenda(state, agenda)}"
    yield from _tell_knowledge(state, person.id, words)


def _tell_knowledge(state: WorldState, person: str, words: WorldPhrases) -> Iterator[str]:
    for entry in knowledge_of(state, person).values():
        fact, text = state.fact(entry.fact), tell_entry(state, entry, words)
        if fact is not None and text:
            twisted = f"; in truth: {fact.text.rstrip('.。')}" if entry.twist else ""
            yield f"    knows since {tell_moment(state.world, entry.at)}: {text}{twisted}"


def _tell_agenda(state: WorldState, agenda: PersonAgenda) -> str:
    progress = read_progress(state, agenda)
    goal = f" ({agenda.goal})" if agenda.goal else ""
    if progress.done != NEVER:
        ended = "stopped" if progress.stopped else "done"
        return f"{ended} {tell_moment(state.world, progress.done)}{goal}"
    if progress.started == NEVER:
        return f"not begun{goal}"
    return f"{clock_of(state, agenda)} of {agenda.segments} steps{goal}"


def _list_felt(state: WorldState, person: AuthoredPerson) -> dict[str, int]:
    """What a person feels for others, except indifference."""
    changed = state.part("relations").get(person.id)
    others = dict.fromkeys((*person.relationships, *(changed if isinstance(changed, Mapping) else ())))
    felt = {other: state.relation(person.id, other) for other in others if state.name_of(other)}
    return {other: value for other, value in felt.items() if value}


def _name(state: WorldState, person: str) -> str:
    return state.name_of(person) or person


def _write(state: WorldState) -> Json:
    """The same for programs."""
    places: list[Json] = [
        {"id": place.id, "name": place.name, "visited": place.id in state.part("visited")}
        for place in state.places.values()
    ]
    player: Json = {"name": state.name_of(PLAYER), "at": state.at, "knows": _write_knowledge(state, PLAYER)}
    owned = group_agendas(state.world)
    people: list[Json] = [
        _write_person(state, person, owned.get(person.id, ())) for person in state.people.values()
    ]
    return {
        "tick": state.tick,
        "time": tell_moment(state.world, state.tick),
        "places": places,
        "player": player,
        "people": people,
    }


def _write_person(state: WorldState, person: AuthoredPerson, agendas: Sequence[PersonAgenda]) -> Json:
    plans: list[Json] = []
    for agenda in agendas:
        progress = read_progress(state, agenda)
        plans.append(
            {
                "id": agenda.id,
                "started": progress.started,
                "done": progress.done,
                "stopped": progress.stopped,
                "filled": clock_of(state, agenda),
                "segments": agenda.segments,
            }
        )
    return {
        "id": person.id,
        "name": person.name,
        "at": find_person(state, person, state.tick),
        "discovered": state.is_discovered(person),
        "relationships": {**_list_felt(state, person)},
        "plans": plans,
        "knows": _write_knowledge(state, person.id),
    }


def _write_knowledge(state: WorldState, person: str) -> list[Json]:
    return [
        _write_entry(state, entry)
        for entry in knowledge_of(state, person).values()
        if state.fact(entry.fact) is not None
    ]


def _write_entry(state: WorldState, entry: KnowledgeEntry) -> Json:
    fact = state.fact(entry.fact)
    source = {"from" if entry.source == INFERRED else "by": entry.by} if entry.by else {}
    told = word_fact(fact, entry.twist) if fact is not None else ""
    twisted = {"twisted": True} if entry.twist else {}
    return {"fact": entry.fact, "text": told, "source": entry.source, **source, "since": entry.at, **twisted}
