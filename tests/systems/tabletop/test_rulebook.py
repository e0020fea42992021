"""Rulebooks: what is understood of real styles, of the seed's example, of mutated ones and of none at all."""

import json
import time

import pytest

from talewright.errors import Fault, Severity
from talewright.systems.tabletop.checks import CheckRule, ModifierRule
from talewright.systems.tabletop.initiative import CombatStructure
from talewright.systems.tabletop.reports.rulebook_report import PURE_NARRATIVE, report_json, report_lines
from talewright.systems.tabletop.rulebook import FILE, LENGTH_MAX, WARNINGS_MAX, read_rulebook
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook, tell_save
from tests.sweep import rulebooks
from tests.sweep.parts import SEED
from tests.systems.tabletop.rulebook_snapshots import BOOKS, snapshot_of, understand


def read(text: str) -> tuple[Rulebook, tuple[Fault, ...]]:
    book, warnings = read_rulebook({FILE: text})
    assert book is not None
    return book, warnings


def test_seeds_example_is_understood_completely() -> None:
    book, warnings = read(BOOKS["seed_example"].read_text("utf-8"))
    assert warnings == ()
    assert (book.dice, book.check, book.modifier) == (("d4", "d6", "d20"), CheckRule.D20, ModifierRule.SCORE)
    assert [(one.name, one.short, one.minimum, one.maximum) for one in book.attributes] == [
        ("Strength", "STR", 8, 18),
        ("Dexterity", "DEX", 8, 18),
        ("Constitution", "CON", 8, 18),
        ("Intelligence", "INT", 8, 18),
        ("Wisdom", "WIS", 8, 18),
        ("Charisma", "CHA", 8, 18),
    ]
    assert [(one.name, one.attribute) for one in book.skills] == [
        ("Athletics", "STR"),
        ("Stealth", "DEX"),
        ("Investigation", "INT"),
        ("Perception", "WIS"),
        ("Persuasion", "CHA"),
    ]
    assert book.combat
    assert (book.combat.structure, book.combat.initiative) == (CombatStructure.TURN_BASED, "d20")
    assert book.combat.initiative_attribute == "DEX"
    told = {
        one.name: " ".join(
            f"{key} {value}" for key, value in [*one.stats, ("HP", one.hp), ("AC", one.ac), *one.skills]
        )
        for one in book.templates
    }
    assert told == {
        "Goblin": "STR 8 DEX 14 CON 10 INT 10 WIS 8 CHA 8 HP 7 AC 15 Stealth 6",
        "Slime": "STR 12 DEX 6 CON 16 INT 1 WIS 6 CHA 2 HP 22 AC 8",
        "Wolf": "STR 12 DEX 15 CON 12 INT 3 WIS 12 CHA 6 HP 11 AC 13 Perception 3 Stealth 4",
    }
    attacks = [attack for template in book.templates for attack in template.attacks]
    assert [(one.name, one.bonus, [(roll.dice, roll.kind) for roll in one.damage]) for one in attacks] == [
        ("Scimitar", 4, [("1d6+2", "slashing")]),
        ("Pseudopod", 3, [("1d6+1", "bludgeoning"), ("1d6", "acid")]),
        ("Bite", 4, [("2d4+2", "piercing")]),
    ]
    assert "DC 11 STR or knocked prone" in book.templates[2].attacks[0].text
    rewards = [one.reward for one in book.templates if one.reward]
    assert [reward.xp for reward in rewards] == [25, 50, 25]
    loot = [(item.name, item.quantity, item.note) for reward in rewards for item in reward.loot]
    assert loot == [("Acidic Residue", 1, "alchemical component"), ("Wolf Pelt", 1, "")]
    assert book.templates[1].traits == (("Immunities", "Slashing damage (splits instead)"),)


def test_there_are_rulebooks_in_at_least_twenty_styles() -> None:
    assert len(BOOKS) >= 20 + len({"d20", "pbta", "fate"})
    assert sum(any(sign >= "\u4e00" for sign in path.read_text("utf-8")) for path in BOOKS.values()) >= 5


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_understood_is_as_in_the_snapshot(name: str) -> None:
    assert understand(name) == snapshot_of(name).read_text("utf-8")


