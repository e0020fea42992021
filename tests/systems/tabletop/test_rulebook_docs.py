"""The page about rulebooks keeps its word: its examples are understood, its lists are those of the code."""

import re
from pathlib import Path

import pytest

import talewright.systems.tabletop
from talewright.kernel.state.state import begin
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.reports.tabletop_commands import FOLDER, SUMMARIES
from talewright.systems.tabletop.rulebook import FILE, read_rulebook
from talewright.systems.tabletop.rulebook_parser.section_kinds import SectionKind, kinds_of
from talewright.systems.tabletop.slots import NO_OUTCOME, OUTCOMES
from talewright.systems.tabletop.tabletop_system import Tabletop
from talewright.systems.tabletop.tool_descriptions import ALL_TOOLS
from tests.pack.making import compile_game, good_game
from tests.systems.tabletop.making import game_with, read
from tests.systems.tabletop.rulebook_snapshots import snapshot_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "author" / "rulebooks.md").read_text("utf-8")
FENCES = {
    kind: re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for kind in ("markdown", "yaml", "text")
}
EXAMPLES = "\n".join(FENCES["markdown"])


def test_the_examples_make_a_rulebook_that_is_understood_completely() -> None:
    book, warnings = read_rulebook({FILE: EXAMPLES})
    assert warnings == ()
    assert book is not None
    assert book.prose == ()
    assert book.check is CheckRule.D20
    limits = [(one.key, one.minimum, one.maximum) for one in book.attributes]
    assert limits == [("BOD", 8, 18), ("WIT", 8, 18)]
    assert [(one.name, one.attribute, one.maximum) for one in book.skills] == [
        ("Climbing", "BOD", None),
        ("Riddles", "WIT", 5),
    ]
    assert book.combat is not None
    assert (book.combat.initiative, book.combat.initiative_attribute) == ("d20", "WIT")
    assert [(one.name, one.hp, one.ac) for one in book.templates] == [
        ("Mudlark", 7, 13),
        ("Giant Rat", 3, 11),
        ("Skeleton", 13, 13),
    ]
    mudlark, rat, skeleton = book.templates
    assert [(one.name, one.bonus) for one in mudlark.attacks] == [("Claws", 3), ("Thrown stone", 2)]
    assert mudlark.reward is not None
    assert [(item.name, item.quantity) for item in mudlark.reward.loot] == [("brass buttons", 3)]
    assert (mudlark.reward.xp, mudlark.reward.story_flag) == (25, "mudlark_met")
    assert mudlark.traits == (("Weakness", "dry land"),)
    assert rat.reward is not None
    assert rat.reward.loot == ()
    assert skeleton.reward is not None
    assert [item.name for item in skeleton.reward.loot] == ["rusty sword"]


def test_every_warning_is_in_its_table() -> None:
    folder = Path(talewright.systems.tabletop.__file__).parent
    code = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert set(re.findall(r'"(rules-[a-z-]+)"', code)) == set(re.findall(r"`(rules-[a-z-]+)`", PAGE))


def test_every_word_for_a_heading_is_one() -> None:
    table = PAGE.split("| section | words in its heading |")[1].split("\n\n")[0]
    kinds = dict(zip(("dice", "attributes", "skills", "combat", "creatures"), SectionKind, strict=True))
    for line in table.splitlines()[2:]:
        name, words = (cell.strip() for cell in line.strip("|").split("|"))
        for word in re.split(r"[,;] ", words):
            assert kinds_of(word) == {kinds[name]}, word


def test_rulebooks_to_start_from_and_their_report_are_shown() -> None:
    shown = re.findall(r"^\| `([a-z0-9]+)` \| ", PAGE, re.MULTILINE)
    assert [name for name in shown if (FOLDER / f"{name}.md").is_file()] == list(SUMMARIES)
    assert snapshot_of("d20").read_text("utf-8").startswith(FENCES["text"][0])


@pytest.mark.parametrize(
    ("tool", "arguments", "misspelt", "meant"),
    [
        ("skill_check", "{skill: Stelth, difficulty: 13}", "Stelth", "Stealth"),
        ("start_fight", "{enemies: [{template: Guard Dgo}]}", "Guard Dgo", "Guard Dog"),
    ],
)
def test_misspelt_skills_and_creatures_are_found(
    tool: str, arguments: str, misspelt: str, meant: str
) -> None:
    check = f"{{try: {tool}, with: {arguments}, success: {{}}, failure: {{}}}}"
    choices = f"[{{label: a}}, {{label: b}}, {{label: c, check: {check}}}]"
    scene = f"- id: rim\n  text: The rim.\n  choices: {choices}\n"
    files = {FILE: (FOLDER / "d20.md").read_text("utf-8"), "scenes/a.yaml": scene}
    game, systems = "systems: [tabletop]\n", {"tabletop": Tabletop()}
    right = {**files, "scenes/a.yaml": scene.replace(misspelt, meant)}
    assert good_game(game, right, systems).scenes
    (fault,) = compile_game(game, {**files, "scenes/a.yaml": scene}, systems).faults
    assert fault.place.line == 3
    assert meant in fault.suggestion


def test_tools_and_paths_are_those_of_the_system() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| [A-Z`]", PAGE, re.MULTILINE)
    assert set(rows) <= set(ALL_TOOLS)
    assert len(rows) >= 6
    game = game_with("d20")
    for path in re.findall(r"`(tabletop\.[a-z.]+)`", PAGE):
        read(begin(game), path)
    outcomes = re.findall(r'`"([a-z]+)"`', PAGE)
    assert set(outcomes) == set(OUTCOMES) - {NO_OUTCOME}
