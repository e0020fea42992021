"""Files of campaigns: a save game or a story written to a file, and a save game brought in from one.

What stands in them is made elsewhere; a file that is there already is written over only when asked.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX, Store
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.play.export.campaign_story import ExportedStory, tell_story
from talewright.play.export.epub_story import to_epub
from talewright.play.export.html_story import to_html
from talewright.play.export.markdown_story import to_markdown
from talewright.play.export.save_game import SAVE_BYTES_MAX, SaveGame, export_save, import_save, parse_save
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.lobby import ExportForm
from talewright.play.playable_games import GameLibrary

STORIES = (ExportForm.MARKDOWN, ExportForm.HTML, ExportForm.EPUB)
"""The forms for readers."""

_UNFIT = re.compile("[^a-z0-9_-]+")
_NAMELESS = "imported"


def read_save(file: Path) -> SaveGame:
    """The save game in a file; a TalewrightError where it cannot be read or is none."""
    try:
        with file.open("rb") as stream:
            data = stream.read(SAVE_BYTES_MAX + 1)
    except OSError as error:
        raise TalewrightError(
            f"{file} cannot be read: {error.strerror}", "Name a file that `talewright saves export` wrote."
        ) from error
    return parse_save(data)


def spell_save(save: Mapping[str, Json]) -> bytes:
    """The bytes of a save game."""
    return (json.dumps(save, indent=2, ensure_ascii=False) + "\n").encode()


def spell_story(story: ExportedStory, form: ExportForm) -> bytes:
    """The bytes of a story in one of the forms for readers."""
    match form:
        case ExportForm.EPUB:
            return to_epub(story)
        case ExportForm.HTML:
            return to_html(story).encode()
        case _:
            return to_markdown(story).encode()


def write_new(file: Path, data: bytes, *, force: bool = False, hint: str = "Choose another name.") -> None:
    """Write a file, over an old one only where that is asked for."""
    try:
        with file.open("wb" if force else "xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise TalewrightError(f"{file} exists already", hint) from None
    except OSError as error:
        raise TalewrightError(
            f"{file} cannot be written: {error.strerror}", "Choose a place where you may write."
        ) from error


def name_after(file: Path) -> str:
    """A campaign's name made from a file's."""
    return _UNFIT.sub("_", file.stem.lower()).strip("_")[:CAMPAIGN_NAME_LENGTH_MAX] or _NAMELESS


_NUMBER_LENGTH = 8
"""Characters kept free behind a name for a number."""


async def write_out(archive: CampaignArchive, campaign: str, form: ExportForm, file: Path) -> None:
    """Write a campaign to a new file."""
    async with archive.past(campaign) as past:
        if form is ExportForm.SAVE:
            data = spell_save(await export_save(past.book, past.games, past.history))
        else:
            data = spell_story(await tell_story(past.games, past.history), form)
    write_new(file, data)


async def bring_in(
    store: Store,
    shelf: GameLibrary,
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
