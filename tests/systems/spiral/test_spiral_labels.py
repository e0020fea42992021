"""Labels: what a player reads is called by the author's words, and the state keeps its own."""

from collections.abc import Mapping
from dataclasses import replace

from talewright.kernel.panel_parts import Lines, Panel
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import Texts
from tests.systems.spiral.making import FIRST, READY, SPIRAL, assess, call, card, end_turn, read, sight, write

ENTRIES: Mapping[str, str] = {
    "value.player.inherent_tags.keen tracker": "追踪老手",
    "value.player.glitch_tags.twisted ankle": "脚踝扭伤",
    "value.player.conditions.broken rib": "肋骨断了",
    "value.player.name.Kael": "凯尔",
    "value.player.concept.A hunter": "一个猎人",
    "value.meta.segment_labels.First Watch": "首更",
    "value.meta.genre.frontier fantasy": "边地奇幻",
    "value.scene.location.Wolf Clan border": "狼族边界",
    "value.scene.positive_tags.shallow ford": "浅滩",
    "value.scene.negative_tags.patrol route": "巡逻路线",
    "value.gm_pc.name.Toren": "托伦",
    "value.gm_pc.concept.A sage": "一位贤者",
    "value.gm_pc.inherent_tags.old lore": "古老学问",
    "value.npcs.gorm.name.Gorm": "戈姆",
    "value.npcs.gorm.goal.burn the ferry": "烧掉渡船",
    "value.npcs.gorm.negative_tags.arrogant": "傲慢",
    "value.npcs.gorm.positive_tags.feared": "人人怕他",
    "value.npcs.gorm.concept.Shaman of the Wolf Clan": "狼族的巫师",
}
TEXTS = {"en": Texts("en"), "zh-CN": Texts("zh-CN", ENTRIES)}
TOREN = {"name": "Toren", "concept": "A sage", "inherent_tags": ["old lore", "frail"]}
TALE = call("update_npc", {"id": "gorm", "active": True, "add_positive": ["feared"]}).position
TALE = write(
    TALE,
    {"player.glitch_tags": ["twisted ankle"], "player.conditions": ["broken rib"], "gm_pc": TOREN},
)


def spoken(language: str, position: Position = TALE) -> Position:
    """The same campaign in a language of the game."""
    return replace(position, language=language, texts=TEXTS[language])


def show(language: str, position: Position = TALE) -> tuple[Panel, ...]:
    return tuple(SPIRAL.panels(sight(spoken(language, position), language)))


def test_panels_in_the_language_of_the_campaign() -> None:
    main, scene, companion, clocks = show("zh-CN")
    assert main.parts[1:] == (
        Lines("隐患", ("· 脚踝扭伤",)),
        # What has no label is shown as it stands.
        Lines("标签", ("+ 追踪老手", "+ father's longbow", "+ wilderness hardened")),
        Lines("创伤", ("- 肋骨断了",)),
    )
    assert scene.parts == (Lines("狼族边界", ("+ 浅滩", "+ morning mist", "- 巡逻路线", "- strong current")),)
    assert companion.parts == (Lines("托伦", ("一位贤者", "+ 古老学问", "+ frail")),)
    assert clocks.parts == (Lines("", ("戈姆 ●●●○",)),)
    english = repr(show("en"))
    assert "keen tracker" in english
    assert "Gorm" in english
    assert "追" not in english


def test_the_sheet_while_a_campaign_is_made_ready() -> None:
    made = write(
        FIRST,
        {
            "meta.genre": "frontier fantasy",
            "player.name": "Kael",
            "player.concept": "A hunter",
            "gm_pc": TOREN,
        },
    )
    sheet, companion = show("zh-CN", made)
    assert sheet.parts == (
        Lines("世界", ("边地奇幻",)),
        Lines("姓名", ("凯尔",)),
        Lines("来历", ("一个猎人",)),
    )
    assert companion.title == "同伴"


