"""Lobby screen: games and campaigns, and its key actions: start, open, model, export, delete.

It opens sessions and hands them to the app; it never plays. Actions on a campaign return a message about the
result, or None when the player cancelled.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from talewright.errors import TalewrightError
from talewright.faces.tui.app_port import host_of, run_in_background, services_of
from talewright.faces.tui.key_bindings import LOBBY_BAR, LOBBY_KEYS, bind
from talewright.faces.tui.lobby.campaign_dialogs import ExportDialog, ImportDialog, NewCampaignForm, NewDialog
from talewright.faces.tui.lobby.lobby_lists import LobbyList, LobbyLists
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.setup.model_choice_screen import ModelScreen
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.widgets.dialogs import Confirm
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.widgets.opening_screen import OpeningScreen
from talewright.faces.tui.words.lobby_words import LobbyWords, lobby_words
from talewright.play.export.local_files import find_file, read_save_file, write_new
from talewright.play.lobby import CampaignInfo, ExportForm, GameInfo
from talewright.play.model_choices import NO_MODEL

ParentScreen: TypeAlias = Screen[None]
CampaignAction: TypeAlias = Callable[[ParentScreen, CampaignInfo, LobbyWords], Awaitable[Content | None]]


async def ask_new_campaign(place: ParentScreen, game: GameInfo, words: LobbyWords) -> NewCampaignForm | None:
    """Ask how to start a campaign of a game, and say which model will narrate it."""
    try:
        model = await services_of(place).models.chosen(game=game.id)
    except TalewrightError:
        model = NO_MODEL
    if model != NO_MODEL:
        teller = Content(words.new_teller.format(model=safe_line(model)))
    elif game.needs_model:
        teller = Content.styled(f"! {words.new_no_model}", "$text-warning")
    else:
        teller = Content(words.new_scenes)
    return await place.app.push_screen_wait(NewDialog(game, host_of(place).language, teller, words))


async def choose_model(place: ParentScreen, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Choose another model for a campaign, or none."""
    name: str | None = await place.app.push_screen_wait(ModelScreen(info.name, info.game))
    if name is None:
        return None
    await services_of(place).models.choose(name, info.name)
    told = words.model_none if name == NO_MODEL else words.model_chosen
    return Content(told.format(model=safe_line(name), campaign=safe_line(info.name)))


