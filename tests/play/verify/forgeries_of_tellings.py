"""Forgeries of what was told, offered, said and answered, each with every hash recomputed."""

import json
from dataclasses import replace
from typing import Any

from talewright.chronicle.records import Aside
from tests.play.verify.forgeries_of_dice import HARBOR, LANTERN, SOLO, Forgery, turn
from tests.play.verify.forging import Forger


def narration_of_a_scene_altered(forger: Forger) -> None:
    place = turn(forger, 12)
    forger.alter(place, narration=forger.body(place)["narration"] + "\n\nYou find a purse of gold.")


def narration_of_a_model_altered(forger: Forger) -> None:
    forger.alter(turn(forger, 3), narration="黎安把钱都给了你。")


def choice_added(forger: Forger) -> None:
    place = turn(forger, 12)
    choices = forger.body(place)["choices"]
    forger.alter(place, choices=[*choices, {**choices[0], "id": "win", "label": "Win"}])


def label_of_a_choice_altered(forger: Forger) -> None:
    place = turn(forger, 12)
    first, *others = forger.body(place)["choices"]
    forger.alter(place, choices=[{**first, "label": "Win at once"}, *others])


def words_of_the_player_altered(forger: Forger) -> None:
    forger.alter(turn(forger, 12), said="I did nothing of the kind")


def event_added(forger: Forger) -> None:
    forger.alter(
        turn(forger, 12), events=[{"type": "wonder", "text": "ending.home_again", "cause": "engine"}]
    )


def text_of_an_event_altered(forger: Forger) -> None:
    place = turn(forger, 11)
    (event,) = forger.body(place)["events"]
    forger.alter(place, events=[{**event, "text": "ending.home_again"}])


def ending_forged(forger: Forger) -> None:
    forger.alter(turn(forger, 13), end={"ending": "home_again", "outcome": "win"})


def ending_forged_in_the_state_too(forger: Forger) -> None:
    place = turn(forger, 14)
    forger.add_change(place, "/_engine/outcome", "lose", "engine")
    forger.alter(place, end={"ending": "home_again", "outcome": "lose"})


def remembered_fact_added(forger: Forger) -> None:
    forger.alter(turn(forger, 3), facts=["You own the harbor."])


def options_of_an_open_question_removed(forger: Forger) -> None:
    place = turn(forger, 5)
    (card,) = forger.body(place)["decisions"]
    forger.alter(place, decisions=[{**card, "options": card["options"][:1]}])


# Who did what.


def input_altered_in_the_turn_but_not_where_it_was_received(forger: Forger) -> None:
    forger.alter(turn(forger, 12), input={"kind": "choose", "choice": "oil"})


def input_altered_in_the_turn_and_where_it_was_received(forger: Forger) -> None:
    forger.input_of(turn(forger, 12), {"kind": "choose", "choice": "oil"})


def input_that_was_not_offered(forger: Forger) -> None:
    forger.input_of(turn(forger, 12), {"kind": "choose", "choice": "win"})


def answer_marked_as_passed_on_by_an_assistant(forger: Forger) -> None:
    place = forger.find(lambda one: '"option"' in json.dumps(one.body.get("input")))
    forger.input_of(place, {**forger.body(place)["input"], "relayed": True})


def model_reply_altered_and_nothing_else(forger: Forger) -> None:
    place = turn(forger, 3)
    (exchange,) = forger.body(place)["exchanges"]
    text = exchange["text"].replace('"value": 1', '"value": 2')
    assert text != exchange["text"]
    forger.alter(place, exchanges=[{**exchange, "text": text}])


def rejected_reply_removed(forger: Forger) -> None:
    place = turn(forger, 4)
    forger.alter(place, exchanges=forger.body(place)["exchanges"][1:])


def model_reply_added(forger: Forger) -> None:
    place = turn(forger, 3)
    forger.alter(place, exchanges=forger.body(place)["exchanges"] * 2)


def model_replaced_as_the_narrator(forger: Forger) -> None:
    forger.alter(turn(forger, 3), told="scenes")


def refused_action_marked_as_allowed(forger: Forger) -> None:
    place = turn(forger, 5)
    first, *others = forger.body(place)["rulings"]
    forger.alter(place, rulings=[{"ruling": "granted", "move": first["move"]}, *others])


def severity_of_a_refusal_altered(forger: Forger) -> None:
    place = turn(forger, 5)
    first, *others = forger.body(place)["rulings"]
    forger.alter(place, rulings=[{**first, "grade": "drop"}, *others])


def token_count_of_a_reply_lowered(forger: Forger) -> None:
    place = turn(forger, 3)
    forger.alter(place, usage={**forger.body(place)["usage"], "output_tokens": 1})


def summary_written_between_turns_altered(forger: Forger) -> None:
    """The summary that a turn has taken up."""
    place = next(n for n, one in enumerate(forger.records) if isinstance(one, Aside))
    aside = forger.records[place]
    assert isinstance(aside, Aside)
    answer: Any = aside.body["answer"]
    told = {**answer, "summaries": {"day_1": "Ann won everything."}}
    forger.records[place] = replace(aside, body={**aside.body, "answer": told})


def unknown_field_added_to_the_record(forger: Forger) -> None:
    forger.alter(turn(forger, 12), blessing="+5")


def fields_of_the_record_with_wrong_types(forger: Forger) -> None:
    forger.alter(turn(forger, 12), choices={"bowl": 1}, rulings="all granted", events=7)


OF_WHAT_WAS_TOLD = (
    *(
        Forgery(LANTERN, work)
        for work in (narration_of_a_scene_altered, choice_added, label_of_a_choice_altered)
    ),
    *(
        Forgery(LANTERN, work)
        for work in (words_of_the_player_altered, event_added, text_of_an_event_altered)
    ),
    *(Forgery(LANTERN, work) for work in (ending_forged, ending_forged_in_the_state_too)),
    *(
        Forgery(HARBOR, work)
        for work in (
            narration_of_a_model_altered,
            remembered_fact_added,
            model_reply_altered_and_nothing_else,
        )
    ),
    *(Forgery(HARBOR, work) for work in (rejected_reply_removed, model_reply_added)),
    *(Forgery(HARBOR, work) for work in (model_replaced_as_the_narrator, token_count_of_a_reply_lowered)),
    *(
        Forgery(SOLO, work)
        for work in (
            options_of_an_open_question_removed,
            refused_action_marked_as_allowed,
            severity_of_a_refusal_altered,
        )
    ),
    *(
        Forgery(SOLO, work)
        for work in (answer_marked_as_passed_on_by_an_assistant, summary_written_between_turns_altered)
    ),
    *(
        Forgery(LANTERN, work)
        for work in (
            input_altered_in_the_turn_but_not_where_it_was_received,
            input_altered_in_the_turn_and_where_it_was_received,
        )
    ),
    *(Forgery(LANTERN, work) for work in (input_that_was_not_offered, unknown_field_added_to_the_record)),
    Forgery(LANTERN, fields_of_the_record_with_wrong_types),
)
