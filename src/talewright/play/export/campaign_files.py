"""Campaign files as bytes: writes save games and stories, and imports save games.

No file is touched here, so that the bytes can travel over a network.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX, Store
from talewright.common.json_values import Json
from talewright.play.campaign_lookup import RANDOM_LENGTH, take_free_name
from talewright.play.export.campaign_story import ExportedStory, tell_story
from talewright.play.export.epub_story import to_epub
from talewright.play.export.html_story import to_html
from talewright.play.export.markdown_story import to_markdown
from talewright.play.export.save_game import export_save, import_save, parse_save
from talewright.play.export.whole_save import export_whole, import_whole, is_whole, parse_whole
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.lobby import ExportForm
from talewright.play.playable_games import GameLibrary

STORIES = (ExportForm.MARKDOWN, ExportForm.HTML, ExportForm.EPUB)
"""The formats for readers."""

_UNFIT = re.compile("[^a-z0-9_-]+")
_NAMELESS = "imported"


def spell_save(save: Mapping[str, Json]) -> bytes:
    """The bytes of a save game."""
    return (json.dumps(save, indent=2, ensure_ascii=False) + "\n").encode()


def spell_story(story: ExportedStory, form: ExportForm) -> bytes:
    """The bytes of a story in one of the formats for readers."""
    match form:
        case ExportForm.EPUB:
            return to_epub(story)
        case ExportForm.HTML:
            return to_html(story).encode()
        case _:
            return to_markdown(story).encode()


def name_after(file_name: str) -> str:
    """A campaign name made from a file name."""
    stem = PurePath(file_name).stem
    return _UNFIT.sub("_", stem.lower()).strip("_")[:CAMPAIGN_NAME_LENGTH_MAX] or _NAMELESS


_NUMBER_LENGTH = 8
"""Characters reserved at the end of a name for a number."""


async def write_out(archive: CampaignArchive, campaign: str, form: ExportForm) -> bytes:
    """The bytes of a campaign's file in one of the formats."""
    if form is ExportForm.WHOLE:
        async with archive.book(campaign) as book:
            return await export_whole(book)
    async with archive.past(campaign) as past:
        if form is ExportForm.SAVE:
            return spell_save(await export_save(past.book, past.games, past.history))
        return spell_story(await tell_story(past.games, past.history), form)


async def bring_in(
    store: Store,
    shelf: GameLibrary,
    data: bytes,
    campaign: str,
    file_name: str,
    *,
    secret: bytes,
    now: Callable[[], str],
    new_id: Callable[[], str],
) -> str:
    """Start a campaign from a save game, named after the file unless a name is given; returns its name."""

    async def begin(name: str) -> str:
        if is_whole(data):
            book = await import_whole(store, shelf, parse_whole(data), campaign=name, secret=secret, now=now)
        else:
            save = parse_save(data)
            edition = shelf.edition(save.game_id)
            book = await import_save(
                store, edition, save, campaign=name, secret=secret, now=now, new_id=new_id
            )
        await book.close()
        return name

    if campaign:
        return await begin(campaign)
    stem, taken = name_after(file_name), {one.campaign for one in await read_campaigns(store)}
    short = stem[: CAMPAIGN_NAME_LENGTH_MAX - RANDOM_LENGTH - 1]
    return await take_free_name(
        begin, taken, partial(free_name, stem), lambda: f"{short}-{new_id()[:RANDOM_LENGTH]}"
    )


def free_name(stem: str, taken: set[str]) -> str:
    """The name itself, or with the first number that makes it free."""
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem[: CAMPAIGN_NAME_LENGTH_MAX - _NUMBER_LENGTH]}-{number}"
    return name
