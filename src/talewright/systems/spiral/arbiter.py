"""The arbiter: the system itself. It hands each question to the room that can answer it.

It keeps nothing between two questions.
"""

from collections.abc import Mapping, Sequence

from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves_and_rulings import Call, Flaw, Refusal, Update
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.documents import Json
from talewright.kernel.system import (
    AuthorFileReader,
    Denial,
    Note,
    Panel,
    Phase,
    ProposedTelling,
    Sight,
    SystemAnswer,
    Tool,
)
from talewright.systems.spiral import setup, tools
from talewright.systems.spiral.arguments import Said
from talewright.systems.spiral.audits import audit_telling
from talewright.systems.spiral.briefing import notes_of
from talewright.systems.spiral.calendar import advance_time
from talewright.systems.spiral.checks import CARD, roll_check
from talewright.systems.spiral.editing import find_trouble
from talewright.systems.spiral.keeper import Keeper
from talewright.systems.spiral.notebook import use_scratchpad
from talewright.systems.spiral.panels import panels_of
from talewright.systems.spiral.people import create_npc, update_npc
from talewright.systems.spiral.phases import phase_of
from talewright.systems.spiral.players import add_glitch, flush_glitches, spend_resist, update_player
from talewright.systems.spiral.rulebook import FILE, IN_LANGUAGE, Rulebook, parse_file, rules_in_force
from talewright.systems.spiral.scenes import update_scene
from talewright.systems.spiral.slots import OWN, SLOTS
from talewright.systems.spiral.standing import look
from talewright.systems.spiral.upkeep import tidy_up
from talewright.systems.spiral.words.languages import words_in


class Spiral(Keeper):
    """A solo campaign in which success has a price."""

    name = OWN

    def slots(self) -> Mapping[str, Slot]:
        return SLOTS

    def tools(self) -> tuple[Tool, ...]:
        return tools.ALL_TOOLS

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool not in tools.MEMBERS:
            return super().judge(call, sight, chance, answers)
        try:
            said = Said(call.tool, call.arguments)
            said.keep_to(tools.MEMBERS[call.tool])
            if call.tool == tools.ROLL_CHECK:
                words, rules = words_in(sight.language), _rules(sight)
                held = call.id == CARD
                return roll_check(said, look(sight), rules, chance, words, answers, is_held=held)
            return _rule(said, sight)
        except Refusal as refusal:
            return Denial(refusal.reason, refusal.grade)

    def tick(self, sight: Sight, chance: Chance) -> Sequence[Update]:
        return tuple(tidy_up(look(sight), sight.files, sight.language))

    def phase(self, sight: Sight) -> Phase:
        return phase_of(look(sight), _rules(sight), words_in(sight.language))

    def notes(self, sight: Sight) -> Sequence[Note]:
        standing, words = look(sight), words_in(sight.language)
        return notes_of(standing, _rules(sight), words, find_trouble(standing.own, words))

    def panels(self, sight: Sight) -> Sequence[Panel]:
        standing, words = look(sight), words_in(sight.language)
        return panels_of(standing, words, find_trouble(standing.own, words))

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (
            AuthorFileReader(FILE, parse_file),
            AuthorFileReader(IN_LANGUAGE.format(language="*"), parse_file),
        )

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        return audit_telling(telling, look(sight), words_in(sight.language))


def _rules(sight: Sight) -> Rulebook:
    return rules_in_force(look(sight).own, sight.files, sight.language)


def _rule(said: Said, sight: Sight) -> SystemAnswer:
    """Every tool but the one that draws."""
    standing, words = look(sight), words_in(sight.language)
    match said.tool:
        case tools.ADD_GLITCH:
            return add_glitch(said, standing, words)
        case tools.FLUSH_GLITCHES:
            return flush_glitches(standing, words)
        case tools.SPEND_RESIST:
            return spend_resist(said, standing, words)
        case tools.UPDATE_SCENE:
            return update_scene(said, standing)
        case tools.UPDATE_PLAYER:
            return update_player(said, standing, _rules(sight), words)
        case tools.CREATE_NPC:
            return create_npc(said, standing)
        case tools.UPDATE_NPC:
            return update_npc(said, standing)
        case tools.ADVANCE_TIME:
            return advance_time(said, standing, _rules(sight), words)
        case tools.SCRATCHPAD:
            return use_scratchpad(said, standing)
        case tools.SET_GENRE:
            return setup.set_genre(said, standing)
        case tools.SET_CHARACTER:
            return setup.set_character(said, standing)
        case tools.SET_COMPANION:
            return setup.set_companion(said, standing)
        case _:
            return setup.finish_setup(standing)
