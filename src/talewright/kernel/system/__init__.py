"""Systems: sets of mechanics that a game may enable. Everything a plug-in needs is imported from here.

- `system_port`: what a system may do, one small protocol each. Begin there. `kernel/report_declarations.py`
  declares the reports it offers, and loads nothing else.
- `system_tools`: the moves it brings, and its answers to a call.
- `sight`: what it is shown: the state, past turns, a reply before it is accepted.
- `appraisals`: what its rolls and events mean for the player, when they are shown.
- `ticks`: what happens in it automatically, and what it hears of the other systems.
- `narrator_guidance`: phases, notes, memories, and which turns stay in the prompt.
- `system_files`, `new_game_files`: the author's files it reads; starters and scenarios for a new game.
- `system_parts`: the engine's side: the systems of a game by what they do, and the check of a system.
"""

from talewright.kernel.report_declarations import Report, ReportSubject
from talewright.kernel.system.appraisals import (
    EventAppraisal,
    Favor,
    RollAppraisal,
    Stance,
)
from talewright.kernel.system.narrator_guidance import (
    Note,
    NoteAudience,
    Phase,
    Retention,
    SystemMemory,
)
from talewright.kernel.system.new_game_files import (
    ImportedScenario,
    ScenarioError,
    Starter,
)
from talewright.kernel.system.sight import (
    PastTurn,
    ProposedTelling,
    Sight,
)
from talewright.kernel.system.system_files import (
    AuthorFileReader,
    AuthorFiles,
    AuthorYaml,
)
from talewright.kernel.system.system_parts import (
    check_system,
)
from talewright.kernel.system.system_port import (
    HasAppraisals,
    HasArgumentMeanings,
    HasArgumentValues,
    HasAudits,
    HasAuthorFiles,
    HasAuthorYaml,
    HasChoices,
    HasComputedSlots,
    HasEditablePages,
    HasErrands,
    HasFileChecks,
    HasHeadings,
    HasHearing,
    HasMemories,
    HasNotes,
    HasPages,
    HasPanels,
    HasPhases,
    HasReach,
    HasReports,
    HasRetention,
    HasScenarios,
    HasSlots,
    HasStarters,
    HasTelling,
    HasTicks,
    HasTools,
    ReportContent,
    System,
)
from talewright.kernel.system.system_tools import (
    Denial,
    Grant,
    SystemAnswer,
    Tool,
    ToolWork,
    Wait,
    deny_unknown,
)
from talewright.kernel.system.ticks import (
    NO_TICK,
    NOTHING_HEARD,
    Heard,
    Tick,
)

__all__ = [
    "NOTHING_HEARD",
    "NO_TICK",
    "AuthorFileReader",
    "AuthorFiles",
    "AuthorYaml",
    "Denial",
    "EventAppraisal",
    "Favor",
    "Grant",
    "HasAppraisals",
    "HasArgumentMeanings",
    "HasArgumentValues",
    "HasAudits",
    "HasAuthorFiles",
    "HasAuthorYaml",
    "HasChoices",
    "HasComputedSlots",
    "HasEditablePages",
    "HasErrands",
    "HasFileChecks",
    "HasHeadings",
    "HasHearing",
    "HasMemories",
    "HasNotes",
    "HasPages",
    "HasPanels",
    "HasPhases",
    "HasReach",
    "HasReports",
    "HasRetention",
    "HasScenarios",
    "HasSlots",
    "HasStarters",
    "HasTelling",
    "HasTicks",
    "HasTools",
    "Heard",
    "ImportedScenario",
    "Note",
    "NoteAudience",
    "PastTurn",
    "Phase",
    "ProposedTelling",
    "Report",
    "ReportContent",
    "ReportSubject",
    "Retention",
    "RollAppraisal",
    "ScenarioError",
    "Sight",
    "Stance",
    "Starter",
    "System",
    "SystemAnswer",
    "SystemMemory",
    "Tick",
    "Tool",
    "ToolWork",
    "Wait",
    "check_system",
    "deny_unknown",
]
