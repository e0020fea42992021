"""Screens: what the player reads, word by word, in both languages."""

from dataclasses import replace

import pytest

from talewright.faces.plain import view_text
from talewright.faces.plain.command_parser import LookCommand, NumberedOffer
from talewright.faces.plain.plain_words import PlainWords, words_for
from talewright.play.campaign_past import Provenance
from talewright.play.campaign_view import ChanceView, ChoiceView, EndView, PanelView, PartKind, PartView, View
from talewright.play.session_inputs import AnswerDecision, Choose, GoOn
from tests.faces.plain.fakes import DECISION, TURN, VIEW

ENGLISH = words_for("en")
CHINESE = words_for("zh-CN")

HELP = {
    "en": """\
1, 2, 3 …: take that choice
anything else: say it or do it, in your own words
/look: show the current turn again
/cards: show all your stats
/why NAME: what changed a value, and why
/history 5: the last five turns
/go: continue without typing anything
/undo 1: undo one or more turns
/retry: play the last turn again; add words to say those instead
/save NAME: save this place under a name
/load NAME: return to a saved place
/language: the language of the interface
/quit: quit; everything is saved
A choice without a risk label has low risk.""",
    "zh-CN": """\
1、2、3……：选那一项
别的话：用自己的话说或做
/look：再看一遍当前回合
/cards：你知道的所有状态
/why 名字：一个值怎么变的，为什么
/history 5：最近五个回合
/go：不输入，让故事继续
/undo 1：撤销一个或几个回合
/retry：重玩上一回合；后面可以加上别的话
/save 名字：给此处起名保存
/load 名字：回到保存的位置
/language：界面语言
/quit：退出，一切都已保存
没有标明风险的选项，风险较小。""",
}


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=lambda words: words.language)
def test_help(words: PlainWords) -> None:
    assert view_text.show_help(VIEW, words) == HELP[words.language].split("\n")


CARDS = {
    "en": [
        ["Suspicion: 30/100 (+10)", "  How many eyes."],
        ["Trust: 4 (-10 to 10)"],
        ["Pockets (+knife)", "  - watch", "  - knife", "  What you carry."],
        ["Known: He went down."],
        ["Skills", "  - climb 40%"],
    ],
    "zh-CN": [
        ["Suspicion：30/100（+10）", "  How many eyes."],
        ["Trust：4（-10 至 10）"],
        ["Pockets（+knife）", "  - watch", "  - knife", "  What you carry."],
        ["Known：He went down."],
        ["Skills", "  - climb 40%"],
    ],
}


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=lambda words: words.language)
def test_cards(words: PlainWords) -> None:
    assert view_text.show_cards(VIEW, words) == CARDS[words.language]
    assert view_text.show_cards(replace(VIEW, cards=(), panels=()), words) == [[words.no_cards]]


def test_whose_turn_it_is_comes_first() -> None:
    order = PartView(PartKind.TURN_ORDER, "Order", ("> You",), rows=(("You", ""),), current=0)
    panels = (PanelView("a", "Sheet", ("HP: 3",)), PanelView("b", "Fight", ("Order: > You",), (order,)))
    shown = view_text.show_cards(replace(VIEW, panels=panels), ENGLISH)
    assert [block[0] for block in shown][:2] == ["Fight", "Suspicion: 30/100 (+10)"]
    assert shown[-1][0] == "Sheet"
    assert view_text.show_urgent(replace(VIEW, panels=panels), ENGLISH) == ["Fight: > You"]


def test_a_label_of_several_lines_is_told_once() -> None:
    panel = PanelView("spiral", "Day 1", ("Resist: 2/2", "Tags", "  + strong back", "  + counts everything"))
    assert view_text.show_cards(replace(VIEW, cards=(), panels=(panel,)), ENGLISH) == [
        ["Day 1", "  - Resist: 2/2", "  - Tags", "    + strong back", "    + counts everything"]
    ]


def test_dice_that_fell_before_the_telling_stand_before_it() -> None:
    late = replace(TURN, rolls=(TURN.rolls[0], replace(TURN.rolls[0], text="d6 (1) = 1", late=True)))
    dice, told, rest = view_text.show_past(late, ENGLISH)[1:]
    assert dice == view_text.show_dice(late, ENGLISH) == ["Dice: 2d6 (3, 4) = 7: success"]
    assert told == [TURN.narration]
    assert rest[:2] == ["Dice: d6 (1) = 1", "Somebody follows you."]


def test_a_check_says_how_likely_it_was() -> None:
    chances = ChanceView((1, 2), (0.5, 0.5), ("fail", "success"), 0.5, "50% chance of success")
    roll = replace(TURN.rolls[0], chances=chances)
    assert view_text.show_roll(roll, ENGLISH) == "Dice: 2d6 (3, 4) = 7: success (50% chance of success)"
    assert view_text.show_roll(roll, CHINESE) == "掷骰：2d6 (3, 4) = 7: success（50% chance of success）"


def test_happenings_are_sentences() -> None:
    assert view_text.show_happenings(TURN, ENGLISH) == [
        "Somebody follows you.",
        "Changed: Suspicion 20 to 30 (seen at the plant); Known + He went down",
    ]
    assert view_text.show_happenings(TURN, CHINESE) == [
        "Somebody follows you.",
        "变化：Suspicion 20 变为 30 (seen at the plant)；Known + He went down",
    ]


