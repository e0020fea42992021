"""The View: what one viewer may see of a campaign, as values a face can draw, and the viewer roles.

`presentation` decides what each viewer may see. Plain data only.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


class Viewer(StrEnum):
    """A role in a session."""

    PLAYER = "player"
    MASTER = "master"
    """An external game master: sees hidden things, not secret ones."""

    AUTHOR = "author"
    """The author of the game, testing it: sees everything of the game."""

    OPERATOR = "operator"
    """The operator of the engine: sees everything except the campaign's secret."""


@frozen
class ChoiceView:
    """One choice of the player."""

    id: str
    label: str
    hint: str = ""
    risk: str = "low"
    group: str = ""
    """For a choice of a system, what it is about: `here`, `talk`, `go` or `wait`; empty for others."""


@frozen
class StatusView:
    """One entry of the status bar."""

    label: str
    text: str
    delta: str = ""
    """The latest change, such as `+10`; empty if there is none."""

    critical: bool = False
    value: float | None = None
    """For a meter: the value between its limits."""

    minimum: float | None = None
    maximum: float | None = None
    variable: str = ""
    hour: float | None = None
    """For a clock: the hour of the day, with its minutes as a fraction."""


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
    """Whether it is a warning: the author says so, or this value could soon lose the game."""

    members: tuple[str, ...] = ()
    """The variable of each line, if each shows a member of its own."""

    is_empty: bool = False
    """Whether its lines only say that there is nothing."""

    hour: float | None = None
    """For a clock: the hour of the day, with its minutes as a fraction."""


class PartKind(StrEnum):
    """How a part of a panel is drawn."""

    METER = "meter"
    CHIPS = "chips"
    LINES = "lines"
    ROLLED = "rolled"
    TABLE = "table"
    TURN_ORDER = "turn_order"
    MAP = "map"
    GRAPH = "graph"


@frozen
class PartView:
    """One part of a panel, for a face that draws."""

    kind: PartKind
    label: str
    words: tuple[str, ...] = ()
    """The chips or lines; for a meter or a roll, the result in words; otherwise the whole part as lines of
    text.
    """

    value: float | None = None
    """The value of a meter, or the total of a roll."""

    maximum: float | None = None
    faces: tuple[int, ...] = ()
    """The dice of a roll."""

    rows: tuple[tuple[str, ...], ...] = ()
    """The header and rows of a table; name and note in a turn order; one name per row for a map or a graph.
    """

    has_head: bool = False
    """Whether the first row of a table is its header."""

    current: int | None = None
    """The row of whoever's turn it is, or of the player's location."""

    spots: tuple[tuple[int, int], ...] = ()
    """Column and row of each place on a map."""

    levels: tuple[tuple[int, int] | None, ...] = ()
    """For each row in a turn order, a value and its maximum; None if unknown."""

    links: tuple[tuple[int, int], ...] = ()
    """The paths of a map or the edges of a graph, as pairs of rows."""

    player: int | None = None
    """The row of the player in a turn order."""


@frozen
class PanelView:
    """A system's panel as lines of text; `parts` holds the same for a face that draws."""

    id: str
    title: str
    lines: tuple[str, ...]
    parts: tuple[PartView, ...] = ()

    @property
    def is_urgent(self) -> bool:
        """Whether it should be shown first: it says whose turn is next."""
        return any(part.kind is PartKind.TURN_ORDER for part in self.parts)


@frozen
class FighterView:
    """Someone in a fight."""

    name: str
    points: int | None = None
    """Hit points, or whatever is lost here; None if unknown."""

    points_maximum: int | None = None
    note: str = ""
    """Conditions, in words."""

    is_player: bool = False
    is_acting: bool = False
    """Whether it is their turn."""

    is_out: bool = False
    """Whether they have no points left."""

    is_low: bool = False
    """Whether a quarter of the points or less is left."""


@frozen
class FightView:
    """A fight: how everyone is doing and whose turn it is, to be shown above the choices."""

    title: str
    """With the round."""

    turn: str
    """Whose turn it is, in words; empty if nobody's."""

    fighters: tuple[FighterView, ...]
    """The player first, then the others in the order in which they act."""


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
    """The one option that accepts a note from the player; empty if all do."""

    def notes(self, option: str) -> bool:
        """Whether an option accepts a note from the player."""
        return self.takes_note and self.note_with in ("", option)


