"""The shelf: which file is read as what."""

import pytest

from talewright.pack.desk import Desk
from talewright.pack.files.folder import Folder
from talewright.pack.files.shelf import Shelf, language_of, matches, sort_files, within_language
from talewright.pack.schemas import FILE_KINDS, Role
from tests.pack.making import brief

BASE = ("game.yaml", "world.md")


def sort(
    *names: str, patterns: tuple[str, ...] = (), unread: tuple[str, ...] = ()
) -> tuple[Shelf, list[str]]:
    desk = Desk()
    folder = Folder(dict.fromkeys(sorted(names), b""), (), frozenset(unread))
    shelf = sort_files(folder, patterns, desk)
    return shelf, [brief(fault) for fault in desk.faults()]


def test_every_kind_of_file_finds_its_form() -> None:
    names = {
        "game.yaml": Role.GAME,
        "triggers.yaml": Role.TRIGGERS,
        "npcs.yaml": Role.NPCS,
        "items.yaml": Role.ITEMS,
        "scenes/a.yaml": Role.SCENES,
        "lore/磨坊.yaml": Role.LORE,
        "texts/en/labels.yaml": Role.LABELS,
        "texts/zh-CN/triggers.yaml": Role.TRIGGER_TEXTS,
        "texts/en/npcs.yaml": Role.NPC_TEXTS,
        "texts/en/items.yaml": Role.ITEM_TEXTS,
        "texts/en/scenes/a.yaml": Role.SCENE_TEXTS,
        "texts/en/lore/a.yaml": Role.LORE_TEXTS,
    }
    shelf, faults = sort(*names, "world.md", "intro.md", "endings.md", "texts/en/world.md")
    assert faults == []
    assert {name: kind.role for name, kind in shelf.kinds.items()} == names
    assert set(shelf.prose) == {"world.md", "intro.md", "endings.md", "texts/en/world.md"}
    assert {kind.role for kind in FILE_KINDS} == set(Role)


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
    assert matches("scenes/a.yaml", "scenes/*.yaml")
    assert not matches("scenes/b/a.yaml", "scenes/*.yaml")
    assert not matches("SCENES/a.yaml", "scenes/*.yaml")


def test_a_language_is_the_folder_beneath_texts() -> None:
    assert language_of("texts/zh-CN/scenes/a.yaml") == "zh-CN"
    assert language_of("texts/zh-CN") == ""
    assert language_of("scenes/texts/a.yaml") == ""
    assert within_language("texts/zh-CN/scenes/a.yaml") == "scenes/a.yaml"
    assert within_language("scenes/a.yaml") == "scenes/a.yaml"
