"""Wording: the words of a game that stand beside its rules: title, prose, endings and rules of style.

What is told by scenes, triggers and people is put into the catalogue where those are read.
"""

from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.pack.compilation import Compilation
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.prose import read_sections
from talewright.pack.files.shelf import ENDINGS, INTRO, WORLD
from talewright.pack.keeping.covers import LENGTH_TURNS, TONE
from talewright.pack.library import Library
from talewright.pack.rules.endings import Endings
from talewright.pack.sources.game import GameSource
from talewright.pack.words.catalogue import Catalogue


def read_wording(game: GameSource, library: Library, endings: Endings, work: Compilation) -> None:
    """Put the words of game.yaml and of the Markdown beside it into the catalogue."""
    work.catalogue.say("title", game.title, game.place("title"))
    work.catalogue.note(TONE, game.tone)
    work.catalogue.note(LENGTH_TURNS, str(game.length_turns or ""))
    if game.prompt_rules is not None:
        rules = game.prompt_rules
        work.catalogue.say_all("rules.style_notes", rules.style_notes, rules.place("style_notes"))
        work.catalogue.say_all("rules.boundaries", rules.boundaries, rules.place("boundaries"))
    misspelt = read_prose(library, "", endings, work.catalogue, work.desk)
    _check_endings(library, endings, misspelt, work)


def read_prose(library: Library, folder: str, endings: Endings, catalogue: Catalogue, desk: Desk) -> set[str]:
    """Put the Markdown of one language, which stands in `folder`, into a catalogue.

    Gives the endings that a misspelt heading was meant for: to say that they have no text would be too much.
    """
    misspelt: set[str] = set()
    for key, file in (("world", WORLD), ("intro", INTRO)):
        text = library.prose.get(f"{folder}{file}")
        if text is not None:
            catalogue.say(key, text.strip(), SourcePlace(f"{folder}{file}"))
    name = f"{folder}{ENDINGS}"
    for heading, passage in read_sections(name, library.prose.get(name, ""), desk).items():
        if heading not in endings.known and not endings.sure:
            continue
        if heading not in endings.known:
            suggestion = desk.suggest(heading, endings.known, "endings")
            misspelt.add(nearest(heading, endings.known))
            desk.report(Code.UNKNOWN_TEXT, passage.place, f"there is no ending `{heading}`", suggestion)
        elif heading in endings.told:
            catalogue.say(f"ending.{heading}", passage.text, passage.place)
        else:
            catalogue.say(f"finale.{heading}", passage.text, passage.place)
    return misspelt


def _check_endings(library: Library, endings: Endings, misspelt: set[str], work: Compilation) -> None:
    """Tell which endings have no passage; all in one where there is no endings.md."""
    told = work.catalogue.entries
    silent = [name for name in endings.told if f"ending.{name}" not in told and name not in misspelt]
    if not silent or not endings.sure or ENDINGS in library.unread_prose:
        return
    if ENDINGS not in library.prose:
        message = f"no ending has a text: {', '.join(silent)}"
        suggestion = f"Add {ENDINGS} with a line `## {silent[0]}` and a text beneath it, and so on."
        work.desk.report(Code.MISSING_TEXT, endings.told[silent[0]], message, suggestion)
        return
    for name in silent:
        message = f"the ending `{name}` has no text"
        suggestion = f"Add `## {name}` to {ENDINGS} and a text beneath it."
        work.desk.report(Code.MISSING_TEXT, endings.told[name], message, suggestion)
