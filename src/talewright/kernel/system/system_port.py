"""The System port: everything a set of mechanics may add to a game, as one small protocol each.

A system proposes and describes. It never applies a change, calls a model or imports another system.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol, runtime_checkable

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Update
from talewright.kernel.judging.rulings import Errand, Flaw
from talewright.kernel.panel_parts import Panel
from talewright.kernel.report_declarations import Report
from talewright.kernel.slots.slot_types import ComputedSlot, Slot
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.scenes import SystemChoice
from talewright.kernel.story.triggers import Event
from talewright.kernel.system.appraisals import EventAppraisal, RollAppraisal
from talewright.kernel.system.narrator_guidance import Note, Phase, Retention, SystemMemory
from talewright.kernel.system.new_game_files import ImportedScenario, Starter
from talewright.kernel.system.sight import PastTurn, ProposedTelling, Sight
from talewright.kernel.system.system_files import AuthorFileReader, AuthorFiles, AuthorYaml
from talewright.kernel.system.system_tools import Denial, SystemAnswer, Tool
from talewright.kernel.system.ticks import Heard, Tick


class System(Protocol):
    """A set of mechanics that a game may enable.

    Only the name is required. A system declares anything else it does by having the methods of the protocols
    below.
    """

    @property
    def name(self) -> str:
        """Its name in `game.yaml`."""


@runtime_checkable
class HasSlots(System, Protocol):
    """A system with a part of the state."""

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        """Its part of the state in a game with these files, by root."""


@runtime_checkable
class HasComputedSlots(System, Protocol):
    """A system with values that are computed from the state whenever a condition reads them."""

    def computed_slots(self, files: AuthorFiles) -> Mapping[Path, ComputedSlot]:
        """Its computed values in a game with these files, by a path below one of its own roots.

        No slot of the state may have the same path. An author writes `world.hour >= 20` as if it were a slot,
        and `talewright check` knows which values it can have. Computing must be quick: it happens whenever a
        condition that reads it is evaluated.
        """


@runtime_checkable
class HasTools(System, Protocol):
    """A system with moves of its own."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        """The moves it handles in a game with these files, described in a language.

        Only descriptions depend on the language: names and allowed values are the same in all of them.
        """

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        """Rule on a call of one of its tools; `answers` are those to decisions and errands, by their ids."""


@runtime_checkable
class HasArgumentValues(System, Protocol):
    """A system whose tools accept only a few words now."""

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        """The words that each argument of a tool accepts now, for arguments that accept only a few.

        With structured output, a model can then name no others.
        """


@runtime_checkable
class HasArgumentMeanings(System, Protocol):
    """A system whose tools accept several spellings of the same thing."""

    def argument_meanings(self, call: Call, sight: Sight) -> Mapping[str, Json]:
        """What the arguments of a call mean: one value for each thing, however it was named.

        None stands for the default. They replace the arguments that `Tool.check` and `Tool.terms` list, so
        another spelling is neither another check nor other terms. Arguments that are left out stay as they
        were said. A call that will be refused may raise `Refusal`.
        """


@runtime_checkable
class HasTicks(System, Protocol):
    """A system in which something happens automatically."""

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        """What happens automatically at the end of each turn, before triggers."""


@runtime_checkable
class HasHearing(System, Protocol):
    """A system that reacts to what happens in others."""

    def hear(self, heard: Heard, sight: Sight, chance: Chance) -> Tick:
        """What follows from the events of others and the time that passed; called after all ticks, if there
        is anything to hear. No system hears the events and the time that result from it.
        """


@runtime_checkable
class HasPhases(System, Protocol):
    """A system with stretches of play that have their own rules."""

    def phase(self, sight: Sight) -> Phase | None:
        """The current phase, if any."""


@runtime_checkable
class HasNotes(System, Protocol):
    """A system with facts for the narrator."""

    def notes(self, sight: Sight) -> Sequence[Note]:
        """Facts the narrator should know."""


@runtime_checkable
class HasChoices(System, Protocol):
    """A system with moves that the player may start."""

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        """The moves to offer the player after this turn, the most important first."""


@runtime_checkable
class HasTelling(System, Protocol):
    """A system that can narrate a turn itself."""

    def tell(self, calls: Sequence[Call], sight: Sight) -> str:
        """Narrate the results of the player's calls, or the first turn if there are none. Asks no model."""


@runtime_checkable
class HasPanels(System, Protocol):
    """A system with something to show."""

    def panels(self, sight: Sight) -> Sequence[Panel]:
        """Panels the player should see."""


