"""The System port: what a set of mechanics adds to a game.

A system proposes and describes. It never applies a change, calls a model or imports another system.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.chance import Chance, Draw
from talewright.kernel.judging.moves_and_rulings import Call, Decision, Errand, Flaw, Grade, Update
from talewright.kernel.panel_parts import Panel
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import Change
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.kernel.story.scenes_and_endings import SystemChoice
from talewright.kernel.story.triggers import Event
from talewright.kernel.system_files import AuthorFileReader, Starter
from talewright.kernel.system_ticks import Heard, Tick

AuthorFiles: TypeAlias = Mapping[str, Json]
"""What a system parsed from the author's files, by file name."""


class ToolWork(StrEnum):
    """What a tool does, shown to those who wait for it."""

    ROLLING = "rolling"
    UPDATING = "updating"
    CONSULTING = "consulting"


@frozen
class Tool:
    """A move of a system, as its caller sees it."""

    name: str
    description: str
    parameters: Json
    """JSON Schema of the arguments."""

    must_see: bool = True
    """Whether the caller must read the result before it can continue the story."""

    work: ToolWork = ToolWork.UPDATING
    """The result of a rolling tool is shown to everyone, even if no die was rolled in the end."""


@frozen
class Sight:
    """The information a system gets when it is called."""

    document: Mapping[str, Json]
    turn: int
    files: AuthorFiles = field(default_factory=dict)

    dice: frozenset[int | str] | None = None
    """The dice this game allows; None allows all."""

    language: str = "en"
    """The language of those who read its output: narrator or player."""

    texts: Texts = NO_TEXTS
    """The author's texts, for displaying values of the state. Never stored."""

    away_minutes: int = 0
    """How long nobody had played when the current turn began, by the clock; recorded with the turn."""


@frozen
class Grant:
    """A call is allowed, with these updates and this result."""

    updates: tuple[Update, ...] = ()
    result: Json = None
    events: tuple[Event, ...] = ()


@frozen
class Denial:
    """A call is refused."""

    reason: str
    """What is wrong and what would be accepted."""

    grade: Grade = Grade.MEND


@frozen
class Wait:
    """A call cannot be judged before the player or an errand has answered."""

    need: Decision | Errand


SystemAnswer: TypeAlias = Grant | Denial | Wait


@frozen
class Phase:
    """A stretch of play with its own rules, such as character creation."""

    name: str
    prompt: str = ""
    """The key of the text that tells the narrator what is going on."""

    tools: frozenset[str] | None = None
    """Tools of its own system that may be called; None allows all."""

    plan: str = ""
    """The plan used for turns in this phase; empty uses the game's own plan."""

    text: str = ""
    """The text itself, instead of `prompt`, if it is not a text of the game."""

    opens: bool = False
    """Whether it starts with a turn of its own, without player input."""

    rulebook: str = ""
    """Rules that the storyteller plays by and that players may read as well. The other texts are private."""


class NoteAudience(StrEnum):
    """Who may read a note."""

    NARRATOR = "narrator"
    EVERYONE = "everyone"


@frozen
class Note:
    """A fact in words."""

    text: str
    ear: NoteAudience = NoteAudience.NARRATOR


@frozen
class ProposedTelling:
    """A reply before it is accepted."""

    prose: str
    calls: tuple[Call, ...] = ()
    draws: tuple[Draw, ...] = ()
    granted: tuple[Call, ...] = ()
    """Calls granted earlier in the same turn."""

    final: bool = True
    """Whether it would end its turn; otherwise the caller continues after reading the results."""


@frozen
class PastTurn:
    """A finished turn, as systems see it."""

    version: int
    input: str
    narration: str
    changes: tuple[Change, ...] = ()
    draws: tuple[Draw, ...] = ()
    messages: tuple[Json, ...] = ()
    """The messages as exchanged, without context: `{role: user, content}`, `{role: assistant, content,
    calls}` and `{role: tool, name, content, ...}`."""

    rolls: tuple[Json, ...] = ()
    """The rolls as recorded: `{kind: roll, text, total, ...}`, `{kind: trial, ...}` for a tool that a scene
    called, and `{kind: call, tool, result}` for any other call."""


@frozen
class SystemMemory:
    """Something the narrator should remember besides the past turns."""

    title: str
    text: str
    told: bool = False
    """Whether the player was told all of it: then it is not hidden, but must not reveal hidden things."""


@frozen
class Retention:
    """Which past turns stay in the prompt word for word."""

    first: int
    """The version of the oldest of them."""

    due: bool = False
    """Whether to drop the older ones now, all at once."""


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
class HasAuthorFiles(System, Protocol):
    """A system that reads files of the author."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        """The author's files it parses."""


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


def deny_unknown(call: Call) -> Denial:
    """The answer to a tool that a system does not have."""
    return Denial(f"{call.tool} is no tool of this system")
