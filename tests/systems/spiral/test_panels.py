"""Panels: what the player sees, in both languages, and what stays hidden."""

from talewright.common.json_values import Json
from talewright.kernel.panel_parts import Lines, Meter, Panel
from talewright.systems.spiral.panels import to_dots
from tests.systems.spiral.making import FIRST, READY, SPIRAL, call, sight, write


def test_day_resist_tags_and_scene() -> None:
    values: dict[str, Json] = {
        "player.glitch_tags": ["twisted ankle"],
        "player.conditions": ["broken rib"],
        "meta.segment": 2,
    }
    assert SPIRAL.panels(sight(write(READY, values))) == (
        Panel(
            "spiral",
            "Day 1 · Afternoon",
            (
                Meter("Resist", 2, 2),
                Lines("Glitches", ("· twisted ankle",)),
                Lines("Tags", ("+ keen tracker", "+ father's longbow", "+ wilderness hardened")),
                Lines("Conditions", ("- broken rib",)),
            ),
        ),
        Panel(
            "scene",
            "Scene",
            (
                Lines(
                    "Wolf Clan border",
                    ("+ shallow ford", "+ morning mist", "- patrol route", "- strong current"),
                ),
            ),
        ),
    )


def test_in_chinese() -> None:
    first, scene = SPIRAL.panels(sight(language="zh-CN"))
    assert first.title == "第 1 天 · 清晨"
    assert first.parts[0] == Meter("韧性", 2, 2)
    assert scene.title == "场景"


def test_clocks_of_those_met_and_nothing_else_of_them() -> None:
    met = call("update_npc", {"id": "gorm", "active": True}).position
    panels = SPIRAL.panels(sight(met))
    assert panels[-1] == Panel("clocks", "Clocks", (Lines("", ("Gorm ●●●○",)),))
    shown = repr(panels)
    for hidden in ("Zogar", "burn the ferry", "Shaman", "arrogant"):
        assert hidden not in shown


def test_a_companion_has_a_panel() -> None:
    toren = {"name": "Toren", "concept": "A sage", "inherent_tags": ["frail body"]}
    panel = SPIRAL.panels(sight(write(READY, {"gm_pc": toren})))[-1]
    assert panel == Panel("companion", "Companion", (Lines("Toren", ("A sage", "+ frail body")),))


def test_as_many_dots_as_there_can_be() -> None:
    assert to_dots(2, 2) == "●●"
    assert to_dots(0, 3) == "○○○"


def test_the_sheet_grows_while_the_campaign_is_made_ready() -> None:
    assert SPIRAL.panels(sight(FIRST)) == ()
    some = write(FIRST, {"meta.genre": "noir", "player.name": "Ada", "player.inherent_tags": ["lame"]})
    assert SPIRAL.panels(sight(some)) == (
        Panel(
            "spiral",
            "Your character",
            (Lines("World", ("noir",)), Lines("Name", ("Ada",)), Lines("Tags", ("+ lame",))),
        ),
    )


def test_a_bare_scene_has_no_panel_and_broken_rules_are_told() -> None:
    bare = write(
        READY,
        {
            "scene": {"location": "", "positive_tags": [], "negative_tags": []},
            "spiral.prompt": "---\ntick: never\n---\n",
        },
    )
    (panel,) = SPIRAL.panels(sight(bare))
    assert panel.parts[-1] == Lines(
        "Rules",
        ("! prompt.md:2:7: `tick` cannot be `never`. The rules from before hold until this is mended.",),
    )
