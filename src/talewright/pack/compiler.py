"""The compiler: a game folder in, a Game with its texts out, and everything that is wrong on the way.

It reads files and gives values. It keeps nothing; `cache` does.
"""

from collections.abc import Mapping
from pathlib import Path

from talewright.kernel.game import ChanceRules, Game
from talewright.kernel.state.documents import Json
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import System
from talewright.pack.compilation import Compilation
from talewright.pack.compiled import Compiled as Compiled
from talewright.pack.desk import Desk
from talewright.pack.files.folder import Folder, FolderLimits, read_folder
from talewright.pack.files.shelf import sort_files
from talewright.pack.garbage import collector_at_rest
from talewright.pack.library import Library, read_library
from talewright.pack.meaning.inspection import check_meaning
from talewright.pack.rules.cast import read_items, read_lore, read_people
from talewright.pack.rules.display import read_cards, read_status_bar
from talewright.pack.rules.endings import read_endings
from talewright.pack.rules.layouts import make_ground
from talewright.pack.rules.opening import open_document, read_derived
from talewright.pack.rules.scenes import read_scenes
from talewright.pack.rules.settings import choose_systems, read_chance, read_memory, read_wishes
from talewright.pack.rules.system_files import read_system_files
from talewright.pack.rules.tools import open_toolbox
from talewright.pack.rules.triggers import read_triggers
from talewright.pack.sources.game import GameSource
from talewright.pack.words.languages import offered_languages, read_languages
from talewright.pack.words.wording import read_wording


def compile_folder(root: Path, systems: Mapping[str, System], limits: FolderLimits | None = None) -> Compiled:
    """Compile the game in a folder, with the systems that are installed."""
    desk = Desk()
    folder = read_folder(root, desk, limits)
    if folder is None:
        return Compiled(None, {}, desk.faults(), "")
    return compile_files(folder, systems, desk)


def check_folder(root: Path, systems: Mapping[str, System], limits: FolderLimits | None = None) -> Compiled:
    """Compile a folder for its author: where it has no errors, what the game means is looked at too."""
    desk = Desk()
    folder = read_folder(root, desk, limits)
    if folder is None:
        return Compiled(None, {}, desk.faults(), "")
    return compile_files(folder, systems, desk, meaning=True)


def compile_files(
    folder: Folder, systems: Mapping[str, System], desk: Desk, *, meaning: bool = False
) -> Compiled:
    """Compile a game whose files have been read; with `meaning`, look at what it means as well."""
    with collector_at_rest():
        return _compile(folder, systems, desk, meaning)


def _compile(folder: Folder, systems: Mapping[str, System], desk: Desk, meaning: bool) -> Compiled:
    patterns = [reading.pattern for system in systems.values() for reading in system.reads()]
    library = read_library(folder, sort_files(folder, patterns, desk), desk)
    if library.game is None:
        return Compiled(None, {}, desk.faults(), folder.digest)
    chosen = choose_systems(library.game, systems, desk)
    files = read_system_files(chosen, folder, desk)
    chance = read_chance(library.game, desk)
    tools = open_toolbox(library.game, chosen, systems)
    work = Compilation(desk, make_ground(library.game, chosen, desk), chance.dice, tools)
    game, texts = _put_together(library.game, library, chosen, files, chance, work)
    if desk.has_errors:
        return Compiled(None, {}, desk.faults(), folder.digest)
    for fault in check_meaning(game, library.game, library, work) if meaning else ():
        desk.add(fault)
    return Compiled(game, texts, desk.faults(), folder.digest)


def _put_together(
    source: GameSource,
    library: Library,
    systems: tuple[System, ...],
    files: Mapping[str, Mapping[str, Json]],
    chance: ChanceRules,
    work: Compilation,
) -> tuple[Game, Mapping[str, Texts]]:
    """Read everything; what comes out is whole only where the desk has no errors."""
    derived = read_derived(source, work)
    cards = read_cards(source, work)
    status_bar = read_status_bar(source, work)
    endings = read_endings(source, work)
    triggers = read_triggers(library.triggers, work)
    scenes = read_scenes(library, work)
    people = read_people(library.people, work)
    items = read_items(library.items, work)
    lore = read_lore(library.lore, work)
    read_wording(source, library, endings, work)
    languages = offered_languages(source, work)
    game = Game(
        id=source.game_id,
        version=source.version,
        language=source.language,
        languages=languages,
        layout=work.ground.layout,
        initial=open_document(source, derived, work),
        tone=source.tone,
        content_rating=source.content_rating,
        contract=source.contract,
        plan=source.plan,
        systems=systems,
        files=files,
        cards=cards,
        status_bar=status_bar,
        derived=derived,
        triggers=triggers,
        endings=endings.endings,
        scenes=scenes,
        people=people,
        items=items,
        lore=lore,
        memory=read_memory(source),
        chance=chance,
        teller=read_wishes(source),
        model_may_end=source.model_may_end,
    )
    # Where something could not be read, its words would be called missing or unknown besides.
    texts = {} if work.desk.has_errors else read_languages(source, languages, library, endings, work)
    return game, texts
