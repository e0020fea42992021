"""The System port: what a set of mechanics adds to a game.

A system proposes and describes. It never applies a change, calls a model or imports another system.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Protocol, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_schema import SchemaError, read_schema
from talewright.common.json_values import Json
from talewright.errors import Fault, TalewrightError
from talewright.kernel.chance import Chance, Draw
from talewright.kernel.judging.moves_and_rulings import Call, Decision, Errand, Flaw, Grade, Update
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import Change
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.kernel.story.triggers import Event


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
    files: Mapping[str, Json] = field(default_factory=dict)
    """The author's files as parsed by its readers, by file name."""

    dice: frozenset[int | str] | None = None
    """The dice this game allows; None allows all."""

    language: str = "en"
    """The language of those who read its output: narrator or player."""

    texts: Texts = NO_TEXTS
    """The author's texts, for displaying values of the state. Never stored."""


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
class Meter:
    """A value between bounds."""

    label: str
    value: int | float
    maximum: int | float


@frozen
class Chips:
    """Short words in a row."""

    label: str
    words: tuple[str, ...]


@frozen
class Lines:
    """A list, one item per line."""

    label: str
    lines: tuple[str, ...]


@frozen
class Rolled:
    """A roll and its result."""

    label: str
    faces: tuple[int, ...]
    total: int


@frozen
class Panel:
    """The facts of a system for a face to draw."""

    id: str
    title: str
    parts: tuple[Meter | Chips | Lines | Rolled, ...]


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
    """The messages as exchanged: `{role: user, content}`, `{role: assistant, content, calls}` and `{role:
    tool, name, content, ...}`. Context sent along with the player's words is not included.
    """


@frozen
class SystemMemory:
    """Something the narrator should remember besides the past turns."""

    title: str
    text: str
    told: bool = False
    """Whether it consists of what the player was told, so that it is not hidden. It does not reveal what is
    hidden elsewhere, since its writer may have let that slip.
    """


@frozen
class Retention:
    """Which past turns stay in the prompt word for word."""

    first: int
    """The version of the oldest of them."""

    due: bool = False
    """Whether to drop the older ones now, all at once."""


@frozen
class AuthorFileReader:
    """A parser for an author's file that a system reads."""

    pattern: str
    """Such as `System.md` or `System/*.md`."""

    parse: Callable[[str, str], tuple[Json, tuple[Fault, ...]]]
    """Takes the text and the file name; returns plain JSON and the faults found."""


class SystemHistory(Protocol):
    """How a system uses past turns."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        """Errands to run once the turn is finished; `turns` as for `pages`."""

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        """The updates that follow from the answer to one of its errands."""

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        """Files for the readable campaign folder, by relative path; `turns` are the most recent, oldest
        first.
        """

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        """The title of the newest turn; empty if the system has none. `sight` is the state after it."""

    def editable(self, sight: Sight) -> frozenset[str]:
        """The pages that a person may edit by hand."""

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        """The updates that follow from a hand-edited page: all of them, or a denial."""

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        """What the narrator should remember. Read when older turns are dropped, then used until next time."""

    def retention(self, sight: Sight) -> Retention | None:
        """Which turns stay word for word; None leaves that to the game."""

    def reach(self, sight: Sight) -> int:
        """The oldest turn it needs for pages and errands; 0 if those at hand are enough."""


class System(SystemHistory, Protocol):
    """A set of mechanics that a game may enable."""

    @property
    def name(self) -> str:
        """Its name in `game.yaml`."""

    def slots(self) -> Mapping[str, Slot]:
        """Its part of the state, by root."""

    def tools(self) -> tuple[Tool, ...]:
        """The moves it handles."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        """Rule on a call; `answers` holds the answers to decisions and errands, by their ids."""

    def tick(self, sight: Sight, chance: Chance) -> Sequence[Update]:
        """Updates that happen automatically at the end of each turn, before triggers."""

    def phase(self, sight: Sight) -> Phase | None:
        """The current phase, if any."""

    def notes(self, sight: Sight) -> Sequence[Note]:
        """Facts the narrator should know."""

    def panels(self, sight: Sight) -> Sequence[Panel]:
        """Panels the player should see."""

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        """The words that arguments of a tool accept now, where there are only a few, by argument.

        A model whose answers are held to a form then names no other.
        """

    def reads(self) -> tuple[AuthorFileReader, ...]:
        """The author's files it parses."""

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        """What is wrong with a reply by its rules."""


class PlainSystemHistory:
    """A system history that does nothing."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return ()

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        return ()

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        return {}

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return ""

    def editable(self, sight: Sight) -> frozenset[str]:
        return frozenset()

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        return Denial(f"{path} is no page that can be changed by hand")

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        return ()

    def retention(self, sight: Sight) -> Retention | None:
        return None

    def reach(self, sight: Sight) -> int:
        return 0


class PlainSystem(PlainSystemHistory):
    """A system that does nothing: a base class that leaves only what matters to be written."""

    def slots(self) -> Mapping[str, Slot]:
        return {}

    def tools(self) -> tuple[Tool, ...]:
        return ()

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return Denial(f"{call.tool} is no tool of this system")

    def tick(self, sight: Sight, chance: Chance) -> Sequence[Update]:
        return ()

    def phase(self, sight: Sight) -> Phase | None:
        return None

    def notes(self, sight: Sight) -> Sequence[Note]:
        return ()

    def panels(self, sight: Sight) -> Sequence[Panel]:
        return ()

    def argument_values(self, tool: str, sight: Sight) -> Mapping[str, Sequence[str]]:
        return {}

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return ()

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        return ()


def check_tools(system: System) -> None:
    """Reject a system whose tool parameters use schema keywords that are not checked."""
    for tool in system.tools():
        try:
            read_schema(tool.parameters)
        except SchemaError as error:
            raise TalewrightError(
                f"the tool {tool.name!r} of the system {system.name!r}: in its JSON Schema, {error.message}",
                "Ask its author to use only what docs/plug/systems.md lists, or uninstall its package.",
            ) from error
