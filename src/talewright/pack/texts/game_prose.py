"""Game prose: the title, the style notes, and the passages of world.md, intro.md and endings.md.

The texts of scenes, triggers and characters enter the catalogue where those are built.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import nearest
from talewright.errors import SourcePlace
from talewright.kernel.story.endings import ENDING_TITLE, UNCOUNTED_ENDINGS
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.cover_builder import read_cover
from talewright.pack.build.ending_builder import DeclaredEndings
from talewright.pack.cache.cover_cache import DESCRIPTION, INVITATION, LENGTH_TURNS, TONE
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import shorten
from talewright.pack.schema.file_names import ENDINGS, INTRO, WORLD
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords
from talewright.pack.texts.text_catalogue import TextCatalogue

_HEADING = "## "


@frozen
class MarkdownPassage:
    """A piece of prose and its place."""

    text: str
    place: SourcePlace
    title: str = ""
    """What the heading says after a colon."""


def read_sections(name: str, text: str, fault_list: FaultList) -> Mapping[str, MarkdownPassage]:
    """The passages under the headings of a file, by id. Text above the first heading is ignored.

    A heading is `## <id>` or `## <id>: <title>`, in Chinese with a full-width colon.
    """
    sections: dict[str, tuple[SourcePlace, str, list[str]]] = {}
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(_HEADING):
            lines.append(line)
            continue
        heading, _, title = map(str.strip, line[len(_HEADING) :].replace("：", ":", 1).partition(":"))
        lines = []
        if heading in sections:
            first = sections[heading][0].line
            fault_list.report(
                FaultCode.DUPLICATE_ID,
                SourcePlace(name, number, len(_HEADING) + 1),
                f"`{shorten(heading)}` appears twice",
                f"Delete this one or the one on line {first}.",
            )
        else:
            sections[heading] = (SourcePlace(name, number, len(_HEADING) + 1), title, lines)
    return {
        heading: MarkdownPassage("\n".join(written).strip(), place, title)
        for heading, (place, title, written) in sections.items()
    }


def read_wording(
    game: GameSource, library: GameRecords, endings: DeclaredEndings, work: BuildContext
) -> None:
    """Add the texts of game.yaml and of the Markdown files next to it to the catalogue."""
    work.catalogue.say("title", game.title, game.place("title"))
    if game.description:
        work.catalogue.say(DESCRIPTION, game.description, game.place("description"))
    if game.invitation is not None:
        for name in INVITATION:
            field = name.partition(".")[2]
            work.catalogue.say(name, getattr(game.invitation, field), game.invitation.place(field))
    work.catalogue.note(TONE, game.tone)
    work.catalogue.note(LENGTH_TURNS, str(game.length_turns or ""))
    work.catalogue.note(UNCOUNTED_ENDINGS, "" if game.count_endings else "1")
    read_cover(game.cover, work)
    if game.prompt_rules is not None:
        rules = game.prompt_rules
        work.catalogue.say_all("rules.style_notes", rules.style_notes, rules.place("style_notes"))
        work.catalogue.say_all("rules.boundaries", rules.boundaries, rules.place("boundaries"))
    misspelt = read_prose(library, "", endings, work.catalogue, work.fault_list)
    _check_endings(library, endings, misspelt, work)


def read_prose(
    library: GameRecords,
    folder: str,
    endings: DeclaredEndings,
    catalogue: TextCatalogue,
    fault_list: FaultList,
) -> set[str]:
    """Add the Markdown of one language, in `folder`, to a catalogue.

    Returns the endings that misspelt headings stand for, so that they are not reported as missing too.
    """
    misspelt: set[str] = set()
    for key, file in (("world", WORLD), ("intro", INTRO)):
        text = library.prose.get(f"{folder}{file}")
        if text is not None:
            catalogue.say(key, text.strip(), SourcePlace(f"{folder}{file}"))
    name = f"{folder}{ENDINGS}"
    for heading, passage in read_sections(name, library.prose.get(name, ""), fault_list).items():
        if heading not in endings.known and not endings.sure:
            continue
        if heading not in endings.known:
            suggestion = fault_list.suggest(heading, endings.known, "endings")
            misspelt.add(nearest(heading, endings.known))
            fault_list.report(
                FaultCode.UNKNOWN_TEXT, passage.place, f"there is no ending `{heading}`", suggestion
            )
        elif heading in endings.told:
            catalogue.say(f"ending.{heading}", passage.text, passage.place)
            catalogue.say(f"{ENDING_TITLE}.{heading}", passage.title, passage.place)
        else:
            catalogue.say(f"finale.{heading}", passage.text, passage.place)
    return misspelt


def _check_endings(
    library: GameRecords, endings: DeclaredEndings, misspelt: set[str], work: BuildContext
) -> None:
    """Report which endings have no passage; in a single fault if there is no endings.md."""
    told = work.catalogue.entries
    silent = [name for name in endings.told if f"ending.{name}" not in told and name not in misspelt]
    if not silent or not endings.sure or ENDINGS in library.unread_prose:
        return
    if ENDINGS not in library.prose:
        message = f"no ending has a text: {', '.join(silent)}"
        suggestion = f"Add {ENDINGS} with a heading `## {silent[0]}`, its text below it, and so on."
        work.fault_list.report(FaultCode.MISSING_TEXT, endings.told[silent[0]], message, suggestion)
        return
    for name in silent:
        message = f"the ending `{name}` has no text"
        suggestion = f"Add `## {name}` to {ENDINGS}, with a text below it."
        work.fault_list.report(FaultCode.MISSING_TEXT, endings.told[name], message, suggestion)
