"""Forgeries of dice and states: what somebody may do to a campaign, and who can find it.

Each is written into a copy of a campaign that the present engine played, and every hash is recomputed.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Any

from talewright.chronicle.records import Aside
from talewright.common.json_values import Json
from talewright.kernel.chance import Fate, derive_face
from tests.play.verify.forging import Forger

HARBOR, LANTERN, CHAPEL = "harbor_told", "lantern_scenes", "chapel_bundles"
SOLO, MILLRACE = "solo_tools", "millrace_fresh"
"""Told by a model in cards, by scenes, by a model in patches; by a model with tools; with a fresh fate."""

GOBLIN = "goblin_seen"
"""Narrated by a game master who abandoned turns after it had seen dice."""


class Finder(Enum):
    """Who finds a forgery."""

    ANYBODY = "verify, with the secret or without"
    OWNER = "verify with the secret"
    NAMED = "verify names the turns as not proven"
    RECEIPT = "only somebody with a receipt from before"


@dataclass(frozen=True, slots=True)
class Forgery:
    """One thing that may be done."""

    plot: str
    work: Callable[[Forger], None]
    finder: Finder = Finder.ANYBODY

    @property
    def name(self) -> str:
        return self.work.__name__


def rolling(forger: Forger) -> int:
    """The turn in which dice fell."""
    return forger.find(lambda commit: "draws" in commit.body)


def turn(forger: Forger, version: int) -> int:
    """The last turn of a number."""
    return forger.find(lambda commit: commit.version == version)


def show(forger: Forger, place: int, **members: Any) -> None:
    """Let a turn show another roll."""
    (roll,) = forger.body(place)["rolls"]
    forger.alter(place, rolls=[{**roll, **members}])


# What broke before.


def displayed_roll_changed(forger: Forger) -> None:
    show(forger, rolling(forger), text="2d6 (6, 6) + 1 = 13", total=13)


def nonce_added_to_fixed_dice(forger: Forger) -> None:
    place = rolling(forger)
    for number in range(10_000):
        nonce = number.to_bytes(16)
        fate = Fate(forger.secret, 11, nonce)
        if [fate.draw(6, "2d6+1"), fate.draw(6, "2d6+1")] == [6, 6]:
            break
    draws: list[Json] = [[one.version, one.index, one.sides, one.face, one.why] for one in fate.draws]
    show(forger, place, text="2d6 (6, 6) + 1 = 13", total=13)
    forger.alter(place, draws=draws, nonce=nonce.hex())


def draws_deleted_and_roll_changed(forger: Forger) -> None:
    place = rolling(forger)
    forger.alter(place, draws=None)
    show(forger, place, text="13", total=13)


def state_changed_to_a_value_out_of_range(forger: Forger) -> None:
    forger.add_change(turn(forger, 4), "/hp", 5_000)


# Dice.


def total_changed(forger: Forger) -> None:
    show(forger, rolling(forger), total=9)


def success_reversed(forger: Forger) -> None:
    show(forger, rolling(forger), success=False)


def difficulty_lowered(forger: Forger) -> None:
    show(forger, rolling(forger), needed=2)


def roll_removed(forger: Forger) -> None:
    forger.alter(rolling(forger), rolls=None)


def roll_duplicated(forger: Forger) -> None:
    place = rolling(forger)
    forger.alter(place, rolls=forger.body(place)["rolls"] * 2)


def die_changed_with_all_consequences(forger: Forger) -> None:
    """The dice say 6 and 4, the roll says so too, and since both succeed nothing else differs."""
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[*first[:3], 6, first[4]], second])
    show(forger, place, text="2d6 (6, 4) + 1 = 11", total=11)


def die_changed_and_nothing_else(forger: Forger) -> None:
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[*first[:3], 6, first[4]], second])


def number_of_sides_changed(forger: Forger) -> None:
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[first[0], 0, 20, *first[3:]], second])


def draw_added(forger: Forger) -> None:
    place = rolling(forger)
    forger.alter(place, draws=[*forger.body(place)["draws"], [11, 2, 6, 6, "2d6+1"]])


def draw_added_to_a_turn_without_rolls(forger: Forger) -> None:
    forger.alter(turn(forger, 12), draws=[[12, 0, 6, 6, "luck"]])


def outcome_of_a_skill_test_reversed(forger: Forger) -> None:
    place = turn(forger, 2)
    show(forger, place, outcome="fail")


def highest_die_of_a_solo_roll_raised(forger: Forger) -> None:
    place = rolling(forger)
    (roll,) = forger.body(place)["rolls"]
    forger.alter(place, rolls=[{**roll, "result": {**roll["result"], "highest": 6}}])


def outcome_of_a_solo_roll_altered(forger: Forger) -> None:
    place = rolling(forger)
    (roll,) = forger.body(place)["rolls"]
    forger.alter(place, rolls=[{**roll, "result": {**roll["result"], "outcome": "Yes, and..."}}])


def draws_of_a_solo_roll_replaced(forger: Forger) -> None:
    place = rolling(forger)
    draws = [[*one[:3], 6, one[4]] for one in forger.body(place)["draws"]]
    forger.alter(place, draws=draws)


def draws_of_a_rejected_reply_deleted(forger: Forger) -> None:
    """Without the secret nobody can say what the discarded answer drew, so the turn is not proven."""
    forger.alter(turn(forger, 3), draws=None)


def nonce_replaced(forger: Forger) -> None:
    forger.alter(rolling(forger), nonce="00" * 16)


def nonce_removed(forger: Forger) -> None:
    forger.alter(rolling(forger), nonce=None)


# Dice that a game master saw in an abandoned turn, and those of the turns that use them.


def list_another_stream(forger: Forger, names: Callable[[str, int], str]) -> None:
    """List the first seen dice under a name that gives a 20, and play all turns again with it."""
    place, aside = next((n, one) for n, one in enumerate(forger.records) if isinstance(one, Aside))
    body: dict[str, Any] = dict(aside.body)
    (look,) = body["checks"]
    forged = (names(look["stream"], number) for number in range(1_000))
    stream = next(one for one in forged if derive_face(forger.secret, f"{one}:d20:0", 20) == 20)
    forger.records[place] = replace(aside, body={**body, "checks": [{**look, "stream": stream}]})
    forger.remake(*forger.find_turns())
    assert forger.body(rolling(forger))["draws"][0][3:] == [20, "Ansa, Athletics", f"{stream}:d20:0"]


def nonce_added_to_seen_dice(forger: Forger) -> None:
    list_another_stream(forger, lambda stream, number: f"{number:032x}@{stream}")


def seen_dice_numbered_with_leading_zeros(forger: Forger) -> None:
    list_another_stream(forger, lambda stream, number: stream + "0" * (number + 1))


def seen_dice_numbered_with_other_digits(forger: Forger) -> None:
    zeros = [0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50]
    pairs = list(product(zeros, zeros))
    list_another_stream(
        forger,
        lambda stream, number: f"{chr(pairs[number][0] + 3)}{stream[1:-1]}{chr(pairs[number][1])}",
    )


def number_of_seen_dice_skipped(forger: Forger) -> None:
    list_another_stream(forger, lambda stream, number: f"{stream[:-1]}{number + 1}")


def seen_dice_of_a_turn_with_another_number(forger: Forger) -> None:
    list_another_stream(forger, lambda stream, number: f"{number + 4}{stream[1:]}")


def purpose_of_seen_dice_altered(forger: Forger) -> None:
    place, aside = next((n, one) for n, one in enumerate(forger.records) if isinstance(one, Aside))
    body: dict[str, Any] = dict(aside.body)
    (look,) = body["checks"]
    checks = [{**look, "for": {**look["for"], "terms": {"difficulty": 25}}}]
    forger.records[place] = replace(aside, body={**body, "checks": checks})


def dice_of_a_game_master_exchanged_by_an_older_engine_number(forger: Forger) -> None:
    before = forger.body(rolling(forger))["draws"]
    for place in forger.find_turns():
        # Engines of that number asked for no reasons, and refused them.
        told = json.dumps(forger.body(place)["exchanges"])
        told = re.sub(r', \\"reason\\": \\"[^"]*\\"', "", told)
        forger.alter(place, engine=3, exchanges=json.loads(told))
    for place in forger.find_turns():
        forger.remake(place)
        forger.alter(place, engine=3)
    assert forger.body(rolling(forger))["draws"] != before


# States.


def change_removed(forger: Forger) -> None:
    place = turn(forger, 11)
    changes = forger.body(place)["changes"]
    forger.alter(place, changes=[one for one in changes if one["path"] != "/oil"])


def change_added_with_an_allowed_value(forger: Forger) -> None:
    forger.add_change(turn(forger, 12), "/oil", 60, "scene:soup_hut")


def amount_of_a_change_altered(forger: Forger) -> None:
    place = turn(forger, 11)
    changes = forger.body(place)["changes"]
    forger.alter(place, changes=[{**one, "value": 37} if one["path"] == "/oil" else one for one in changes])


def cause_of_a_change_altered(forger: Forger) -> None:
    place = turn(forger, 11)
    first, *others = forger.body(place)["changes"]
    forger.alter(place, changes=[{**first, "cause": "player"}, *others])


def first_state_altered_to_another_allowed_value(forger: Forger) -> None:
    root = forger.body(0)["root"]
    forger.alter(0, root={**root, "document": {**root["document"], "oil": 90}})


def first_state_altered_to_a_value_out_of_range(forger: Forger) -> None:
    root = forger.body(0)["root"]
    forger.alter(0, root={**root, "document": {**root["document"], "oil": 900}})


def current_scene_altered(forger: Forger) -> None:
    forger.add_change(turn(forger, 12), "/_engine/scene", "ferry_house", "engine")


BROKE = (
    Forgery(LANTERN, displayed_roll_changed),
    Forgery(LANTERN, nonce_added_to_fixed_dice),
    Forgery(LANTERN, draws_deleted_and_roll_changed),
    Forgery(HARBOR, state_changed_to_a_value_out_of_range),
    *(
        Forgery(GOBLIN, work)
        for work in (
            nonce_added_to_seen_dice,
            seen_dice_numbered_with_leading_zeros,
            seen_dice_numbered_with_other_digits,
        )
    ),
)
"""Those that were believed once."""

OF_DICE_AND_STATES = (
    *BROKE,
    *(Forgery(LANTERN, work) for work in (total_changed, success_reversed, difficulty_lowered)),
    *(Forgery(LANTERN, work) for work in (roll_removed, roll_duplicated, die_changed_and_nothing_else)),
    Forgery(LANTERN, die_changed_with_all_consequences, Finder.OWNER),
    *(
        Forgery(LANTERN, work)
        for work in (number_of_sides_changed, draw_added, draw_added_to_a_turn_without_rolls)
    ),
    Forgery(CHAPEL, outcome_of_a_skill_test_reversed),
    *(Forgery(SOLO, work) for work in (highest_die_of_a_solo_roll_raised, outcome_of_a_solo_roll_altered)),
    Forgery(SOLO, draws_of_a_solo_roll_replaced),
    Forgery(CHAPEL, draws_of_a_rejected_reply_deleted, Finder.OWNER),
    Forgery(MILLRACE, nonce_replaced, Finder.OWNER),
    Forgery(MILLRACE, nonce_removed),
    *(
        Forgery(GOBLIN, work)
        for work in (
            number_of_seen_dice_skipped,
            seen_dice_of_a_turn_with_another_number,
            purpose_of_seen_dice_altered,
        )
    ),
    Forgery(GOBLIN, dice_of_a_game_master_exchanged_by_an_older_engine_number, Finder.NAMED),
    *(Forgery(LANTERN, work) for work in (change_removed, change_added_with_an_allowed_value)),
    *(
        Forgery(LANTERN, work)
        for work in (amount_of_a_change_altered, cause_of_a_change_altered, current_scene_altered)
    ),
    *(
        Forgery(LANTERN, work)
        for work in (
            first_state_altered_to_another_allowed_value,
            first_state_altered_to_a_value_out_of_range,
        )
    ),
)
