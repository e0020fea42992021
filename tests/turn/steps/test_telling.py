"""Scenery: which scene is entered after a turn, and what is told of it."""

from talewright.kernel.state.state import Position
from talewright.turn.steps.telling import open_next, tell_end, tell_scene
from talewright.turn.turn_progress import PASSAGE_BREAK, TurnDraws, TurnProgress
from tests.turn.making import SECRET, plain
from tests.turn.stories import CELLAR, GAME, HALL, TOWER, stand, tower

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


def test_whoever_leaves_where_nothing_else_is_open_stays() -> None:
    working = at(stand(scene="hall"))
    assert open_next(working, "", leaves=True) is None
    assert (scene_of(working), working.changes) == ("hall", [])


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
