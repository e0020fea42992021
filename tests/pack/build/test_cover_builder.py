"""The cover in game.yaml: what a compiled game keeps of it, and that games without it stay what they were."""

from talewright.kernel.story.game_cover import CoverDial, read_cover_rules
from talewright.pack.build.cover_builder import DARK_MIN, LIGHT_MIN
from talewright.pack.cache.compiled_game import pack_with_digest
from talewright.pack.schema.cover_fields import MOTIF_DIALS, CoverMotif
from tests.pack.making import compile_game

COVER = 'cover: {motif: road, sky: "#3B3A63", light: "#ffcf70", ground: "#1d2438"}\n'
REST = """
variables:
  - {id: rope, type: integer, min: 0, max: 9}
endings:
  - {id: home, when: rope > 8, kind: win}
"""
FILES = {"world.md": "A well.\n", "endings.md": "## home\nYou are out.\n"}
LIGHT = '{paper: "#FAF8F6", raised: "#f1edf0", ink: "#231f2c", quiet: "#625b6e", accent: "#7d4a0c"}'
DARK = '{paper: "#16141c", raised: "#201d29", ink: "#e8e3e9", quiet: "#a49cae", accent: "#f0cf86"}'

DIGEST_BEFORE = "6a4a7b48e4af832a3172afba806bc586880e51af560007267c84de72cf1e64db"
"""Of this game as 0.1.0 compiled it, before a cover had dials and themes."""


def test_a_cover_of_old_keeps_its_digest() -> None:
    compiled = compile_game(COVER.replace("3B3A63", "3b3a63") + REST, FILES)
    assert compiled.game is not None
    assert pack_with_digest(compiled.game, compiled.texts).digest == DIGEST_BEFORE


def test_a_whole_cover_is_kept() -> None:
    more = (
        f"  light_theme: {LIGHT}\n  dark_theme: {DARK}\n"
        "  dials: {lanterns: {value: rope}, moon: {value: rope, from: 9, to: 3}}\n  place: rope\n"
    )
    cover = 'cover:\n  motif: road\n  sky: "#3B3A63"\n  light: "#ffcf70"\n  ground: "#1d2438"\n' + more
    compiled = compile_game(cover + REST, FILES)
    assert compiled.faults == ()
    rules = read_cover_rules(compiled.texts["en"])
    assert rules.colors == ("#3b3a63", "#ffcf70", "#1d2438")
    assert rules.light_theme == ("#faf8f6", "#f1edf0", "#231f2c", "#625b6e", "#7d4a0c")
    assert rules.dark_theme[0] == "#16141c"
    assert rules.dials == (CoverDial("lanterns", ("rope",), 0, 9), CoverDial("moon", ("rope",), 9, 3))
    assert rules.place == ("rope",)


def test_every_motif_has_a_dial() -> None:
    assert set(MOTIF_DIALS) == set(CoverMotif)
    assert all(0 < len(dials) <= 2 for dials in MOTIF_DIALS.values())
    assert LIGHT_MIN > DARK_MIN
