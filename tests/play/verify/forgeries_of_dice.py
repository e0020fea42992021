"""Forgeries of dice and states: what somebody may do to a campaign, and who can find it.

Each is written into a copy of a campaign that the present engine played, and every hash is recomputed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from tests.play.verify.forging import Forger

HARBOR, LANTERN, CHAPEL = "harbor_told", "lantern_scenes", "chapel_bundles"
SOLO, MILLRACE = "solo_tools", "millrace_fresh"
"""Told by a model in cards, by scenes, by a model in patches; by a model with tools; with a fresh fate."""


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


def roll_shown_changed(forger: Forger) -> None:
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


def state_out_of_its_range(forger: Forger) -> None:
    forger.add_change(turn(forger, 4), "/hp", 5_000)


# Dice.


def total_changed(forger: Forger) -> None:
    show(forger, rolling(forger), total=9)


def success_turned(forger: Forger) -> None:
    show(forger, rolling(forger), success=False)


def difficulty_lowered(forger: Forger) -> None:
    show(forger, rolling(forger), needed=2)


def roll_left_out(forger: Forger) -> None:
    forger.alter(rolling(forger), rolls=None)


def roll_shown_twice(forger: Forger) -> None:
    place = rolling(forger)
    forger.alter(place, rolls=forger.body(place)["rolls"] * 2)


def face_changed_with_all_that_follows(forger: Forger) -> None:
    """The dice say 6 and 4, the roll says so too, and since both succeed nothing else differs."""
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[*first[:3], 6, first[4]], second])
    show(forger, place, text="2d6 (6, 4) + 1 = 11", total=11)


def face_changed_alone(forger: Forger) -> None:
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[*first[:3], 6, first[4]], second])


def sides_changed(forger: Forger) -> None:
    place = rolling(forger)
    first, second = forger.body(place)["draws"]
    forger.alter(place, draws=[[first[0], 0, 20, *first[3:]], second])


def draw_added(forger: Forger) -> None:
    place = rolling(forger)
    forger.alter(place, draws=[*forger.body(place)["draws"], [11, 2, 6, 6, "2d6+1"]])


def draw_added_where_nothing_was_rolled(forger: Forger) -> None:
    forger.alter(turn(forger, 12), draws=[[12, 0, 6, 6, "luck"]])


def trial_turned(forger: Forger) -> None:
    place = turn(forger, 2)
    show(forger, place, outcome="fail")


def check_of_a_tool_raised(forger: Forger) -> None:
    place = rolling(forger)
    (roll,) = forger.body(place)["rolls"]
    forger.alter(place, rolls=[{**roll, "result": {**roll["result"], "highest": 6}}])


def check_of_a_tool_told_otherwise(forger: Forger) -> None:
    place = rolling(forger)
    (roll,) = forger.body(place)["rolls"]
    forger.alter(place, rolls=[{**roll, "result": {**roll["result"], "outcome": "Yes, and..."}}])


def draws_of_a_tool_exchanged(forger: Forger) -> None:
    place = rolling(forger)
    draws = [[*one[:3], 6, one[4]] for one in forger.body(place)["draws"]]
    forger.alter(place, draws=draws)


def draws_of_a_mended_answer_deleted(forger: Forger) -> None:
    """Without the secret nobody can say what the discarded answer drew, so the turn is not proven."""
    forger.alter(turn(forger, 3), draws=None)


def nonce_exchanged(forger: Forger) -> None:
    forger.alter(rolling(forger), nonce="00" * 16)


def nonce_taken_away(forger: Forger) -> None:
    forger.alter(rolling(forger), nonce=None)


# States.


def change_left_out(forger: Forger) -> None:
    place = turn(forger, 11)
    changes = forger.body(place)["changes"]
    forger.alter(place, changes=[one for one in changes if one["path"] != "/oil"])


def change_added_within_its_range(forger: Forger) -> None:
    forger.add_change(turn(forger, 12), "/oil", 60, "scene:soup_hut")


def change_of_another_size(forger: Forger) -> None:
    place = turn(forger, 11)
    changes = forger.body(place)["changes"]
    forger.alter(place, changes=[{**one, "value": 37} if one["path"] == "/oil" else one for one in changes])


def cause_of_a_change(forger: Forger) -> None:
    place = turn(forger, 11)
    first, *others = forger.body(place)["changes"]
    forger.alter(place, changes=[{**first, "cause": "player"}, *others])


def first_state_within_its_range(forger: Forger) -> None:
    root = forger.body(0)["root"]
    forger.alter(0, root={**root, "document": {**root["document"], "oil": 90}})


def first_state_out_of_its_range(forger: Forger) -> None:
    root = forger.body(0)["root"]
    forger.alter(0, root={**root, "document": {**root["document"], "oil": 900}})


def memory_of_the_engine(forger: Forger) -> None:
    forger.add_change(turn(forger, 12), "/_engine/scene", "ferry_house", "engine")


BROKE = (
    Forgery(LANTERN, roll_shown_changed),
    Forgery(LANTERN, nonce_added_to_fixed_dice),
    Forgery(LANTERN, draws_deleted_and_roll_changed),
    Forgery(HARBOR, state_out_of_its_range),
)
"""Those that were believed once."""

OF_DICE_AND_STATES = (
    *BROKE,
    *(Forgery(LANTERN, work) for work in (total_changed, success_turned, difficulty_lowered)),
    *(Forgery(LANTERN, work) for work in (roll_left_out, roll_shown_twice, face_changed_alone)),
    Forgery(LANTERN, face_changed_with_all_that_follows, Finder.OWNER),
    *(Forgery(LANTERN, work) for work in (sides_changed, draw_added, draw_added_where_nothing_was_rolled)),
    Forgery(CHAPEL, trial_turned),
    *(Forgery(SOLO, work) for work in (check_of_a_tool_raised, check_of_a_tool_told_otherwise)),
    Forgery(SOLO, draws_of_a_tool_exchanged),
    Forgery(CHAPEL, draws_of_a_mended_answer_deleted, Finder.OWNER),
    Forgery(MILLRACE, nonce_exchanged, Finder.OWNER),
    Forgery(MILLRACE, nonce_taken_away),
    *(Forgery(LANTERN, work) for work in (change_left_out, change_added_within_its_range)),
    *(Forgery(LANTERN, work) for work in (change_of_another_size, cause_of_a_change, memory_of_the_engine)),
    *(Forgery(LANTERN, work) for work in (first_state_within_its_range, first_state_out_of_its_range)),
)
