"""Dials of a cover: where they stand in a shipped game, in every language, and whom they are kept from."""

from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import open_game_library
from talewright.common.json_values import Json
from talewright.kernel.story.game_cover import DIALS, PLACE, CoverDial, write_dials
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_view import CoverView, DialView, Viewer
from talewright.play.presentation.card_wording import show_cover
from talewright.play.presentation.value_wording import Wording


def show(game: str, language: str, viewer: Viewer = Viewer.PLAYER, **changed: Json) -> CoverView:
    edition = open_game_library(None, "en").edition(game)
    document = {**edition.game.initial, **changed}
    return show_cover(edition.game, document, Wording(edition.words(language), language), viewer)


def test_a_dial_follows_its_value() -> None:
    assert show("chapel_watch", "en").dials == (DialView("candle", 1.0),)
    cover = show("chapel_watch", "zh-CN", candle=7)
    assert cover.dials == (DialView("candle", 0.5),)
    assert cover.motif == "chapel"
    assert len(cover.light_theme) == len(cover.dark_theme) == 5
    assert show("goblin_road", "en", place="gate").dials[1] == DialView("cart", 0.5)


@pytest.mark.parametrize(("language", "place"), [("en", "the vestry"), ("zh-CN", "祭衣间")])
def test_the_place_is_told_in_words(language: str, place: str) -> None:
    assert show("chapel_watch", language, place="vestry").place == place


def test_a_hidden_value_moves_nothing() -> None:
    edition = open_game_library(None, "en").edition("chapel_watch")
    texts = edition.words("en")
    dials = (CoverDial("candle", ("mattock", "drowse"), 0, 5), CoverDial("candle", ("nothing",), 0, 1))
    entries = {**texts.entries, DIALS: write_dials(dials), PLACE: "account.witness"}
    wording = Wording(replace(texts, entries=entries), "en")
    cover = show_cover(edition.game, edition.game.initial, wording, Viewer.PLAYER)
    assert (cover.dials, cover.place) == ((), "")
    assert show_cover(edition.game, edition.game.initial, wording, Viewer.AUTHOR).dials


def test_a_game_without_a_cover_shows_none() -> None:
    edition = open_game_library(None, "en").edition("chapel_watch")
    wording = Wording(Texts("en"), "en")
    assert show_cover(edition.game, edition.game.initial, wording, Viewer.PLAYER) == CoverView()


def test_shipped_games_have_all_of_it(tmp_path: Path) -> None:
    for info in open_game_library(None, "en").games():
        cover = show(info.id, "en")
        assert cover.dials, info.id
        assert (cover.light_theme, cover.dark_theme) == (info.light_theme, info.dark_theme)
        assert info.endings >= 6
