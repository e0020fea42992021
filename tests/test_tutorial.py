"""The author's tutorial, typed word for word: every step ends in a game that plays as the page says.

The page alone is the source: its listings are the files, its screens are what is compared.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.tutorial import (
    PAGE,
    Block,
    Screen,
    find_blocks,
    find_screens,
    is_shown,
    sit_down,
    type_listing,
)

pytestmark = pytest.mark.process

BLOCKS = list(find_blocks(PAGE.read_text(encoding="utf-8")))
LISTINGS = [block for block in BLOCKS if block.file]
STEPS = list(dict.fromkeys(block.step for block in BLOCKS if block.step.startswith("Step ")))

Seen = dict[str, list[tuple[Screen, int, str]]]


@pytest.fixture(scope="module", name="reading")
def read_the_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Seen, str]]:
    """What a reader sees in each step, and what the model was asked in the last one."""
    (answer,) = [block.body for block in BLOCKS if block.kind == "json"]
    seen: Seen = {}
    with sit_down(tmp_path_factory.mktemp("reader"), answer) as reader:
        for block in BLOCKS:
            seen.setdefault(block.step, []).extend(reader.follow(block))
        yield seen, str(reader.asked)


@pytest.mark.parametrize("step", list(dict.fromkeys(block.step for block in BLOCKS)))
def test_the_screens_are_what_the_page_shows(step: str, reading: tuple[Seen, str]) -> None:
    for screen, code, text in reading[0][step]:
        where = f"{PAGE.name}:{screen.line}: $ {screen.command}"
        assert is_shown(screen.text, text), f"{where}\nshows today:\n\n{text}"
        assert code == screen.code, where


@pytest.mark.parametrize("step", STEPS)
def test_a_step_ends_with_a_game_that_checks_and_plays(step: str) -> None:
    consoles = [block for block in BLOCKS if block.step == step and block.kind == "console"]
    *_, check, play = (screen for block in consoles for screen in find_screens(block))
    assert check.command.startswith("talewright check lighthouse_cat")
    assert play.command.startswith("talewright play lighthouse_cat --plain")
    assert (check.code, play.code) == (0, 0)
    listings = [block.line for block in LISTINGS if block.step == step]
    assert max(listings) < check.line


def test_there_are_about_eight_steps() -> None:
    assert [step.split(":")[0] for step in STEPS] == [f"Step {number}" for number in range(1, 10)]


def test_a_mistake_is_made_once_and_told_with_its_place() -> None:
    (mistake,) = [block for block in BLOCKS if block.code]
    assert re.search(r"^lighthouse_cat/\S+:\d+:\d+: error ", mistake.body, re.MULTILINE)


def test_every_listing_names_its_file_and_begins_at_the_margin() -> None:
    assert [block.line for block in BLOCKS if block.kind in ("yaml", "markdown") and not block.file] == []
    assert [block.line for block in LISTINGS if block.body.startswith(" ")] == []


def test_the_storyteller_is_told_the_lore_that_the_page_speaks_of(reading: tuple[Seen, str]) -> None:
    (lore,) = [block for block in LISTINGS if block.file == "lighthouse_cat/lore/tower.yaml"]
    (sardines,) = [entry["text"] for entry in yaml.safe_load(lore.body) if entry["id"] == "sardines"]
    assert sardines in reading[1]


OLD = """\
- id: one
  text: |
    A word.
  choices:
    - label: Go
- id: two
  when: a
"""


@pytest.mark.parametrize(
    ("listing", "new"),
    [
        ("# ...\n- id: three\n", OLD + "- id: three\n"),
        ("- id: one\n  # ...\n  more: 1\n# ...\n", OLD.replace("- id: two", "  more: 1\n- id: two")),
        ("- id: one\n  # ...\n- id: two\n  when: b\n", OLD.replace("when: a", "when: b")),
        ("- id: one\n  text: No.\n  # ...\n# ...\n", OLD.replace("text: |\n    A word.", "text: No.")),
    ],
)
def test_a_listing_says_what_changes_and_what_stays(listing: str, new: str) -> None:
    assert type_listing(OLD, listing) == new


@pytest.mark.parametrize(
    ("listing", "told"),
    [
        ("- id: one\n  # ...\n", "leaves out '- id: two'"),
        ("- id: two\n  # ...\n", "drops '- id: one' for nothing"),
        ("# ...\n- id: two\n  when: a\n  # ...\n", "nothing is left out"),
    ],
)
def test_a_listing_that_a_reader_could_not_follow_is_told(listing: str, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        type_listing(OLD, listing)


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("a\n\nb", True),
        ("a\n...\nc", False),
        ("...\nb", True),
        ("a\n...", True),
        ("a\n...\nb\n...", True),
        ("b", False),
    ],
)
def test_a_screen_may_be_cut_and_not_altered(page: str, shown: bool) -> None:
    assert is_shown(page, "a\n\nb") is shown


def test_blocks_are_found_with_step_file_and_exit_code() -> None:
    listing = "**`a/b.md`** (new file)\n\n```markdown\n## not a step\n```\n\n"
    text = f"## One\n\n{listing}```console exit=2\n$ x\n```\n"
    assert list(find_blocks(text)) == [
        Block("One", 6, "markdown", "## not a step\n", "a/b.md", True, 0),
        Block("One", 10, "console", "$ x\n", "", False, 2),
    ]


def test_a_file_is_new_only_if_the_page_says_so(tmp_path: Path) -> None:
    block = Block("", 1, "yaml", "a: 1\n", "a.yaml", False, 0)
    with sit_down(tmp_path, "") as reader, pytest.raises(AssertionError, match=r"is a\.yaml a new file"):
        reader.follow(block)
