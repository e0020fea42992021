"""Forgeries of what was told, offered, said and answered, each with every hash recomputed."""

from dataclasses import replace
from typing import Any

from talewright.chronicle.records import Aside
from tests.play.verify.forgeries_of_dice import HARBOR, LANTERN, SOLO, Forgery, turn
from tests.play.verify.forging import Forger


def narration_of_a_scene(forger: Forger) -> None:
    place = turn(forger, 12)
    forger.alter(place, narration=forger.body(place)["narration"] + "\n\nYou find a purse of gold.")


def narration_of_a_model(forger: Forger) -> None:
    forger.alter(turn(forger, 3), narration="黎安把钱都给了你。")


def choice_added(forger: Forger) -> None:
    place = turn(forger, 12)
    choices = forger.body(place)["choices"]
    forger.alter(place, choices=[*choices, {**choices[0], "id": "win", "label": "Win"}])


def choice_called_otherwise(forger: Forger) -> None:
    place = turn(forger, 12)
    first, *others = forger.body(place)["choices"]
    forger.alter(place, choices=[{**first, "label": "Win at once"}, *others])


def words_of_the_player(forger: Forger) -> None:
    forger.alter(turn(forger, 12), said="I did nothing of the kind")


def event_added(forger: Forger) -> None:
    forger.alter(
        turn(forger, 12), events=[{"type": "wonder", "text": "ending.home_again", "cause": "engine"}]
    )


def event_of_another_text(forger: Forger) -> None:
    place = turn(forger, 11)
    (event,) = forger.body(place)["events"]
    forger.alter(place, events=[{**event, "text": "ending.home_again"}])


def ending_forged(forger: Forger) -> None:
    forger.alter(turn(forger, 13), end={"ending": "home_again", "outcome": "win"})


def ending_forged_in_the_state_too(forger: Forger) -> None:
    place = turn(forger, 14)
    forger.add_change(place, "/_engine/outcome", "lose", "engine")
    forger.alter(place, end={"ending": "home_again", "outcome": "lose"})


def fact_added(forger: Forger) -> None:
    forger.alter(turn(forger, 3), facts=["You own the harbor."])


def card_that_lies_open(forger: Forger) -> None:
    place = turn(forger, 5)
    (card,) = forger.body(place)["decisions"]
    forger.alter(place, decisions=[{**card, "options": card["options"][:1]}])


# Who did what.


def input_of_the_turn_alone(forger: Forger) -> None:
    forger.alter(turn(forger, 12), input={"kind": "choose", "choice": "oil"})


def input_and_what_was_accepted(forger: Forger) -> None:
    forger.input_of(turn(forger, 12), {"kind": "choose", "choice": "oil"})


def input_that_was_not_offered(forger: Forger) -> None:
    forger.input_of(turn(forger, 12), {"kind": "choose", "choice": "win"})


def answer_of_the_model_alone(forger: Forger) -> None:
    place = turn(forger, 3)
    (exchange,) = forger.body(place)["exchanges"]
    text = exchange["text"].replace('"value": 1', '"value": 2')
    assert text != exchange["text"]
    forger.alter(place, exchanges=[{**exchange, "text": text}])


def answer_that_was_mended_left_out(forger: Forger) -> None:
    place = turn(forger, 4)
    forger.alter(place, exchanges=forger.body(place)["exchanges"][1:])


def answer_added(forger: Forger) -> None:
    place = turn(forger, 3)
    forger.alter(place, exchanges=forger.body(place)["exchanges"] * 2)


def told_by_somebody_else(forger: Forger) -> None:
    forger.alter(turn(forger, 3), told="scenes")


def refusal_granted(forger: Forger) -> None:
    place = turn(forger, 5)
    first, *others = forger.body(place)["rulings"]
    forger.alter(place, rulings=[{"ruling": "granted", "move": first["move"]}, *others])


def refusal_of_another_grade(forger: Forger) -> None:
    place = turn(forger, 5)
    first, *others = forger.body(place)["rulings"]
    forger.alter(place, rulings=[{**first, "grade": "drop"}, *others])


def usage_made_smaller(forger: Forger) -> None:
    place = turn(forger, 3)
    forger.alter(place, usage={**forger.body(place)["usage"], "output_tokens": 1})


def background_result(forger: Forger) -> None:
    """The summary that a turn has taken up."""
    place = next(n for n, one in enumerate(forger.records) if isinstance(one, Aside))
    aside = forger.records[place]
    assert isinstance(aside, Aside)
    answer: Any = aside.body["answer"]
    told = {**answer, "summaries": {"day_1": "Ann won everything."}}
    forger.records[place] = replace(aside, body={**aside.body, "answer": told})


def member_that_no_engine_writes(forger: Forger) -> None:
    forger.alter(turn(forger, 12), blessing="+5")


def members_of_odd_types(forger: Forger) -> None:
    forger.alter(turn(forger, 12), choices={"bowl": 1}, rulings="all granted", events=7)


OF_WHAT_WAS_TOLD = (
    *(Forgery(LANTERN, work) for work in (narration_of_a_scene, choice_added, choice_called_otherwise)),
    *(Forgery(LANTERN, work) for work in (words_of_the_player, event_added, event_of_another_text)),
    *(Forgery(LANTERN, work) for work in (ending_forged, ending_forged_in_the_state_too)),
    *(Forgery(HARBOR, work) for work in (narration_of_a_model, fact_added, answer_of_the_model_alone)),
    *(Forgery(HARBOR, work) for work in (answer_that_was_mended_left_out, answer_added)),
    *(Forgery(HARBOR, work) for work in (told_by_somebody_else, usage_made_smaller)),
    *(Forgery(SOLO, work) for work in (card_that_lies_open, refusal_granted, refusal_of_another_grade)),
    Forgery(SOLO, background_result),
    *(Forgery(LANTERN, work) for work in (input_of_the_turn_alone, input_and_what_was_accepted)),
    *(Forgery(LANTERN, work) for work in (input_that_was_not_offered, member_that_no_engine_writes)),
    Forgery(LANTERN, members_of_odd_types),
)
