"""Solo: three ready starts that play without a model, in two languages, and step aside for a storyteller."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import settle
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.panel_parts import Lines, Panel
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, open_scenes
from talewright.kernel.story.scenes import Choice
from talewright.pack.compiler import compile_folder
from talewright.systems.spiral import system
from talewright.systems.spiral.spiral_system import Spiral
from tests.games.walking import Rigged, endings_of, options
from tests.kernel.scene_walk import Played, begin_story, play

FOLDER = Path(__file__).parents[2] / "games" / "solo"
STARTS = {"frontier": "fr_", "city": "ci_", "ship": "sh_"}
OPEN_PAGES = {"open_page", "open_page_still"}
SCENE_WORDS = range(60, 141)
SCENE_CHARACTERS = range(90, 401)
SCENES_EACH = range(12, 17)
TURNS_MIN = 10
WALKS = 60
WALK_TURNS_MAX = 40
LATIN, HAN = re.compile(r"[A-Za-z]+"), re.compile(r"[\u4e00-\u9fff]+")
FOUR = Rigged(4 / 6)
"""Every die shows a four: yes, but."""

SECTIONS = ["Principles", "Active Threads", "NPC Notes", "World State", "Resolved"]


def load() -> tuple[Game, Mapping[str, Texts]]:
    compiled = compile_folder(FOLDER, {"spiral": system()})
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game, compiled.texts


GAME, TEXTS = load()
Member = Mapping[str, Json]


def choices() -> Iterator[tuple[str, Choice]]:
    for scene in GAME.scenes.values():
        for choice in scene.choices:
            yield f"scene.{scene.id}.{choice.id}", choice


def root(position: Position, name: str) -> Member:
    return cast(Member, position.state.document[name])


def started(start: str, secret: bytes = b"0" * 16) -> Played:
    opening = begin_story(GAME, begin(GAME), Fate(secret, 1))
    assert opening.scene is not None
    assert opening.scene.id == "door"
    return play(GAME, opening.position, start, Fate(secret, opening.position.turn))


def walk(start: str, seed: int) -> Iterator[Played]:
    """One walk at random: what every turn came to, until the tale is closed or long enough."""
    choose, secret = random.Random(seed), seed.to_bytes(16, "big")
    turn = started(start, secret)
    yield turn
    for _ in range(WALK_TURNS_MAX):
        found = options(GAME, turn.position)
        if not found:
            return
        turn = play(GAME, turn.position, choose.choice(found), Fate(secret, turn.position.turn))
        yield turn


def test_it_is_told_by_tools_round_by_round_and_ruled_by_the_spiral() -> None:
    assert (GAME.contract, GAME.plan) == ("tools", "tool_loop")
    assert [plug.name for plug in GAME.systems] == ["spiral"]
    assert GAME.languages == ("en", "zh-CN")
    assert GAME.model_may_end is False
    assert all(ending.finale for ending in GAME.endings), "a storyteller must not be offered these ends"


@pytest.mark.parametrize("start", STARTS)
def test_a_start_makes_everything_ready(start: str) -> None:
    position = started(start).position
    meta, player, scene = root(position, "meta"), root(position, "player"), root(position, "scene")
    assert (meta["setup_complete"], meta["day"], meta["segment"]) == (True, 1, 1)
    assert meta["genre"]
    assert player["name"]
    assert player["concept"]
    assert len(cast(list[str], player["inherent_tags"])) == 4
    assert scene["location"]
    assert scene["positive_tags"]
    assert scene["negative_tags"]
    people = cast(Mapping[str, Member], root(position, "npcs"))
    assert len(people) == 3
    for person in people.values():
        assert person["goal"]
        assert person["positive_tags"]
        assert person["negative_tags"]
        assert cast(int, person["clock"]) < cast(int, person["clock_max"])
    assert root(position, "spiral")["opened"] is True


@pytest.mark.parametrize("start", STARTS)
def test_a_start_has_a_notebook_with_five_to_ten_principles(start: str) -> None:
    notes = str(root(started(start).position, "spiral")["scratchpad"])
    assert re.findall(r"^## (.*)$", notes, re.MULTILINE) == SECTIONS
    principles = notes.split("## ")[1]
    assert 5 <= principles.count("\n- ") <= 10


def test_two_of_the_three_have_company() -> None:
    assert [bool(root(started(start).position, "gm_pc") or None) for start in STARTS] == [True, False, True]


@pytest.mark.parametrize("start", STARTS)
def test_walks_last_ten_turns_and_see_a_morning_and_a_full_clock(start: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(WALKS):
        print(f"{start}, seed {seed}")
        turns = list(walk(start, seed))
        assert len(turns) >= TURNS_MIN
        seen.update(turn.scene.id for turn in turns if turn.scene)
        morning = next(turn for turn in turns[:TURNS_MIN] if root(turn.position, "meta")["day"] == 2)
        player = root(morning.position, "player")
        assert player["resist"] == {"current": 2, "max": 2}
        people = cast(Mapping[str, Mapping[str, int]], root(morning.position, "npcs"))
        assert any(person["clock"] >= person["clock_max"] for person in people.values())
        for turn in turns:
            check_turn(turn)
    assert set(seen) == {name for name in GAME.scenes if name.startswith(STARTS[start])}
    assert len(seen) in SCENES_EACH


def check_turn(turn: Played) -> None:
    """What must hold after every turn that scenes have told."""
    position = turn.position
    assert [event.text for event in turn.events if event.type == "rejected_update"] == []
    assert is_over(position) or options(GAME, position)
    assert turn.scene is None or len(options(GAME, position)) >= 3
    player = root(position, "player")
    for name in ("glitch_tags", "conditions", "inherent_tags"):
        tags = cast(list[str], player[name])
        assert len(set(tags)) == len(tags)
    people = cast(Mapping[str, Member], root(position, "npcs"))
    for person in people.values():
        assert 0 <= cast(int, person["clock"]) <= cast(int, person["clock_max"])
    active = [name for name, person in people.items() if person["active"]]
    assert sorted(active) == sorted(cast(list[str], root(position, "scene")["active_npcs"]))


@pytest.mark.slow
def test_every_ending_is_reached() -> None:
    ends = {
        str(root(turn.position, "_engine")["ending"])
        for start in STARTS
        for seed in range(WALKS)
        for turn in walk(start, seed)
    }
    assert ends - {""} == endings_of(GAME)


@pytest.mark.parametrize(
    ("start", "first", "glitch", "scene"),
    [
        ("frontier", "drag", "boots full of water", "fr_track"),
        ("city", "file", "a gap on the shelf", "ci_pawn"),
        ("ship", "trace", "lamp down to a third", "sh_spine"),
    ],
)
def test_a_yes_costs_a_glitch_the_glitch_a_die_and_resist_takes_it_back(
    start: str, first: str, glitch: str, scene: str
) -> None:
    turn = play(GAME, started(start).position, first, FOUR)
    assert turn.scene is not None
    assert turn.scene.id == scene
    assert root(turn.position, "player")["glitch_tags"] == [glitch]
    assert turn.roll is not None
    dearer = play(GAME, turn.position, options(GAME, turn.position)[1], FOUR)
    assert not any(name.endswith("_3") for name in options(GAME, dearer.position))
    spared = play(GAME, turn.position, options(GAME, turn.position)[0], FOUR)
    assert root(spared.position, "player")["glitch_tags"] == []
    assert root(spared.position, "player")["resist"] == {"current": 1, "max": 2}
    assert any(name.endswith("_3") for name in options(GAME, spared.position))


def test_a_no_flushes_and_a_wound_needs_a_morning() -> None:
    position = play(GAME, started("frontier").position, "drag", FOUR).position
    position = play(GAME, position, "foot", Rigged(True)).position
    turn = play(GAME, position, "pin_2", Rigged(False))
    player = root(turn.position, "player")
    assert (player["glitch_tags"], player["conditions"]) == ([], ["wrenched shoulder"])
    for choice in ("shoulder", "sit", "sleep"):
        turn = play(GAME, turn.position, choice, Rigged(True))
    assert turn.scene is not None
    assert turn.scene.id == "fr_dawn"
    mended = play(GAME, turn.position, "shoulder", Rigged(True))
    assert root(mended.position, "player")["conditions"] == []
    assert root(mended.position, "player")["resist"] == {"current": 0, "max": 2}


@pytest.mark.parametrize("start", STARTS)
def test_the_scenes_step_aside_once_a_storyteller_has_told_a_turn(start: str) -> None:
    turn = started(start)
    position = play(GAME, turn.position, options(GAME, turn.position)[1], Rigged(True)).position
    scene = current_scene(GAME, position)
    assert scene is not None
    assert scene.when is not None
    assert scene.when.holds(position.state.document, position.turn)
    told = advance(settle(GAME, position, Rigged(True)).position)
    assert not scene.when.holds(told.state.document, told.turn)
    assert {found.id for found in open_scenes(GAME, told)} == OPEN_PAGES


def test_the_door_shuts_when_a_campaign_of_ones_own_is_ready() -> None:
    position = begin_story(GAME, begin(GAME), Rigged(True)).position
    document = dict(position.state.document)
    document["meta"] = {**root(position, "meta"), "setup_complete": True}
    ready = replace(position, state=replace(position.state, document=document))
    assert options(GAME, ready) == []
    assert {scene.id for scene in open_scenes(GAME, ready)} == OPEN_PAGES


@pytest.mark.parametrize("name", list(GAME.scenes))
def test_a_scene_is_neither_thin_nor_long_in_any_language(name: str) -> None:
    english, chinese = TEXTS["en"], TEXTS["zh-CN"]
    for variant in GAME.scenes[name].variants:
        assert len(english.get(variant.text).split()) in SCENE_WORDS
        assert len(re.sub(r"\s", "", chinese.get(variant.text))) in SCENE_CHARACTERS


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_choice_can_be_typed(language: str) -> None:
    texts = TEXTS[language]
    for name, _ in choices():
        assert len(texts.several(f"{name}.also")) >= 2, name
    for scene in GAME.scenes.values():
        labels = [texts.get(f"scene.{scene.id}.{choice.id}.label") for choice in scene.choices]
        assert len(scene.choices) >= 3
        assert len(set(labels)) >= 3


def test_whatever_a_start_writes_into_the_state_has_a_chinese_name() -> None:
    texts = TEXTS["zh-CN"]
    for start in STARTS:
        for seed in range(WALKS // 10):
            for turn in walk(start, seed):
                for path, tag in tags_of(turn.position):
                    assert texts.value(path, tag) != tag, f"{path}: {tag}"


def tags_of(position: Position) -> Iterator[tuple[str, str]]:
    people = cast(Mapping[str, Member], root(position, "npcs"))
    for name, sheet in (
        *((name, root(position, name)) for name in ("player", "scene", "gm_pc")),
        *((f"npcs.{name}", person) for name, person in people.items()),
    ):
        for field in ("inherent_tags", "glitch_tags", "conditions", "positive_tags", "negative_tags"):
            for tag in cast(list[str], (sheet or {}).get(field, [])):
                yield f"{name}.{field}", tag
        for field in ("name", "concept", "goal", "location"):
            if sheet and sheet.get(field):
                yield f"{name}.{field}", str(sheet[field])
    if genre := str(root(position, "meta")["genre"]):
        yield "meta.genre", genre


@pytest.mark.parametrize("start", STARTS)
def test_a_chinese_player_reads_chinese_and_the_state_is_the_same(start: str) -> None:
    for seed in range(WALKS // 10):
        print(f"{start}, seed {seed}")
        for turn in walk(start, seed):
            shown = {language: show(turn.position, language) for language in ("en", "zh-CN")}
            assert LATIN.findall(shown["zh-CN"]) == []
            assert HAN.findall(shown["en"]) == []


def show(position: Position, language: str) -> str:
    """Everything a player finds in panels and an owner on the pages of people and places."""
    (spiral,) = GAME.systems
    spoken = replace(position, language=language, texts=TEXTS[language])
    seen = WorkingState(GAME, spoken).sight(spiral)
    assert isinstance(spiral, Spiral)
    pages = spiral.pages(seen, ())
    world = [text for path, text in pages.items() if path.startswith("world/")]
    return "\n".join((*map(tell_panel, spiral.panels(seen)), *world))


def tell_panel(panel: Panel) -> str:
    """A panel in words."""
    lines = [line for part in panel.parts if isinstance(part, Lines) for line in (part.label, *part.lines)]
    return "\n".join((panel.title, *lines))


def test_nothing_private_stands_in_what_players_read() -> None:
    secrets = [
        str(person["goal"])
        for start in STARTS
        for person in cast(Mapping[str, Member], root(started(start).position, "npcs")).values()
    ]
    told = [*TEXTS["en"].entries.values(), *TEXTS["zh-CN"].entries.values()]
    shown = [key for key in TEXTS["en"].entries if key.startswith(("scene.", "ending.", "intro", "trigger."))]
    for secret in secrets:
        assert not any(secret in TEXTS["en"].entries[key] for key in shown)
    assert not any("## Principles" in text for text in told)
