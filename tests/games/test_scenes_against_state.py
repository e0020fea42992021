"""Scenes against state: no passage of the shipped games contradicts what has happened before it."""

import asyncio
import random
from collections.abc import Iterator, Mapping

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.scene_rules import current_scene, enter, is_over, offered, open_scenes, wording
from talewright.kernel.story.scenes import Ladder
from tests.games.adjacent_passages import GAMES, Passage, find_pairs, gather_walks, write_pairs
from tests.games.walking import options, take
from tests.kernel.scene_walk import begin_story, play
from tests.turn.making import play_edition

LANGUAGES = ("en", "zh-CN")
MET_ONCE = {
    "mist_harbor": {
        *("docks_master", "docks_union", "plant_log", "plant_battery", "nest_barman"),
        *("paper_composing", "clock_notary", "light_tea", "clock_tower"),
    },
    "chapel_watch": {"porch", "ledger"},
    "goblin_road": {"gate", "nine"},
    "lantern_road": {"footsteps"},
    "dusty_tankard": {"hob_rope", "wick", "the_ducks", "coal_scuttle", "axle_scene", "haythe_room"},
    "solo": set[str](),
}
"""Scenes in which somebody is met: how that goes the first time is told once in a walk."""

WALKS = 120


def words_of(name: str, language: str, scene: str, **values: Json) -> str:
    """How a scene is told where these values stand, by paths with two underscores for a dot."""
    edition = play_edition(f"games/{name}")
    position = put(edition.game, values)
    return edition.words(language).get(wording(edition.game.scenes[scene], position))


def put(game: Game, values: Mapping[str, Json]) -> Position:
    updates = [Update(Op.SET, path.replace("__", "."), value) for path, value in values.items()]
    return carry_out(game, begin(game), updates, "scene:test").position


def text_of(name: str, language: str, key: str) -> str:
    return play_edition(f"games/{name}").words(language).get(key)


# Mist Harbor


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dockmaster_does_not_greet_anew(language: str) -> None:
    first = words_of("mist_harbor", language, "docks_master")
    again = words_of("mist_harbor", language, "docks_master", flags__met_ho=True)
    cold = words_of("mist_harbor", language, "docks_master", flags__met_ho=True, relationships__dockmaster=-1)
    assert len({first, again, cold}) == 3
    # Who is disliked before he has come is not told that he is back again.
    assert words_of("mist_harbor", language, "docks_master", relationships__dockmaster=-1) == first


@pytest.mark.parametrize("choice", ["flatter", "ask_number", "leave_him"])
def test_whoever_stays_with_the_dockmaster_goes_down_his_stairs_again(choice: str) -> None:
    entries = play_edition("games/mist_harbor").words("en").entries
    told = [text for key, text in entries.items() if key.startswith(f"scene.docks_master.{choice}.")]
    ends = [text for text in told if "stairs" in text]
    assert ends, told


@pytest.mark.parametrize(
    ("language", "needed"), [("en", ("women", "grating")), ("zh-CN", ("洗衣妇", "铁栅口"))]
)
def test_the_canal_keeps_what_its_choices_use(language: str, needed: tuple[str, ...]) -> None:
    for suspicion in (10, 60):
        told = words_of("mist_harbor", language, "plant_canal", suspicion=suspicion)
        assert all(thing in told for thing in needed)


@pytest.mark.parametrize(("language", "served"), [("en", "serves you"), ("zh-CN", "给你盛")])
def test_the_stall_does_not_give_the_soup_it_sells(language: str, served: str) -> None:
    told = words_of("mist_harbor", language, "docks_stall", suspicion=60)
    assert served not in told
    assert ("bowl" if language == "en" else "空碗") in told


def test_nobody_is_met_in_a_street_before_it_is_reached() -> None:
    game = play_edition("games/mist_harbor").game
    for place, first in (("newspaper", "paper_arrive"), ("clock_street", "clock_arrive")):
        position = put(game, {"location": place, "clues": 4, "flags.met_lian": True})
        street = [scene.id for scene in open_scenes(game, position) if scene.id != "lian_runs"]
        assert street[0] == first


def test_nobody_stands_before_the_locked_room_without_having_gone_there() -> None:
    assert play_edition("games/mist_harbor").game.scenes["plant_battery"].when is None


