"""The tabletop system: the plug-in itself, which delegates to the other modules.

It keeps no data between two calls. Without a rulebook it adds nothing, and the game is pure narrative.
"""

from collections.abc import Mapping, Sequence

from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves_and_rulings import Call
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.system import (
    AuthorFiles,
    HasAuthorFiles,
    HasFileChecks,
    HasReports,
    HasSlots,
    HasStarters,
    HasTools,
    PastTurn,
    Sight,
    SystemAnswer,
    Tool,
    deny_unknown,
)
from talewright.kernel.system_files import AuthorFileReader, Starter
from talewright.kernel.system_reports import Report, ReportContent
from talewright.systems.tabletop.author_files import READERS, labels_of, rules_of
from talewright.systems.tabletop.character_sheets import character_json, ready_made_sheet
from talewright.systems.tabletop.reports_and_starters import REPORTS, list_starters, make_report
from talewright.systems.tabletop.slots import ROOT, make_slots
from talewright.systems.tabletop.tools import make_tools


class Tabletop(HasSlots, HasTools, HasAuthorFiles, HasFileChecks, HasReports, HasStarters):
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
        return () if rules is None else make_tools(rules.book, labels_of(files, language))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return READERS

    def check_files(self, files: AuthorFiles) -> Sequence[Fault]:
        rules = rules_of(files)
        return () if rules is None else rules.faults

    def reports(self) -> tuple[Report, ...]:
        return REPORTS

    def report(self, name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
        return make_report(name, sight, turns, spoilers=spoilers)

    def starters(self) -> tuple[Starter, ...]:
        return list_starters()
