"""People: created, changed, present, and never beyond their clocks."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.slots import NPCS_MAX
from tests.systems.spiral.making import READY, ZOGAR, call, end_turn, granted, read, refused, write

MIRA: dict[str, Json] = {
    "id": "mira",
    "name": "Mira",
    "concept": "A ferrywoman",
    "positive_tags": ["strong arms"],
    "negative_tags": ["owes Gorm"],
    "disposition": "friendly",
    "goal": "sell the ferry before the thaw",
    "clock_max": 4,
}


def test_somebody_new_is_not_yet_here() -> None:
    step = call("create_npc", MIRA)
    npc = granted(step)["npc"]
    assert npc == {
        "name": "Mira",
        "concept": "A ferrywoman",
        "positive_tags": ["strong arms"],
        "negative_tags": ["owes Gorm"],
        "disposition": "friendly",
        "goal": "sell the ferry before the thaw",
        "clock": 0,
        "clock_max": 4,
        "last_location": "",
        "active": False,
    }
    assert read(step.position, "npcs.mira") == {**npc, "met": False}


KEBAB = (
    "create_npc: `id` is a name in kebab-case such as zogar-sag, of small letters a to z and digits, "
    "at most 40; not {}"
)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"id": "Mira"}, KEBAB.format("'Mira'")),
        ({"id": "a--b"}, KEBAB.format("'a--b'")),
        ({"id": None}, KEBAB.format("null")),
        ({"id": "a" * 41}, KEBAB.format(repr("a" * 41))),
        (
            {"id": "gorm"},
            "create_npc: there is gorm already; change them with update_npc, or take another id",
        ),
        ({"name": ""}, "create_npc needs `name`: what they are called"),
        ({"concept": None}, "create_npc needs `concept`: who they are, in a few words"),
        ({"goal": " "}, "create_npc needs `goal`: a deed with an end that would matter"),
        (
            {"disposition": "angry"},
            "create_npc: `disposition` is one of hostile, neutral, friendly, unknown, not 'angry'",
        ),
        ({"clock_max": 13}, "create_npc: `clock_max` is a whole number from 1 to 12, not 13"),
        ({"clock_max": True}, "create_npc: `clock_max` is a whole number from 1 to 12, not true"),
        (
            {"positive_tags": [f"t{n}" for n in range(9)]},
            "create_npc: `positive_tags`: at most 8 tags stand here, this would make 9; remove some first",
        ),
    ],
)
def test_who_cannot_be_created(said: dict[str, Json], reason: str) -> None:
    assert refused(call("create_npc", {**MIRA, **said})) == reason


HEAVY = "at most 39 characters, 19 of Chinese; shorten '{}'"


@pytest.mark.parametrize("words", ["鬼" * 19 + "x", "x" * 39])
def test_names_and_tags_are_short_enough_to_be_read(words: str) -> None:
    npc = granted(call("create_npc", {**MIRA, "name": words, "negative_tags": [words]}))["npc"]
    assert isinstance(npc, dict)
    assert (npc["name"], npc["negative_tags"]) == (words, [words])
    heavy = f"鬼{words[1:]}" if words.isascii() else f"{words[:-1]}鬼"
    assert refused(call("create_npc", {**MIRA, "name": heavy})) == (
        f"create_npc: `name`: {HEAVY.format(heavy)}"
    )
    assert refused(call("create_npc", {**MIRA, "negative_tags": ["x", heavy]})) == (
        f"create_npc: `negative_tags`: {HEAVY.format(heavy)}"
    )
    assert refused(call("update_npc", {"id": "gorm", "add_positive": [heavy]})) == (
        f"update_npc: `add_positive`: {HEAVY.format(heavy)}"
    )


def test_a_world_has_room_for_so_many() -> None:
    crowd = write(READY, {"npcs": {f"n{n}": {"name": str(n)} for n in range(NPCS_MAX)}})
    assert refused(call("create_npc", MIRA, position=crowd)) == (
        "create_npc: a world has at most 40 people; let somebody stay unnamed"
    )


def test_whoever_comes_is_met_and_listed() -> None:
    step = call("update_npc", {"id": "Zogar Sag", "active": True})
    npc = granted(step)["npc"]
    assert isinstance(npc, dict)
    assert "met" not in npc
    assert (npc["active"], npc["last_location"]) == (True, "wolf-clan-border")
    assert read(step.position, "npcs.zogar-sag.met") is True
    assert read(step.position, "scene.active_npcs") == ["zogar-sag"]
    gone = call("update_npc", {"id": "zogar-sag", "active": False}, position=step.position)
    assert read(gone.position, "scene.active_npcs") == []
    assert read(gone.position, "npcs.zogar-sag.met") is True


@pytest.mark.parametrize(("delta", "clock"), [(1, 3), (-1, 1), (99, 4), (-99, 0), (0, 2), (2.0, 4)])
def test_a_clock_stays_within_its_bounds(delta: int, clock: int) -> None:
    step = call("update_npc", {"id": "zogar-sag", "clock_delta": delta})
    assert read(step.position, "npcs.zogar-sag.clock") == clock


def test_everything_else_changes_as_it_is_said() -> None:
    said: dict[str, Json] = {
        "id": "zogar-sag",
        "disposition": "neutral",
        "goal": "find the drum",
        "clock_delta": -4,
        "add_positive": ["drum of bones"],
        "remove_positive": ["feared by all clans"],
        "add_negative": ["hunted"],
        "remove_negative": ["arrogant"],
    }
    step = call("update_npc", said)
    assert read(step.position, "npcs.zogar-sag") == {
        **ZOGAR,
        "disposition": "neutral",
        "goal": "find the drum",
        "clock": 0,
        "positive_tags": ["commands serpents", "drum of bones"],
        "negative_tags": ["hunted"],
    }


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "update_npc: `id` names somebody of the world, not null; there is zogar-sag, gorm"),
        (
            {"id": "zogarsag"},
            "update_npc: `id` names somebody of the world, not 'zogarsag'; did you mean zogar-sag?",
        ),
        (
            {"id": "gorm"},
            "update_npc changes something: disposition, goal, clock_delta, active, add_positive, ...",
        ),
        ({"id": "gorm", "active": "yes"}, "update_npc: `active` is true or false, not 'yes'"),
        ({"id": "gorm", "clock_delta": 0.5}, "update_npc: `clock_delta` is a whole number, not 0.5"),
        ({"id": "gorm", "goal": 3}, "update_npc needs `goal`: a deed with an end that would matter, not 3"),
        (
            {"id": "gorm", "remove_negative": ["kind"]},
            "update_npc: `remove_negative`: there is no tag 'kind'; there is `arrogant`",
        ),
        (
            {"id": "gorm", "disposition": 1},
            "update_npc: `disposition` is one of hostile, neutral, friendly, unknown, not 1",
        ),
    ],
)
def test_what_cannot_be_changed(said: dict[str, Json], reason: str) -> None:
    assert refused(call("update_npc", said)) == reason


def test_a_world_without_people_says_so() -> None:
    empty = write(READY, {"npcs": {}})
    assert refused(call("update_npc", {"id": "gorm"}, position=empty)).endswith("there is nobody yet")


def test_whom_an_author_brings_is_listed_and_met_at_the_end_of_the_turn() -> None:
    step = end_turn(write(READY, {"npcs.gorm.active": True}))
    assert read(step.position, "scene.active_npcs") == ["gorm"]
    assert read(step.position, "npcs.gorm.met") is True
