"""Parcels: campaigns carried out of the lobby into files, and back in.

What a file holds is decided in `looking_back`; a file that is there already is never written over.
"""

from collections.abc import Callable
from pathlib import Path

from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX, Store
from talewright.play.games import GameShelf
from talewright.play.lobby import ExportForm
from talewright.play.looking_back.archives import Archive
from talewright.play.looking_back.files import name_after, read_save, spell_save, spell_story, write_new
from talewright.play.looking_back.importing import import_save
from talewright.play.looking_back.save_games import export_save
from talewright.play.looking_back.stories import tell_story

_NUMBER_LENGTH = 8
"""Characters kept free behind a name for a number."""


async def write_out(archive: Archive, campaign: str, form: ExportForm, file: Path) -> None:
    """Write a campaign to a new file."""
    async with archive.past(campaign) as past:
        if form is ExportForm.SAVE:
            data = spell_save(await export_save(past.book, past.games, past.history))
        else:
            data = spell_story(await tell_story(past.games, past.history), form)
    write_new(file, data)


async def bring_in(
    store: Store,
    shelf: GameShelf,
    file: Path,
    campaign: str,
    *,
    secret: bytes,
    now: Callable[[], str],
    new_id: Callable[[], str],
) -> str:
    """Begin a campaign from a save game, named after the file where no name is given; its name."""
    save = read_save(file)
    edition = shelf.edition(save.game_id)
    name = campaign or free_name(name_after(file), {one.campaign for one in await store.campaigns()})
    book = await import_save(store, edition, save, campaign=name, secret=secret, now=now, new_id=new_id)
    await book.close()
    return name


def free_name(stem: str, taken: set[str]) -> str:
    """The name itself, or with the first number behind it that makes it free."""
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem[: CAMPAIGN_NAME_LENGTH_MAX - _NUMBER_LENGTH]}-{number}"
    return name
