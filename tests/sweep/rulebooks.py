"""Rulebooks: mutated ones never break the reader or the loader, and what is read lies within bounds.

A thousand by default; CI reads the first of them.
"""

import json
import random
from collections.abc import Sequence
from time import process_time

from talewright.errors import Fault, Severity, SourcePlace
from talewright.kernel.system.system_parts import check_tools
from talewright.systems.tabletop.damage import HIT_POINTS_MAX
from talewright.systems.tabletop.reports.rulebook_report import report_json, report_lines
from talewright.systems.tabletop.rulebook import FILE, read_rulebook
from talewright.systems.tabletop.rulebook_parser.rulebook_types import NAME_LENGTH_MAX, Rulebook
from talewright.systems.tabletop.tabletop_system import Tabletop
from tests.pack.making import compile_game
from tests.sweep.parts import Progress
from tests.systems.tabletop.rulebook_snapshots import BOOKS

FULL_COUNT = 1_000
CHUNK = 100

TABLETOP = Tabletop()

SECONDS_MAX = 5.0
"""Processor time for one rulebook."""

PIECES = (
    *("#", "##", "### ", "####### ", "\n---\n", "\n===\n", "|", "||", "|---|---|\n", "- ", "* ", "1. ", "> "),
    *("**", "***", "__", "`", "```\n", "<!--", "-->", "<b>", "[", "](", ")", "(", "((((", "}", "{", "\\"),
    *("HP", "HP:", "HP: -5", "hp 9999999999999999", "AC ½", "d0", "d1001", "0d6", "9999d9999", "dF", "d%"),
    *("+", "-", "+-+-", "1-", "-1 to", "18-8", "STR", "STR STR STR", "Reward:", "XP", "25 XP 25 XP", "x0"),
    *("：", "，", "（", "）", "生命值：", "属性", "１２", "٣", "²", "①", "〇", "【", "】", "一、", "\u3000"),
    *("\x00", "\x1b[31m", "\u202e", "\u200b", "\u2028", "\r", "\r\n", "\t", "\ufeff", "😀", "é", "ß", "İ"),
    *("### Goblin\n", "## NPC Templates\n", "## 技能\n", "## Dice & Skills & Combat\n", "Skills:", ":" * 9),
)
"""What mutations insert: pieces that mean something to the reader, or to somebody else."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Read so many mutated rulebooks."""
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        text = mutate(chance)
        try:
            check_text(text)
        except Exception as problem:
            raise AssertionError(f"seed {seed}, rulebook {number}: {problem!r}\n{text[:3000]}") from problem
        if progress:
            progress(1)
    return count


def mutate(chance: random.Random) -> str:
    """A rulebook with one to thirty mutations."""
    text = chance.choice(list(BOOKS.values())).read_text("utf-8")
    if chance.random() < 0.2:
        other = chance.choice(list(BOOKS.values())).read_text("utf-8")
        text = text[: chance.randrange(len(text))] + other[chance.randrange(len(other)) :]
    for _ in range(chance.choice((1, 2, 3, 5, 10, 30))):
        text = _mutate_once(text, chance)
    return text


def _mutate_once(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((1, 3, 20, 200)))
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(9):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:start] + chance.choice(PIECES) + text[start:]
        case 2:
            return text[:start] + chance.choice(PIECES) * chance.choice((2, 50, 3_000)) + text[start:]
        case 3:
            return text[:start] + text[start:end] * chance.choice((2, 3, 30)) + text[end:]
        case 4:
            lines[one], lines[other] = lines[other], lines[one]
        case 5:
            lines[one:one] = lines[other : other + 5]
        case 6:
            lines[one] = chance.choice(PIECES) + lines[one]
        case 7:
            lines[one] = "".join(chance.sample(lines[one], len(lines[one])))
        case _:
            return text[:start] + chr(chance.randrange(chance.choice((0x80, 0xD800)))) + text[end:]
    return "\n".join(lines)


def check_text(text: str) -> None:
    """Read one rulebook and check what is said about it."""
    begun = process_time()
    book, warnings = read_rulebook({FILE: text})
    taken = process_time() - begun
    assert taken < SECONDS_MAX, f"{taken:.1f} s"
    assert book is not None
    count = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for fault in warnings:
        assert fault.severity is Severity.WARNING
        assert fault.message
    for place in [*(fault.place for fault in warnings), *_places(book)]:
        assert place.file == FILE
        assert 1 <= place.line <= count, place
    _check_bounds(book)
    _check_loading(text, warnings)
    assert all(isinstance(line, str) for line in report_lines(book, warnings))
    json.dumps(report_json(book, warnings))


def _check_loading(text: str, warnings: Sequence[Fault]) -> None:
    """A game with this rulebook loads, with slots and tools that fit it, unless it is no plain text."""
    compiled = compile_game("systems: [tabletop]\n", {FILE: text}, {TABLETOP.name: TABLETOP})
    errors = {fault.code for fault in compiled.faults if fault.severity is Severity.ERROR}
    assert errors <= {"control-character"}, compiled.faults
    shown = {fault.place.line for fault in compiled.faults}
    assert errors or {fault.place.line for fault in warnings} <= shown, compiled.faults
    check_tools(TABLETOP, {FILE: text}, ("en", "zh-CN"))


def _places(book: Rulebook) -> list[SourcePlace]:
    places = [one.place for one in book.attributes]
    places += [one.place for one in book.skills]
    places += [one.place for one in book.templates]
    places += [one.place for one in book.prose]
    places += [attack.place for template in book.templates for attack in template.attacks]
    if book.combat:
        places += [book.combat.place, *(note.place for note in book.combat.notes)]
    return places


def _check_bounds(book: Rulebook) -> None:
    for names in (book.attributes, book.skills, book.templates):
        keys = [one.name.casefold() for one in names]
        assert len(set(keys)) == len(keys), keys
        assert all(0 < len(one.name) <= NAME_LENGTH_MAX for one in names), keys
    limits = [(one.minimum, one.maximum) for one in book.attributes]
    limits += [(one.minimum, one.maximum) for one in book.skills]
    for low, high in limits:
        assert (low is None and high is None) or (low is not None and high is not None and low <= high)
    for template in book.templates:
        assert template.hp is None or 0 < template.hp <= HIT_POINTS_MAX
        assert template.ac is None or 0 <= template.ac <= 1000
        assert template.reward is None or template.reward.xp is None or template.reward.xp >= 0
        assert template.reward is None or all(item.quantity >= 0 for item in template.reward.loot)
