"""The tail: the state without secrets, the notes, the scene, what happened, and the input."""

from dataclasses import replace

from talewright.kernel.cards import Card, PromptWeight
from talewright.kernel.game import Game
from talewright.kernel.positions import begin
from talewright.kernel.slots import Slot
from talewright.kernel.texts import Texts
from talewright.prompt.tail import Moment, shown_state, write_tail
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record, string
from tests.plugs.toll import Toll
from tests.turn.stories import GAME, stand, tower

TEXTS = tower().words("en")


def secret(slot: Slot) -> Slot:
    return replace(slot, secret=True)


def test_a_turn_with_everything() -> None:
    moment = Moment("I climb", ("Step after step.", "Dust."), ({"kind": "roll", "b": "é"},), ("[INDEX]\n{}",))
    assert write_tail(GAME, TEXTS, stand(scene="hall"), moment) == "\n\n".join(
        [
            "[VERSION]\n4",
            '[STATE]\n{"coins":3,"place":"hall"}',
            "[INDEX]\n{}",
            "[SCENE]\nA hall with a stair.\n"
            "- climb: Climb the stair\n- jump: Jump into the dark\n- dice: Throw a die",
            "[HAPPENED]\nStep after step.\nDust.",
            '[RESULTS]\n[{"b":"é","kind":"roll"}]',
            "[PLAYER]\nI climb",
        ]
    )


def test_a_turn_with_next_to_nothing() -> None:
    expected = '[VERSION]\n4\n\n[STATE]\n{"coins":3,"place":"hall"}\n\n[PLAYER]\n(goes on)'
    assert write_tail(GAME, TEXTS, stand(), Moment("")) == expected


def test_notes_of_the_systems() -> None:
    toll = Toll()
    layout = make_layout(toll.slots())
    game = make_game(layout, systems=[toll])
    tail = write_tail(game, Texts("en"), begin(game), Moment("I wave"))
    assert "\n\n[NOTES]\n- The keeper is afraid of the water.\n- The bridge has a toll.\n\n" in tail


def state_of(game: Game) -> dict[str, object]:
    return dict(shown_state(game, begin(game)))


def test_what_is_secret_is_left_out_at_any_depth() -> None:
    layout = make_layout(
        {
            "open": integer(1),
            "shut": secret(string("canary")),
            "mixed": record(
                a=integer(2), b=secret(string("canary")), c=record(d=secret(integer(7)), e=integer(3))
            ),
            "list": listing(record(n=integer(), s=secret(string())), {"n": 1, "s": "canary"}),
            "names": listing(string(), "x", "y"),
            "keys": opened(record(n=integer(), s=secret(string())), {"k": {"n": 1, "s": "canary"}}),
            "hidden": replace(string("the narrator knows"), hidden=True),
        }
    )
    assert state_of(make_game(layout)) == {
        "open": 1,
        "mixed": {"a": 2, "c": {"e": 3}},
        "list": [{"n": 1}],
        "names": ["x", "y"],
        "keys": {"k": {"n": 1}},
        "hidden": "the narrator knows",
    }


def test_what_the_author_keeps_out_of_prompts_is_left_out() -> None:
    layout = make_layout({"a": integer(1), "b": integer(2)})
    cards = (Card("a", prompt_weight=PromptWeight.HIDDEN), Card("b", prompt_weight=PromptWeight.LOW))
    assert state_of(replace(make_game(layout), cards=cards)) == {"b": 2}
