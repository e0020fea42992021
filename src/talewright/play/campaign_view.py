"""The View: what one viewer may see of a campaign, as values a face can draw; and who the viewers are.

What each viewer may see is decided in `presentation`. Plain data only.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


class Viewer(StrEnum):
    """A role at the table."""

    PLAYER = "player"
    MASTER = "master"
    """Whoever tells the story from outside: sees hidden things, not secret ones."""

    AUTHOR = "author"
    """Whoever wrote the game and tries it out: sees everything of the game."""

    OPERATOR = "operator"
    """Whoever runs the engine: sees everything but the secret of chance."""


@frozen
class ChoiceView:
    """One thing the player may do."""

    id: str
    label: str
    hint: str = ""
    risk: str = "low"


@frozen
class StatusView:
    """One place in the status bar."""

    label: str
    text: str
    delta: str = ""
    """How it has just changed, such as `+10`; empty where it has not."""

    critical: bool = False
    value: float | None = None
    """For a meter: where it stands between the bounds."""

    minimum: float | None = None
    maximum: float | None = None


@frozen
class CardView:
    """One variable as a card."""

    variable: str
    label: str
    format: str
    lines: tuple[str, ...]
    """The value in words: one line, or one for each member or element."""

    description: str = ""
    delta: str = ""
    value: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    critical: bool = False
    """Whether it is a warning: the author says so, or the game would soon be lost by it."""


class PartKind(StrEnum):
    """How a part of a panel is drawn."""

    METER = "meter"
    CHIPS = "chips"
    LINES = "lines"
    ROLLED = "rolled"


@frozen
class PartView:
    """One part of a panel, for a face that draws."""

    kind: PartKind
    label: str
    words: tuple[str, ...] = ()
    """The chips or the lines; of a meter and a roll what they come to, in words."""

    value: float | None = None
    """Of a meter where it stands, of a roll its total."""

    maximum: float | None = None
    faces: tuple[int, ...] = ()
    """Of a roll each die."""


@frozen
class PanelView:
    """A system's panel in words, one line each; `parts` holds the same for a face that draws."""

    id: str
    title: str
    lines: tuple[str, ...]
    parts: tuple[PartView, ...] = ()


@frozen
class DecisionView:
    """A card that waits for an answer."""

    id: str
    question: str
    lines: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    """Id and label of each."""

    takes_note: bool = False
    note_with: str = ""
    """The one option that the player's own words go with; empty: they may go with any."""

    def notes(self, option: str) -> bool:
        """Whether words of the player's own go with an option."""
        return self.takes_note and self.note_with in ("", option)


@frozen
class RollView:
    """A roll the player may see, in words."""

    text: str
    total: int | float | None = None
    pool: str = ""
    """What was thrown, such as `2d6+1` or the name of a skill; empty where only the words are known."""

    faces: tuple[int, ...] = ()
    """Each die as it fell; empty where no dice did."""

    outcome: str = ""
    """`success`, `fail`, `blocked`, or a word of the system's own; empty where it decides nothing."""

    late: bool = False
    """Whether it fell when the story of its turn had been told already, which knows nothing of it then."""


@frozen
class ChangeView:
    """A change the player may see, in words: `Suspicion 20 -> 30 (seen at the plant)`."""

    variable: str
    text: str


@frozen
class TurnView:
    """One finished turn."""

    commit: str
    version: int
    said: str
    narration: str
    rolls: tuple[RollView, ...] = ()
    changes: tuple[ChangeView, ...] = ()
    events: tuple[str, ...] = ()
    """What triggers and the teller reported, in words."""

    refusals: tuple[str, ...] = ()
    """What was wished for and refused, in words."""

    events_at: int | None = None
    """How many characters of the narration are told before the events; None: all of it."""

    def split_narration(self) -> tuple[str, str]:
        """What is told before the events, and what after them."""
        at = len(self.narration) if self.events_at is None else self.events_at
        return self.narration[:at], self.narration[at:]


@frozen
class EndView:
    """How the game ended."""

    ending: str
    outcome: str


@frozen
class View:
    """Where a campaign stands, for one viewer."""

    campaign: str
    game: str
    title: str
    language: str
    viewer: Viewer
    branch: str
    head: str
    """The id of the newest commit of the branch."""

    version: int
    turn: TurnView | None
    """The newest finished turn; None before the first."""

    status: tuple[StatusView, ...] = ()
    cards: tuple[CardView, ...] = ()
    panels: tuple[PanelView, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    decisions: tuple[DecisionView, ...] = ()
    end: EndView | None = None
    marks: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    unfinished: str = ""
    """What the player had said when the program stopped; it waits to be gone on with."""

    notices: tuple[str, ...] = ()
    """What the player should know of the campaign itself: a game that changed, damage, a missing game."""

    read_only: bool = False
    free_text: bool = True
    """Whether the player may say whatever they like, or only what a choice covers (no storyteller)."""

    may_differ: bool = True
    """Whether the last turn may come out otherwise when it is taken again with the same words.

    Scenes tell the same every time, unless dice fell that fall anew."""