@frozen
class ChanceView:
    """How likely each total of a check was before it was rolled."""

    totals: tuple[int, ...]
    """Every possible total, ascending."""

    shares: tuple[float, ...]
    """The chance of each, from 0 to 1."""

    outcomes: tuple[str, ...]
    """The outcome of each, in the words of `RollView.outcome`; empty if only the rules know."""

    success: float | None
    """The chance of success, from 0 to 1; None if only the rules know."""

    text: str
    """In words: `65% chance of success`."""

    at: float | None = None
    """Where the roll fell, from 0 to 1, for a share that was drawn; then there are no totals."""


@frozen
class RollView:
    """A roll the player may see, in words."""

    text: str
    total: int | float | None = None
    pool: str = ""
    """What was rolled, such as `2d6+1` or the name of a skill; empty if only the text is known."""

    faces: tuple[int, ...] = ()
    """The face of each die; empty without dice."""

    outcome: str = ""
    """`success`, `fail`, `partial_success`, `critical_success`, `critical_failure`, `blocked`, or another
    word of the system; empty if it decides nothing.
    """

    late: bool = False
    """Whether it was rolled after the turn's narration, which then does not mention it."""

    chances: ChanceView | None = None
    """For a check whose chances are known: how likely it was."""

    subject: str = ""
    """What was tried, for a check: `Road Goblin 1 attacks, Crowbar`, or the skill and the difficulty."""

    figures: str = ""
    """What fell and what was needed, without the subject, the chance and the outcome."""

    verdict: str = ""
    """The outcome in a word or two: `success`."""

    stakes: str = ""
    """What is gained or lost by it, if the system says so."""

    favor: str = ""
    """What the outcome means for the player: `good` or `bad`; empty for neither."""

    brief: str = ""
    """For a roll of someone else: its result in a few words, so that several fit on one line."""


@frozen
class ChangeView:
    """A visible change in words: `Suspicion 20 -> 30 (seen at the plant)`."""

    variable: str
    text: str
    note: str = ""
    """The difference alone, for the margin: `Suspicion +10`; empty if no few words say it, or if another
    change of the turn says it too.
    """

    favor: str = ""
    """What it means for the player: `good` or `bad`; empty if the author does not say."""


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
    """What triggers and the storyteller reported, in words."""

    refusals: tuple[str, ...] = ()
    """What was proposed and refused, in words."""

    events_at: int | None = None
    """How many characters of the narration come before the events; None for all of it."""

    stand_in: str = ""
    """If a scene narrated the turn instead of the model: one line that says so, and why."""

    favors: tuple[str, ...] = ()
    """What each event means for the player: `good` or `bad`; empty for neither."""

    def split_narration(self) -> tuple[str, str]:
        """The narration before the events, and after them."""
        at = len(self.narration) if self.events_at is None else self.events_at
        return self.narration[:at], self.narration[at:]


@frozen
class EndView:
    """How the game ended."""

    ending: str
    outcome: str
    title: str = ""
    """What the author calls this ending; empty if it has no name."""


@frozen
class DialView:
    """A part of the cover that moves with a value."""

    name: str
    """Such as `candle`; which dials there are depends on the motif."""

    share: float
    """Where it stands, from 0 to 1."""


@frozen
class CoverView:
    """The picture of the game, and where its dials stand now; empty parts were left open by the author."""

    motif: str = ""
    colors: tuple[str, ...] = ()
    """As `#rrggbb`: sky, light and ground."""

    light_theme: tuple[str, ...] = ()
    """The colours of the table in this theme: paper, raised, ink, quiet and accent."""

    dark_theme: tuple[str, ...] = ()
    dials: tuple[DialView, ...] = ()
    place: str = ""
    """Where the player is, in words."""


NO_COVER = CoverView()


@frozen
class View:
    """The current state of a campaign, for one viewer."""

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
    fight: FightView | None = None
    """The fight that goes on, if any; its panel has the same."""

    choices: tuple[ChoiceView, ...] = ()
    decisions: tuple[DecisionView, ...] = ()
    end: EndView | None = None
    marks: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    unfinished: str = ""
    """The player's input when the program stopped; it waits to be continued."""

    notices: tuple[str, ...] = ()
    """What the player should know about the campaign itself: a changed game, damage, a missing game."""

    read_only: bool = False
    free_text: bool = True
    """Whether the player may type anything, or (without a storyteller) only what matches a choice."""

    may_differ: bool = True
    """Whether retrying the last turn with the same words can have a different result.

    Scenes always narrate the same, unless they use dice that are rolled again.
    """

    cover: CoverView = NO_COVER
