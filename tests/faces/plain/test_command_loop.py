"""The face: what it shows, in which order, and what it asks of the session."""

import asyncio
from dataclasses import replace
from typing import cast

import pytest

from talewright.faces.plain.command_loop import PlainFace
from talewright.faces.plain.plain_words import words_for
from talewright.play.campaign_past import Provenance
from talewright.play.campaign_view import EndView, RollView, TurnView
from talewright.play.news import LIVE, STRIDE, AcceptedNews, DeltaNews, DiceNews, News, ResetNews
from talewright.play.session import InputResult, ResultKind
from tests.faces.plain.fakes import DECISION, OPERATION, TURN, VIEW, FakeSession, delta, elsewhere, reset
from tests.faces.plain.tables import Table

ENGLISH = words_for("en")
CHINESE = words_for("zh-CN")

FIRST = [
    "Mist Harbor",
    "Dice: 2d6 (3, 4) = 7: success",
    "She counts the coins.",
    "The door closes.",
    "Somebody follows you.\nChanged: Suspicion 20 to 30 (seen at the plant); Known + He went down",
    "Now: Life 80/100 (-5); Energy 10/100, critical; At the pier",
    "1. Go in (It is dark. Some risk.)\n2. Wait\n3. Jump (High risk.)",
    "Type a number, or say what you do in your own words. /help lists all commands.",
]
THEN = ["Elsewhere.", *FIRST[5:7]]


def play(session: FakeSession, table: Table) -> list[str]:
    """Play all that is typed; what was shown after the first screen."""
    asyncio.run(PlainFace(session, table).play())
    return table.blocks


def test_the_first_screen_in_its_order() -> None:
    assert play(FakeSession(), Table()) == FIRST


def test_words_that_were_shown_already_are_not_told_again() -> None:
    table = Table(shown="She counts the coins.\n")
    # What was read already cannot be put below its dice.
    assert play(FakeSession(), table) == [FIRST[3], f"{FIRST[1]}\n{FIRST[4]}", *FIRST[5:]]


def test_words_that_were_shown_in_error_are_told_anew() -> None:
    table = Table(shown="An old beginning.")
    assert play(FakeSession(), table) == FIRST[1:]


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("2", ("choose", "wait")),
        ("Look under the bar", ("say", "Look under the bar")),
        ("/go", ("go_on",)),
        ("/retry", ("retry", "")),
        ("/retry be kind", ("retry", "be kind")),
    ],
)
def test_a_turn_is_taken_and_shown(typed: str, call: tuple[str, ...]) -> None:
    session = FakeSession([VIEW, elsewhere("c2")])
    assert play(session, Table("", typed)) == FIRST + THEN
    assert session.calls == [call]


def test_a_turn_that_would_only_be_told_again_is_not_taken() -> None:
    session = FakeSession([replace(VIEW, free_text=False, may_differ=False)])
    shown = play(session, Table("", "/retry"))
    assert ENGLISH.same_again in " ".join(shown[len(FIRST) - 1 :]).replace("\n", " ")
    assert session.calls == []
    play(session, Table("", "/retry wait"))
    assert session.calls == [("retry", "wait")]


def test_where_only_choices_count_the_face_says_so() -> None:
    session = FakeSession([replace(VIEW, free_text=False)])
    assert play(session, Table())[-1] == ENGLISH.opening_fixed
    session = FakeSession([replace(VIEW, free_text=False, choices=())])
    assert play(session, Table())[-1] == ENGLISH.nothing_to_choose


def test_a_decision_is_a_numbered_question() -> None:
    session = FakeSession([replace(VIEW, decisions=(DECISION,)), elsewhere("c2")])
    shown = play(session, Table("I climb", "3", "1"))
    assert shown[6:8] == ["Climb the wall?\nTwo dice, 8 or more.", "1. Roll\n2. Let it be"]
    assert shown[9:11] == [
        "Answer this first, with a number from 1 to 2.",
        "There is no choice 3; the last one is 2.",
    ]
    assert session.calls == [("answer", "check", "yes", "")]


def test_a_decision_may_take_a_note() -> None:
    session = FakeSession([replace(VIEW, decisions=(replace(DECISION, takes_note=True),))])
    assert ENGLISH.own_words in play(session, Table("2", " too steep "))
    assert session.calls == [("answer", "check", "no", "too steep")]
    session.calls.clear()
    play(session, Table("2"))
    assert session.calls == []


def test_words_are_asked_for_only_where_they_are_the_answer() -> None:
    card = replace(DECISION, takes_note=True, note_with="no")
    session = FakeSession([replace(VIEW, decisions=(card,))])
    assert ENGLISH.own_words in play(session, Table("2", "too steep"))
    assert ENGLISH.own_words not in play(session, Table("1"))
    assert session.calls == [("answer", "check", "no", "too steep"), ("answer", "check", "yes", "")]


