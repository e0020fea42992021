"""Palettes: style sheets made of colours alone, with readable text, and addresses that name nothing else."""

import asyncio
import random
import re
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from talewright.bootstrap import open_game_library
from talewright.common.colors import AA_CONTRAST, find_contrast
from talewright.faces.web.palettes import PALETTES_MAX, palettes_path, read_game_palette, send_palettes
from tests.faces.web.visiting import PageVisitor, visit

SEED = 377
COLOR = "#[0-9a-f]{6}"
VALUE = f"(?:{COLOR}|light-dark\\({COLOR},{COLOR}\\))"
RULE = re.compile(rf"\.palette-[0-9a-f]{{8}}\{{((?:--[a-z-]+:{VALUE};)+)\}}")
LIGHT = ("#faf8f6", "#f1edf0", "#231f2c", "#625b6e", "#7d4a0c")
DARK = ("#16141c", "#201d29", "#e8e3e9", "#a49cae", "#f0cf86")


def ask(path: str) -> Response:
    names = path.removeprefix("/palettes/").removesuffix(".css")
    return asyncio.run(send_palettes(Request({"type": "http", "path_params": {"names": names}})))


def read_rules(path: str) -> list[dict[str, tuple[str, str]]]:
    """The properties of each rule, in the light and the dark theme."""
    sheet = bytes(ask(path).body).decode()
    rules = []
    for line in sheet.splitlines():
        found = RULE.fullmatch(line)
        assert found, line
        pairs = (one.split(":") for one in found[1].rstrip(";").split(";"))
        colors = {name: re.findall(COLOR, value) for name, value in pairs}
        rules.append({name: (both[0], both[-1]) for name, both in colors.items()})
    return rules


def test_text_on_a_cover_can_be_read_whatever_its_colours() -> None:
    pick = random.Random(SEED)
    for _ in range(400):
        colors = tuple(f"#{pick.randrange(1 << 24):06x}" for _ in range(3))
        (rule,) = read_rules(palettes_path([read_game_palette("x", colors, LIGHT, DARK)]))
        for at in (0, 1):
            assert find_contrast(rule["--on-sky"][at], rule["--sky"][at]) >= AA_CONTRAST, colors
        assert find_contrast(rule["--on-cover"][0], rule["--cover-sky"][0]) >= AA_CONTRAST, colors
        assert find_contrast(rule["--on-cover-light"][0], rule["--cover-light"][0]) >= AA_CONTRAST, colors


def test_a_game_sets_its_roles_for_both_themes() -> None:
    (rule,) = read_rules(palettes_path([read_game_palette("x", (), LIGHT, DARK)]))
    assert rule["--paper"] == (LIGHT[0], DARK[0])
    assert rule["--accent"] == (LIGHT[4], DARK[4])
    half = read_game_palette("x", (), LIGHT, ())
    assert "--paper" not in read_rules(palettes_path([half]))[0]
    assert read_game_palette("x", (), ("red",) * 5, DARK) == half


@pytest.mark.parametrize(
    "names",
    [
        "",
        "x",
        "3b3a63",
        "3b3a63-ffcf70",
        "3b3a63-ffcf70-1d2438-faf8f6",
        "3B3A63-ffcf70-1d2438",
        "}body{-0-0",
        "../x",
    ],
)
def test_other_addresses_have_no_sheet(names: str) -> None:
    assert ask(f"/palettes/{names}.css").status_code == 404
    assert ask("_".join(["3b3a63-ffcf70-1d2438"] * (PALETTES_MAX + 1))).status_code == 404


def test_a_table_has_the_colours_and_the_band_of_its_game(tmp_path: Path) -> None:
    (info,) = (game for game in open_game_library(None, "en").games() if game.id == "chapel_watch")

    async def look(visitor: PageVisitor) -> None:
        page = await visitor.start("chapel_watch")
        (root,) = page.find("html")
        (sheet,) = (one["href"] for one in page.find("link") if "/palettes/" in one["href"])
        written = (await visitor.client.get(sheet)).text
        assert f".{root['class']}{{" in written
        assert info.light_theme[4] in written
        assert [one["data-part"] for one in page.find("g") if "data-part" in one] == ["wax", "burnt", "flame"]
        assert page.find("rect", **{"data-part": "hair"})[0]["transform"] == "scale(1.0 1)"

    visit(tmp_path, look)
