"""Endings read, and the passages that tell them."""

import pytest

from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.scenes import Risk
from talewright.pack.faults import FaultList
from talewright.pack.texts.game_prose import read_sections
from tests.pack.making import check_fault, compile_game, told

GAME = "variables:\n  - {id: rope, type: integer, min: 0, max: 9}\n"


def test_endings_stand_in_the_order_in_which_they_are_asked() -> None:
    game = """lose_conditions: ["rope <= 0"]
win_conditions: ["rope >= 9", "rope >= 8"]
endings:
  - id: drawn
    when: rope > 7
    kind: win
    finale:
      - {id: up, label: Pull, also: [haul], hint: Heavy., risk: high, ending: full, kind: lose}
      - {label: Let go, ending: empty}
  - {id: cut, when: rope == 1, kind: lose}
"""
    passages = "Not read.\n\n## full\n\nA bucket.\n\nOf water.\n## empty\nNone.\n## cut\nCut.\n"
    passages += "## win_1\nA\n## win_2\nB\n## lose_1\nC\n## drawn\nIt moves.\n"
    compiled = compile_game(GAME + game, {"endings.md": passages})
    assert compiled.faults == ()
    assert compiled.game is not None
    endings = compiled.game.endings
    assert [ending.id for ending in endings] == ["drawn", "cut", "win_1", "win_2", "lose_1"]
    assert [ending.kind for ending in endings[1:]] == [Outcome.LOSE, Outcome.WIN, Outcome.WIN, Outcome.LOSE]
    up, let_go = endings[0].finale
    assert (up.id, up.ending, up.kind, up.risk) == ("up", "full", Outcome.LOSE, Risk.HIGH)
    assert (let_go.id, let_go.ending, let_go.kind) == ("2", "empty", Outcome.WIN)
    texts = compiled.texts["en"]
    assert texts.entries["ending.full"] == "A bucket.\n\nOf water."
    assert texts.entries["finale.drawn"] == "It moves."
    assert texts.entries["finale.drawn.up.label"] == "Pull"
    assert texts.lists["finale.drawn.up.also"] == ("haul",)


FAULTS = {
    "no kind": ("  - »{id: a, when: rope > 8}", "missing-field: Add `kind:` with one of win, lose."),
    "wrong kind": ("  - {id: a, when: rope > 8, kind: »won}", "not-one-of: Write `win`."),
    "condition": ("  - {id: a, when: »rop > 8, kind: win}", "bad-condition: Write `rope`."),
    "twice": (
        "  - {id: a, when: rope > 8, kind: win}\n  - {id: »a, when: rope < 1, kind: win}",
        "duplicate-id: Give this one another id.",
    ),
    "empty finale": (
        "  - {id: a, when: rope > 8, kind: win, finale: »[]}",
        "bad-length: Add choices.",
    ),
    "route without ending": (
        "  - {id: a, when: rope > 8, kind: win, finale: [»{label: x}]}",
        "missing-field: Add `ending:` with an id of ASCII letters, digits, _ and -.",
    ),
    "route twice": (
        "  - {id: b, when: rope > 8, kind: win, finale: [{id: q, label: x, ending: a},"
        " {id: »q, label: y, ending: a}]}",
        "duplicate-id: Give this one another id.",
    ),
    "called like a condition": (
        "  - {id: »win_1, when: rope > 8, kind: win}\nwin_conditions: ['rope > 5']",
        "duplicate-id: Give this ending another id.",
    ),
}


@pytest.mark.parametrize(("lines", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_mistake_in_an_ending_is_told_and_its_text_is_not_unknown_besides(lines: str, fault: str) -> None:
    heading = "win_1" if "win_1" in lines else "a"
    check_fault(fault, f"{GAME}endings:\n{lines}\n", {"endings.md": f"## {heading}\nTold.\n"})


def test_misspelt_endings_are_told_alone() -> None:
    game = f"{GAME}»endigns:\n  - {{id: a, when: rope > 8, kind: win}}\n"
    check_fault("unknown-field: Write `endings`.", game, {"endings.md": "## a\nTold.\n"})


def test_conditions_that_are_no_list_are_told_alone() -> None:
    game = f"{GAME}win_conditions: »rope > 8\n"
    check_fault("wrong-type: Write it as a list: [rope > 8].", game, {"endings.md": "## win_1\nTold.\n"})


TWO = f"""{GAME}endings:
  - {{id: drowned, when: rope > 8, kind: win}}
  - {{id: »lost, when: rope < 1, kind: lose}}
"""


def test_an_ending_without_a_passage_is_told() -> None:
    missing = "missing-text: Add `## lost` to endings.md, with a text below it."
    check_fault(missing, TWO, {"endings.md": "## drowned\nTold.\n"})
    check_fault(missing, TWO, {"endings.md": "## drowned\nTold.\n## lost\n\n"})


def test_endings_without_a_file_are_told_together() -> None:
    game = TWO.replace("»", "").replace("drowned", "»drowned")
    check_fault(
        "missing-text: Add endings.md with a heading `## drowned`, its text below it, and so on.", game
    )


def test_a_misspelt_heading_is_told_once() -> None:
    game = TWO.replace("»", "")
    files = {"endings.md": "## drowned\nTold.\n## »lots\nTold.\n"}
    check_fault("unknown-text: Write `lost`.", game, files)


def test_a_passage_of_no_ending_is_told() -> None:
    files = {"endings.md": "## drowned\nTold.\n## lost\nTold.\n## »something\nTold.\n"}
    check_fault("unknown-text: The endings here are: drowned, lost.", TWO.replace("»", ""), files)


def test_a_passage_told_twice_is_told() -> None:
    files = {"endings.md": "## drowned\nTold.\n## lost\nTold.\n## »lost\nTold.\n"}
    check_fault("duplicate-id: Delete this one or the one on line 3.", TWO.replace("»", ""), files)


def test_passages_that_could_not_be_read_are_not_missing_besides() -> None:
    compiled = compile_game(TWO.replace("»", ""), {"endings.md": b"## drowned\n\xff\n"})
    assert told(compiled) == ["endings.md:2:1 not-utf8: Save the file as UTF-8."]


def test_only_headings_of_the_second_order_part_a_file() -> None:
    fault_list = FaultList()
    sections = read_sections("e.md", "# one\n## a \nA\n### b\n##c\n## d", fault_list)
    assert {name: passage.text for name, passage in sections.items()} == {"a": "A\n### b\n##c", "d": ""}
    assert str(sections["d"].place) == "e.md:6:4"
    assert fault_list.faults() == ()
