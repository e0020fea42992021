"""A visit: which campaign is meant, what is said at the door, and how a player leaves."""

import asyncio
import os
import signal
from dataclasses import replace

import pytest

from talewright.errors import TalewrightError
from talewright.faces.plain.app import FAILED, PlainStartRequest, run_plain_face
from talewright.faces.plain.plain_words import words_for
from talewright.play.lobby import CampaignInfo, GameInfo
from tests.faces.plain.fakes import VIEW, FakeLobby, FakeSession
from tests.faces.plain.tables import Table

ENGLISH = words_for("en")
CHINESE = words_for("zh-CN")

OLD = CampaignInfo("mist-1", "mist", "Mist Harbor", "en", "2026-11-15T05:07:25.123Z")
BROKEN = replace(OLD, name="mist-2", damaged=True)
OTHER = replace(OLD, name="road-1", game="road", title="Lantern Road")
WISHES = PlainStartRequest(place="/saves")


def come(lobby: FakeLobby, wishes: PlainStartRequest, *typed: str) -> list[str]:
    """Visit; what was shown."""
    table = Table(*typed)
    assert asyncio.run(run_plain_face(lobby, wishes, table)) == 0
    return table.blocks


def test_a_game_is_begun_and_left() -> None:
    lobby = FakeLobby()
    shown = come(lobby, replace(WISHES, game="mist"))
    assert lobby.calls == [("begin", "mist", "en", "")]
    assert shown[0] == "Mist Harbor"
    assert shown[-1] == (
        "Your story is saved as mist-1 in /saves.\nTo continue: talewright play --campaign mist-1"
    )
    assert lobby.session.closed


@pytest.mark.parametrize(
    ("language", "locale", "taken"),
    [("en", "", "en"), ("zh", "en-US", "zh-CN"), ("", "en-US", "en"), ("", "fr-FR", "en"), ("", "", "en")],
)
def test_the_language_of_a_new_campaign(language: str, locale: str, taken: str) -> None:
    lobby = FakeLobby()
    come(lobby, replace(WISHES, game="mist", language=language, locale=locale))
    assert lobby.calls == [("begin", "mist", taken, "")]


def test_a_language_the_game_is_not_told_in() -> None:
    with pytest.raises(TalewrightError, match="not available in 'fr'") as error:
        come(FakeLobby(), replace(WISHES, game="mist", language="fr"))
    assert error.value.hint == "It is available in zh-CN, en."


def test_a_game_that_was_begun_goes_on() -> None:
    lobby = FakeLobby(saved=(OTHER, BROKEN, OLD))
    shown = come(lobby, replace(WISHES, game="mist"))
    assert lobby.calls == [("open", "mist-1")]
    assert shown[:2] == [
        "Continuing mist-1. To start a new campaign: talewright play mist --new",
        "Mist Harbor",
    ]


def test_a_game_can_be_begun_anew_and_named() -> None:
    lobby = FakeLobby(saved=(OLD,))
    come(lobby, replace(WISHES, game="mist", new=True))
    come(lobby, replace(WISHES, game="mist", campaign="second"))
    come(lobby, replace(WISHES, game="mist", campaign="third", new=True))
    assert lobby.calls == [
        ("begin", "mist", "en", ""),
        ("begin", "mist", "en", "second"),
        ("begin", "mist", "en", "third"),
    ]


def test_a_campaign_is_opened_by_name() -> None:
    lobby = FakeLobby(saved=(OTHER, OLD))
    assert come(lobby, replace(WISHES, campaign="mist-1"))[0] == "Mist Harbor"
    assert lobby.calls == [("open", "mist-1")]


