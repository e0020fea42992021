"""The Lobby port: the door through which every face plays, at home, on a server or over a wire.

A face sees views, news and results; it never sees a state, a store or a model.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from talewright.play.news import News
from talewright.play.past import Past
from talewright.play.viewers import Viewer
from talewright.play.views import View


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that can be begun."""

    id: str
    title: str
    languages: tuple[str, ...]
    place: str = ""
    """Where it was found: `shipped`, or a folder."""

    tone: str = ""
    """In words; empty where the author names none."""

    turns: int = 0
    """About how many turns a campaign has; 0 where that is not known."""

    needs_model: bool = False
    """Whether only a storyteller can tell it, because it has no scenes."""


@dataclass(frozen=True, slots=True)
class CampaignInfo:
    """A campaign that can be gone on with."""

    name: str
    game: str
    title: str
    language: str
    at: str
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class CampaignDetails:
    """What one wants to know of a campaign before going on with it; dearer to find than a CampaignInfo."""

    name: str
    turn: int = 0
    last: str = ""
    """The last line that was told."""

    model: str = ""
    """Who tells it, in words; empty where the scenes do."""

    dollars: float | None = None
    """What it has cost so far; None where that is not known."""

    tokens: int = 0
    outcome: str = ""
    """`win` or `lose` where it has ended."""


class ExportForm(StrEnum):
    """As what a campaign is written to a file."""

    SAVE = "json"
    """All of it but the secret of its dice: it can be imported again."""

    MARKDOWN = "md"
    HTML = "html"
    EPUB = "epub"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What makes an input safe to send twice."""

    operation_id: str
    base: str = ""
    """The head the player saw; empty takes the head as it is."""


class ResultKind(StrEnum):
    """What an input came to."""

    COMMITTED = "committed"
    UNSPENT = "unspent"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Result:
    """What an input came to, in words for the player."""

    kind: ResultKind
    reason: str = ""
    """A name out of `turn.outcomes.Reason`; empty where the turn is committed."""

    message: str = ""
    """In the player's language."""

    commit: str = ""
    repeated: bool = False
    text: str = ""
    """The player's own words, where they are given back to be put another way."""


class Session(Protocol):
    """One player at one campaign."""

    async def view(self, viewer: Viewer = Viewer.PLAYER) -> View:
        """Where it stands."""

    async def say(self, text: str, stamp: Stamp | None = None) -> Result:
        """Take a turn with words of one's own."""

    async def choose(self, choice: str, stamp: Stamp | None = None) -> Result:
        """Take a turn with one of the choices."""

    async def answer(self, decision: str, option: str, note: str = "", stamp: Stamp | None = None) -> Result:
        """Take a turn by answering a decision."""

    async def go_on(self, stamp: Stamp | None = None) -> Result:
        """Another answer with no input; or, after a crash, the turn that was not finished."""

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> Result:
        """The last turn once more, with other words if any are given; the old one stays in the tree."""

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted."""

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Begin a branch at a commit (or here) and go on there."""

    async def switch(self, branch: str) -> View:
        """Go on where another branch stands."""

    async def mark(self, name: str) -> None:
        """Give this place a name."""

    async def load(self, name: str) -> View:
        """Go on from a mark, on a branch of its own."""

    @property
    def past(self) -> Past:
        """What has happened so far."""

    def watch(self, viewer: Viewer = Viewer.PLAYER, after: int = -1) -> AsyncIterator[News]:
        """News from now on; with a number, first what was committed since."""

    async def cancel(self) -> None:
        """Stop the turn that is running, if one is."""

    async def close(self) -> None:
        """Leave; the campaign is safe."""


class Lobby(Protocol):
    """Where games are begun and gone on with."""

    async def games(self) -> tuple[GameInfo, ...]:
        """What can be begun."""

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        """What can be gone on with, the last played first."""

    async def begin(self, game: str, language: str = "", campaign: str = "") -> Session:
        """Begin a campaign: its first turn is taken at once."""

    async def open(self, campaign: str) -> Session:
        """Go on with a campaign."""

    async def details(self, campaign: str) -> CampaignDetails:
        """What one wants to know of a campaign before going on with it."""

    async def bring_in(self, file: str, campaign: str = "") -> str:
        """Begin a campaign from a save game; its name."""

    async def write_out(self, campaign: str, form: ExportForm, file: str) -> None:
        """Write a campaign to a new file; a TalewrightError where one is there already."""

    async def remove(self, campaign: str) -> str:
        """Put a campaign into the bin; where it lies now, in words."""
