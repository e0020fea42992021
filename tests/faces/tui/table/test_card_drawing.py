"""One card or panel, line by line."""

from dataclasses import replace

import pytest
from rich.cells import cell_len

from talewright.faces.tui.table.card_drawing import draw_card, draw_part, sort_delta
from talewright.faces.tui.table.cards_panel import PanelBox
from talewright.play.campaign_view import CardView, PanelView, PartKind, PartView
from tests.faces.tui.samples import VIEW
from tests.faces.tui.stage import plain_lines

SUSPICION, TRUST, BAG, KNOWN, TIME = VIEW.cards
WIDTH = 28


def lines_of(card: CardView, width: int = WIDTH, *, folded: bool = False) -> list[str]:
    return plain_lines(draw_card(card, width, folded=folded))


def test_bar() -> None:
    assert lines_of(SUSPICION) == ["▾ Suspicion       30/100 ▲10", "  ━━━━━━━━──────────────────"]


def test_plain_value() -> None:
    assert lines_of(TRUST) == ["▾ Trust                    4"]


def test_new_thing_in_a_list_is_marked_where_it_stands() -> None:
    assert lines_of(BAG) == ["▾ Pockets                 +1", "  · watch", "  + knife"]


def test_lost_thing_is_told() -> None:
    lost = replace(BAG, lines=("watch", "rope"), delta="-knife")
    assert lines_of(lost) == ["▾ Pockets           ▼ -knife", "  · watch", "  · rope"]


def test_only_thing_is_not_told_twice() -> None:
    assert lines_of(KNOWN) == ["▾ Known     He went down. +1"]


def test_member_that_changed_is_marked_where_it_stands() -> None:
    assert lines_of(TIME) == ["▾ Time", "  · Day: 1", "  · Hour: 22 ▲1"]
    chinese = CardView("r", "关系", "keyvalue", ("黎安：43", "市政厅：-10"), "", "黎安 -3、分 +2")
    assert lines_of(chinese) == ["▾ 关系               ◆ 分 +2", "  · 黎安：43 ▼3", "  · 市政厅：-10"]


@pytest.mark.parametrize(
    ("delta", "told"),
    [
        ("skills: stealth +6", "◆ stealth +6"),
        ("skills: persuasion -2", "◆ persuasion -2"),
        ("skills: stealth +6, skills: persuasion -2", "◆ stealth +6, persuasion -2"),
    ],
)
def test_a_line_with_several_members_names_the_one_that_changed(delta: str, told: str) -> None:
    skills = "skills: stealth: 20, perception: 30, persuasion: 18"
    card = CardView("player", "You", "keyvalue", ("learned: 3", skills), "", f"learned +1, {delta}")
    assert lines_of(card, 100) == ["▾ You", "  · learned: 3 ▲1", f"  · {skills} {told}"]


def test_a_line_with_several_members_names_the_one_that_changed_in_chinese() -> None:
    skills = "本事：潜行：20、察看：30、说动人：18"
    card = CardView("player", "你", "keyvalue", (skills, "学会：3"), "", "本事·潜行 +6")
    assert lines_of(card, 100) == ["▾ 你", f"  · {skills} ◆ 潜行 +6", "  · 学会：3"]


def test_value_that_does_not_fit_beside_the_title_stands_below() -> None:
    long = CardView("where", "Where you are", "plain", ("The old Crow's Nest",), "", "the bar -> the nest")
    assert lines_of(long) == [
        "▾ Where you are",
        "  The old Crow's Nest",
        "  ◆ the bar → the nest",
    ]


def test_folded_card_is_one_line() -> None:
    assert lines_of(SUSPICION, folded=True) == ["▸ Suspicion       30/100 ▲10"]
    assert lines_of(BAG, folded=True) == ["▸ Pockets                 +1"]


def test_commas_in_a_new_thing_do_not_part_it() -> None:
    thing = "He went down, alone, at night"
    card = CardView("k", "Known", "list", (thing, "Other"), "", f"+{thing}, -Old")
    news = sort_delta(card)
    assert (news.new, news.other) == (frozenset({thing}), "-Old")


@pytest.mark.parametrize("width", [8, 12, 20, 40])
@pytest.mark.parametrize("card", VIEW.cards, ids=lambda card: card.format)
def test_no_line_is_too_wide(card: CardView, width: int) -> None:
    assert all(line.cell_length <= width for line in draw_card(card, width, folded=False))


@pytest.mark.parametrize(
    ("part", "drawn"),
    [
        (PartView(PartKind.METER, "Resist", ("2 of 3",), 2, 3), ["  Resist          ●●○ 2 of 3"]),
        (
            PartView(PartKind.METER, "Depth", ("20 m",), 20, 80),
            ["  Depth                 20 m", "  ━━━━━━╸───────────────────"],
        ),
        (PartView(PartKind.METER, "Luck", ("fair",)), ["  Luck", "  fair"]),
        (PartView(PartKind.CHIPS, "Tags", ("a", "b")), ["  Tags", "   a   b"]),
        (PartView(PartKind.LINES, "", ("ford", "mist")), ["  · ford", "  · mist"]),
        (PartView(PartKind.LINES, "", ("+ ford", "- mist", "· a")), ["  + ford", "  - mist", "  · a"]),
        (PartView(PartKind.LINES, "", ("+", "-5 a")), ["  · +", "  · -5 a"]),
        (PartView(PartKind.ROLLED, "Oracle", ("Yes, but",), 4, None, (4,)), ["  Oracle          ⚃ Yes, but"]),
        (PartView(PartKind.ROLLED, "Hit", ("Miss",), 17, None, (17,)), ["  Hit              [17] Miss"]),
        (PartView(PartKind.ROLLED, "", ("4",), 4, None, (4,)), ["                         ⚃ 4"]),
        (
            PartView(PartKind.ROLLED, "A label of some length", ("not in vain",), 1, None, (20,)),
            ["  A label of some length", "  [20] not in vain"],
        ),
        (PartView(PartKind.ROLLED, "Hit: 1d8", ("4",), 4, None, (4,)), ["  Hit: 1d8             [4] 4"]),
        (
            PartView(PartKind.ROLLED, "Mira, the longsword: 1d20+5", ("19",), 19, None, (14,)),
            ["  Mira, the longsword:", "  1d20+5             [14] 19"],
        ),
    ],
)
def test_parts_of_a_panel(part: PartView, drawn: list[str]) -> None:
    assert plain_lines(draw_part(part, WIDTH)) == drawn