@pytest.mark.parametrize("name", ["d20", "pbta", "fate"])
def test_reference_rulebooks_are_understood_without_a_warning(name: str) -> None:
    book, warnings = read(BOOKS[name].read_text("utf-8"))
    assert warnings == ()
    assert book.prose == ()
    assert book.check == name
    assert book.combat
    assert book.skills
    assert len(book.templates) == 3
    assert all(template.hp for template in book.templates)
    assert bool(book.attributes) == (name != "fate")


def test_without_a_rulebook_the_game_is_pure_narrative() -> None:
    assert read_rulebook({}) == (None, ())
    assert report_lines(None) == [PURE_NARRATIVE]
    assert report_json(None) is None


def test_a_rulebook_in_several_files_is_one() -> None:
    files = {
        "System/attributes.md": "# Attributes\n- Brawn (BRN): force\n- Guile (GUI): tricks\n",
        "System/beasts.md": "# Bestiary\n## Newt\n- HP: 2\n- Stats: BRN 1, Guile 3\n- Attack: Lick (1d4)\n",
        "System/dice.md": "# Dice\nRoll 1d20.\n",
        "System/skills.md": "# Skills\n- Wrestle (BRN)\n- Hide (LCK)\n## Guile\n- Lie\n",
    }
    book, warnings = read_rulebook(files)
    assert book
    assert [one.attribute for one in book.skills] == ["BRN", "", "GUI"]
    assert [f"{fault.place} {fault.code}" for fault in warnings] == ["System/skills.md:3:1 rules-attribute"]
    assert book.templates[0].stats == (("BRN", 1), ("GUI", 3))
    assert str(book.templates[0].place) == "System/beasts.md:2:1"
    assert book.files == tuple(files)
    assert book.check is CheckRule.D20


def test_bullets_below_an_attribute_explain_it() -> None:
    text = "## Attributes\n- Brawn\n  - lifting\n  - breaking\n- Wits: 1-5\n  - riddles\n"
    book, _ = read(text)
    assert [(one.name, one.maximum) for one in book.attributes] == [("Brawn", None), ("Wits", 5)]


def test_a_section_may_hold_attributes_and_skills() -> None:
    text = "## Attributes & Skills\n- Brawn (BRN)\n- Wits (WIT)\n- Wrestle (BRN)\n- Riddle (Wits)\n"
    book, warnings = read(f"{text}Roll d20.")
    assert [one.name for one in book.attributes] == ["Brawn", "Wits"]
    assert [(one.name, one.attribute) for one in book.skills] == [("Wrestle", "BRN"), ("Riddle", "WIT")]
    assert warnings == ()


def test_chinese_texts_keep_their_punctuation() -> None:
    text = (
        "## 骰子\n掷 d20。\n## 属性\n- 胆识：遇事，不慌（哪怕很怕）\n## 战斗\n先攻：d20＋胆识，高者先动。\n"
    )
    book, _ = read(f"{text}## 敌人\n### 老鼠\n小，但是快。\n- 生命值：2\n")
    assert book.attributes[0].meaning == "遇事，不慌（哪怕很怕）"
    assert book.combat
    assert [note.text for note in book.combat.notes] == ["先攻：d20＋胆识，高者先动。"]
    assert (book.combat.initiative, book.combat.initiative_attribute) == ("d20", "胆识")
    assert book.templates[0].description == "小，但是快。"