def test_a_turn_that_led_into_another_is_told_with_it() -> None:
    first = TurnView("c2", VIEW.version + 1, "yes", "It is settled.", events=("A bell rings.",))
    latest = replace(elsewhere("c3", "The story begins."), version=VIEW.version + 2)
    session = FakeSession([VIEW, latest], told=(first, cast(TurnView, latest.turn)))
    shown = play(session, Table("1"))
    at = shown.index("It is settled.")
    assert shown[at : at + 3] == ["It is settled.", "A bell rings.", "The story begins."]
    accepted = News(5, AcceptedNews(""))
    news = [accepted, delta("It is settled."), accepted, delta("The story begins.")]
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, latest], news=news), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2]
    assert told.startswith("\n\n> \nIt is settled.\n\nThe story begins.\n\nNow:")


def test_a_turn_that_was_not_spent_leaves_the_choices() -> None:
    unmatched = InputResult(ResultKind.UNSPENT, "unmatched", "No choice matches that.")
    shown = play(FakeSession(results=[unmatched]), Table("fly"))
    assert shown[len(FIRST) :] == ["No choice matches that.", FIRST[6]]


def test_a_degraded_turn_shows_three_choices() -> None:
    fixed = tuple(replace(VIEW.choices[1], id=name, label=name) for name in ("retry", "rollback", "quit"))
    untold = InputResult(ResultKind.DEGRADED, "untold", "Nobody could tell it.")
    leaving = InputResult(ResultKind.UNSPENT, "quit", "Everything is saved.")
    degraded = replace(VIEW, choices=fixed, decisions=(DECISION,))
    session = FakeSession([VIEW, degraded, elsewhere("c0"), degraded], [untold, untold, leaving])
    shown = play(session, Table("1", "2", "3", "never read"))
    assert shown[len(FIRST) :][:2] == ["Nobody could tell it.", "1. retry\n2. rollback\n3. quit"]
    assert shown[len(FIRST) + 3] == "Elsewhere."
    assert shown[-1] == "Everything is saved."
    assert [call[-1] for call in session.calls] == ["in", "rollback", "jump"]


def test_a_turn_that_came_too_late_shows_where_the_story_stands() -> None:
    moved = InputResult(ResultKind.FAILED, "moved", "Another turn came first.")
    shown = play(FakeSession([VIEW, elsewhere("c9")], [moved]), Table("1"))
    assert shown[len(FIRST) :] == ["Another turn came first.", *THEN]


def test_a_turn_that_was_not_finished_is_offered() -> None:
    session = FakeSession([replace(VIEW, unfinished="Pay her"), elsewhere("c2")])
    shown = play(session, Table("1"))
    assert shown[7:9] == [
        "You had said: Pay her. That turn was not finished.",
        "1. Continue with it\n2. Drop it and choose again",
    ]
    assert session.calls == [("go_on",)]
    session = FakeSession([replace(VIEW, unfinished="Pay her")])
    assert play(session, Table("2", "2"))[9:15] == FIRST[1:7]
    assert session.calls == [("choose", "wait")]


def test_the_end_says_what_can_be_done() -> None:
    session = FakeSession([replace(VIEW, end=EndView("won", "win")), VIEW])
    shown = play(session, Table("/undo"))
    assert shown[5] == f"The end: won.\n{ENGLISH.after_end}"
    assert session.calls == [("undo", 1)]


def test_a_campaign_that_can_only_be_read() -> None:
    view = replace(VIEW, read_only=True, notices=("The record is damaged.",), unfinished="Pay her")
    shown = play(FakeSession([view]), Table())
    assert shown[1] == "Note: The record is damaged."
    assert shown[-1] == ENGLISH.read_only


def test_going_back() -> None:
    session = FakeSession([VIEW, elsewhere("c0")])
    assert play(session, Table("/undo 2", "/undo"))[len(FIRST) :] == [
        "Back at turn 4.",
        *THEN,
        ENGLISH.at_start,
    ]
    assert session.calls == [("undo", 2), ("undo", 1)]


def test_places_are_saved_and_loaded() -> None:
    session = FakeSession([VIEW, elsewhere("c0")])
    shown = play(session, Table("/save", "/load", "/load nowhere", "/load pier"))[len(FIRST) :]
    assert shown[0] == "This place is saved as quick. /load quick returns to it."
    assert shown[1] == "Saved places: pier. /load NAME goes there."
    assert shown[2] == "No place is saved as nowhere.\nSaved places: pier. /load NAME goes there."
    assert shown[3:] == ["Back at turn 4.", *THEN]
    assert session.calls == [("mark", "quick"), ("load", "pier")]
    assert play(FakeSession([replace(VIEW, marks=())]), Table("/load"))[-1] == ENGLISH.no_saves


