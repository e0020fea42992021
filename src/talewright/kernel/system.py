"""The System port: what a set of mechanics brings to a game.

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
    """What a tool does, for whoever waits meanwhile."""

    ROLLING = "rolling"
    UPDATING = "updating"
    CONSULTING = "consulting"


@frozen
class Tool:
    """A move of a system as its caller sees it."""

    name: str
    description: str
    parameters: Json
    """JSON Schema of the arguments."""

    must_see: bool = True
    """Whether the caller has to read the result before it can go on telling."""

    work: ToolWork = ToolWork.UPDATING
    """What comes of a rolling tool is told to everyone, also where no die fell in the end."""


@frozen
class Sight:
    """What a system is shown when it is asked something."""

    document: Mapping[str, Json]
    turn: int
    files: Mapping[str, Json] = field(default_factory=dict)
    """What its readings made of the author's files, by file name."""

    dice: frozenset[int | str] | None = None
    """The dice this game allows; None allows all."""

    language: str = "en"
    """Of whoever will read what is said: a storyteller or a player."""

    texts: Texts = NO_TEXTS
    """The author's words: how a value of the state is called, where it is shown. It is never kept so."""


@frozen
class Grant:
    """A call is allowed: these updates are to be made, and this is its answer."""

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
    """What holds for a stretch of play, such as the making of a character."""

    name: str
    prompt: str = ""
    """The key of the text that tells the narrator what is going on."""

    tools: frozenset[str] | None = None
    """Those of its system's own tools that may be called; None leaves all."""

    plan: str = ""
    """How turns are taken meanwhile; empty leaves the game's own plan."""

    text: str = ""
    """The same words as they are, where they are no text of the game; instead of `prompt`."""

    opens: bool = False
    """Whether it is still to begin with a turn of its own, without anybody's input."""


class NoteAudience(StrEnum):
    """Who may hear a note."""

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
    """Short words side by side."""

    label: str
    words: tuple[str, ...]


@frozen
class Lines:
    """A list, one under the other."""

    label: str
    lines: tuple[str, ...]


@frozen
class Rolled:
    """A roll as it fell."""

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
    """An answer, before it is accepted."""

    prose: str
    calls: tuple[Call, ...] = ()
    draws: tuple[Draw, ...] = ()
    granted: tuple[Call, ...] = ()
    """Calls that were granted earlier in the same turn."""

    final: bool = True
    """Whether it would end its turn; else its caller goes on once the results are read."""


@frozen
class PastTurn:
    """A finished turn as a system may look back on it."""

    version: int
    input: str
    narration: str
    changes: tuple[Change, ...] = ()
    draws: tuple[Draw, ...] = ()
    messages: tuple[Json, ...] = ()
    """What was said to and fro, as it was: `{role: user, content}`, `{role: assistant, content, calls}` and
    `{role: tool, name, content, ...}`. What was sent along with the player's words is not here."""


@frozen
class SystemMemory:
    """Something to be kept in view besides the past turns."""

    title: str
    text: str
    told: bool = False
    """Whether it is made of what the player was told: then it is not hidden. It makes nothing known that is
    hidden elsewhere, since whoever wrote it may have let that slip."""


@frozen
class Retention:
    """Which past turns stay in view word for word."""

    first: int
    """The version of the oldest of them."""

    due: bool = False
    """Whether the older ones are to go now, all in one step."""


@frozen
class AuthorFileReader:
    """An author's file that a system understands."""

    pattern: str
    """Such as `System.md` or `System/*.md`."""

    parse: Callable[[str, str], tuple[Json, tuple[Fault, ...]]]
    """Takes the text and the file's name; gives plain JSON and what is wrong."""


class SystemHistory(Protocol):
    """What a system makes of the past."""

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        """What it wants to have asked once the turn is finished; `turns` as with `pages`."""

    def take(self, errand: str, answer: Json, sight: Sight) -> Sequence[Update]:
        """What the answer to one of its errands changes."""

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        """Files for the readable campaign folder, by relative path; `turns` are the last, oldest first."""

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        """The title of the newest turn; empty where the system has none to give. `sight` is after it."""

    def editable(self, sight: Sight) -> frozenset[str]:
        """Those of its pages that a person may change by hand."""

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        """What the text that a person has given one of those pages changes: all of it, or nothing."""

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        """What the narrator is to keep in view. It is asked for when older turns go, and stands till then."""

    def retention(self, sight: Sight) -> Retention | None:
        """Which turns stay word for word; None leaves that to the game."""

    def reach(self, sight: Sight) -> int:
        """The oldest turn it wants to see for pages and errands; 0 is content with those at hand."""


class System(SystemHistory, Protocol):
    """A set of mechanics a game may switch on."""

    @property
    def name(self) -> str:
        """How `game.yaml` calls it."""

    def slots(self) -> Mapping[str, Slot]:
        """Its part of the state, by root."""

    def tools(self) -> tuple[Tool, ...]:
        """The moves it understands."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        """Rule on a call; `answers` holds what decisions and errands have brought, by their ids."""

    def tick(self, sight: Sight, chance: Chance) -> Sequence[Update]:
        """What happens by itself at the end of each turn, before triggers."""

    def phase(self, sight: Sight) -> Phase | None:
        """The phase that holds now."""

    def notes(self, sight: Sight) -> Sequence[Note]:
        """What the narrator should know."""

    def panels(self, sight: Sight) -> Sequence[Panel]:
        """What the player should see."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        """The author's files it parses."""

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        """What is wrong with an answer by its rules."""


class PlainSystemHistory:
    """A system that makes nothing of the past."""

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
    """A system that does nothing yet: a starting point that leaves only what matters to be written."""

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

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return ()

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        return ()


def check_tools(system: System) -> None:
    """Refuse a system that asks more of the arguments of a tool than would be checked."""
    for tool in system.tools():
        try:
            read_schema(tool.parameters)
        except SchemaError as error:
            raise TalewrightError(
                f"the tool {tool.name!r} of the system {system.name!r}: in its JSON Schema, {error.message}",
                "Ask whoever wrote it to keep to what docs/plug/systems.md lists, "
                "or remove the package that brings it.",
            ) from error
