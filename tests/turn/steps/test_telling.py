"""Scenery: which scene is entered after a turn, and what is told of it."""

import asyncio
from dataclasses import replace

import pytest

from talewright.kernel.state.state import Position
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.steps.telling import open_next, tell_end, tell_scene
from talewright.turn.turn_outcomes import Unspent
from talewright.turn.turn_progress import PASSAGE_BREAK, TurnDraws, TurnProgress
from tests.kernel.making import make_trigger, maybe
from tests.turn.making import SECRET, cards, lay_bench, make_edition, plain
from tests.turn.stories import CELLAR, GAME, HALL, LAYOUT, TOWER, WORDS, stand, tower, tower_game

TEXTS = tower().words("en")


def at(position: Position) -> TurnProgress:
    return TurnProgress(GAME, position, TurnDraws(SECRET, 1))


def scene_of(working: TurnProgress) -> object:
    return plain(working.position.state.document["_engine"])["scene"]


def test_whoever_leaves_comes_into_what_is_open() -> None:
    working = at(stand(scene="cellar"))
    assert open_next(working, "", leaves=True) == HALL
    assert scene_of(working) == "hall"
    assert [change.cause for change in working.changes] == ["engine", "engine"]
    assert plain(working.position.state.document["_engine"])["seen"] == {"hall": 1}


def test_whoever_is_led_comes_there() -> None:
    working = at(stand(scene="hall"))
    assert open_next(working, "cellar", leaves=True) == CELLAR
    assert scene_of(working) == "cellar"


def test_whoever_leaves_where_nothing_else_is_open_stays_and_is_told_so() -> None:
    working = at(stand(scene="hall"))
    assert open_next(working, "", leaves=True) == HALL
    assert (scene_of(working), working.changes) == ("hall", [])


def test_a_scene_that_is_once_or_no_longer_holds_is_left_although_nothing_else_is_open() -> None:
    once = tower_game((replace(HALL, once=True), TOWER, CELLAR))
    working = TurnProgress(once, stand(scene="hall"), TurnDraws(SECRET, 1))
    assert open_next(working, "", leaves=True) is None
    assert scene_of(working) == ""
    closed = tower_game((replace(HALL, when=maybe(LAYOUT, "coins == 0")), TOWER, CELLAR))
    working = TurnProgress(closed, stand(scene="hall"), TurnDraws(SECRET, 1))
    assert open_next(working, "", leaves=True) is None
    assert scene_of(working) == ""


@pytest.mark.parametrize("by_model", [False, True])
def test_a_choice_of_a_scene_that_is_once_is_taken_once(by_model: bool) -> None:
    async def run() -> None:
        edition = make_edition(tower_game((replace(HALL, once=True), TOWER, CELLAR)), WORDS)
        bench = await lay_bench(edition, opened=True)
        telling = bench.told_by(cards("It falls.", choices=("dice", "go", "wait"))) if by_model else bench
        body = await telling.commit(Choose("dice"), "op-1")
        assert await bench.value("coins") == 4
        # What a model offers by the name of the old choice is the model's own.
        assert [choice.source for choice in body.choices] == ["model"] * 3 * by_model
        assert isinstance(await bench.take(Choose("dice"), "op-2"), Unspent)
        assert await bench.value("coins") == 4

    asyncio.run(run())


def test_what_a_model_has_offered_leads_back_into_the_scene_once_the_model_is_gone() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        await bench.told_by(cards("He nods.", choices=("p", "q", "r"))).commit(Say("I wave"), "op-1")
        body = await bench.commit(Choose("p"), "op-2")
        assert (body.said, body.narration) == ("P", "A hall with a stair.")
        assert [choice.id for choice in body.choices] == ["climb", "jump", "dice"]

    asyncio.run(run())


def test_a_choice_that_leads_nowhere_tells_its_scene_again() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        for number in range(2):
            body = await bench.commit(Choose("dice"), f"op-{number}")
            assert body.narration == "It falls well.\n\nA hall with a stair."
            assert [choice.id for choice in body.choices] == ["climb", "jump", "dice"]

    asyncio.run(run())


def test_words_do_not_lead_away_from_a_scene_that_still_holds() -> None:
    for scene in ("hall", "cellar"):
        working = at(stand(scene=scene))
        assert open_next(working, "", leaves=False) is None
        assert scene_of(working) == scene


def test_words_lead_on_where_the_scene_no_longer_holds_or_there_is_none() -> None:
    assert open_next(at(stand(scene="tower")), "", leaves=False) == HALL
    assert open_next(at(stand()), "", leaves=False) == HALL


