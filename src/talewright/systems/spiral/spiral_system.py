"""The spiral system: the plug-in itself, which delegates to the other modules.

It keeps no data between two calls. At the end of every turn it updates derived values, since authored scenes
may write anywhere.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Errand, Flaw, Refusal
from talewright.kernel.panel_parts import Panel
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.system import (
    AuthorFileReader,
    AuthorFiles,
    Denial,
    HasAudits,
    HasAuthorFiles,
    HasEditablePages,
    HasErrands,
    HasHeadings,
    HasMemories,
    HasNotes,
    HasPages,
    HasPanels,
    HasPhases,
    HasReach,
    HasRetention,
    HasSlots,
    HasTicks,
    HasTools,
    Note,
    PastTurn,
    Phase,
    ProposedTelling,
    Retention,
    Sight,
    SystemAnswer,
    SystemMemory,
    Tick,
    Tool,
    deny_unknown,
)
from talewright.systems.spiral import tool_descriptions as tools
from talewright.systems.spiral.checks import CARD, roll_check
from talewright.systems.spiral.memory.day_summaries import (
    errands_of,
    memories_of,
    reach_of,
    retention_of,
    take_answer,
)
from talewright.systems.spiral.memory.spiral_pages import pages_of
from talewright.systems.spiral.memory.turn_headings import heading_of
from talewright.systems.spiral.moves import campaign_setup
from talewright.systems.spiral.moves.campaign_setup import phase_of
from talewright.systems.spiral.moves.day_advance import advance_time, note_moment, start_segment
from talewright.systems.spiral.moves.npcs import create_npc, gather, meet, update_npc
from talewright.systems.spiral.moves.player_sheet import (
    add_glitch,
    flush_glitches,
    spend_resist,
    update_player,
)
from talewright.systems.spiral.moves.scene_places import note_place, update_scene
from talewright.systems.spiral.moves.scratchpad import use_scratchpad
from talewright.systems.spiral.moves.spiral_arguments import UNREAD, SpiralArguments
from talewright.systems.spiral.narrator_notes import audit_telling, notes_of
from talewright.systems.spiral.panels import panels_of
from talewright.systems.spiral.rulebook import (
    EDITABLE,
    FILE,
    IN_LANGUAGE,
    SpiralRulebook,
    find_prompt,
    find_trouble,
    front_of,
    parse_file,
    rules_in_force,
    take_edit,
)
from talewright.systems.spiral.slots import OWN, SLOTS
from talewright.systems.spiral.spiral_state import SpiralState, read_spiral_state
from talewright.systems.spiral.words.chinese import CHINESE
from talewright.systems.spiral.words.english import ENGLISH
from talewright.systems.spiral.words.phrases import SpiralPhrases


def spiral_phrases_in(language: str) -> SpiralPhrases:
    """The phrases of a language."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})


class SpiralMemory(HasErrands, HasPages, HasEditablePages, HasHeadings, HasMemories, HasRetention, HasReach):
    """The memory of a solo campaign."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return errands_of(read_spiral_state(sight), turns, spiral_phrases_in(sight.language))

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return take_answer(errand, answer, read_spiral_state(sight))

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return pages_of(read_spiral_state(sight), turns, spiral_phrases_in(sight.language))

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return heading_of(turn, read_spiral_state(sight))

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        return memories_of(read_spiral_state(sight), spiral_phrases_in(sight.language))

    def retention(self, sight: Sight) -> Retention | None:
        return retention_of(read_spiral_state(sight))

    def reach(self, sight: Sight) -> int:
        return reach_of(read_spiral_state(sight))

    def editable(self, sight: Sight) -> frozenset[str]:
        return EDITABLE

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        return take_edit(path, text)


class Spiral(
    SpiralMemory, HasSlots, HasTools, HasTicks, HasPhases, HasNotes, HasPanels, HasAuthorFiles, HasAudits
):
    """A solo campaign in which success has a price."""

    name = OWN

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return SLOTS

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return tools.ALL_TOOLS

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool not in tools.MEMBERS:
            return deny_unknown(call)
        try:
            said = SpiralArguments(call.tool, call.arguments)
            said.keep_to(tools.MEMBERS[call.tool], ignored=UNREAD)
            if call.tool == tools.ROLL_CHECK:
                words, rules = spiral_phrases_in(sight.language), _rules(sight)
                held = call.id == CARD
                return roll_check(said, read_spiral_state(sight), rules, chance, words, answers, is_held=held)
            return _rule(said, sight)
        except Refusal as refusal:
            return Denial(refusal.reason, refusal.grade)

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        return Tick(tuple(tidy_up(read_spiral_state(sight), sight.files, sight.language)))

    def phase(self, sight: Sight) -> Phase:
        return phase_of(read_spiral_state(sight), _rules(sight), spiral_phrases_in(sight.language))

    def notes(self, sight: Sight) -> Sequence[Note]:
        standing, words = read_spiral_state(sight), spiral_phrases_in(sight.language)
        return notes_of(standing, _rules(sight), words, find_trouble(standing.own, words))

    def panels(self, sight: Sight) -> Sequence[Panel]:
        standing, words = read_spiral_state(sight), spiral_phrases_in(sight.language)
        return panels_of(standing, words, find_trouble(standing.own, words))

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (
            AuthorFileReader(FILE, parse_file),
            AuthorFileReader(IN_LANGUAGE.format(language="*"), parse_file),
        )

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        return audit_telling(telling, read_spiral_state(sight), spiral_phrases_in(sight.language))


def _rules(sight: Sight) -> SpiralRulebook:
    return rules_in_force(read_spiral_state(sight).own, sight.files, sight.language)


def _rule(said: SpiralArguments, sight: Sight) -> SystemAnswer:
    """Handle every tool except the one that draws."""
    standing, words = read_spiral_state(sight), spiral_phrases_in(sight.language)
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
            return campaign_setup.set_genre(said, standing)
        case tools.SET_CHARACTER:
            return campaign_setup.set_character(said, standing)
        case tools.SET_COMPANION:
            return campaign_setup.set_companion(said, standing)
        case _:
            return campaign_setup.finish_setup(standing)


def tidy_up(standing: SpiralState, files: Mapping[str, Json], language: str) -> Iterator[Update]:
    """The updates at the end of a turn."""
    yield from _take_prompt(standing, files, language)
    yield from gather(standing.people, standing)
    yield from meet(standing)
    yield from note_place(standing, standing.scene)
    yield from _note_time(standing)


def _note_time(standing: SpiralState) -> Iterator[Update]:
    """Record the start of a segment that an authored scene has led to, and that the story was opened."""
    starts = standing.own["segment_starts"]
    if not standing.is_set_up:
        return
    noted = (standing.own["noted_day"], standing.own["noted_segment"])
    if isinstance(starts, list) and starts and noted == (0, 0):
        # A campaign from before moments were recorded: the start of this one is the newest known.
        yield from note_moment(standing.day, standing.segment)
    elif noted != (standing.day, standing.segment):
        yield from start_segment(standing, standing.day, standing.segment)
    if (
        isinstance(starts, list)
        and starts
        and standing.own["opened"] is not True
        and standing.turn >= starts[0]
    ):
        yield Update(Op.SET, f"{OWN}.opened", True)


def _take_prompt(standing: SpiralState, files: Mapping[str, Json], language: str) -> Iterator[Update]:
    """Give a new campaign its own copy of `prompt.md`."""
    if standing.own["prompt"]:
        return
    text = find_prompt(files, language)
    if text:
        yield Update(Op.SET, f"{OWN}.prompt", text)
        yield Update(Op.SET, f"{OWN}.rules", front_of(text))