def test_looking_things_up() -> None:
    session = FakeSession(told=(TURN,), causes=(Provenance(3, "Life 85 -> 80", "the storyteller"),))
    shown = play(session, Table("/history 1", "/why life", "/why", "/cards", "/help", "/look"))[len(FIRST) :]
    assert shown[:3] == ["Turn 3\nYou: Pay her", *FIRST[1:3]]
    assert shown[5] == "Turn 3: Life 85 to 80. By the storyteller."
    assert shown[6] == (
        "/why NAME explains a value. Known names: Life; Energy; At; Suspicion; Trust; Pockets; Known."
    )
    assert shown[7] == "Suspicion: 30/100 (+10)\n  How many eyes."
    assert shown[-7].startswith("1, 2, 3 …: take that choice\n")
    assert shown[-6:] == FIRST[1:7]
    assert session.calls == [("history", 1), ("why", "life")]


def test_looking_up_what_is_not_there() -> None:
    bare = FakeSession([replace(VIEW, cards=(), status=())])
    shown = play(bare, Table("/history", "/why x", "/crads"))
    assert shown[-3:] == [
        "Nothing has happened yet.",
        "There is nothing here called x.\nThere are no cards yet.",
        "There is no /crads. Did you mean /cards?",
    ]


def test_the_language_of_the_face_can_be_changed() -> None:
    shown = play(FakeSession(), Table("/language", "/language fr", "/language zh", "/why"))
    again = "talewright play --campaign mist-1 --language"
    told = (
        "The interface language is English; /language en | zh-CN changes it, but not the story.\n"
        f"The story is told in English. To play it in another language the game has: {again} CODE"
    )
    assert shown[-4:-2] == [told, "The interface has these languages: en; zh-CN."]
    assert shown[-2] == (
        "界面语言是中文；/language en | zh-CN 只改界面，不改故事。\n"
        f"故事用English讲述。要换成这个游戏的另一种语言：{again} 代码"
    )
    assert shown[-1].startswith(CHINESE.why_what.partition("{")[0])


def test_an_error_is_told_with_what_to_do() -> None:
    assert play(FakeSession(), Table("error", "/save"))[-2] == "the disk is full\nMake room."


def test_quitting_reads_no_further() -> None:
    session = FakeSession()
    play(session, Table("/quit", "1"))
    assert session.calls == []


def test_a_terminal_hears_the_story_as_it_comes() -> None:
    session = FakeSession([VIEW, elsewhere("c2", "The fog. The door.")], news=[delta("The f"), delta("og.")])
    table = Table("1", terminal=True)
    play(session, table)
    told = table.out.getvalue().partition("/help lists all commands.")[2]
    assert told == f"\n\n> \nThe fog. The door.\n\n{FIRST[5]}\n\n{FIRST[6]}\n\n> \n"


def test_a_turn_of_somebody_else_is_not_heard_within_ones_own() -> None:
    heard = (("The f", OPERATION), ("Far away ", "another"), ("og.", OPERATION), ("a bell.", "another"))
    news = [News(1, AcceptedNews(""), "main", OPERATION)]
    news += [News(2, DeltaNews(text), "", operation) for text, operation in heard]
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, elsewhere("c2", "The fog. The door.")], news=news), table)
    assert "> \nThe fog. The door.\n\nNow:" in table.out.getvalue()


def test_a_notice_is_told_once() -> None:
    notices = ("The pages were not written.",)
    views = [replace(VIEW, notices=notices), replace(elsewhere("c2"), notices=(*notices, "Git is gone."))]
    shown = play(FakeSession(views), Table("1"))
    assert [sum(text in block for block in shown) for text in (*notices, "Git is gone.")] == [1, 1]


def test_what_is_void_is_told_anew() -> None:
    news = [delta("Wr"), delta("ong"), reset("Right."), delta(" More.")]
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, elsewhere("c2", "Right. More.")], news=news), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2]
    assert told.startswith("\n\n> \nWrong\n\nThe storyteller starts over.\n\nRight. More.\n\nNow:")
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, elsewhere("c2", "Right.")], news=[delta("Wr"), delta("ong")]), table)
    assert "Wrong\n\nThe storyteller starts over.\n\nRight.\n\nNow:" in table.out.getvalue()