def test_nothing_opens_in_a_finale_or_after_the_end() -> None:
    assert open_next(at(stand(scene="cellar", finale="dawn")), "", leaves=True) is None
    assert open_next(at(stand(scene="cellar", ending="flown")), "", leaves=True) is None


def test_what_is_told() -> None:
    working = at(stand(scene="hall"))
    assert tell_scene(working, TOWER, TEXTS) == ("A tower.",)
    assert tell_scene(working, None, TEXTS) == ()
    assert tell_scene(working, CELLAR, TEXTS) == ("A cellar.",)
    assert tell_scene(at(stand(scene="hall", coins=2)), CELLAR, TEXTS) == (
        "A cellar, and no coin to spend in it.",
    )
    assert tell_end(working, TEXTS) == ()
    over = at(stand(scene="hall", ending="flown"))
    assert tell_scene(over, None, TEXTS) == ("You fly.",)
    assert tell_end(over, TEXTS) == ("You fly.",)
    # An ending without words of its own is told by nobody.
    assert tell_end(at(stand(scene="hall", ending="stayed")), TEXTS) == ()
    assert PASSAGE_BREAK == "\n\n"


BELL = make_trigger(LAYOUT, "bell", 'place == "tower"', event="A bell rings.", once=True)
DAWN = make_trigger(LAYOUT, "dawn", 'place == "roof"', event="A cock crows.", once=True)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        (("climb",), ("Step after step.", ["A bell rings."], "\n\nA tower.")),
        # Nothing was told before it.
        (("climb", "up"), ("", ["A cock crows.", "finale.dawn"], "The sun comes up.")),
        # Nothing is told after it.
        (("jump",), None),
    ],
)
def test_what_triggers_report_stands_before_the_scene_that_follows(
    choices: tuple[str, ...], told: tuple[str, list[str], str] | None
) -> None:
    async def run() -> None:
        game = replace(tower_game(), triggers=(BELL, DAWN))
        bench = await lay_bench(make_edition(game, WORDS), opened=True)
        for number, choice in enumerate(choices):
            body = await bench.commit(Choose(choice), f"op-{number}")
        if told is None:
            assert (body.events, body.events_at) == ((), None)
            return
        at = body.events_at
        assert at is not None
        assert (body.narration[:at], [event.text for event in body.events], body.narration[at:]) == told

    asyncio.run(run())


def test_what_triggers_report_stands_between_a_models_words_and_the_authors() -> None:
    async def run() -> None:
        edition = make_edition(replace(tower_game(), triggers=(BELL, DAWN)), WORDS)
        telling = (await lay_bench(edition, opened=True)).told_by(cards("You climb."), cards("You go up."))
        body = await telling.commit(Choose("climb"), "op-1")
        assert (body.narration, len(body.events), body.events_at) == ("You climb.", 1, None)
        body = await telling.commit(Say("Go up"), "op-2")
        assert (body.narration, body.events_at) == ("You go up.\n\nThe sun comes up.", len("You go up."))

    asyncio.run(run())


def test_a_finale_is_told_as_it_opens() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        await bench.commit(Choose("climb"), "op-1")
        body = await bench.commit(Choose("up"), "op-2")
        assert body.narration == "The sun comes up."
        assert [choice.id for choice in body.choices] == ["fly", "stay"]
        assert (await bench.commit(Choose("fly"), "op-3")).narration == "You fly."

    asyncio.run(run())


def test_a_finale_is_told_after_the_words_of_a_model_which_learns_of_it_in_the_next_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        await bench.commit(Choose("climb"), "op-1")
        telling = bench.told_by(cards("Up you go."), cards("You wait."), cards("Wings."))
        body = await telling.commit(Choose("up"), "op-2")
        assert body.narration == "Up you go.\n\nThe sun comes up."
        # Only once: while the finale stays open, nothing more is told of it.
        assert (await telling.commit(Say("I wait"), "op-3")).narration == "You wait."
        assert (await telling.commit(Choose("fly"), "op-4")).narration == "Wings.\n\nYou fly."
        asked = [request.messages[-1].text for request in telling.provider.requests]
        assert ["[HAPPENED]\nThe sun comes up." in text for text in asked] == [False, True, False]

    asyncio.run(run())


def test_a_campaign_that_goes_on_in_a_finale_is_told_it_again() -> None:
    working = at(stand(scene="tower", finale="dawn"))
    assert tell_scene(working, TOWER, TEXTS, resumes=True) == ("The sun comes up.",)
    assert tell_scene(working, TOWER, TEXTS) == ()
