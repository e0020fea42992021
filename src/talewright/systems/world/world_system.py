"""The world system: the plug-in itself, which delegates to the other modules.

It keeps no data between two calls, apart from worlds made from the author's files, which never change.
"""

from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Errand, Refusal
from talewright.kernel.panel_parts import Panel
from talewright.kernel.slots.slot_types import ComputedSlot, Slot
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.scenes import SystemChoice
from talewright.kernel.system import (
    AuthorFiles,
    AuthorYaml,
    Denial,
    HasArgumentValues,
    HasAuthorYaml,
    HasChoices,
    HasComputedSlots,
    HasErrands,
    HasHearing,
    HasNotes,
    HasPanels,
    HasPhases,
    HasReports,
    HasScenarios,
    HasSlots,
    HasTelling,
    HasTicks,
    HasTools,
    Heard,
    ImportedScenario,
    Note,
    PastTurn,
    Phase,
    Report,
    ReportContent,
    Sight,
    SystemAnswer,
    Tick,
    Tool,
    deny_unknown,
)
from talewright.systems.world import tool_descriptions as tools
from talewright.systems.world.authored.world_builder import rules_of
from talewright.systems.world.authored.world_files import PATTERNS, read_world_files
from talewright.systems.world.condition_values import computed_slots_of
from talewright.systems.world.moves.knowledge_moves import (
    ask_character,
    discover_character,
    discover_named,
    note_fact,
    note_told_facts,
)
from talewright.systems.world.moves.travel import advance_time, move_to_location, pass_time
from talewright.systems.world.moves.world_arguments import WorldArguments
from talewright.systems.world.offscreen.agendas import list_due
from talewright.systems.world.offscreen.simulated_scenes import find_scene
from talewright.systems.world.offscreen.simulation_prompt import ask_simulation
from talewright.systems.world.offscreen.simulation_report import PRESENT_SINCE_ENGINE, take_report
from talewright.systems.world.panels import panels_of
from talewright.systems.world.people.whereabouts import list_sightings, list_visible
from talewright.systems.world.places.routes import list_known
from talewright.systems.world.plain_telling import tell_turn
from talewright.systems.world.player_options import choices_of
from talewright.systems.world.reports import REPORTS
from talewright.systems.world.reports.world_report import report_world
from talewright.systems.world.scenarios.scenario_files import write_files
from talewright.systems.world.scenarios.scenario_reader import read_scenario
from talewright.systems.world.scenarios.scenario_writer import write_scenario
from talewright.systems.world.slots import ROOT, slots_of
from talewright.systems.world.time_words import world_phrases_in
from talewright.systems.world.world_notes import GUIDED_SINCE_ENGINE, notes_of, phase_of
from talewright.systems.world.world_state import WorldState, put, read_world

PLACES_NAMED_MAX = 40
"""Places named to a small model as possible destinations."""


class WorldFiles(HasAuthorYaml, HasScenarios):
    """The files of a world: those that authors write, and scenarios."""

    def yaml_patterns(self) -> tuple[str, ...]:
        return PATTERNS

    def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        return read_world_files(files)

    def read_scenario(self, data: bytes) -> ImportedScenario:
        return write_files(read_scenario(data))

    def write_scenario(self, sight: Sight, *, spoilers: bool) -> Json:
        words = world_phrases_in(sight.language)
        return write_scenario(read_world(sight), sight.texts, words, spoilers=spoilers)


