"""The Lobby port: where games are begun and campaigns gone on with, here, on a server or over a wire.

A face sees views, news and results; it never sees a state, a store or a model.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import Viewer
from talewright.play.session import Session

if TYPE_CHECKING:
    # The terminal loads the ports before its first paint, and `turn` only after it.
    from talewright.turn.moderation import Moderation
    from talewright.turn.turn_limits import TurnLimits


@frozen
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

    description: str = ""
    """What it is about, in a sentence or two; empty where the author does not say."""


@frozen
class CampaignInfo:
    """A campaign that can be gone on with."""

    name: str
    game: str
    title: str
    language: str
    at: str
    damaged: bool = False


@frozen
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

    receipt: str = ""
    """Its first receipt: whoever keeps it can show later that its dice were not exchanged."""


class ExportForm(StrEnum):
    """As what a campaign is written to a file."""

    SAVE = "json"
    """Where it stands now and what was told: a campaign can be begun from it."""

    WHOLE = "jsonl"
    """Everything it remembers but the secret of its dice: its past comes along."""

    MARKDOWN = "md"
    HTML = "html"
    EPUB = "epub"


SAVE_BYTES_MAX = 32 * 1024 * 1024
"""Bytes of a save game that can be brought in."""

WHOLE_SAVE_BYTES_MAX = 256 * 1024 * 1024
"""Bytes of a whole save that can be brought in."""


@frozen
class SessionOptions:
    """What is asked for one session; whatever is left out is as the lobby has it."""

    language: str = ""
    """The player's; it stands behind a language that is asked for where a game is begun."""

    limits: "TurnLimits | None" = None
    """Such as what one turn and the campaign may cost."""

    moderation: "Moderation | None" = None
    """Who listens to the player and reads what is told."""

    def pick_language(self, usual: str) -> str:
        """Its language, or the usual one."""
        return self.language or usual

    def pick_limits(self, usual: "TurnLimits") -> "TurnLimits":
        """Its limits, or the usual ones."""
        return usual if self.limits is None else self.limits

    def pick_moderation(self, usual: "Moderation") -> "Moderation":
        """Its moderation, or the usual one."""
        return usual if self.moderation is None else self.moderation


class Lobby(Protocol):
    """Where games are begun and gone on with."""

    async def games(self) -> tuple[GameInfo, ...]:
        """What can be begun."""

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        """What can be gone on with, the last played first."""

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
    ) -> Session:
        """Begin a campaign. The session is there at once, and its first turn is told by the news.

        Only a player's session takes that turn by itself.
        """

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> Session:
        """Go on with a campaign. The session is there at once, before a turn that opens a phase is told."""

    async def details(self, campaign: str) -> CampaignDetails:
        """What one wants to know of a campaign before going on with it."""

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        """Begin a campaign from the bytes of a save game; its name.

        Where none is given, it is called after the file, with a number where that name is taken.
        """

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        """The bytes of a file that holds a campaign; whoever asks writes it where it wants to."""

    async def remove(self, campaign: str) -> str:
        """Put a campaign into the bin; where it lies now, in words."""
