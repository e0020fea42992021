"""Files: a campaign written to a file of its owner's, and a save game read from one.

What stands in them is made elsewhere; here it only gets onto the disk and off it.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX
from talewright.errors import TalewrightError
from talewright.kernel.state.documents import Json
from talewright.play.lobby import ExportForm
from talewright.play.looking_back.epub_story import to_epub
from talewright.play.looking_back.html_story import to_html
from talewright.play.looking_back.markdown_story import to_markdown
from talewright.play.looking_back.save_games import SAVE_BYTES_MAX, SaveGame, parse_save
from talewright.play.looking_back.stories import Story

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


def spell_story(story: Story, form: ExportForm) -> bytes:
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
