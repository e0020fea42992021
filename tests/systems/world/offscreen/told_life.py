"""Told life: a small world with people away from the player, and answers about them."""

from collections.abc import Mapping
from typing import Any

from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.rulings import Errand
from talewright.systems.world.authored.world_files import FACTS, PEOPLE, PLACES, RULES
from talewright.systems.world.offscreen.simulation_report import JudgedReport, take_report
from tests.systems.world.making import WORLD, Play
from tests.systems.world.random_worlds import make_world_game

EVERY_TURN: Mapping[str, Any] = {"every_turns": 1}

FILES: Mapping[str, Any] = {
    PLACES: [
        {"id": "inn", "name": "Inn", "description": "It smokes.", "exits": [{"to": "yard"}, {"to": "vault"}]},
        {"id": "yard", "name": "Yard", "exits": [{"to": "inn"}]},
        {"id": "far", "name": "Far Hill"},
        {"id": "vault", "name": "Vault", "hidden": True},
    ],
    PEOPLE: [
        {
            "id": "ada",
            "name": "Ada",
            "description": "A smith.",
            "goals": "sleep",
            "at": "inn",
            "knows": ["news", "secret"],
            "relationships": {"bea": 95},
        },
        {"id": "bea", "name": "Bea", "description": "A nurse.", "at": "inn"},
        {"id": "cid", "name": "Cid", "description": "A clerk.", "at": "yard", "knows": ["rumour"]},
    ],
    FACTS: [
        {"id": "news", "text": "The bridge fell."},
        {"id": "secret", "text": "Ada broke it.", "trust": 99},
        {"id": "rumour", "text": "Cid has the keys."},
    ],
    RULES: {"start": {"at": "far"}, "gossip": {"chance": 0}, "offscreen": EVERY_TURN},
}


def start(**changed: Any) -> Play:
    """A campaign in this world; `people=...` replaces a file, `offscreen=...` some of its rules."""
    rules = {name: changed.pop(name) for name in ("offscreen", "gossip") if name in changed}
    files = {**FILES, RULES: {**FILES[RULES], **rules}}
    names = {"places": PLACES, "people": PEOPLE, "facts": FACTS}
    return Play(make_world_game({**files, **{names[name]: value for name, value in changed.items()}}))


def person(name: str, **changed: Any) -> dict[str, Any]:
    """Somebody of this world, changed."""
    (found,) = (row for row in FILES[PEOPLE] if row["id"] == name)
    return {**found, **changed}


def ask(play: Play) -> Errand:
    """The errand after this turn."""
    (errand,) = WORLD.errands(play.sight, ())
    return errand


def answer(play: Play, errand: str, told: Json) -> JudgedReport:
    """Take an answer, as the next turn would."""
    judged = take_report(play.state, errand, told)
    assert list(judged.updates) == list(WORLD.take(errand, told, play.sight))
    step = carry_out(play.game, play.position, judged.updates, "aside:test")
    assert all(type(ruling).__name__ == "Granted" for ruling in step.rulings), step.rulings
    play.position = step.position
    return judged


def report(**kinds: Json) -> dict[str, Json]:
    """An answer in full, which fits its form."""
    rows: dict[str, Json] = {
        kind: kinds.get(kind, []) for kind in ("events", "movements", "told", "relationships")
    }
    return {"dialogue": ['Ada: "So."'], "reportSimulation": rows}


def is_fit(errand: Errand, told: Json) -> bool:
    """Whether an answer has the form that was asked for."""
    return fits(told, read_schema(errand.answer_schema))