async def export_campaign(place: ParentScreen, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Export a campaign to a file."""
    lobby = services_of(place).lobby

    async def write_out(form: ExportForm, file: str) -> None:
        write_new(find_file(file), await lobby.write_out(info.name, form))

    file: str | None = await place.app.push_screen_wait(ExportDialog(info.name, write_out, words))
    if file is None:
        return None
    return Content(words.exported.format(campaign=safe_line(info.name), file=safe_line(file)))


async def delete_campaign(place: ParentScreen, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Move a campaign to the bin, after a confirmation."""
    name = safe_line(info.name)
    title, text = Content(words.delete_title.format(campaign=name)), Content(words.delete_text)
    if not await place.app.push_screen_wait(Confirm(title, text, words.delete_do, words.cancel)):
        return None
    where = await services_of(place).lobby.remove(info.name)
    return Content(words.deleted.format(campaign=name, place=safe_line(where)))


async def import_campaign(place: ParentScreen, words: LobbyWords) -> Content | None:
    """Import a save as a campaign."""
    lobby = services_of(place).lobby

    async def bring_in(file: str, campaign: str) -> str:
        path = find_file(file)
        return await lobby.bring_in(read_save_file(path), campaign, path.name)

    name: str | None = await place.app.push_screen_wait(ImportDialog(bring_in, words))
    return None if name is None else Content(words.imported.format(campaign=safe_line(name)))


CAMPAIGN_ACTIONS: Mapping[str, CampaignAction] = MappingProxyType(
    {"model": choose_model, "export": export_campaign, "delete": delete_campaign}
)
"""Actions on a campaign, by the name used in key bindings."""


def local_now() -> datetime:
    """Return the current time in the player's time zone."""
    return datetime.now().astimezone()


class LobbyScreen(OpeningScreen):
    """Starts and continues games. The app calls `action_reload` once startup has finished."""

    BINDINGS = bind(LOBBY_KEYS)
    DEFAULT_CSS = """
    LobbyScreen > #head { height: 1; padding: 0 2; }
    """

    def __init__(self, now: Callable[[], datetime] = local_now) -> None:
        super().__init__()
        self._now = now
        self._words = lobby_words("")

    def compose(self) -> ComposeResult:
        self._words = lobby_words(host_of(self).language)
        yield Static(Content.styled(self._words.title, "bold $primary"), id="head")
        yield Static(Content(self._words.opening), id="told")
        yield LobbyLists(self._words, self._now)
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Reload the lists."""
        self.follow_preferences()

    def follow_preferences(self) -> None:
        """Apply the current language, and reload the lists."""
        self.call_later(self._speak)

    async def _speak(self) -> None:
        # During recompose the lists do not exist.
        if lobby_words(host_of(self).language) is not self._words:
            await self.recompose()
        self.action_reload()

    def action_reload(self) -> None:
        """Reload the lists; does nothing before startup has finished."""
        self.query_one(KeyBar).show(LOBBY_BAR, host_of(self).language)
        if host_of(self).rooms is not None:
            run_in_background(self, self._load, "lists")

    async def _load(self) -> None:
        try:
            await self.query_one(LobbyLists).load(services_of(self).lobby)
        except Exception as error:
            self.tell(describe_error(error, self._words.wrong, self._words.wrong_hint))
        else:
            if str(self.query_one("#told", Static).content) == self._words.opening:
                self.tell(Content(self._words.subtitle))

    def on_lobby_lists_taken(self, event: LobbyLists.Taken) -> None:
        """Open a campaign, or ask how to start a game."""
        match event.what:
            case GameInfo() as game:
                self._begin(game)
            case CampaignInfo(name=name):
                told = self._words.going_on.format(campaign=safe_line(name))
                self.enter(lambda: services_of(self).lobby.open(name), told)

    def action_enter(self) -> None:
        """Do what Enter does on a row, for clicks on the key bar."""
        shelf = (
            self.focused if isinstance(self.focused, LobbyList) else self.query_one("#campaigns", LobbyList)
        )
        shelf.action_select()

    def action_new(self) -> None:
        """Start a campaign of the game under the cursor."""
        game = self.query_one(LobbyLists).game
        if game is None:
            self.tell(Content(self._words.pick_game))
        else:
            self._begin(game)

    def _begin(self, game: GameInfo) -> None:
        async def ask() -> None:
            wish = await ask_new_campaign(self, game, self._words)
            if wish is not None:
                told = self._words.beginning.format(title=safe_line(game.title))
                lobby = services_of(self).lobby
                self.enter(
                    lambda: lobby.begin(wish.game, wish.language, wish.name),
                    f"{told}\n{self._words.first_turn}",
                )

        run_in_background(self, ask, "asking")

    def action_do(self, deed: str) -> None:
        """Run an action on the campaign under the cursor: `model`, `export` or `delete`."""
        info = self.query_one(LobbyLists).campaign
        if info is None:
            self.tell(Content(self._words.pick_campaign))
        else:
            self._run(partial(CAMPAIGN_ACTIONS[deed], self, info, self._words))

    def action_import(self) -> None:
        """Import a save."""
        self._run(partial(import_campaign, self, self._words))

    def action_set_up(self) -> None:
        """Open the setup wizard."""
        self.app.push_screen(SetupScreen())

    def _run(self, deed: Callable[[], Awaitable[Content | None]]) -> None:
        async def run() -> None:
            try:
                told = await deed()
            except Exception as error:
                told = describe_error(error, self._words.wrong, self._words.wrong_hint)
            if told is not None:
                self.tell(told)
                self.action_reload()

        run_in_background(self, run, "asking")
