"""The simulation report: what a model says has happened away from the player, judged one by one.

A model proposes. A row is refused if it names someone who was not there, a place nobody can go to or a fact
its teller does not know, quotes someone's goals, or changes feelings out of bounds; the other rows still
count. Accepted events become knowledge of those who were there; the player is never among them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.common.quote_search import QuoteIndex, QuoteSearch, fold_all
from talewright.common.safe_text import clean_line
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import Refusal, mend
from talewright.systems.world.authored.authored_world import AuthoredPerson, SimulationDepth
from talewright.systems.world.authored.world_files import RELATION_MAX
from talewright.systems.world.moves.world_arguments import WorldArguments
from talewright.systems.world.offscreen.simulated_scenes import SimulatedScene, read_scene
from talewright.systems.world.offscreen.simulation_prompt import RELATION_STEP_MAX, list_destinations
from talewright.systems.world.people.discovery import names_in
from talewright.systems.world.people.knowledge import (
    KnowledgeEntry,
    add_knowledge,
    knowledge_of,
    would_gossip,
)
from talewright.systems.world.people.whereabouts import find_person
from talewright.systems.world.places.place_resolution import find_place
from talewright.systems.world.slots import FACT_LENGTH_MAX, FACTS_MAX, NAME_LENGTH_MAX, TOLD
from talewright.systems.world.text_likeness import cut_to_sentence, normalize
from talewright.systems.world.world_state import WorldState, put, put_inner

REPORT = "reportSimulation"

ROWS_MAX = 6
"""How many events, movements, shared facts and changes of feelings of one report are read."""

VISIT_MINUTES = 4 * 60
"""How long a person who went somewhere off-screen stays there."""


@frozen
class JudgedReport:
    """The result of a report."""

    updates: tuple[Update, ...]
    refused: tuple[str, ...] = ()
    """Why the rest did not happen."""


PRESENT_SINCE_ENGINE = 5
"""From this engine number on, events name only people who were there."""


def take_report(state: WorldState, errand: str, answer: Json, *, names_absent: bool = False) -> JudgedReport:
    """Judge the answer to an errand; an answer that is no longer wanted changes nothing.

    `names_absent` allows events to name people who were not there.
    """
    scene = read_scene(errand, state)
    if scene is None or not isinstance(answer, Mapping):
        return JudgedReport(())
    if state.count("simulated") != scene.mark:
        # Two questions were asked at the same time. Their scenes overlap, and the first answer counts.
        return JudgedReport((), ("life off-screen has been told already",))
    absent = [person for person in state.people.values() if person.id not in scene.people]
    judge = _ReportJudge(state, scene, () if names_absent else (state.world.rules.player, *absent))
    if scene.depth is SimulationDepth.FULL:
        report = answer.get(REPORT)
        judge.take(report if isinstance(report, Mapping) else {})
    else:
        summary = answer.get("summary")
        told = cut_to_sentence(summary, FACT_LENGTH_MAX) if isinstance(summary, str) else summary
        judge.take({"events": [{"description": told, "witnesses": []}]})
    return JudgedReport((put("simulated", value=scene.tick), *judge.updates()), tuple(judge.refused))


class _ReportJudge:
    """Judges the rows of one report and collects what they change."""

    def __init__(self, state: WorldState, scene: SimulatedScene, absent: Sequence[AuthoredPerson]) -> None:
        self._state = state
        self._absent = absent
        """Those whom no event may name."""

        self._scene = scene
        self._tick = min(scene.tick, state.tick)
        self._people = [state.people[name] for name in scene.people]
        self._facts: dict[str, str] = {}
        self._learned: list[tuple[str, KnowledgeEntry]] = []
        self._relations: dict[str, dict[str, Json]] = {}
        self._stays: dict[str, str] = {}
        self.refused: list[str] = []

    def take(self, report: Mapping[str, Json]) -> None:
        """Judge a whole report."""
        kinds: Mapping[str, Callable[[WorldArguments], None]] = {
            "events": self._take_event,
            "told": self._take_told,
            "relationships": self._take_feeling,
            "movements": self._take_movement,
        }
        for kind, judge in kinds.items():
            for row in _list_rows(report.get(kind)):
                try:
                    judge(WorldArguments(f"{REPORT}.{kind}", row))
                except Refusal as refusal:
                    self.refused.append(refusal.reason)

    def updates(self) -> Iterator[Update]:
        """The changes of all rows that were accepted."""
        for name, text in self._facts.items():
            yield put("facts", name, value={"text": text, "tick": self._tick})
        yield from add_knowledge(self._state, self._learned)
        yield from put_inner(self._state, "relations", self._relations)
        until = self._tick + self._state.world.ticks_in(VISIT_MINUTES)
        for name, place in self._stays.items():
            yield put("stays", name, value={"at": place, "until": until})

    def _take_event(self, said: WorldArguments) -> None:
        """An event; those who were there know it."""
        text = clean_line(said.needed("description", FACT_LENGTH_MAX))
        there = said.people("witnesses", self._people) or self._people
        state, noted = self._state, len(self._state.part("facts")) + len(self._facts)
        if noted >= FACTS_MAX:
            raise mend(f"{said.tool}: no more facts can be noted")
        plain = normalize(text).casefold()
        known = (state.fact(name) for name in (*state.world.facts, *state.part("facts")))
        texts = [*self._facts.values(), *(fact.text for fact in known if fact is not None)]
        if any(normalize(one).casefold() == plain for one in texts):
            raise mend(f"{said.tool}: this is known already; report it as told")
        named = names_in(text, self._absent)
        if named:
            names = listed(one.name for one in self._absent if one.id in named)
            raise mend(f"{said.tool}: {names} was not there; tell it without naming them")
        if quotes_goal(state, self._people, text):
            raise mend(f"{said.tool}: this quotes what somebody wants; say what was done or said")
        fact = f"life_{noted + 1}"
        self._facts[fact] = text
        self._learned += [(one.id, KnowledgeEntry(fact, at=self._tick)) for one in there]

    def _take_told(self, said: WorldArguments) -> None:
        """One person told another something they know."""
        by, to = self._pair(said, "by", "to")
        name = said.needed("fact", NAME_LENGTH_MAX)
        entry, fact = knowledge_of(self._state, by.id).get(name), self._state.fact(name)
        if entry is None or fact is None or not fact.text or entry.at > self._tick:
            raise mend(f"{said.tool}: {by.name} does not know {name!r}")
        if not would_gossip(self._state, by.id, to.id, fact):
            raise mend(f"{said.tool}: {by.name} would not tell {to.name} {name!r}")
        if name in knowledge_of(self._state, to.id):
            raise mend(f"{said.tool}: {to.name} knows {name!r} already")
        self._learned.append((to.id, KnowledgeEntry(name, TOLD, by.id, self._tick, entry.twist)))

    def _take_feeling(self, said: WorldArguments) -> None:
        """A person likes another more, or less."""
        one, other = self._pair(said, "characterName", "towards")
        change = said.members.get("change")
        if isinstance(change, bool) or not isinstance(change, int) or abs(change) > RELATION_STEP_MAX:
            raise mend(f"{said.tool}: `change` is from -{RELATION_STEP_MAX} to {RELATION_STEP_MAX}")
        felt = self._state.relation(one.id, other.id) + change
        if abs(felt) > RELATION_MAX:
            raise mend(f"{said.tool}: feelings go from -{RELATION_MAX} to {RELATION_MAX}")
        if other.id in self._relations.get(one.id, {}):
            raise mend(f"{said.tool}: {one.name} and {other.name} are there twice")
        self._relations.setdefault(one.id, {})[other.id] = felt

    def _take_movement(self, said: WorldArguments) -> None:
        """A person went somewhere else, and stays there for a while."""
        state, place = self._state, self._scene.place
        who = said.person("characterName", said.needed("characterName", NAME_LENGTH_MAX), self._people)
        wanted = said.needed("destination", NAME_LENGTH_MAX)
        goal = find_place(wanted, {one.id: one for one in list_destinations(state, self._scene)})
        if goal is None:
            raise mend(f"{said.tool}: {who.name} cannot go to {wanted!r} from here")
        stay = state.stays.get(who.id)
        if stay is not None and stay.until == 0:
            raise mend(f"{said.tool}: {who.name} stays where the story has put them")
        if state.at in (place, goal.id) or find_person(state, who, state.tick) != place:
            # The player would see someone vanish or appear, and nobody would narrate it.
            raise mend(f"{said.tool}: {who.name} is not there any more, or the player is")
        self._stays.setdefault(who.id, goal.id)

    def _pair(self, said: WorldArguments, one: str, other: str) -> tuple[AuthoredPerson, AuthoredPerson]:
        """Two different people who were there."""
        pair = [said.person(name, said.needed(name, NAME_LENGTH_MAX), self._people) for name in (one, other)]
        if pair[0] is pair[1]:
            raise mend(f"{said.tool}: `{one}` and `{other}` are the same person")
        return pair[0], pair[1]


def quotes_goal(state: WorldState, people: Sequence[AuthoredPerson], text: str) -> bool:
    """Whether a text repeats people's goals in the author's words, which only storytellers may read."""
    owners = {person.id for person in people}
    plans = [agenda.goal for agenda in state.world.agendas.values() if agenda.owner in owners]
    goals = [goal for goal in (*(person.goals for person in people), *plans) if goal]
    names = [one.name for one in state.people.values()] + [one.name for one in state.places.values()]
    search = QuoteSearch(QuoteIndex(goals), lambda: fold_all(names))
    search.feed(text)
    search.finish()
    return search.quoted is not None


def _list_rows(value: Json) -> list[Mapping[str, Json]]:
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, Mapping)][:ROWS_MAX]
