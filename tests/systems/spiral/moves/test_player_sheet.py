"""Players: glitches, conditions, tags and resist, with every refusal."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.slots import GLITCHES_MAX, INHERENT_MAX
from tests.systems.spiral.making import PROMPT, READY, call, granted, read, refused, roll, write

GLITCHED = write(READY, {"player.glitch_tags": ["twisted ankle", "lost bearings"]})
HURT = write(READY, {"player.conditions": ["broken rib", "a debt"]})
BY_STORY = "---\nconditions: story\n---\n"


def test_a_glitch_is_gained_and_settles_what_the_dice_demanded() -> None:
    step = call("add_glitch", {"tag": " guard heard a splash. "}, position=roll(READY, 4).position)
    assert granted(step) == {"glitch_tags": ["guard heard a splash"], "count": 1}
    assert read(step.position, "player.glitch_tags") == ["guard heard a splash"]
    assert read(step.position, "check.owed") == []
    assert [event.text for event in step.events] == ["New glitch: guard heard a splash"]


def test_a_glitch_may_come_without_dice() -> None:
    assert granted(call("add_glitch", {"tag": "wet boots"}))["count"] == 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "add_glitch: `tag`: a tag is a text of a few words, not null"),
        ({"tag": ["a"]}, "add_glitch: `tag`: a tag is a text of a few words, not a list"),
        ({"tag": " . "}, "add_glitch: `tag`: a tag has words; an empty text is none"),
        (
            {"tag": "x" * 61},
            "add_glitch: `tag`: a tag has at most 60 characters; 'xxxxxxxxxxxxxxxxxxxxxxxx' has 61",
        ),
        (
            {"tag": "Twisted  Ankle"},
            "add_glitch: `Twisted Ankle` is a glitch already; name something new that comes of this act",
        ),
        ({"tags": "x"}, "add_glitch has no `tags`; it takes tag; did you mean tag?"),
    ],
)
def test_what_is_no_glitch(said: dict[str, Json], reason: str) -> None:
    assert refused(call("add_glitch", said, position=GLITCHED)) == reason


def test_dice_that_demand_no_glitch_bring_none() -> None:
    failed = roll(READY, 3).position
    assert refused(call("add_glitch", {"tag": "wet boots"}, position=failed)) == (
        "add_glitch: the roll of this turn (3, No, but...) demands no glitch now; tell the answer without one"
    )
    resisted = roll(READY, 5, option="roll_resist").position
    assert "demands no glitch, since resist was spent;" in refused(
        call("add_glitch", {"tag": "wet boots"}, position=resisted)
    )
    once = call("add_glitch", {"tag": "wet boots"}, position=roll(READY, 5).position).position
    assert "demands no glitch now;" in refused(call("add_glitch", {"tag": "cold hands"}, position=once))
    contested = roll(READY, 6, option="contest").position
    assert granted(call("add_glitch", {"tag": "wet boots"}, position=contested))["count"] == 1


def test_there_is_an_end_to_glitches() -> None:
    full = write(READY, {"player.glitch_tags": [f"g{n}" for n in range(GLITCHES_MAX)]})
    assert refused(call("add_glitch", {"tag": "one more"}, position=full)) == (
        "add_glitch: at most 12 tags stand here, this would make 13; remove some first"
    )


def test_glitches_are_flushed_and_returned() -> None:
    step = call("flush_glitches", {}, position=roll(GLITCHED, 2).position)
    assert granted(step) == {"flushed": ["twisted ankle", "lost bearings"], "count": 2}
    assert read(step.position, "player.glitch_tags") == []
    assert read(step.position, "check.owed") == []
    assert [event.text for event in step.events] == ["Glitches come home: twisted ankle, lost bearings"]
    again = call("flush_glitches", {"note": "nothing there"}, position=step.position)
    assert granted(again) == {"flushed": [], "count": 0}
    assert again.events == ()
    assert refused(call("flush_glitches", {"all": True})) == "flush_glitches has no `all`; it takes nothing"


def test_dice_that_flush_nothing_leave_the_glitches() -> None:
    step = call("flush_glitches", {}, position=roll(GLITCHED, 4).position)
    assert refused(step) == (
        "flush_glitches: the roll of this turn (4, Yes, but...) flushes nothing; "
        "the glitches stay until a roll says so"
    )
    assert granted(call("flush_glitches", {}, position=GLITCHED))["count"] == 2
    assert granted(call("flush_glitches", {}, position=roll(READY, 4).position))["count"] == 0


def test_resist_keeps_a_glitch_away() -> None:
    step = call("spend_resist", {"purpose": "negate_glitch"}, position=roll(READY, 5).position)
    assert granted(step) == {"success": True, "resist_remaining": 1}
    assert read(step.position, "player.resist.current") == 1
    assert read(step.position, "check.owed") == []
    assert [event.text for event in step.events] == ["Resist spent: the glitch stays away (1\u00a0left)"]


def test_resist_clears_a_condition_in_the_morning() -> None:
    said = {"purpose": "clear_condition", "condition": "Broken rib"}
    step = call("spend_resist", said, position=HURT)
    assert granted(step) == {"success": True, "resist_remaining": 0}
    assert read(step.position, "player.conditions") == ["a debt"]
    assert read(step.position, "player.resist") == {"current": 0, "max": 2}
    assert [event.text for event in step.events] == ["Condition cleared: broken rib"]
    one = write(READY, {"player.conditions": ["broken rib"]})
    assert granted(call("spend_resist", {"purpose": "clear_condition"}, position=one))["success"] is True


NOT_NOW = (
    "spend_resist: negate_glitch keeps away the glitch that a roll of this very turn demands, and "
    "none is demanded now; resist removes no glitch that is there and turns no failure"
)


@pytest.mark.parametrize(
    ("said", "values", "reason"),
    [
        ({}, {}, "spend_resist: `purpose` is one of negate_glitch, clear_condition"),
        (
            {"purpose": "luck"},
            {},
            "spend_resist: `purpose` is one of negate_glitch, clear_condition, not 'luck'",
        ),
        ({"purpose": "negate_glitch"}, {}, NOT_NOW),
        (
            {"purpose": "clear_condition"},
            {"meta.segment": 2},
            "spend_resist: clear_condition is for the morning, the first segment of a day; wait for it",
        ),
        (
            {"purpose": "clear_condition"},
            {"player.conditions": []},
            "spend_resist: there is no condition to clear",
        ),
        (
            {"purpose": "clear_condition"},
            {},
            "spend_resist: `condition` names the one to clear; there is `broken rib`, `a debt`",
        ),
        (
            {"purpose": "clear_condition", "condition": "broken ribs"},
            {},
            "spend_resist: `condition` names the one to clear; there is `broken rib`",
        ),
        (
            {"purpose": "clear_condition", "condition": "a debt"},
            {"player.resist.current": 1},
            "spend_resist: this costs 2 and 1 is left; it comes back with the next morning",
        ),
    ],
)
def test_resist_that_cannot_be_spent(said: dict[str, Json], values: dict[str, Json], reason: str) -> None:
    assert refused(call("spend_resist", said, position=write(HURT, values))) == reason


def test_resist_that_is_spent_is_spent() -> None:
    empty = write(READY, {"player.resist.current": 0})
    step = call("spend_resist", {"purpose": "negate_glitch"}, position=roll(empty, 5).position)
    assert refused(step) == "spend_resist: this costs 1 and 0 is left; it comes back with the next morning"


def test_the_sheet_changes_in_what_lasts() -> None:
    said: dict[str, Json] = {
        "add_inherent": ["wolf friend", "KEEN TRACKER"],
        "remove_inherent": ["father's longbow"],
        "add_condition": ["marked by wolves"],
        "remove_condition": ["A Debt"],
    }
    step = call("update_player", said, position=write(HURT, {"spiral.prompt": BY_STORY}))
    player = granted(step)["player"]
    assert player == {
        "name": "Kael",
        "concept": "A hunter",
        "inherent_tags": ["keen tracker", "wilderness hardened", "wolf friend"],
        "glitch_tags": [],
        "conditions": ["broken rib", "marked by wolves"],
        "resist": {"current": 2, "max": 2},
    }
    assert read(step.position, "player") == player
    assert [event.text for event in step.events] == [
        "Condition cleared: a debt",
        "New condition: marked by wolves",
    ]


def test_by_the_original_rules_no_story_ends_a_condition() -> None:
    for prompt in (PROMPT, "---\nconditions: resist\n---\n"):
        hurt = write(HURT, {"spiral.prompt": prompt})
        step = call("update_player", {"remove_condition": ["a debt"], "add_inherent": ["x"]}, position=hurt)
        assert refused(step) == (
            "update_player: `remove_condition` is refused, since under the rules of this campaign no story "
            "ends a condition: it leaves in the morning for 2 resist, by spend_resist with `purpose` "
            "clear_condition, once the player has decided it"
        )
    assert granted(call("update_player", {"remove_condition": [], "add_inherent": ["x"]}, position=HURT))


def test_a_condition_settles_what_the_dice_demanded() -> None:
    step = call("update_player", {"add_condition": "broken rib"}, position=roll(READY, 1).position)
    assert read(step.position, "check.owed") == []


def test_one_glitch_goes_after_a_six() -> None:
    rolled = roll(GLITCHED, 6).position
    step = call("update_player", {"remove_glitch": "lost bearings"}, position=rolled)
    assert read(step.position, "player.glitch_tags") == ["twisted ankle"]
    assert read(step.position, "check.owed") == []
    assert refused(call("update_player", {"remove_glitch": "lost bearing"}, position=rolled)) == (
        "update_player: `remove_glitch`: there is no tag 'lost bearing'; there is `lost bearings`"
    )


ONLY_AFTER = (
    "update_player: `remove_glitch` takes one glitch away after a roll of this turn that says so "
    "(a 6); all of them go with flush_glitches, when the oracle flushes"
)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "update_player changes something: add_inherent, remove_inherent, add_condition, ..."),
        ({"remove_glitch": "twisted ankle"}, ONLY_AFTER),
        (
            {"add_inherent": [f"t{n}" for n in range(INHERENT_MAX)]},
            "update_player: `add_inherent`: at most 8 tags stand here, this would make 11; remove some first",
        ),
        (
            {"add_glitch": "x"},
            "update_player has no `add_glitch`; it takes add_inherent, remove_inherent, add_condition, "
            "remove_condition, remove_glitch; did you mean remove_glitch?",
        ),
    ],
)
def test_what_the_sheet_does_not_take(said: dict[str, Json], reason: str) -> None:
    assert refused(call("update_player", said, position=GLITCHED)) == reason


def test_a_story_ends_no_condition_that_is_not_there() -> None:
    step = call(
        "update_player",
        {"remove_condition": ["broken leg"]},
        position=write(READY, {"spiral.prompt": BY_STORY}),
    )
    assert refused(step) == (
        "update_player: `remove_condition`: there is no tag 'broken leg'; there is none now"
    )


def test_only_one_glitch_goes() -> None:
    rolled = roll(GLITCHED, 6).position
    both: list[Json] = ["lost bearings", "twisted ankle"]
    assert refused(call("update_player", {"remove_glitch": both}, position=rolled)) == ONLY_AFTER
