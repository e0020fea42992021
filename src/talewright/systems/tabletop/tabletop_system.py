"""The tabletop system: the plug-in itself, which delegates to the other modules.

It keeps no data between two calls. Without a rulebook it adds nothing, and the game is pure narrative.
"""

from collections.abc import Callable, Mapping, Sequence

from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.panel_parts import Panel
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.story.scenes import SystemChoice
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import (
    NO_TICK,
    AuthorFileReader,
    AuthorFiles,
    Denial,
    EventAppraisal,
    Grant,
    HasAppraisals,
    HasArgumentMeanings,
    HasArgumentValues,
    HasAuthorFiles,
    HasChoices,
    HasFileChecks,
    HasNotes,
    HasPanels,
    HasPhases,
    HasReports,
    HasSlots,
    HasStarters,
    HasTicks,
    HasTools,
    Note,
    PastTurn,
    Phase,
    Report,
    ReportContent,
    RollAppraisal,
    Sight,
    Starter,
    SystemAnswer,
    Tick,
    Tool,
    deny_unknown,
)
from talewright.systems.tabletop import fight_appraisals
from talewright.systems.tabletop import tool_descriptions as tools
from talewright.systems.tabletop.author_files import READERS, faults_of, labels_of, rules_of
from talewright.systems.tabletop.character_sheets import character_json, ready_made_sheet
from talewright.systems.tabletop.moves import character_creation, fights, npc_sheets
from talewright.systems.tabletop.moves.combat_order import manage_combat
from talewright.systems.tabletop.moves.damage_moves import apply_damage
from talewright.systems.tabletop.moves.dice_moves import (
    check_meanings,
    roll_dice,
    roll_meanings,
    skill_check,
)
from talewright.systems.tabletop.moves.fight_choices import choices_of, tick_of
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.narrator_notes import notes_of, phase_of
from talewright.systems.tabletop.panels import panels_of
from talewright.systems.tabletop.reports import REPORTS
from talewright.systems.tabletop.reports.tabletop_commands import list_starters, make_report
from talewright.systems.tabletop.slots import ROOT, make_slots

_MOVES: Mapping[str, Callable[[TabletopArguments, TabletopDraft], dict[str, Json]]] = {
    tools.ROLL_DICE: roll_dice,
    tools.SKILL_CHECK: skill_check,
    tools.APPLY_DAMAGE: apply_damage,
    tools.GET_CHARACTER: lambda _, draft: character_creation.get_character(draft),
    tools.CREATE_NPC: npc_sheets.create_npc,
    tools.UPDATE_NPC: npc_sheets.update_npc,
    tools.REMOVE_NPC: npc_sheets.remove_npc,
    tools.MANAGE_COMBAT: manage_combat,
    tools.SET_CHARACTER: character_creation.set_character,
    tools.AWARD: character_creation.award,
    tools.ATTACK: fights.attack,
    tools.TAKE_TURN: fights.take_turn,
    tools.START_FIGHT: fights.start_fight,
}

_MEANINGS: Mapping[str, Callable[[TabletopArguments, TabletopDraft], dict[str, Json]]] = {
    tools.ROLL_DICE: roll_meanings,
    tools.SKILL_CHECK: check_meanings,
    tools.ATTACK: fights.attack_meanings,
    tools.TAKE_TURN: fights.turn_meanings,
}

BEFORE_CHARACTER = frozenset({tools.ROLL_DICE, tools.SET_CHARACTER})
"""What may be done before there is a character: attributes may be rolled."""