@runtime_checkable
class HasAppraisals(System, Protocol):
    """A system that knows what its rolls and events mean for the player.

    It is asked whenever they are shown, with what was recorded; `sight` has the files, the language and the
    turn, but no state.
    """

    def appraise_rolls(self, recorded: Json, sight: Sight) -> Sequence[RollAppraisal]:
        """One appraisal for each roll of a recorded entry, in order; none if the entry is not its own."""

    def appraise_events(
        self, events: Sequence[Event], rolls: Sequence[Json], sight: Sight
    ) -> Sequence[EventAppraisal]:
        """One appraisal for each event of a turn, with the rolls recorded for it."""


@runtime_checkable
class HasAuthorFiles(System, Protocol):
    """A system that reads files of the author."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        """The author's files it parses."""


@runtime_checkable
class HasAuthorYaml(System, Protocol):
    """A system that reads YAML files of the author."""

    def yaml_patterns(self) -> tuple[str, ...]:
        """The files it reads, such as `world/*.yaml`."""

    def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        """What the files mean, as plain JSON by file name, and the faults found.

        `files` are those of the game that match the patterns, by name; there may be none. A file that is not
        valid YAML is reported by the engine, and then this is not called.
        """


@runtime_checkable
class HasFileChecks(System, Protocol):
    """A system that checks its files against one another."""

    def check_files(self, files: AuthorFiles) -> Sequence[Fault]:
        """What is wrong across the files, besides the faults found in each of them."""


@runtime_checkable
class HasAudits(System, Protocol):
    """A system that checks replies."""

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        """What is wrong with a reply by its rules."""


@runtime_checkable
class HasErrands(System, Protocol):
    """A system with questions for a model after a turn."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        """Errands to run once the turn is finished; `turns` as for `pages`."""

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        """The updates that follow from the answer to one of its errands."""


@runtime_checkable
class HasPages(System, Protocol):
    """A system with pages in the readable campaign folder."""

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        """Files for the readable campaign folder, by relative path; `turns` are the most recent, oldest
        first.
        """


@runtime_checkable
class HasEditablePages(System, Protocol):
    """A system with pages that people may edit by hand."""

    def editable(self, sight: Sight) -> frozenset[str]:
        """The pages that a person may edit by hand."""

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        """The updates that follow from a hand-edited page: all of them, or a denial."""


@runtime_checkable
class HasHeadings(System, Protocol):
    """A system with titles for turns."""

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        """The title of the newest turn; empty if there is none. `sight` is the state after it."""


@frozen
class ReportContent:
    """A finished report."""

    lines: tuple[str, ...]
    """For people."""

    data: Json = None
    """The same for programs."""

    pictures: Mapping[str, str] = field(default_factory=dict)
    """SVG by the name of the picture; none if the viewer may not see them."""


@runtime_checkable
class HasReports(System, Protocol):
    """A system with reports about a game or a campaign."""

    def reports(self) -> tuple[Report, ...]:
        """The reports it offers; each is a command of the command line."""

    def report(self, name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
        """Make a report. For a campaign, `turns` are all turns up to the one it is about; for a game, there
        are none.

        Without `spoilers` it is for the player.
        """


@runtime_checkable
class HasMemories(System, Protocol):
    """A system with memories for the narrator."""

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        """What the narrator should remember. Read when older turns are dropped, then used until next time."""


@runtime_checkable
class HasRetention(System, Protocol):
    """A system that decides which turns stay word for word."""

    def retention(self, sight: Sight) -> Retention | None:
        """Which turns stay word for word; None leaves that to the game."""


@runtime_checkable
class HasReach(System, Protocol):
    """A system that looks far back for its pages and errands."""

    def reach(self, sight: Sight) -> int:
        """The oldest turn it needs for pages and errands; 0 if those at hand are enough."""


@runtime_checkable
class HasStarters(System, Protocol):
    """A system with rules that a new game can start from."""

    def starters(self) -> tuple[Starter, ...]:
        """The rules that `talewright new` offers."""


@runtime_checkable
class HasScenarios(System, Protocol):
    """A system that reads and writes scenarios."""

    def read_scenario(self, data: bytes) -> ImportedScenario:
        """Read a scenario from the bytes of an untrusted file; raises ScenarioError."""

    def write_scenario(self, sight: Sight, *, spoilers: bool) -> Json:
        """The current state as a scenario. Without `spoilers` it contains only what the player knows."""