MALFORMED = {
    "": "System.md:1 rules-no-dice",
    "## Dice\nd20, d2000\n": "System.md:2 rules-die",
    "## Dice\nd20\n## Attributes\nTo be written.\n": "System.md:3 rules-empty",
    "## Dice\nd20\n## 技能\n待定。\n": "System.md:3 rules-empty",
    "## Dice\nd20\n## Bestiary\nNothing lives here.\n": "System.md:3 rules-empty",
    "## Dice\nd20\n## Attributes\n- Wit\n- Wit\n": "System.md:5 rules-twice",
    "## Dice\nd20\n## Skills\n- Hide\n- hide\n": "System.md:5 rules-twice",
    "## Dice\nd20\n## Attributes\n- Wit (WIT)\n## Skills\n- Hide (DEX)\n": "System.md:6 rules-attribute",
    "## Dice\nd20\n## NPCs\n### Rat\n- HP: a few\n- AC: 9\n": "System.md:5 rules-number",
    "## Dice\nd20\n## NPCs\n### Rat\n- HP: 0\n- AC: 9\n": "System.md:5 rules-number",
    "## Dice\nd20\n## NPCs\n### Rat\n- HP: 2\n- AC: high\n": "System.md:6 rules-number",
    "## Dice\nd20\n## NPCs\n### Rat\n- HP: 2\n- Stats: weak\n": "System.md:6 rules-number",
    "## Dice\nd20\n## NPCs\n### Rat\n- HP: 2\n- Skills: nibbling\n": "System.md:6 rules-number",
    "## Dice\nd20\n## NPCs\n### Rat\n- AC: 9\n": "System.md:4 rules-no-hp",
    "## Dice\nd20\n## NPCs\n### Rat\nHP 2\n### Rat\nHP 3\n": "System.md:6 rules-twice",
    "## Dice\nd20\n## NPCs\n|Name|HP|AC|\n|-|-|-|\n|Rat|2|\n": "System.md:6 rules-row",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_malformed_is_a_warning_with_its_line(text: str) -> None:
    _, warnings = read(text)
    told = [f"{fault.place.file}:{fault.place.line} {fault.code}" for fault in warnings]
    assert told == [MALFORMED[text]]
    assert warnings[0].severity is Severity.WARNING


def test_many_attributes_skills_and_templates_have_an_end() -> None:
    attributes = "".join(f"- Trait{'a' * number}\n" for number in range(50))
    attributes += "".join(f"- Sense{'b' * number}\n" for number in range(50))
    book, warnings = read(f"## Dice\nd6\n## Attributes\n{attributes}")
    assert (len(book.attributes), [fault.code for fault in warnings]) == (60, ["rules-many"])
    skills = "".join(f"- Skill {chr(97 + number // 20)}{chr(97 + number % 20)}\n" for number in range(320))
    book, warnings = read(f"## Dice\nd6\n## Skills\n{skills}")
    assert (len(book.skills), [fault.code for fault in warnings]) == (300, ["rules-many"])
    npcs = "".join(f"### Rat {number}\nHP 2, AC 9\n" for number in range(501))
    book, warnings = read(f"## Dice\nd6\n## NPCs\n{npcs}")
    assert (len(book.templates), [fault.code for fault in warnings]) == (500, ["rules-many"])


def test_warnings_have_an_end() -> None:
    _, warnings = read("## Dice\nd6\n## Skills\n" + "- Hide\n" * 900)
    assert len(warnings) == WARNINGS_MAX
    assert warnings[-1].message == "700 more warnings are left out"


HOSTILE = {
    "comments": "<!--" * 10_000,
    "headings": "#\n" * 20_000,
    "bullets": "## Skills\n" + "- a (b\n" * 5_000,
    "names": "## Attributes\n" + ("a, " * 600 + "\n") * 20,
    "templates": "## NPCs\n" + "### Rat\nHP 1 AC 2\n" * 2_000,
    "rows": "## NPCs\n|Name|HP|AC|\n|-|-|-|\n" + "|a|1|2|\n" * 4_000,
    "brackets": "## NPCs\n### Rat\nHP 1\n" + ("Reward: " + "a (" * 600 + "\n") * 20,
    "attacks": "## NPCs\n### Rat\nHP 1\n" + ("Attack: " + "A +1 " * 380 + "\n") * 20,
    "digits": "## NPCs\n### Rat\nHP 1\n" + ("Attack: " + "1" * 1900 + "\n") * 20,
    "spaces": "## Skills\n" + ("- " + "a " * 900 + "\n") * 20,
    "nested": "".join("#" * (number % 6 + 1) + " x\nHP 1\n" for number in range(4_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_more_than_its_length_deserves(name: str) -> None:
    begun = time.process_time()
    read(HOSTILE[name])
    assert time.process_time() - begun < rulebooks.SECONDS_MAX


def test_what_is_too_long_is_prose() -> None:
    book, warnings = read("## Dice\nd6\n" + "la " * (LENGTH_MAX // 3))
    assert [fault.code for fault in warnings] == ["rules-long"]
    assert len(book.text) > LENGTH_MAX


def test_report_as_json_has_the_names_of_the_seed() -> None:
    book, warnings = read(BOOKS["seed_example"].read_text("utf-8"))
    report = report_json(book, warnings)
    assert report
    assert json.loads(json.dumps(report)) == report
    assert (report["filePath"], report["diceTypes"]) == (FILE, ["d4", "d6", "d20"])
    assert all(report[f"has{part}"] is True for part in ("Attributes", "Skills", "Combat", "NPCTemplates"))
    templates = report["npcTemplates"]
    assert isinstance(templates, list)
    slime = templates[1]
    residue = {"name": "Acidic Residue", "quantity": 1, "properties": {"note": "alchemical component"}}
    assert slime["reward"] == {"xp": 50, "loot": [residue], "storyFlag": ""}
    assert (slime["hp"], slime["file"], slime["line"]) == (22, FILE, 41)


@pytest.mark.slow
def test_mutated_rulebooks_never_break_the_reader() -> None:
    count = rulebooks.FULL_COUNT // 50
    assert rulebooks.run(count, SEED) == count


def test_reading_a_typical_rulebook_stays_far_below_half_a_second() -> None:
    text = BOOKS["seed_example"].read_text("utf-8")
    begun = time.process_time()
    for _ in range(5):
        read(text)
    assert (time.process_time() - begun) / 5 < 0.1


SAVES = {
    "Bite +4 (2d4+2 piercing, DC 11 STR or knocked prone)": "DC 11 STR or prone",
    "Bite +4 (1d6), DC 12 Strength saving throw or be restrained for 1 minute": "DC 12 STR or restrained",
    "Sting +4 (1d4), DC 10 dexterity save or poisoned": "DC 10 DEX or poisoned",
    "Wail +2 (1d4 psychic). The target must succeed on a DC 13 STR check or else become frightened": (
        "DC 13 STR or frightened"
    ),
    "撕咬 +4（2d4+2 穿刺，DC 11 力量豁免，否则倒地）": "DC 11 STR or 倒地",
}
LEFT = (
    "Bite +4 (1d4+2 piercing) and disease (DC 10)",
    "Breath +4 (6d6 fire, DC 13 DEX save for half)",
    "Gaze +2 (1d4), DC 12 LUCK or petrified",
    "Maw +5 (1d8), DC 12 STR or swallowed and 2d6 acid damage",
)
BOOK = (
    "## Dice\nd20\n## Attributes\n- Strength (STR)\n- Dexterity (DEX)\n## NPCs\n### Rat\n- HP: 2\n- Attack: "
)


@pytest.mark.parametrize("written", SAVES)
def test_saves_of_attacks_are_understood(written: str) -> None:
    book, warnings = read(f"{BOOK}{written}\n")
    (attack,) = book.templates[0].attacks
    assert attack.save is not None
    assert (tell_save(attack.save), attack.left, warnings) == (SAVES[written], "", ())


@pytest.mark.parametrize("written", LEFT)
def test_other_saves_are_left_to_the_narrator_and_listed(written: str) -> None:
    book, warnings = read(f"{BOOK}{written}\n")
    (attack,) = book.templates[0].attacks
    assert (attack.save, attack.left) == (None, attack.text)
    lines = report_lines(book, warnings)
    assert lines[lines.index("left to the narrator: 1") + 1].startswith(
        f"  Rat, {attack.name}: {written[:6]}"
    )


def test_without_a_d20_a_save_is_left_to_the_narrator() -> None:
    book, _ = read(f"{BOOK}{next(iter(SAVES))}\n".replace("d20", "4dF"))
    (attack,) = book.templates[0].attacks
    assert (attack.save, attack.left) == (None, "DC 11 STR or prone")
