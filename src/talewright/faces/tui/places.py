"""Places: every screen of the face but the first, and what can be pressed on each.

They are loaded after the first paint, because all of them together take longer to load than to draw.
Nothing here knows the app.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from textual.screen import Screen

from talewright.faces.tui.door import Wishes
from talewright.faces.tui.keys import CARD, EVERYWHERE, TABLE, TYPING, Key
from talewright.faces.tui.lobby.keys import LOBBY
from talewright.faces.tui.lobby.screen import LobbyScreen
from talewright.faces.tui.past.card_history import CardHistory
from talewright.faces.tui.past.compare_screen import CompareScreen
from talewright.faces.tui.past.inspector_screen import InspectorScreen
from talewright.faces.tui.past.keys import COMPARE, HISTORY, INSPECTOR, TREE
from talewright.faces.tui.past.tree_screen import TreeScreen
from talewright.faces.tui.setup.first_run import FirstRunScreen
from talewright.faces.tui.setup.keys import FIRST, MODELS, SETUP
from talewright.faces.tui.setup.model_screen import ModelScreen
from talewright.faces.tui.setup.setup_screen import SetupScreen
from talewright.faces.tui.table.screen import TableScreen
from talewright.faces.tui.words.shared import shared_words
from talewright.play.campaign_lookup import begin_game, find_campaign
from talewright.play.campaign_past import CampaignPast
from talewright.play.lobby import Lobby
from talewright.play.session import Session

KEYS: Final[Mapping[type, tuple[Key, ...]]] = MappingProxyType(
    {
        TableScreen: TABLE,
        LobbyScreen: LOBBY,
        SetupScreen: SETUP,
        ModelScreen: MODELS,
        FirstRunScreen: FIRST,
        CardHistory: HISTORY,
        TreeScreen: TREE,
        CompareScreen: COMPARE,
        InspectorScreen: INSPECTOR,
    }
)
"""What can be pressed on each screen."""


class Places:
    """Where the app can go."""

    def __init__(self) -> None:
        self.lobby = LobbyScreen()
        self.table = TableScreen
        self.first_run = FirstRunScreen

    def make_card(self, past: CampaignPast, variable: str, language: str) -> CardHistory:
        """How a card came to stand where it stands."""
        return CardHistory(past, variable, language)

    def make_tree(self, past: CampaignPast, language: str) -> TreeScreen:
        """The campaign as a tree."""
        return TreeScreen(past, language)

    def make_inspector(self, past: CampaignPast, commit: str, language: str) -> InspectorScreen:
        """All that is recorded of a turn."""
        return InspectorScreen(past, commit, language)

    def list_keys(self, screen: Screen[object], language: str) -> tuple[tuple[str, tuple[Key, ...]], ...]:
        """What can be pressed on a screen, in chapters."""
        words = shared_words(language)
        here = KEYS.get(type(screen), ())
        chapters = [(words.help_here, here)] if here else []
        if isinstance(screen, TableScreen):
            chapters = [(words.help_typing, TYPING), *chapters, (words.help_card, CARD)]
        return (*chapters, (words.help_everywhere, EVERYWHERE))

    async def find_session(self, lobby: Lobby, wishes: Wishes, tell: Callable[[str], None]) -> Session:
        """The campaign that is meant on the command line, open; or a new one."""
        game, campaign = wishes.game, wishes.campaign
        found = find_campaign(await lobby.campaigns(), game=game, campaign=campaign, new=wishes.new)
        if found is None:
            return await begin_game(
                lobby, game=game, campaign=campaign, language=wishes.language, locale=wishes.locale
            )
        tell(found.title)
        return await lobby.open(found.name)
