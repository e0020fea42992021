"""The shelf: which file is read as what."""

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import GameFolder, matches_pattern
from talewright.pack.schema.file_names import SortedFiles, language_of, sort_files, within_language
from talewright.pack.schema.file_schemas import FILE_KINDS, FileRole
from tests.pack.making import brief

BASE = ("game.yaml", "world.md")


def sort(
    *names: str, patterns: tuple[str, ...] = (), unread: tuple[str, ...] = ()
) -> tuple[SortedFiles, list[str]]:
    fault_list = FaultList()
    folder = GameFolder(dict.fromkeys(sorted(names), b""), (), frozenset(unread))
    shelf = sort_files(folder, patterns, fault_list)
    return shelf, [brief(fault) for fault in fault_list.faults()]


def test_every_kind_of_file_finds_its_form() -> None:
    names = {
        "game.yaml": FileRole.GAME,
        "triggers.yaml": FileRole.TRIGGERS,
        "npcs.yaml": FileRole.NPCS,
        "items.yaml": FileRole.ITEMS,
        "scenes/a.yaml": FileRole.SCENES,
        "lore/磨坊.yaml": FileRole.LORE,
        "texts/en/labels.yaml": FileRole.LABELS,
        "texts/zh-CN/triggers.yaml": FileRole.TRIGGER_TEXTS,
        "texts/en/npcs.yaml": FileRole.NPC_TEXTS,
        "texts/en/items.yaml": FileRole.ITEM_TEXTS,
        "texts/en/scenes/a.yaml": FileRole.SCENE_TEXTS,
        "texts/en/lore/a.yaml": FileRole.LORE_TEXTS,
    }
    shelf, faults = sort(*names, "world.md", "intro.md", "endings.md", "texts/en/world.md")
    assert faults == []
    assert {name: kind.role for name, kind in shelf.kinds.items()} == names
    assert set(shelf.prose) == {"world.md", "intro.md", "endings.md", "texts/en/world.md"}
    assert {kind.role for kind in FILE_KINDS} == set(FileRole)


RENAMED = {
    "trigers.yaml": "triggers.yaml",
    "Triggers.yaml": "triggers.yaml",
    "triggers.yml": "triggers.yaml",
    "npc.yaml": "npcs.yaml",
    "ending.md": "endings.md",
    "World.md": "world.md",
    "scene/a.yaml": "scenes/a.yaml",
    "scenes/a.yml": "scenes/a.yaml",
    "scenes/deep/a.yaml": "scenes/a.yaml",
    "scenes.yaml": "scenes/scenes.yaml",
    "lore.yml": "lore/lore.yaml",
    "texts/en/label.yaml": "texts/en/labels.yaml",
    "texts/en/scene/a.yaml": "texts/en/scenes/a.yaml",
    "texts/en/ending.md": "texts/en/endings.md",
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_slip_in_a_name_is_told_with_the_right_one(name: str) -> None:
    _, faults = sort(*BASE, name)
    assert faults == [f"{name}:1:1 unexpected-file: Rename it to {RENAMED[name]}."]


@pytest.mark.parametrize(
    "name", ["notes.yaml", "plan.yml", "texts/labels.yaml", "sketches/a.yaml", "a/b/c.yaml"]
)
def test_a_file_of_another_name_is_told_without_one(name: str) -> None:
    _, faults = sort(*BASE, name)
    assert faults == [f"{name}:1:1 unexpected-file: Rename it, or move it out of the folder."]


@pytest.mark.parametrize("name", ["README.md", "notes/plan.md", "texts/en/README.md", "Toll.md"])
def test_other_markdown_is_the_author_s_own_affair(name: str) -> None:
    assert sort(*BASE, name)[1] == []


def test_what_a_system_reads_is_expected() -> None:
    assert sort(*BASE, "maps/a.yaml", patterns=("maps/*.yaml",))[1] == []
    assert len(sort(*BASE, "maps/deep/a.yaml", patterns=("maps/*.yaml",))[1]) == 1


@pytest.mark.parametrize("name", BASE)
def test_a_file_that_every_game_needs_is_missed(name: str) -> None:
    _, faults = sort(*(other for other in BASE if other != name))
    assert [fault.partition(": ")[0] for fault in faults] == [f"{name}:1:1 missing-file"]


def test_a_file_that_could_not_be_read_is_neither_missed_nor_unexpected() -> None:
    shelf, faults = sort("game.yaml", unread=("world.md", "plan.yaml", "triggers.yaml"))
    assert faults == []
    assert "triggers.yaml" in shelf.kinds


def test_a_star_does_not_reach_over_a_slash() -> None:
    assert matches_pattern("scenes/a.yaml", "scenes/*.yaml")
    assert not matches_pattern("scenes/b/a.yaml", "scenes/*.yaml")
    assert not matches_pattern("SCENES/a.yaml", "scenes/*.yaml")


def test_a_language_is_the_folder_beneath_texts() -> None:
    assert language_of("texts/zh-CN/scenes/a.yaml") == "zh-CN"
    assert language_of("texts/zh-CN") == ""
    assert language_of("scenes/texts/a.yaml") == ""
    assert within_language("texts/zh-CN/scenes/a.yaml") == "scenes/a.yaml"
    assert within_language("scenes/a.yaml") == "scenes/a.yaml"