FIGHT = PartView(
    PartKind.TABLE,
    "Fight",
    ("Name | HP", "妖精 | 7", "You | 12"),
    rows=(("Name", "HP"), ("妖精", "7"), ("You", "12")),
    has_head=True,
)
STATS = PartView(
    PartKind.TABLE,
    "",
    ("STR | 14", "DEX | 9", "CON | 12", "INT | 8", "WIS | 10"),
    rows=(("STR", "14"), ("DEX", "9"), ("CON", "12"), ("INT", "8"), ("WIS", "10")),
)
WEAPONS = PartView(
    PartKind.TABLE,
    "",
    ("old king's sword | 1d8+3 slashing",),
    rows=(("old king's sword", "1d8+3 slashing"), ("bow",)),
)
TURNS = PartView(
    PartKind.TURN_ORDER,
    "",
    ("> Mira: 9/12, prone", "Goblin: 0/7", "Fog"),
    rows=(("Mira", "prone"), ("Goblin", ""), ("Fog", "")),
    current=0,
    levels=((9, 12), (0, 7), None),
)
ORDER = PartView(PartKind.TURN_ORDER, "", ("You", "> Goblin"), rows=(("You",), ("Goblin",)), current=1)
CAVE = PartView(
    PartKind.MAP,
    "",
    ("Gate: Hall", "> Hall: Gate, Well", "Well: Hall"),
    rows=(("Gate",), ("Hall",), ("Well",)),
    current=1,
    spots=((0, 0), (1, 0), (1, 1)),
    links=((0, 1), (1, 2)),
)
TIES = PartView(PartKind.GRAPH, "", ("A -> B: trusts",), rows=(("A",), ("B",)), links=((0, 1),))


@pytest.mark.parametrize(
    ("part", "drawn"),
    [
        (FIGHT, ["  Fight", "  Name  HP", "  妖精   7", "  You   12"]),
        (STATS, ["  STR  14", "  DEX   9", "  CON  12", "  INT   8", "  WIS  10"]),
        (
            replace(STATS, rows=(*STATS.rows, ("CHA", "15"))),
            ["  STR  14    INT   8", "  DEX   9    WIS  10", "  CON  12    CHA  15"],
        ),
        (WEAPONS, ["  old king's  1d8+3 slashing", "  sword", "  bow"]),
        (ORDER, ["    You", "  ▸ Goblin"]),
        (TURNS, ["  ▸ Mira   ━━━━━━━━━─── 9/12", "    prone", "    Goblin ────────────  0/7", "    Fog"]),
        (CAVE, ["  [Gate ]─[▸Hall]", "             │", "          [Well ]"]),
        (replace(CAVE, links=((0, 2),)), ["  [Gate ] [▸Hall]", "          [Well ]", "  Gate ─ Well"]),
        (TIES, ["  A", "    → B: trusts"]),
    ],
)
def test_shapes_of_a_panel(part: PartView, drawn: list[str]) -> None:
    assert plain_lines(draw_part(part, WIDTH)) == drawn


@pytest.mark.parametrize(
    "part",
    [
        replace(FIGHT, label=""),
        ORDER,
        CAVE,
        TURNS,
        replace(TIES, words=("nobody trusts anybody",)),
        replace(TIES, links=((7, 8),)),
        replace(CAVE, links=((0, 9),)),
        replace(CAVE, rows=()),
        replace(CAVE, spots=((0, 0), (1, 0), (-1, 1))),
        replace(CAVE, spots=((0, 0), (1, 0), (10**9, 1))),
    ],
)
def test_a_shape_that_cannot_be_drawn_is_told(part: PartView) -> None:
    width = 9 if part.kind is not PartKind.MAP or part == CAVE else WIDTH
    told = "".join(line.strip(" ·") for line in plain_lines(draw_part(part, width)))
    assert told.replace(" ", "") == "".join(part.words).replace(" ", "")


def test_panel_of_words_alone_is_a_list() -> None:
    box = PanelBox(PanelView("odds", "Skills", ("climb 40%", "hide 20%")))
    assert plain_lines(box.draw(WIDTH)) == ["▾ Skills", "  · climb 40%", "  · hide 20%"]
    box.folded = True
    assert plain_lines(box.draw(WIDTH)) == ["▸ Skills"]


@pytest.mark.parametrize("width", range(12, 40))
def test_no_chinese_line_begins_with_what_closes(width: int) -> None:
    words = "她数了两遍硬币，一句话也没说。门在你身后关上了；雾从码头漫进来，「谁在那儿？」没有人回答。"
    card = CardView("known", "已知的事，还有别的", "list", (words, words), "", f"+{words}")
    panel = PanelView("p", "面板", (), (PartView(PartKind.LINES, "场景，与天气。", (words,)),))
    lines = [*lines_of(card, width), *plain_lines(PanelBox(panel).draw(width))]
    assert [line for line in lines if line.strip()[0] in "，。；？！」、"] == []
    assert all(cell_len(line) <= width for line in lines)
