"""The Lobby port: starts games and opens campaigns, locally or over a network.

A face sees views, events and results; it never sees a state, a store or a model.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import Viewer
from talewright.play.session import FollowingSession, Session

if TYPE_CHECKING:
    from talewright.play.master_desk import ToolView

    # The terminal loads the ports before its first paint, and `turn` only after it.
    from talewright.turn.moderation import Moderation
    from talewright.turn.turn_limits import TurnLimits


@frozen
class GameInfo:
    """A game that can be started."""

    id: str
    title: str
    languages: tuple[str, ...]
    place: str = ""
    """Where it was found: `shipped`, or a folder; on a host, `shipped` or `installed`."""

    tone: str = ""
    """In words; empty if the author gives none."""

    turns: int = 0
    """The approximate number of turns in a campaign; 0 if unknown."""

    needs_model: bool = False
    """Whether it needs a storyteller, because it has no scenes."""

    description: str = ""
    """What it is about, in a sentence or two; may be empty."""

    motif: str = ""
    """What its picture shows, such as `harbor`; empty if the author does not say."""

    colors: tuple[str, ...] = ()
    """The colours of its picture as `#rrggbb`: sky, light and ground; empty if the author does not say."""

    light_theme: tuple[str, ...] = ()
    """The colours of its table: paper, raised, ink, quiet and accent; empty if the author does not say."""

    dark_theme: tuple[str, ...] = ()
    invitation: tuple[str, ...] = ()
    """The first words to a new player, and the button below them; empty if the author gives none."""

    endings: int = 0
    """How many endings it has; 0 if players are not told."""


@frozen
class CampaignInfo:
    """A campaign that can be continued."""

    name: str
    game: str
    title: str
    language: str
    at: str
    damaged: bool = False


@frozen
class CampaignDetails:
    """Details of a campaign, for choosing one; slower to compute than a CampaignInfo."""

    name: str
    turn: int = 0
    last: str = ""
    """The last line of the story."""

    model: str = ""
    """The current storyteller, in words; empty if scenes narrate it."""

    dollars: float | None = None
    """The cost so far; None if unknown."""

    tokens: int = 0
    outcome: str = ""
    """`win` or `lose` if it has ended."""

    receipt: str = ""
    """Its first receipt, with which one can later prove that its dice were not replaced."""

    ending: str = ""
    """What the author calls the ending it has come to; empty before the end, or if the ending has no name."""

    endings: tuple[str, ...] = ()
    """The ids of all endings that were reached in it, on any line of the story, taken back or not."""


class ExportForm(StrEnum):
    """The file formats of an export."""

    SAVE = "json"
    """The current state and the story so far; a campaign can be started from it."""

    WHOLE = "jsonl"
    """All records, without the secret of its dice: an import keeps the past."""

    MARKDOWN = "md"
    HTML = "html"
    EPUB = "epub"


@frozen
class SessionOptions:
    """Options of one session; those left out are the lobby's."""

    language: str = ""
    """The player's language; an explicit language when starting a game takes precedence."""

    limits: "TurnLimits | None" = None
    """Such as the budget of a turn or a campaign."""

    moderation: "Moderation | None" = None
    """Checks inputs and narration."""

    def pick_language(self, usual: str) -> str:
        """Its language, or the default."""
        return self.language or usual

    def pick_limits(self, usual: "TurnLimits") -> "TurnLimits":
        """Its limits, or the default."""
        return usual if self.limits is None else self.limits

    def pick_moderation(self, usual: "Moderation") -> "Moderation":
        """Its moderation, or the default."""
        return usual if self.moderation is None else self.moderation


class Lobby(Protocol):
    """Starts games and opens campaigns."""

    async def games(self) -> tuple[GameInfo, ...]:
        """The games that can be started."""

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that can be continued, the last played first."""

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> Session:
        """Start a campaign. The session is returned at once; events report its first turn.

        Only a player's session takes that turn automatically. With an operation id, the same id and game mean
        the same campaign, whichever process is asked and however often: later calls open it.
        """

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> Session:
        """Open a campaign. The session is returned at once, before a turn that opens a phase is narrated."""

    async def details(self, campaign: str) -> CampaignDetails:
        """Details of a campaign."""

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        """Start a campaign from the bytes of a save game; returns its name.

        Without a name, it is named after the file, with a number if that name is taken.
        """

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        """The bytes of an export; the caller writes the file."""

    async def remove(self, campaign: str) -> str:
        """Move a campaign to the bin; returns where it is now, in words."""


class ServingLobby(Lobby, Protocol):
    """A Lobby for a face that handles each request as if it came from another process."""

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> FollowingSession:
        """Start a campaign."""

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> FollowingSession:
        """Open a campaign."""

    async def master_tools(self, game: str, language: str = "") -> "tuple[ToolView, ...]":
        """Every tool that an external game master may ever call in a game; the brief lists those available
        now.
        """

    async def read_rules(self, game: str, language: str = "") -> tuple[str, ...]:
        """What a game's systems report about its rules, in lines; it may contain spoilers."""
