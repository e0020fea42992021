"""The view: the room as each viewer sees it."""

import asyncio
import json
from dataclasses import replace

import pytest

from talewright.chronicle.records import Accepted, Commit
from talewright.chronicle.store import CampaignStatus, ChronicleDamage
from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.kernel.game import ChanceRules, FateKind
from talewright.kernel.judging.rulings import Decision, Option
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import begin
from talewright.kernel.state.state_migration import MIGRATION_REASON
from talewright.play.campaign_view import (
    CardView,
    ChangeView,
    ChoiceView,
    DecisionView,
    EndView,
    StatusView,
    View,
    Viewer,
)
from talewright.play.presentation.campaign_notices import notice, tell_dead_end, tell_folder
from talewright.play.presentation.card_wording import show_cards, show_status
from talewright.play.presentation.choice_wording import fixed_choices
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import Circumstances, make_view, show_turn, tell_input
from talewright.play.wire.view_codec import to_wire
from talewright.turn.background.background_troubles import BackgroundTroubles
from talewright.turn.game_editions import Adoption
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, GoOn, Input, Opening, Say, to_json
from talewright.turn.records.commit_body import MODEL, GameEnd, OfferedChoice, TurnBody
from talewright.turn.steps.recalling import recall
from tests.play.making import make_edition, make_lobby
from tests.play.presentation.test_card_wording import put
from tests.play.scenes import WORDS, room, room_game
from tests.play.tellers import cards, teller

GAME = room_game()
EN = Wording(room().texts["en"], "en")


def see(viewer: Viewer = Viewer.PLAYER, language: str = "en", *choices: str) -> View:
    """The room after some choices."""

    async def main() -> View:
        session = await make_lobby(room(), language=language).begin("test")
        for choice in choices:
            await session.choose(choice)
        view = await replace(session, role=viewer).view()
        await session.close()
        return view

    return asyncio.run(main())


def test_the_first_view() -> None:
    view = see()
    assert (view.campaign, view.game, view.title, view.language) == ("test-1", "test", "The Room", "en")
    assert (view.viewer, view.branch, view.version) == (Viewer.PLAYER, "main", 1)
    assert view.turn is not None
    assert view.turn.narration == "You wake.\n\nA room with a door."
    assert view.choices == (
        ChoiceView("wait", "Wait"),
        ChoiceView("fight", "Fight", "It may hurt."),
        ChoiceView("take", "Take the rope"),
    )
    assert view.status == (
        StatusView("Life", "30/100", "", False, 30, 0, 100, "hp"),
        StatusView("Time", "Day 1 22:50", variable="time", hour=22 + 50 / 60),
        StatusView("Lian", "5", critical=True, variable="ties.lian"),
    )
    assert [card.variable for card in view.cards] == [
        "place",
        "time",
        "bag",
        "ties",
        "lit",
        "weight",
        "notes",
    ]
    assert (view.branches, view.marks, view.notices, view.unfinished) == (("main",), (), (), "")
    assert (view.end, view.decisions, view.read_only, view.free_text) == (None, (), False, False)


def test_what_a_turn_has_changed_is_marked() -> None:
    view = see(Viewer.PLAYER, "en", "fight", "take")
    assert view.status[0] == StatusView("Life", "20/100", "", True, 20, 0, 100, "hp")
    cards = {card.variable: card for card in view.cards}
    assert cards["bag"] == CardView("bag", "Bag", "list", ("coin", "a rope"), "", "+a rope")
    assert cards["place"].lines == ("The dock",)
    assert cards["place"].delta == ""
    assert view.turn is not None
    assert view.turn.said == "Take the rope"
    assert view.turn.changes == (ChangeView("bag", "Bag + a rope", "+ a rope"),)
    hurt = see(Viewer.PLAYER, "en", "fight")
    assert hurt.status[0].delta == "-10"
    assert hurt.turn is not None
    assert hurt.turn.events == ("That hurt.",)
    assert hurt.turn.changes[0].text == "Health 30 -> 20 (a punch)"
    assert hurt.turn.rolls[0].text.endswith(", 7 or more needed: failure")


def test_hidden_things_are_for_the_master_and_secret_ones_for_the_author() -> None:
    names = {viewer: [card.variable for card in see(viewer).cards] for viewer in Viewer}
    assert set(names[Viewer.MASTER]) - set(names[Viewer.PLAYER]) == {"plan"}
    assert set(names[Viewer.AUTHOR]) - set(names[Viewer.MASTER]) == {"code"}
    assert names[Viewer.OPERATOR] == names[Viewer.AUTHOR]
    ties = {viewer: next(c.lines for c in see(viewer).cards if c.variable == "ties") for viewer in Viewer}
    assert ties[Viewer.PLAYER] == ("Lian: 5",)
    assert ties[Viewer.MASTER] == ("Lian: 5", "spy: 9")