def test_the_four_slips_of_translation() -> None:
    def tell(language: str, key: str) -> str:
        return text_of("mist_harbor", language, key)

    # Two people speak, and one can tell who.
    assert "you say" in tell("en", "scene.nest_counter.buy_sheet.text")
    # The roll is 2d6.
    assert "The dice" in tell("en", "scene.nest_booth.dice.success")
    assert "两颗骰子" in tell("zh-CN", "scene.nest_booth.dice.success")
    assert "往下变" not in words_of("mist_harbor", "zh-CN", "docks_quay")
    # An umbrella drips in the first scene.
    assert "一滴雨没下" not in tell("zh-CN", "scene.docks_crane.climb.success")


# Lantern Road


def test_whoever_walks_with_the_winter_is_not_left_alone_at_the_door() -> None:
    game = play_edition("games/lantern_road").game
    at_door: dict[str, Json] = {"place": "high_door", "company.guest": 2}
    alone, together = (put(game, {**at_door, "flags.met_guest": met}) for met in (False, True))
    holds = {
        name: [ending.id for ending in game.endings if ending.when.holds(position.state.document, 1)]
        for name, position in (("alone", alone), ("together", together))
    }
    assert holds == {"alone": ["astray"], "together": ["at_the_door"]}


# Chapel Watch


