"""The compiler: turns a game folder into a Game and its texts, and reports all faults.

It caches nothing; `cache.game_cache` does.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from talewright.common.json_values import Json
from talewright.errors import SourcePlace
from talewright.kernel.game import ChanceRules, Game
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import System
from talewright.kernel.system.system_parts import check_tools, file_patterns
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.card_builder import read_cards, read_status_bar
from talewright.pack.build.ending_builder import read_endings
from talewright.pack.build.game_settings import read_chance, read_memory, read_wishes
from talewright.pack.build.initial_state import build_initial_document, read_derived
from talewright.pack.build.library_builder import read_items, read_lore, read_people
from talewright.pack.build.scene_builder import read_scenes
from talewright.pack.build.system_builder import choose_systems, collect_game_tools, read_system_files
from talewright.pack.build.trigger_builder import read_triggers
from talewright.pack.build.variable_builder import build_layout
from talewright.pack.cache.compiled_game import CompiledGame as CompiledGame
from talewright.pack.cache.compiled_game import garbage_collection_paused
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import FolderLimits, GameFolder, matches_pattern, read_folder
from talewright.pack.game_folders import RULEBOOK_FILE
from talewright.pack.lint.linter import lint_game
from talewright.pack.schema.file_names import NEEDED, sort_files
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import GameRecords, read_game_records
from talewright.pack.texts.game_prose import read_wording
from talewright.pack.texts.offered_languages import offered_languages, read_languages


def compile_folder(
    root: Path, systems: Mapping[str, System], limits: FolderLimits | None = None
) -> CompiledGame:
    """Compile the game in a folder; `systems` are the installed ones."""
    fault_list = FaultList()
    folder = read_folder(root, fault_list, limits)
    if folder is None:
        return CompiledGame(None, {}, fault_list.faults(), "")
    return compile_files(folder, systems, fault_list)


def check_folder(
    root: Path, systems: Mapping[str, System], limits: FolderLimits | None = None
) -> CompiledGame:
    """Compile a folder and, if it has no errors, lint the game as well."""
    fault_list = FaultList()
    folder = read_folder(root, fault_list, limits)
    if folder is None:
        return CompiledGame(None, {}, fault_list.faults(), "")
    return compile_files(folder, systems, fault_list, meaning=True)


def compile_rules(root: Path, systems: Mapping[str, System]) -> CompiledGame:
    """Compile a game as if it had only its settings, its world and the files of its systems.

    Its rules can then be read while its scenes, triggers or translations have errors.
    """
    fault_list = FaultList()
    folder = read_folder(root, fault_list)
    if folder is None:
        return CompiledGame(None, {}, fault_list.faults(), "")
    patterns = (*NEEDED, *file_patterns(systems.values()))
    kept = {
        name: data
        for name, data in folder.files.items()
        if any(matches_pattern(name, pattern) for pattern in patterns)
    }
    return compile_files(replace(folder, files=kept, unread=frozenset()), systems, FaultList())


def compile_files(
    folder: GameFolder, systems: Mapping[str, System], fault_list: FaultList, *, meaning: bool = False
) -> CompiledGame:
    """Compile a game whose files have been read; with `meaning`, lint it as well."""
    with garbage_collection_paused():
        return _compile(folder, systems, fault_list, meaning)


def _compile(
    folder: GameFolder, systems: Mapping[str, System], fault_list: FaultList, meaning: bool
) -> CompiledGame:
    patterns = file_patterns(systems.values())
    library = read_game_records(folder, sort_files(folder, patterns, fault_list), fault_list)
    if library.game is None:
        return CompiledGame(None, {}, fault_list.faults(), folder.digest)
    chosen = choose_systems(library.game, systems, fault_list, folder)
    files = read_system_files(chosen, folder, fault_list)
    chance = read_chance(library.game, fault_list)
    tools = collect_game_tools(library.game, chosen, systems, files)
    layout = build_layout(library.game, chosen, files, fault_list)
    work = BuildContext(fault_list, layout, chance.dice, tools)
    game, texts = _put_together(library.game, library, chosen, files, chance, work)
    for system in chosen:
        check_tools(system, game.files_of(system), game.languages)
    if folder.added and meaning:
        _suggest_files(library.game, fault_list)
    if fault_list.has_errors:
        return CompiledGame(None, {}, fault_list.faults(), folder.digest)
    for fault in lint_game(game, library.game, library, work) if meaning else ():
        fault_list.add(fault)
    return CompiledGame(game, texts, fault_list.faults(), folder.digest)


def _suggest_files(game: GameSource, fault_list: FaultList) -> None:
    """Tell the author of a bare rulebook what it is called, and what else a game may have."""
    fault_list.report(
        FaultCode.BARE_RULEBOOK,
        SourcePlace(RULEBOOK_FILE),
        f'there is no game.yaml: the game has the id `{game.game_id}` and the title "{game.title}"',
        "Add game.yaml for another id and title, a description, variables and endings; world.md for the "
        "world; intro.md for the first words; Character.md for a character to start with.",
    )


def _put_together(
    source: GameSource,
    library: GameRecords,
    systems: tuple[System, ...],
    files: Mapping[str, Mapping[str, Json]],
    chance: ChanceRules,
    work: BuildContext,
) -> tuple[Game, Mapping[str, Texts]]:
    """Build the game; the result is complete only if the list of faults has no errors."""
    derived = read_derived(source, work)
    cards = read_cards(source, work)
    status_bar = read_status_bar(source, work)
    endings = read_endings(source, work)
    triggers = read_triggers(library.triggers, work)
    scenes = read_scenes(library, work)
    people, items = read_people(library.people, work), read_items(library.items, work)
    lore = read_lore(library.lore, work)
    read_wording(source, library, endings, work)
    languages = offered_languages(source, work)
    game = Game(
        id=source.game_id,
        version=source.version,
        language=source.language,
        languages=languages,
        layout=work.ground.layout,
        initial=build_initial_document(source, derived, work),
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
        decisions=source.decisions,
    )
    # After a read error, the texts concerned would be reported as missing or unknown too.
    texts = {} if work.fault_list.has_errors else read_languages(source, languages, library, endings, work)
    return game, texts