def test_no_digest_and_no_secret_is_in_a_view() -> None:
    sent = json.dumps(to_wire(see(Viewer.PLAYER, "en", "wait", "fight")))
    assert "1234" not in sent
    assert "to stay" not in sent
    for secret in ("s" * 32, room().digest):
        assert f'"{secret}"' not in sent


def test_the_view_speaks_chinese() -> None:
    view = see(Viewer.PLAYER, "zh-CN", "fight")
    assert view.title == "中The Room"
    assert view.status[0].label == "中Life"
    assert view.turn is not None
    assert view.turn.changes[0].text == "中Health 30 -> 20（中a punch）"
    assert {card.variable: card.lines for card in view.cards}["lit"] == ("否",)


def test_the_end_is_shown() -> None:
    view = see(Viewer.PLAYER, "en", "fight", "fight", "fight")
    assert view.end == EndView("dead", "lose")
    assert view.choices == ()
    assert view.status[0].critical


@pytest.mark.parametrize(
    ("document", "name", "lines"),
    [
        ({"bag": []}, "bag", ("none",)),
        ({"notes": {}}, "notes", ("none",)),
        ({"notes": {"a": "b"}}, "notes", ("a: b",)),
        ({"weight": 2.25}, "weight", ("2.25",)),
        ({"time": {"day": 2, "hour": 0, "minute": 7}}, "time", ("Day 2", "00:07")),
    ],
)
def test_cards_are_lines(document: dict[str, Json], name: str, lines: tuple[str, ...]) -> None:
    shown = show_cards(GAME, {**GAME.initial, **document}, (), EN, Viewer.PLAYER)
    assert {card.variable: card.lines for card in shown}[name] == lines


def test_a_bar_has_bounds_and_a_description() -> None:
    game = replace(GAME, cards=tuple(replace(card, visible=True) for card in GAME.cards))
    card = next(c for c in show_cards(game, game.initial, (), EN, Viewer.PLAYER) if c.variable == "hp")
    assert card == CardView("hp", "Health", "bar", ("30/100",), "How long you last.", "", 30, 0, 100)


def test_what_the_document_lacks_is_left_out() -> None:
    assert show_cards(GAME, {}, (), EN, Viewer.PLAYER) == ()
    assert show_status(GAME, {}, (), EN, Viewer.PLAYER) == ()
    meter = show_status(GAME, {**GAME.initial, "hp": None}, (), EN, Viewer.PLAYER)[0]
    assert (meter.text, meter.value, meter.critical) == ("none", None, False)


BODY = TurnBody(
    choices=(OfferedChoice("a", "Act\nnow"),),
    decisions=(Decision("d", "Sure?", (Option("y", "Yes"),), ("odds",), True),),
    end=GameEnd("dead", "lose"),
)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Say("go\x1b on"), "go on"),
        (Choose("a"), "Act now"),
        (Choose("gone"), "gone"),
        (AnswerDecision("d", "y"), "Yes"),
        (AnswerDecision("d", "y", "because"), "Yes: because"),
        (AnswerDecision("x", "z"), "z"),
        (GoOn(), "(continue)"),
        (Opening(), "(the opening)"),
    ],
)
def test_inputs_are_told_in_the_players_words(given: Input, words: str) -> None:
    assert tell_input(to_json(given), BODY, "en") == words


def test_what_is_no_input_is_told_as_nothing() -> None:
    assert tell_input("?", BODY, "en") == ""


def test_decisions_unfinished_inputs_and_fixed_choices() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test")
        recalled = await recall(session.seat.road, "main")
        waiting = tuple(
            Accepted(f"op{at}", branch, base, to_json(Say(text)), "now")
            for at, (branch, base, text) in enumerate(
                [("main", "old", "stale"), ("other", recalled.head.id, "x"), ("main", recalled.head.id, "hm")]
            )
        )
        outlook = CampaignStatus("main", recalled.head.id, 1, waiting)
        around = Circumstances(campaign="c", branch="main", has_teller=True, untold=True, marks=("m\x1b",))
        view = make_view(
            replace(recalled, body=BODY), outlook, around, Viewer.PLAYER, "en", BackgroundTroubles()
        )
        assert view.decisions == (DecisionView("d", "Sure?", ("odds",), (("y", "Yes"),), True),)
        assert view.unfinished == "hm"
        # What the author wrote can still be told by the scenes; what the storyteller offered cannot.
        assert view.choices[-3:] == fixed_choices("en")
        assert [choice.id for choice in view.choices[-3:]] == ["retry", "rollback", "quit"]
        authored = [offer.id for offer in BODY.choices if offer.source != MODEL]
        assert [choice.id for choice in view.choices[:-3]] == authored
        assert (view.marks, view.free_text) == (("m",), True)
        await session.close()

    asyncio.run(main())


def _notices(
    body: TurnBody | None = None,
    adoption: Adoption | None = None,
    damage: ChronicleDamage | None = None,
    missing: bool = False,
    viewer: Viewer = Viewer.PLAYER,
    faults: tuple[Fault, ...] = (),
) -> tuple[str, ...]:
    folder = tell_folder(missing, faults, EN, viewer)
    return notice(GAME, body or TurnBody(), adoption, damage, folder, EN, viewer)