class WorldErrands(HasErrands):
    """The questions to a model about life off-screen, after a turn."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        state = read_world(sight)
        scene = find_scene(state)
        words, about = world_phrases_in(sight.language), sight.texts.find("description")
        return () if scene is None else (ask_simulation(state, scene, words, about),)

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        names_absent = not sight.since(PRESENT_SINCE_ENGINE)
        return take_report(read_world(sight), errand, answer, names_absent=names_absent).updates


class World(
    WorldFiles,
    WorldErrands,
    HasSlots,
    HasComputedSlots,
    HasTools,
    HasArgumentValues,
    HasTicks,
    HasHearing,
    HasPhases,
    HasNotes,
    HasChoices,
    HasTelling,
    HasPanels,
    HasReports,
):
    """Places, people who know only what they have learned, and life off-screen."""

    name = ROOT

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return slots_of(rules_of(files))

    def computed_slots(self, files: AuthorFiles) -> Mapping[Path, ComputedSlot]:
        return computed_slots_of(files)

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return tools.ALL_TOOLS

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        state, words = read_world(sight), world_phrases_in(sight.language)
        said = WorldArguments(call.tool, call.arguments)
        try:
            match call.tool:
                case tools.MOVE:
                    return move_to_location(said, state, chance, words, answers)
                case tools.ADVANCE:
                    return advance_time(said, state, chance, words)
                case tools.DISCOVER:
                    return discover_character(said, state)
                case tools.NOTE_FACT:
                    return note_fact(said, state)
                case tools.ASK:
                    return ask_character(said, state)
                case _:
                    return deny_unknown(call)
        except Refusal as refusal:
            return Denial(refusal.reason, refusal.grade)

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        state = read_world(sight)
        if tool == tools.MOVE:
            return {"destination": [place.name for place in list_known(state)][:PLACES_NAMED_MAX]}
        if tool == tools.ASK:
            return {"characterName": [person.name for person in list_visible(state)]}
        return {}

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        state = read_world(sight)
        ticks = state.world.rules.message_ticks if sight.turn > 1 else 0
        updates = pass_time(state, ticks, chance)
        now, before = state.tick + ticks, state.count("turn_tick")
        passed = max(0, now - before) * state.world.rules.tick_minutes
        updates += [*_meet(state), *_see(state), *_apply_outcomes(state)]
        updates += [put("turn_start", value=before), put("turn_tick", value=now)]
        return Tick(tuple(updates), minutes=passed)

    def hear(self, heard: Heard, sight: Sight, chance: Chance) -> Tick:
        state = read_world(sight)
        updates = discover_named(state, heard.narration) if heard.narration else []
        updates += note_told_facts(state, heard.facts) if heard.facts else []
        if heard.minutes:
            updates += pass_time(state, state.world.ticks_in(heard.minutes), chance)
        return Tick(tuple(updates))

    def phase(self, sight: Sight) -> Phase | None:
        if not sight.since(GUIDED_SINCE_ENGINE):
            return None
        return phase_of(read_world(sight).world, world_phrases_in(sight.language))

    def notes(self, sight: Sight) -> Sequence[Note]:
        guided = sight.since(GUIDED_SINCE_ENGINE)
        return tuple(notes_of(read_world(sight), world_phrases_in(sight.language), guided=guided))

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        return tuple(choices_of(read_world(sight), world_phrases_in(sight.language)))

    def tell(self, calls: Sequence[Call], sight: Sight) -> str:
        return tell_turn(calls, read_world(sight), world_phrases_in(sight.language))

    def panels(self, sight: Sight) -> Sequence[Panel]:
        return panels_of(read_world(sight), world_phrases_in(sight.language))

    def reports(self) -> tuple[Report, ...]:
        return REPORTS

    def report(self, name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
        state, words = read_world(sight), world_phrases_in(sight.language)
        return report_world(state, turns, words, spoilers=spoilers)


def _meet(state: WorldState) -> list[Update]:
    """Record the people whom the player sees for the first time as met."""
    met = state.part("met")
    return [put("met", one.id, value=state.tick) for one in list_visible(state) if one.id not in met]


def _see(state: WorldState) -> list[Update]:
    """Record where the player has just seen whom; for people who stay in place, once an hour."""
    noted = {one.person.id: one for one in list_sightings(state)}
    recent = state.tick - state.world.ticks_in(60)
    return [
        put("seen", person.id, value={"at": state.at, "tick": state.tick})
        for person in list_visible(state)
        if (last := noted.get(person.id)) is None or last.at != state.at or last.tick <= recent
    ]


def _apply_outcomes(state: WorldState) -> list[Update]:
    """Changes to the game's own variables by agendas that have succeeded.

    They are made here and not in a move: one that does not fit its variable is skipped and does not cause a
    refusal.
    """
    updates: list[Update] = []
    for agenda in list_due(state):
        updates += [
            Update(Op(str(row["op"])), str(row["path"]), row.get("value")) for row in agenda.outcome.updates
        ]
        updates.append(put("agendas", agenda.id, "due", value=False))
    return updates
