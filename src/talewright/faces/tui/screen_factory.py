"""Screen factory: creates every screen except the title, and knows the keys of each.

Loaded after the first paint, because importing all screens takes longer than drawing one.
Nothing here depends on the app.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from textual.screen import Screen

from talewright.faces.tui.history.card_history import CardHistory
from talewright.faces.tui.history.compare_screen import CompareScreen
from talewright.faces.tui.history.inspector_screen import AuthorInspector, InspectorScreen, TurnInspector
from talewright.faces.tui.history.tree_screen import TreeScreen
from talewright.faces.tui.key_bindings import (
    CARD_HISTORY_KEYS,
    CARD_KEYS,
    COMPARE_KEYS,
    EVERYWHERE_KEYS,
    FIRST_RUN_KEYS,
    INSPECTOR_KEYS,
    LOBBY_KEYS,
    MODEL_CHOICE_KEYS,
    SETUP_KEYS,
    TABLE_KEYS,
    TREE_KEYS,
    TYPING_KEYS,
    KeyBinding,
)
from talewright.faces.tui.launch_preferences import TerminalStartRequest
from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.setup.first_run_screen import FirstRunScreen
from talewright.faces.tui.setup.model_choice_screen import ModelScreen
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.faces.tui.words.shared_words import shared_words
from talewright.play.campaign_lookup import begin_game, find_campaign
from talewright.play.campaign_past import CampaignPast
from talewright.play.lobby import Lobby
from talewright.play.session import Session

SCREEN_KEYS: Final[Mapping[type, tuple[KeyBinding, ...]]] = MappingProxyType(
    {
        TableScreen: TABLE_KEYS,
        LobbyScreen: LOBBY_KEYS,
        SetupScreen: SETUP_KEYS,
        ModelScreen: MODEL_CHOICE_KEYS,
        FirstRunScreen: FIRST_RUN_KEYS,
        CardHistory: CARD_HISTORY_KEYS,
        TreeScreen: TREE_KEYS,
        CompareScreen: COMPARE_KEYS,
        InspectorScreen: INSPECTOR_KEYS,
    }
)
"""The keys of each screen."""


class ScreenFactory:
    """Creates the screens."""

    def __init__(self) -> None:
        self.lobby = LobbyScreen()
        self.table = TableScreen
        self.first_run = FirstRunScreen

    def make_card(self, past: CampaignPast, variable: str, language: str, meaning: str) -> CardHistory:
        """The screen with a card's meaning and history."""
        return CardHistory(past, variable, language, meaning)

    def make_tree(
        self, past: CampaignPast, language: str, inspector: TurnInspector, *, untaken: bool
    ) -> TreeScreen:
        """The screen with the story tree."""
        return TreeScreen(past, language, inspector, untaken=untaken)

    def make_inspector(self, inspector: TurnInspector, commit: str, language: str) -> InspectorScreen:
        """The inspector screen for a turn."""
        return InspectorScreen(inspector, commit, language)

    def inspect_as_author(self, lobby: Lobby, session: Session) -> AuthorInspector:
        """The author's inspector for a session's campaign."""
        return AuthorInspector(lobby, session)

    def list_keys(
        self, screen: Screen[object], language: str
    ) -> tuple[tuple[str, tuple[KeyBinding, ...]], ...]:
        """The keys of a screen, in chapters."""
        words = shared_words(language)
        here = SCREEN_KEYS.get(type(screen), ())
        chapters = [(words.help_here, here)] if here else []
        if isinstance(screen, TableScreen):
            chapters = [(words.help_typing, TYPING_KEYS), *chapters, (words.help_card, CARD_KEYS)]
        return (*chapters, (words.help_everywhere, EVERYWHERE_KEYS))

    async def find_session(
        self, lobby: Lobby, wishes: TerminalStartRequest, tell: Callable[[str], None]
    ) -> Session:
        """Open the campaign requested on the command line, or start a new one."""
        game, campaign = wishes.game, wishes.campaign
        found = find_campaign(await lobby.campaigns(), game=game, campaign=campaign, new=wishes.new)
        if found is None:
            return await begin_game(
                lobby, game=game, campaign=campaign, language=wishes.language, locale=wishes.locale
            )
        tell(found.title)
        return await lobby.open(found.name)