def test_damage_and_a_missing_folder_are_told() -> None:
    told = _notices(damage=ChronicleDamage("chronicle.jsonl, byte 12", "CNRY", "c1"), missing=True)
    assert "(chronicle.jsonl, byte 12)" in told[0]
    assert "CNRY" not in told[0]
    assert told[1].startswith("The folder of this game cannot be found")


def test_events_stand_at_the_same_place_in_what_is_safe_to_show() -> None:
    commit = Commit("c", "p", "main", 1, "op", "now", "g", "s", {})
    body = TurnBody(narration="A\x1bB.\n\nC", events_at=4)
    turn = show_turn(commit, body, GAME, EN, Viewer.PLAYER)
    assert (turn.narration, turn.split_narration()) == ("AB.\n\nC", ("AB.", "\n\nC"))
    assert show_turn(commit, replace(body, events_at=None), GAME, EN, Viewer.PLAYER).events_at is None


def test_where_nothing_is_left_to_choose_a_player_is_told_so() -> None:
    (told,) = tell_dead_end(TurnBody(), 3, EN)
    assert told.startswith("No scene is open after turn 3, so the story stops here. Go back a turn")
    for body in (
        TurnBody(choices=(OfferedChoice("a", "A"),)),
        TurnBody(decisions=(Decision("d", "Well?", ()),)),
        TurnBody(end=GameEnd("won", "win")),
    ):
        assert tell_dead_end(body, 3, EN) == ()
    assert tell_dead_end(TurnBody(), 0, EN) == ()


def test_mistakes_in_a_folder_are_told_by_their_place() -> None:
    typo = Fault("unknown-field", "there is no field `labl`", SourcePlace("scenes/road.yaml", 12, 5))
    (one,) = _notices(faults=(typo,))
    assert one == (
        "The folder of this game has a mistake in scenes/road.yaml:12:5. "
        "Until it is fixed, the campaign continues with its own copy of the game."
    )
    (more,) = _notices(faults=(typo, typo), viewer=Viewer.AUTHOR)
    assert more == (
        "The folder of this game has 2 mistakes, the first in scenes/road.yaml:12:5: there is no field "
        "`labl`. Until they are fixed, the campaign continues with its own copy of the game."
    )
    assert _notices() == ()


def _refit(change: Change) -> Change:
    return replace(change, reason=MIGRATION_REASON, cause="engine")


def test_an_adoption_names_only_what_the_player_may_see() -> None:
    changes = tuple(
        map(
            _refit,
            (
                put("/bag", ABSENT, []),
                put("/plan", ABSENT, "x"),
                put("/gone_secret", 1, ABSENT),
                put("/ties/lian", ABSENT, 1),
            ),
        )
    )
    state = begin(GAME).state
    told = _notices(adoption=Adoption(room(), state, changes))
    assert told == (
        "The game has a new version. Your next turn will use it: "
        "new: Bag, Ties: Lian, some content was removed, changes behind the scenes.",
    )
    adopted = TurnBody(adopted={"from": "x"}, changes=(*changes[:1], put("/hp", 1, 2)))
    assert _notices(adopted) == ("The game has a new version, and this campaign now uses it: new: Bag.",)
    assert _notices(TurnBody(adopted={"from": "x"}))[0].endswith(": changed wording.")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("the contract is now 'patch'", True),
        ("hp is a whole number, not 'x'", True),
        ("plan is a whole number, not 'CNRY'", False),
        ("ties is a list, not {'spy': 'CNRY'}", False),
        ("the scene 'CNRY', in which the campaign stands, is gone", False),
        ("..", False),
    ],
)
def test_a_refused_adoption_says_why_where_the_player_may_know(reason: str, told: bool) -> None:
    refused = Adoption(None, begin(GAME).state, refused=reason)
    (words,) = _notices(adoption=refused)
    assert words.startswith("The game has a new version that does not fit")
    assert (f"Reason: {reason}." in words) is told
    assert reason in _notices(adoption=refused, viewer=Viewer.AUTHOR)[0]


def test_whether_the_same_turn_may_come_out_otherwise() -> None:
    async def main() -> list[bool]:
        seen = []
        for game in (room_game(), replace(room_game(), chance=ChanceRules(FateKind.FRESH))):
            session = await make_lobby(make_edition(game, WORDS), language="en").begin("test")
            for choice in ("wait", "fight"):
                await session.choose(choice)
                seen.append((await session.view()).may_differ)
            await session.close()
        session = await make_lobby(room(), language="en", teller=teller(cards("You wake."))).begin("test")
        seen.append((await session.view()).may_differ)
        await session.close()
        return seen

    # Only dice that fall anew, or a storyteller, make a difference.
    assert asyncio.run(main()) == [False, False, False, True, True]
