"""Deeds of the lobby: what is asked and then done with a game or a campaign, one function each.

Each says what came of it, or None where the player left it. Errors are the screen's to tell.
"""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from textual.content import Content
from textual.screen import Screen

from talewright.errors import TalewrightError
from talewright.faces.tui.hall.asking import Confirm
from talewright.faces.tui.hall.host import host_of, rooms_of
from talewright.faces.tui.lobby.dialogs import Beginning, ExportDialog, ImportDialog, NewDialog
from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.setup.model_screen import ModelScreen
from talewright.faces.tui.words.lobby import LobbyWords
from talewright.play.lobby import CampaignInfo, ExportForm, GameInfo
from talewright.play.model_choices import NO_MODEL

Place: TypeAlias = Screen[None]
Deed: TypeAlias = Callable[[Place, CampaignInfo, LobbyWords], Awaitable[Content | None]]


async def ask_beginning(place: Place, game: GameInfo, words: LobbyWords) -> Beginning | None:
    """How a campaign of a game is to be begun, with a word on who will tell it."""
    try:
        model = await rooms_of(place).models.chosen(game=game.id)
    except TalewrightError:
        model = NO_MODEL
    if model != NO_MODEL:
        teller = Content(words.new_teller.format(model=safe_line(model)))
    elif game.needs_model:
        teller = Content.styled(f"! {words.new_no_model}", "$text-warning")
    else:
        teller = Content(words.new_scenes)
    return await place.app.push_screen_wait(NewDialog(game, host_of(place).language, teller, words))


async def choose_model(place: Place, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Let another model, or the scenes, tell a campaign."""
    name: str | None = await place.app.push_screen_wait(ModelScreen(info.name, info.game))
    if name is None:
        return None
    await rooms_of(place).models.choose(name, info.name)
    told = words.model_none if name == NO_MODEL else words.model_chosen
    return Content(told.format(model=safe_line(name), campaign=safe_line(info.name)))


async def export(place: Place, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Write a campaign to a file."""
    lobby = rooms_of(place).lobby

    async def write_out(form: ExportForm, file: str) -> None:
        await lobby.write_out(info.name, form, file)

    file: str | None = await place.app.push_screen_wait(ExportDialog(info.name, write_out, words))
    if file is None:
        return None
    return Content(words.exported.format(campaign=safe_line(info.name), file=safe_line(file)))


async def delete(place: Place, info: CampaignInfo, words: LobbyWords) -> Content | None:
    """Put a campaign into the bin, after asking once."""
    name = safe_line(info.name)
    title, text = Content(words.delete_title.format(campaign=name)), Content(words.delete_text)
    if not await place.app.push_screen_wait(Confirm(title, text, words.delete_do, words.cancel)):
        return None
    where = await rooms_of(place).lobby.remove(info.name)
    return Content(words.deleted.format(campaign=name, place=safe_line(where)))


async def bring_in(place: Place, words: LobbyWords) -> Content | None:
    """Begin a campaign from a save game."""
    name: str | None = await place.app.push_screen_wait(ImportDialog(rooms_of(place).lobby.bring_in, words))
    return None if name is None else Content(words.imported.format(campaign=safe_line(name)))


DEEDS: Mapping[str, Deed] = MappingProxyType({"model": choose_model, "export": export, "delete": delete})
"""What is done with a campaign, by the name that its key calls."""