class TabletopFiles(HasAuthorFiles, HasFileChecks, HasReports, HasStarters):
    """What the tabletop reads in an author's folder, and what it reports."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return READERS

    def check_files(self, files: AuthorFiles) -> Sequence[Fault]:
        return faults_of(files)

    def reports(self) -> tuple[Report, ...]:
        return REPORTS

    def report(self, name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
        return make_report(name, sight, turns, spoilers=spoilers)

    def starters(self) -> tuple[Starter, ...]:
        return list_starters()


class Tabletop(
    TabletopFiles,
    HasSlots,
    HasTools,
    HasArgumentValues,
    HasArgumentMeanings,
    HasTicks,
    HasPhases,
    HasNotes,
    HasChoices,
    HasPanels,
    HasAppraisals,
):
    """Role-playing by a rulebook in Markdown."""

    name = ROOT

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        rules = rules_of(files)
        if rules is None:
            return {}
        ready = rules.ready_made
        return make_slots(rules.book, None if ready is None else character_json(ready_made_sheet(ready)))

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        rules = rules_of(files)
        return () if rules is None else tools.make_tools(rules.book, labels_of(files, language))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool not in _MOVES or rules_of(sight.files) is None:
            return deny_unknown(call)
        draft = TabletopDraft(sight, chance)
        try:
            if draft.character is None and call.tool not in BEFORE_CHARACTER:
                raise character_creation.deny_without_character(call.tool, draft.book)
            said = TabletopArguments(call.tool, call.arguments, draft.revised)
            result = _MOVES[call.tool](said, draft)
        except Refusal as refusal:
            return Denial(refusal.reason, refusal.grade)
        return Grant(draft.updates(), result, tuple(draft.events))

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        draft = _draft(sight)
        if draft is None:
            return {}
        npcs = tuple(draft.npcs)
        templates = tuple(one.name for one in draft.book.templates)
        values = {
            tools.SKILL_CHECK: {"npcName": npcs},
            tools.APPLY_DAMAGE: {"npcName": npcs},
            tools.CREATE_NPC: {"templateName": templates},
            tools.UPDATE_NPC: {"name": npcs},
            tools.REMOVE_NPC: {"name": npcs},
            tools.ATTACK: {"target": (*npcs, tools.PLAYER_TARGET), "attacker": (*npcs, tools.PLAYER_TARGET)},
            tools.TAKE_TURN: {"target": tuple(one.name for one in fights.standing_enemies(draft))},
        }
        return {name: words for name, words in values.get(tool, {}).items() if words}

    def argument_meanings(self, call: Call, sight: Sight) -> Mapping[str, Json]:
        draft = _draft(sight)
        if draft is None or call.tool not in _MEANINGS:
            return {}
        if draft.character is None and call.tool not in BEFORE_CHARACTER:
            return {}
        return _MEANINGS[call.tool](TabletopArguments(call.tool, call.arguments), draft)

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        draft = _draft(sight, chance)
        return NO_TICK if draft is None else tick_of(draft)

    def phase(self, sight: Sight) -> Phase | None:
        draft = _draft(sight)
        return None if draft is None else phase_of(draft)

    def notes(self, sight: Sight) -> Sequence[Note]:
        draft = _draft(sight)
        return () if draft is None else notes_of(draft)

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        draft = _draft(sight)
        return () if draft is None else choices_of(draft)

    def panels(self, sight: Sight) -> Sequence[Panel]:
        draft = _draft(sight)
        return () if draft is None else panels_of(draft)

    def appraise_rolls(self, recorded: Json, sight: Sight) -> Sequence[RollAppraisal]:
        return fight_appraisals.appraise_rolls(recorded, sight)

    def appraise_events(
        self, events: Sequence[Event], rolls: Sequence[Json], sight: Sight
    ) -> Sequence[EventAppraisal]:
        return fight_appraisals.appraise_events(events, rolls, sight)


class _NoChance:
    """A chance for read-only looks at the state."""

    def draw(self, sides: int, why: str = "") -> int:
        raise AssertionError("nothing is rolled by looking")


def _draft(sight: Sight, chance: Chance | None = None) -> TabletopDraft | None:
    """The state of a game with a rulebook."""
    return None if rules_of(sight.files) is None else TabletopDraft(sight, chance or _NoChance())
