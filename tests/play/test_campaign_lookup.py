"""Which campaign is meant, and how one is begun."""

import asyncio
from dataclasses import dataclass, field
from functools import partial

import pytest

from talewright.chronicle.store import NameTakenError
from talewright.errors import TalewrightError
from talewright.play.campaign_lookup import (
    NAMES_TRIED_MAX,
    begin_game,
    find_campaign,
    number_campaign,
    take_free_name,
)
from talewright.play.lobby import CampaignInfo, GameInfo
from tests.faces.tui.fakes import FakeLobby

LAST = CampaignInfo("mist-2", "mist", "Mist", "en", "2031-01-03")
TORN = CampaignInfo("mist-3", "mist", "Mist", "en", "2031-01-04", damaged=True)
FIRST = CampaignInfo("mist-1", "mist", "Mist", "en", "2031-01-01")
ROAD = CampaignInfo("road-1", "road", "Road", "en", "2031-01-02")
ALL = (TORN, LAST, ROAD, FIRST)


@pytest.mark.parametrize(
    ("game", "campaign", "new", "found"),
    [
        # The last campaign of a game that can be played.
        ("mist", "", False, LAST),
        ("other", "", False, None),
        ("mist", "", True, None),
        ("", "road-1", False, ROAD),
        ("road", "road-1", False, ROAD),
        # Whoever names a damaged campaign means it.
        ("", "mist-3", False, TORN),
        ("mist", "fresh", False, None),
        ("mist", "fresh", True, None),
    ],
)
def test_find(game: str, campaign: str, new: bool, found: CampaignInfo | None) -> None:
    assert find_campaign(ALL, game=game, campaign=campaign, new=new) == found


@pytest.mark.parametrize(
    ("game", "campaign", "new", "message", "hint"),
    [
        ("", "mist-9", False, "there is no campaign 'mist-9'", "Did you mean mist-3?"),
        (
            "",
            "zzz",
            False,
            "there is no campaign 'zzz'",
            "Run `talewright play` alone to list the campaigns.",
        ),
        (
            "mist",
            "road-1",
            False,
            "the campaign 'road-1' belongs to the game road, not to mist",
            "Choose another name for the new campaign, or leave out the game.",
        ),
        ("road", "road-1", True, "a campaign named 'road-1' already exists", "Choose another name."),
    ],
)
def test_refusals(game: str, campaign: str, new: bool, message: str, hint: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        find_campaign(ALL, game=game, campaign=campaign, new=new)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@dataclass
class Begun:
    lobby: FakeLobby = field(
        default_factory=lambda: FakeLobby(infos=(GameInfo("mist", "Mist", ("zh-CN", "en")),))
    )

    def begin(self, game: str = "mist", campaign: str = "", language: str = "", locale: str = "") -> object:
        asyncio.run(begin_game(self.lobby, game=game, campaign=campaign, language=language, locale=locale))
        return self.lobby.calls[-1]


@pytest.mark.parametrize(
    ("language", "locale", "told"),
    [
        ("en", "zh-CN", "en"),
        ("zh", "en", "zh-CN"),
        ("", "zh-TW", "zh-CN"),
        # A terminal that says nothing, or a language the game has not: English, though it stands second.
        ("", "de-DE", "en"),
        ("", "", "en"),
    ],
)
def test_begun_in_the_language_that_is_meant(language: str, locale: str, told: str) -> None:
    assert Begun().begin(language=language, locale=locale) == ("begin", "mist", told, "")


def test_game_without_english_is_told_in_its_first_language() -> None:
    lobby = FakeLobby(infos=(GameInfo("mist", "Mist", ("zh-CN", "ja")),))
    assert Begun(lobby).begin(locale="de-DE") == ("begin", "mist", "zh-CN", "")


def test_game_that_is_not_listed_is_still_asked_for() -> None:
    assert Begun().begin("folder/game", "mine", "de") == ("begin", "folder/game", "de", "mine")


def test_language_the_game_does_not_have() -> None:
    with pytest.raises(TalewrightError) as caught:
        Begun().begin(language="de")
    assert caught.value.message == "this game is not available in 'de'"
    assert caught.value.hint == "It is available in zh-CN, en."


@pytest.mark.parametrize("free", [3, NAMES_TRIED_MAX + 2])
def test_names_that_others_take_are_passed_over(free: int) -> None:
    """`mist-1` was listed. Others are quicker with all numbers before a free one, which may be too far."""
    tried: list[str] = []

    async def make(name: str) -> str:
        tried.append(name)
        if name in {f"mist-{number}" for number in range(1, free)}:
            raise NameTakenError("taken")
        return name

    numbers = partial(number_campaign, "mist")
    made = asyncio.run(take_free_name(make, {"mist-1"}, numbers, lambda: "mist-f00d"))
    assert made == ("mist-3" if free == 3 else "mist-f00d")
    assert len(tried) == len(set(tried)) == (2 if free == 3 else NAMES_TRIED_MAX + 1)