@pytest.mark.parametrize(
    ("news", "dice_at"),
    [
        ([delta("Elsewhere.")], 0),
        ([reset("Nowhere."), reset("Elsewhere.")], 0),
        ([delta("Else"), delta("w")], 1),
    ],
)
def test_dice_stand_before_what_was_not_read_while_it_was_told(news: list[News], dice_at: int) -> None:
    then = elsewhere("c2")
    assert then.turn is not None
    then = replace(then, turn=replace(then.turn, rolls=TURN.rolls))
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, then], news=news), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2].split("\n\n")[1:3]
    told = [block.removeprefix("> \n") for block in told]
    assert told.index(FIRST[1]) == dice_at
    assert told[1 - dice_at] == "Elsewhere."


def rolled(roll: RollView, number: int = LIVE) -> News:
    return News(number, DiceNews(roll), "main", OPERATION)


@pytest.mark.parametrize(
    "after", [[], [delta("Elsewhere.")], [delta("Else"), delta("w")], [reset("No."), reset("Elsewhere.")]]
)
def test_dice_are_shown_as_they_fall_before_the_words_they_decided(after: list[News]) -> None:
    hit, hurt = RollView("d20 (14) = 14: success", 14), RollView("d6 (2) = 2", 2)
    then = elsewhere("c2")
    assert then.turn is not None
    late = RollView("d4 (1) = 1", 1, late=True)
    then = replace(then, turn=replace(then.turn, rolls=(hit, hurt, late)))
    # The commit tells only of dice that were not heard; it changes nothing here.
    news = [rolled(hit), rolled(hurt), *after, rolled(late, 2 * STRIDE + 3)]
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, then], news=news), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2]
    assert told.startswith(
        "\n\n> \nDice: d20 (14) = 14: success\nDice: d6 (2) = 2\n\nElsewhere.\n\nDice: d4 (1) = 1\n\nNow:"
    )


def test_dice_that_were_void_are_shown_again_as_they_count() -> None:
    then = elsewhere("c2")
    assert then.turn is not None
    then = replace(then, turn=replace(then.turn, rolls=TURN.rolls))
    void = News(LIVE + 1, ResetNews("", voids_rolls=True), "main", OPERATION)
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, then], news=[rolled(RollView("d6 (1) = 1", 1)), void]), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2]
    assert told.startswith(
        f"\n\n> \nDice: d6 (1) = 1\n\nThe storyteller starts over.\n\n{FIRST[1]}\n\nElsewhere.\n"
    )


def test_dice_that_fell_otherwise_than_the_turn_says_are_shown_again() -> None:
    then = elsewhere("c2")
    assert then.turn is not None
    then = replace(then, turn=replace(then.turn, rolls=TURN.rolls))
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, then], news=[rolled(RollView("d6 (1) = 1", 1))]), table)
    assert f"> \nDice: d6 (1) = 1\n{FIRST[1]}\n\nElsewhere.\n" in table.out.getvalue()


@pytest.mark.parametrize("news", [[], [delta("You cl")], [delta("You climb.")]])
def test_events_stand_before_what_has_seen_them_happen(news: list[News]) -> None:
    then = elsewhere("c2", "You climb.\n\nA tower.")
    assert then.turn is not None
    turn = replace(then.turn, events=("A bell rings.",), changes=TURN.changes[:1], events_at=10)
    table = Table("1", terminal=True)
    play(FakeSession([VIEW, replace(then, turn=turn)], news=news), table)
    told = table.out.getvalue().partition("/help lists all commands.")[2].split("\n\n")[1:5]
    assert [block.removeprefix("> \n") for block in told[:3]] == ["You climb.", "A bell rings.", "A tower."]
    assert told[3].startswith("Changed: Suspicion")


def test_what_was_heard_beyond_the_events_is_not_told_again() -> None:
    then = elsewhere("c2", "You climb.\n\nA tower.")
    assert then.turn is not None
    turn = replace(then.turn, events=("A bell rings.",), events_at=10)
    table = Table("1", terminal=True)
    news = [delta("You climb."), delta("\n\nA to"), delta("w")]
    play(FakeSession([VIEW, replace(then, turn=turn)], news=news), table)
    told = table.out.getvalue()
    assert "You climb.\n\nA tower.\n\n" in told
    assert told.count("You climb.") == told.count("A bell rings.") == 1
    assert told.index("A tower.") < told.index("A bell rings.")


def test_a_turn_can_be_stopped() -> None:
    session, table = FakeSession(hangs=True), Table("1")
    face = PlainFace(session, table)

    async def stop_soon() -> None:
        playing = asyncio.create_task(face.play())
        while not session.calls:
            await asyncio.sleep(0)
        face.interrupt()
        await playing

    asyncio.run(stop_soon())
    assert session.calls == [("choose", "in"), ("cancel",)]
    assert table.blocks[-2:] == ["Stopped.", FIRST[6]]