def test_an_authors_own_names_for_the_parts_of_a_day() -> None:
    watches = write(TALE, {"meta.segment_labels": ["First Watch", "Afternoon", "Dogwatch", "Night"]})
    assert show("en", watches)[0].title == "Day 1 · First Watch"
    assert show("zh-CN", watches)[0].title == "第 1 天 · 首更"
    step = call("advance_time", {"reason": "on"}, position=spoken("zh-CN", watches))
    assert [event.text for event in step.events] == ["第 1 天 · 午后"]
    page = SPIRAL.pages(sight(spoken("zh-CN", end_turn(watches).position), "zh-CN"), ())
    assert "第 1 天 · 首更" in page["world/locations/wolf-clan-border.md"]


def test_the_card_of_a_check() -> None:
    said = assess(
        ["keen tracker", "shallow ford", "old lore", "arrogant", "morning mist"],
        ["patrol route", "broken rib", "feared"],
        glitches=1,
    )
    found = card(call("roll_check", said, position=spoken("zh-CN")))
    assert found.lines[:2] == (
        "有利：追踪老手、浅滩、古老学问、傲慢、morning mist（行动骰\u00a06）",
        "不利：脚踝扭伤、巡逻路线、肋骨断了、人人怕他（危险骰\u00a04）",
    )
    assert "keen tracker, shallow ford, old lore" in card(call("roll_check", said, position=TALE)).lines[0]


def test_what_happens_is_told_by_label_and_kept_as_it_is() -> None:
    bare = spoken("zh-CN", write(TALE, {"player.glitch_tags": [], "player.conditions": []}))
    gained = call("add_glitch", {"tag": "twisted ankle"}, position=bare)
    assert [event.text for event in gained.events] == ["新的隐患：脚踝扭伤"]
    assert read(gained.position, "player.glitch_tags") == ["twisted ankle"]
    hurt = call("update_player", {"add_condition": ["broken rib"]}, position=gained.position)
    assert [event.text for event in hurt.events] == ["新的创伤：肋骨断了"]
    assert read(hurt.position, "player.conditions") == ["broken rib"]
    flushed = call("flush_glitches", position=hurt.position)
    assert [event.text for event in flushed.events] == ["隐患一齐应验：脚踝扭伤"]
    cleared = call("spend_resist", {"purpose": "clear_condition"}, position=hurt.position)
    assert [event.text for event in cleared.events] == ["创伤已愈：肋骨断了"]
    assert cleared.position.texts is TEXTS["zh-CN"]


def test_pages_of_people_and_places() -> None:
    here = end_turn(TALE).position
    pages = SPIRAL.pages(sight(spoken("zh-CN", here), "zh-CN"), ())
    assert pages["world/npcs/gorm.md"] == (
        "# 戈姆\n\n狼族的巫师\n\n- **态度**：敌对\n- **目的**：烧掉渡船\n- **时钟**：●●●○ (3/4)\n"
        "- **长处**：人人怕他\n- **短处**：傲慢\n- **最后出现**：狼族边界\n"
    )
    assert pages["world/locations/wolf-clan-border.md"] == (
        "# 狼族边界\n\n- **初到**：第 1 天 · 清晨\n- **到过次数**：1\n"
        "- **标签**：+ 浅滩；+ morning mist；- 巡逻路线；- strong current\n"
    )


def test_the_storyteller_hears_what_the_player_calls_things() -> None:
    (_, called) = [note.text for note in SPIRAL.notes(sight(spoken("zh-CN"), "zh-CN"))]
    assert called.startswith("有些标签和名字，玩家看到的是另一种叫法。")
    assert "`keen tracker` = 追踪老手；" in called
    assert "`Gorm` = 戈姆" in called
    assert "morning mist" not in called
    assert "烧掉渡船" not in called
    assert len(SPIRAL.notes(sight(spoken("en")))) == 1
    assert read(READY, "player.inherent_tags") == read(spoken("zh-CN"), "player.inherent_tags")