def test_the_status_is_one_line() -> None:
    assert view_text.show_status(VIEW.status, ENGLISH) == [
        "Now: Life 80/100 (-5); Energy 10/100, critical; At the pier"
    ]
    assert view_text.show_status(VIEW.status, CHINESE) == [
        "现状：Life 80/100（-5）；Energy 10/100，告急；At the pier"
    ]
    assert view_text.show_status((), ENGLISH) == []


def test_choices_are_numbered_with_hint_and_risk_in_words() -> None:
    assert view_text.show_offers(view_text.make_offers(VIEW, ENGLISH)) == [
        "1. Go in (It is dark. Some risk.)",
        "2. Wait",
        "3. Jump (High risk.)",
    ]
    hit = replace(VIEW, choices=(ChoiceView("hit", "Hit it", "7 of 7 hit points", "medium"),))
    assert view_text.show_offers(view_text.make_offers(hit, ENGLISH)) == [
        "1. Hit it (7 of 7 hit points. Some risk.)"
    ]
    assert view_text.show_offers(view_text.make_offers(hit, CHINESE)) == [
        "1. Hit it（7 of 7 hit points。有些风险。）"
    ]
    assert view_text.show_offers(view_text.make_offers(VIEW, CHINESE)) == [
        "1. Go in（It is dark.有些风险。）",
        "2. Wait",
        "3. Jump（风险很大。）",
    ]


def test_a_decision_comes_before_the_choices() -> None:
    view = replace(VIEW, decisions=(replace(DECISION, takes_note=True),))
    assert view_text.make_offers(view, ENGLISH) == (
        NumberedOffer("Roll", AnswerDecision("check", "yes"), takes_note=True),
        NumberedOffer("Let it be", AnswerDecision("check", "no"), takes_note=True),
    )
    assert view_text.make_offers(view, ENGLISH, degraded=True)[1] == NumberedOffer("Wait", Choose("wait"))


@pytest.mark.parametrize("view", [replace(VIEW, end=EndView("x", "win")), replace(VIEW, read_only=True)])
def test_where_nothing_can_be_done_nothing_is_offered(view: View) -> None:
    assert view_text.make_offers(view, ENGLISH) == ()


def test_a_turn_that_was_not_finished() -> None:
    assert view_text.offer_unfinished(ENGLISH) == (
        NumberedOffer("Continue with it", GoOn()),
        NumberedOffer("Drop it and choose again", LookCommand()),
    )
    assert [offer.text for offer in view_text.offer_unfinished(CHINESE)] == ["继续这一回合", "放弃，重新选择"]


@pytest.mark.parametrize(
    ("outcome", "told"), [("win", "The end: won."), ("lose", "The end: lost."), ("", "The end.")]
)
def test_the_end(outcome: str, told: str) -> None:
    lines = view_text.show_end(EndView("x", outcome), ENGLISH)
    assert lines == [told, "/undo undoes the last turn, /history shows past turns, /quit exits."]


def test_the_past() -> None:
    assert view_text.show_past(replace(TURN, said="", rolls=(), events=(), changes=()), ENGLISH) == [
        ["Turn 3"],
        [],
        ["She counts the coins.\n\nThe door closes."],
        [],
    ]
    assert view_text.show_past(replace(TURN, narration=""), CHINESE)[:3] == [
        ["第 3 回合", "你：Pay her"],
        ["掷骰：2d6 (3, 4) = 7: success"],
        [],
    ]


def test_the_past_tells_events_where_they_happened() -> None:
    turn = replace(TURN, said="", rolls=(), changes=(), events_at=len("She counts the coins."))
    assert view_text.show_past(turn, ENGLISH) == [
        ["Turn 3"],
        [],
        ["She counts the coins."],
        ["Somebody follows you."],
        ["The door closes."],
        [],
    ]


def test_where_a_value_comes_from() -> None:
    found = (
        Provenance(3, "Life 85 -> 80", "a rule of this world", "cold water", "jump in"),
        Provenance(2, "Life 90 -> 85 (cold)", "the storyteller", "cold"),
    )
    assert view_text.show_provenance(found, ENGLISH) == [
        [
            "Turn 3: Life 85 to 80. By a rule of this world.",
            "  Reason: cold water.",
            "  You had said: jump in",
        ],
        ["Turn 2: Life 90 to 85 (cold). By the storyteller."],
    ]
    assert view_text.show_provenance(found[:1], CHINESE) == [
        [
            "第 3 回合：Life 85 变为 80。出自a rule of this world。",
            "  原因：cold water。",
            "  当时你说：jump in",
        ]
    ]


def test_a_turn_that_a_scene_told_says_so_after_what_changed() -> None:
    told = replace(TURN, stand_in="A written scene was used for this turn.")
    assert view_text.show_happenings(told, ENGLISH) == [
        *view_text.show_happenings(TURN, ENGLISH),
        "A written scene was used for this turn.",
    ]
    assert view_text.show_changes(replace(told, changes=()), ENGLISH) == [
        "A written scene was used for this turn."
    ]
