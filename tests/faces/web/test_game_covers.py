"""Covers: a motif and colours of the game's own, numbers and colours only, and shapes that stand out."""

import random
import re
from pathlib import Path

import pytest

from talewright.bootstrap import open_game_library
from talewright.common.colors import find_contrast
from talewright.faces.web.cover_motifs import COVER_HEIGHT, COVER_WIDTH, MOTIFS
from talewright.faces.web.game_covers import CONTRAST_MIN, draw_cover
from talewright.pack.schema.cover_fields import CoverMotif
from tests.faces.web.visiting import PageVisitor, visit

SEED = 2103
COLOR = re.compile("#[0-9a-f]{6}")
PATH = re.compile(r"[MLHVQTCZmlhvqtcz0-9., -]+")


def test_every_motif_of_an_author_is_drawn() -> None:
    assert set(MOTIFS) == {str(motif) for motif in CoverMotif}
    drawn = {draw_cover("x", motif).shapes for motif in MOTIFS}
    assert len(drawn) == len(MOTIFS)


@pytest.mark.parametrize("motif", [*MOTIFS, "", "<svg onload=x>"])
def test_a_cover_holds_numbers_and_colours_only(motif: str) -> None:
    for game in ("a", "b" * 300, "雾", '"><script>', "\ud800"):
        cover = draw_cover(game, motif, ('"/><script>', "red", "url(//x)"))
        assert cover == draw_cover(game, motif)
        assert all(COLOR.fullmatch(color) for color in cover.sky)
        for shape, color in cover.shapes:
            assert COLOR.fullmatch(color)
            assert PATH.fullmatch(shape.path or "M0 0")
            assert all(abs(number) <= COVER_WIDTH + COVER_HEIGHT for number in shape.circle)


def test_what_stands_in_front_can_be_told_from_the_sky() -> None:
    pick = random.Random(SEED)
    for _ in range(2_000):
        colors = tuple(f"#{pick.randrange(1 << 24):06x}" for _ in range(3))
        if pick.random() < 0.3:
            colors = (colors[0], colors[1], colors[0])
        cover = draw_cover("x", "tavern", colors)
        ground = cover.shapes[5][1]
        assert find_contrast(ground, cover.sky[0]) >= CONTRAST_MIN, (SEED, colors)


def test_shipped_games_have_covers_of_their_own(tmp_path: Path) -> None:
    games = open_game_library(None, "en").games()
    assert len({game.motif for game in games}) == len(games)
    for game in games:
        assert draw_cover(game.id, game.motif, game.colors).sky[0] == game.colors[0]

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.get("/games")
        tops = [given["stop-color"] for given in page.find("stop", offset="0")]
        assert set(tops) == {game.colors[0] for game in games}

    visit(tmp_path, look)
