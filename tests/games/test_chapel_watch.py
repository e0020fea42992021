"""Chapel Watch: what the patch contract needs of it, its odds and secrets, and its words in two languages."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import carry_out, carry_out_call, judge
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.state.changes import to_operation
from talewright.kernel.state.state import begin
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scenes import Choice, Trial
from talewright.pack.compiler import compile_folder
from talewright.systems.odds import system
from talewright.systems.odds.rulebook import steps_of
from tests.games.walking import Rigged
from tests.kernel.making import Scripted
from tests.kernel.scene_walk import begin_story, play

FOLDER = Path(__file__).parents[2] / "games" / "chapel_watch"
SCENE_WORDS = range(60, 151)
SCENE_CHARACTERS = range(90, 401)


def load() -> tuple[Game, Mapping[str, Texts]]:
    compiled = compile_folder(FOLDER, {"odds": system()})
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game, compiled.texts


GAME, TEXTS = load()
START = begin(GAME)


def choices() -> Iterator[tuple[str, Choice]]:
    for scene in GAME.scenes.values():
        for choice in scene.choices:
            yield f"scene.{scene.id}.{choice.id}", choice


TRIALS = {name: choice.check for name, choice in choices() if isinstance(choice.check, Trial)}


def test_it_speaks_patch_and_lets_the_engine_draw_first() -> None:
    assert (GAME.contract, GAME.plan) == ("patch", "moves_first")
    assert [plug.name for plug in GAME.systems] == ["odds"]
    assert GAME.languages == ("en", "zh-CN")
    assert all(len(scene.choices) >= 3 for scene in GAME.scenes.values())
    assert len(TRIALS) >= 10


def test_it_begins_as_the_examples_of_the_contract_want_it() -> None:
    state = START.state
    assert state.read(("player", "xp")) == 0
    assert state.read(("player", "skills")) == {"stealth": 14, "perception": 30, "persuasion": 18}
    assert state.read(("player", "inventory")) == [{"id": "rusty_dagger", "qty": 1}]


def test_a_storyteller_may_move_what_the_examples_move() -> None:
    coin: Json = {"id": "copper_coin", "qty": 1}
    found = judge(
        GAME,
        START,
        [Update(Op.SET, "/player/xp", 1), Update(Op.PUSH, "/player/inventory", coin)],
        MODEL,
        Scripted(),
    )
    assert [to_operation(change) for change in found.changes] == [
        {"op": "replace", "path": "/player/xp", "value": 1},
        {"op": "add", "path": "/player/inventory/1", "value": coin},
    ]
    sharpened = judge(
        GAME,
        found.position,
        [
            Update(Op.TEST, "/player/inventory/0/id", "rusty_dagger"),
            Update(Op.SET, "/player/inventory/0/qty", 2),
            Update(Op.TEST, "/player/inventory/1/id", "copper_coin"),
            Update(Op.DELETE, "/player/inventory/1"),
        ],
        MODEL,
        Scripted(),
    )
    assert sharpened.position.state.read(("player", "inventory")) == [{"id": "rusty_dagger", "qty": 2}]


@pytest.mark.parametrize(
    ("skill", "difficulty", "step", "p"), [("stealth", 0.6, "hard", 0.18), ("perception", 0.2, "easy", 0.9)]
)
def test_the_odds_of_the_examples(skill: str, difficulty: float, step: str, p: float) -> None:
    tried = carry_out_call(
        GAME, START, Call("attempt", {"skill_used": skill, "difficulty": difficulty}), Scripted(1)
    )
    last = tried.position.state.read(("odds", "last"))
    assert isinstance(last, dict)
    assert (last["skill"], last["difficulty"], last["p"]) == (skill, step, p)


def test_its_steps_are_named_and_one_is_blocked() -> None:
    steps = steps_of(GAME.files["odds"])
    names = {step.name: step.difficulty for step in steps}
    assert names == {"easy": 2_000, "moderate": 4_000, "hard": 6_000, "desperate": 8_000, "impossible": None}
    assert all(step.meaning for step in steps)


@pytest.mark.parametrize("name", TRIALS)
def test_no_trial_names_a_skill_or_a_step_that_is_not_there(name: str) -> None:
    trial = TRIALS[name]
    step = carry_out_call(GAME, START, Call(trial.tool, trial.arguments), Scripted(1))
    (ruling,) = step.rulings
    assert isinstance(ruling, Granted), ruling


def test_a_look_at_the_gate_finds_the_coin_that_stands_second() -> None:
    opening = begin_story(GAME, START, Scripted())
    lucky = play(GAME, opening.position, "look", Rigged(False))
    assert isinstance(lucky.trial, dict)
    assert (lucky.trial["outcome"], lucky.trial["p"]) == ("success", 0.9)
    assert lucky.position.state.read(("player", "inventory", "1", "id")) == "copper_coin"
    assert [change.cause for change in lucky.changes if change.path.startswith("/odds")][:1] == [
        "system:odds"
    ]
    unlucky = play(GAME, opening.position, "look", Rigged(True))
    assert unlucky.scene is not None
    assert unlucky.scene.id == "porch"


def test_it_can_be_won_and_lost_in_several_ways() -> None:
    kinds = [ending.kind for ending in GAME.endings if not ending.finale]
    kinds += [route.kind for ending in GAME.endings for route in ending.finale]
    assert (kinds.count(Outcome.WIN), kinds.count(Outcome.LOSE)) == (5, 4)


def test_a_ledger_is_taken_back_from_whoever_is_brought_to_the_porch() -> None:
    updates = [
        Update(Op.PUSH, "player.inventory", {"id": "ledger", "qty": 1}),
        Update(Op.SET, "flags.book", True),
        Update(Op.SET, "place", "porch"),
    ]
    position = carry_out(GAME, begin_story(GAME, START, Scripted()).position, updates, "scene:test").position
    after = play(GAME, position, "nettles", Rigged(True))
    assert after.position.state.read(("player", "inventory")) == [{"id": "rusty_dagger", "qty": 1}]
    assert after.position.state.read(("flags", "book")) is False


def test_it_has_something_to_hide() -> None:
    slots = {".".join(path): slot for path, slot in GAME.layout.walk() if path[0] != "_engine"}
    assert [name for name, slot in slots.items() if slot.hidden] == ["mattock.drowse"]
    secret = [name for name, slot in slots.items() if slot.secret]
    assert secret == ["account", "account.owed", "account.repaid", "account.witness"]
    assert [lore.id for lore in GAME.lore if lore.reveal_when] == ["what_was_settled", "the_small_coffin"]
    for texts in TEXTS.values():
        assert {"npc.mattock.secret", "npc.ursel.secret"} <= texts.entries.keys()


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_choice_can_be_typed_in_other_words(language: str) -> None:
    texts = TEXTS[language]
    assert [name for name, _ in choices() if not texts.lists.get(f"{name}.also")] == []


@pytest.mark.parametrize(("language", "lengths"), [("en", SCENE_WORDS), ("zh-CN", SCENE_CHARACTERS)])
def test_no_scene_is_too_short_or_too_long(language: str, lengths: range) -> None:
    entries = TEXTS[language].entries
    told = {key: text for key, text in entries.items() if key.startswith("scene.") and ".text." in key}
    sizes = {
        key: len(text.split()) if language == "en" else len("".join(text.split()))
        for key, text in told.items()
    }
    assert {key: size for key, size in sizes.items() if size not in lengths} == {}