@pytest.mark.parametrize(("language", "said"), [("en", "you said"), ("zh-CN", "你说过")])
def test_who_crawled_in_unseen_has_said_nothing(language: str, said: str) -> None:
    assert said not in text_of("chapel_watch", language, "scene.nave.sit.hint")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_cut_out_is_not_in_the_ledger(language: str) -> None:
    assert words_of("chapel_watch", language, "ledger") != words_of(
        "chapel_watch", language, "ledger", flags__page=True
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_that_is_taken_is_not_seen_through_the_hole(language: str) -> None:
    seen = words_of("chapel_watch", language, "leper_hole", flags__saw_key=True)
    assert seen != words_of("chapel_watch", language, "leper_hole", flags__saw_key=True, flags__key=True)


def test_mattock_reads_out_of_the_book_that_is_there() -> None:
    game = play_edition("games/chapel_watch").game
    scene = game.scenes["can_you_read"]
    by_leaf = {choice.id for choice in offered(scene, put(game, {"flags.page": True}))}
    by_book = {choice.id for choice in offered(scene, put(game, {"flags.book": True}))}
    assert {"read", "read_brought"} & by_leaf == {"read_brought"}
    assert {"read", "read_brought"} & by_book == {"read"}


@pytest.mark.parametrize(("language", "asked"), [("en", "Can you read?"), ("zh-CN", "你识字不？")])
def test_mattock_asks_once_whether_you_can_read(language: str, asked: str) -> None:
    edition = play_edition("games/chapel_watch")
    game, texts = edition.game, edition.words(language)
    scene = game.scenes["can_you_read"]
    assert asked in texts.get(wording(scene, begin(game)))
    told = enter(game, begin(game), scene).position
    denied = play(game, told, "no", Fate(b"", 1)).position
    assert asked not in texts.get(wording(scene, denied))
    # Whoever has said no can still read it to him.
    assert "read_brought" in {choice.id for choice in offered(scene, denied)}


@pytest.mark.parametrize(
    ("language", "first"), [("en", ("came for", "So this")), ("zh-CN", ("为这个来", "原来"))]
)
def test_the_book_in_her_hands_can_be_drawn_out_twice(language: str, first: tuple[str, str]) -> None:
    """Nothing that is told of it is only true the first time, and who fails to draw it leaves it with her."""
    texts = play_edition("games/chapel_watch").words(language)
    hint, found = texts.get("scene.nave.book.hint"), words_of("chapel_watch", language, "psalter")
    assert first[0] not in hint
    assert first[1] not in found
    failed = texts.get("scene.nave.book.failure")
    assert {"en": "push it back", "zh-CN": "把书推回去"}[language] in failed


# Solo


@pytest.mark.parametrize(
    ("language", "glitches"), [("en", ("the shelf", "the lips")), ("zh-CN", ("架子", "嘴唇"))]
)
def test_the_stairs_name_no_glitch_that_may_not_be_there(language: str, glitches: tuple[str, ...]) -> None:
    told = words_of("solo", language, "ci_stairs")
    assert not [glitch for glitch in glitches if glitch in told]


def bare_yes() -> Iterator[tuple[str, str, str]]:
    """Results that are a yes with a glitch and have no words of their own: choice, glitch, next scene."""
    game = play_edition("games/solo").game
    for scene in game.scenes.values():
        for choice in scene.choices:
            if not isinstance(choice.check, Ladder):
                continue
            for rung in choice.check.rungs:
                glitches = [
                    u.value for u in rung.result.updates if u.path == "player.glitch_tags" and u.op is Op.PUSH
                ]
                if glitches and not rung.result.text and not choice.text:
                    yield f"{scene.id}.{choice.id}", str(glitches[0]), rung.result.next or choice.next


@pytest.mark.parametrize(
    ("language", "gone", "left"), [("en", "three stakes", "That leaves one"), ("zh-CN", "三根桩", "还剩一根")]
)
def test_the_last_stake_is_in_the_ground_when_you_go_after_it(language: str, gone: str, left: str) -> None:
    edition = play_edition("games/solo")
    texts = edition.words(language)
    told = [texts.get(variant.text) for variant in edition.game.scenes["fr_alone"].variants]
    assert not [text for text in told if gone in text]
    assert sum(left in text for text in told) == 2


@pytest.mark.parametrize(("language", "down"), [("en", "go down after it"), ("zh-CN", "跟着下去")])
def test_whoever_waits_for_the_captain_finds_her_at_the_drawer(language: str, down: str) -> None:
    assert text_of("solo", language, "scene.ci_morgue.wait.text").strip().rstrip(".。").endswith(down)


def test_a_barge_that_lies_in_the_hedge_casts_off_no_more() -> None:
    game = play_edition("games/solo").game
    goes = next(trigger for trigger in game.triggers if trigger.id == "fr_iron_goes")
    told = begin_story(game, begin(game), Fate(b"", 0)).position
    begun = play(game, told, "frontier", Fate(b"", 1)).position
    for day, casts_off in ((1, True), (2, True), (3, False)):
        values = {"tale.in_book": 1, "npcs.jory.clock": 4, "npcs.jory.clock_max": 4, "meta.day": day}
        updates = [Update(Op.SET, path, value) for path, value in values.items()]
        document = carry_out(game, begun, updates, "scene:test").position.state.document
        assert goes.when.holds(document, 1) is casts_off


def test_every_yes_but_is_told() -> None:
    game = play_edition("games/solo").game
    untold = [
        (choice, glitch)
        for choice, glitch, following in bare_yes()
        if not any(v.when is not None and glitch in v.when.source for v in game.scenes[following].variants)
    ]
    assert untold == []


# The walks


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_walk_tells_a_first_meeting_twice(name: str) -> None:
    edition = play_edition(f"games/{name}")
    twice: set[str] = set()
    for seed in range(WALKS):
        for scene, key in first_meetings(edition.game, MET_ONCE[name], seed):
            twice.add(f"{scene}: {key}")
    assert twice == set()


def first_meetings(game: Game, scenes: set[str], seed: int) -> Iterator[tuple[str, str]]:
    """Where a walk meets somebody a second time in the words of the first."""
    choose, secret = random.Random(seed), seed.to_bytes(16, "big")
    turn = begin_story(game, begin(game), Fate(secret, 1))
    first: dict[str, str] = {}
    for _ in range(120):
        scene = current_scene(game, turn.position)
        if turn.scene is not None and scene is not None and scene.id in scenes:
            key = turn.texts[-1] if turn.texts else ""
            if first.get(scene.id) == key and key.endswith(f".{len(scene.variants)}"):
                yield scene.id, key
            first.setdefault(scene.id, key)
        if is_over(turn.position) or not (ways := options(game, turn.position)):
            return
        turn = take(game, turn.position, choose.choice(ways), Fate(secret, turn.position.turn))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_for_the_reader_hold_each_pair_once(language: str) -> None:
    walks = asyncio.run(gather_walks("chapel_watch", language, 4, 1))
    pairs = list(find_pairs(walks))
    assert pairs
    assert len({(a.text, b.choice, b.outcome, b.text) for a, b in pairs}) == len(pairs)
    pages = "\n".join(write_pairs(pairs))
    assert pages.count("    -> ") == len(pairs)
    assert walks == asyncio.run(gather_walks("chapel_watch", language, 4, 1))
    assert all(isinstance(passage, Passage) for walk in walks for passage in walk)