@pytest.mark.parametrize(
    ("wishes", "message", "hint"),
    [
        (PlainStartRequest(campaign="mist1"), "there is no campaign 'mist1'", "Did you mean mist-1?"),
        (
            PlainStartRequest(campaign="zzz"),
            "there is no campaign 'zzz'",
            "Run `talewright play` alone to list the campaigns.",
        ),
        (
            PlainStartRequest(campaign="road-1", game="mist"),
            "the campaign 'road-1' belongs to the game road, not to mist",
            "Choose another name for the new campaign, or leave out the game.",
        ),
        (
            PlainStartRequest(campaign="mist-1", game="mist", new=True),
            "a campaign named 'mist-1' already exists",
            "Choose another name.",
        ),
    ],
)
def test_a_campaign_that_cannot_be_meant(wishes: PlainStartRequest, message: str, hint: str) -> None:
    with pytest.raises(TalewrightError) as error:
        come(FakeLobby(saved=(OLD, OTHER)), wishes)
    assert (error.value.message, error.value.hint) == (message, hint)


MENU = [
    "Your campaigns:\n1. Mist Harbor, mist-1 (last played 2026-11-15 05:07)\n"
    "2. Mist Harbor, mist-2 (last played 2026-11-15 05:07), damaged",
    "New games:\n3. Mist Harbor (mist; zh-CN, en)",
    "Type a number. /quit exits.",
]


def test_the_menu_offers_what_there_is() -> None:
    lobby = FakeLobby(saved=(OLD, BROKEN))
    shown = come(lobby, WISHES, "hello", "4", "3")
    assert shown[:5] == [*MENU, "Type a number. /quit exits.", "There is no choice 4; the last one is 3."]
    come(lobby, WISHES, "1")
    assert come(lobby, WISHES, "/quit") == MENU
    assert come(lobby, WISHES) == MENU
    assert lobby.calls == [("begin", "mist", "en", ""), ("open", "mist-1")]


def test_the_menu_without_campaigns_or_games() -> None:
    assert come(FakeLobby(), WISHES)[0].startswith("New games:\n1. ")
    with pytest.raises(TalewrightError, match="No games found"):
        come(FakeLobby(infos=()), WISHES)
    assert come(FakeLobby(infos=(), saved=(OLD,)), WISHES)[1] == MENU[2]


def test_the_face_speaks_the_language_of_the_campaign() -> None:
    lobby = FakeLobby(session=FakeSession([replace(VIEW, language="zh-CN")]))
    shown = come(lobby, replace(WISHES, game="mist"))
    assert shown[-2] == CHINESE.opening


def test_an_unknown_game_is_begun_with_the_language_as_it_was_said() -> None:
    lobby = FakeLobby(infos=(GameInfo("other", "Other", ("en",)),))
    come(lobby, replace(WISHES, game="mist", language="en"))
    assert lobby.calls == [("begin", "mist", "en", "")]


def test_what_should_not_happen_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for debug in (False, True):
        lobby, table = FakeLobby(), Table("bug")
        wishes = replace(WISHES, game="mist", debug=debug)
        assert asyncio.run(run_plain_face(lobby, wishes, table)) == FAILED
        assert table.blocks[-1] == (
            f"Something went wrong: ZeroDivisionError: by a dragon\n{ENGLISH.wrong_hint}"
        )
        assert lobby.session.closed
        assert ("Traceback" in capsys.readouterr().err) is debug


def refuse_handler(loop: object, number: int, react: object) -> None:
    """What the loops of Windows say."""
    raise NotImplementedError


@pytest.mark.parametrize("windows", [False, True])
def test_ctrl_c_at_the_prompt_leaves_and_says_where_the_story_is(
    windows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if windows:
        monkeypatch.setattr(asyncio.SelectorEventLoop, "add_signal_handler", refuse_handler)
    before = signal.getsignal(signal.SIGINT)
    reading, writing = os.pipe()

    async def run(table: Table) -> int:
        visiting = asyncio.create_task(run_plain_face(FakeLobby(), replace(WISHES, game="mist"), table))
        while ENGLISH.opening not in table.out.getvalue():
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGINT)
        return await visiting

    with open(reading, encoding="utf-8") as source:
        table = Table(source=source)
        assert asyncio.run(run(table)) == 0
    os.close(writing)
    assert table.blocks[-1].startswith("Your story is saved as mist-1")
    try:
        # What is pressed later interrupts the program as usual.
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
