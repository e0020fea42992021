"""Scenes that never open, wordings that are never told, choices that are never offered."""

import pytest

from tests.pack.lint.making import codes, find

GAME = """\
variables:
- {id: clues, type: integer, min: 0, max: 12}
- {id: hp, type: integer, min: 0, max: 100, default: 80}
- {id: place, type: enum, enum_values: [inn, mill, bridge]}
lose_conditions: [hp <= 0]
"""
CHOICES = "  choices: [{label: a}, {label: b}, {label: c}]\n"
OPEN = "- id: start\n  when: 'true'\n  text: t\n" + CHOICES


def scenes(text: str) -> dict[str, str]:
    return {"scenes/a.yaml": OPEN, "scenes/b.yaml": text}


def scene(name: str, when: str = "", choices: str = "", text: str = "t") -> str:
    opened = f"  when: '{when}'\n" if when else ""
    return f"- id: {name}\n{opened}  text: {text}\n" + (f"  choices: [{choices}]\n" if choices else CHOICES)


def test_a_scene_whose_condition_never_holds_is_told() -> None:
    assert find(GAME, scenes(scene("vault", "hp > 3 and clues > 12"))) == [
        "scenes/b.yaml:2:21 unreachable-scene: the scene `vault` never opens: `clues > 12` never holds, "
        "since "
        "`clues` is at most 12 | Use a value it can have: `clues` is a whole number from 0 to 12."
    ]


def test_a_scene_that_only_opens_once_the_game_is_over_is_told() -> None:
    assert find(GAME, scenes(scene("grave", "hp < 1 and clues > 3"))) == [
        "scenes/b.yaml:2:10 unreachable-scene: the scene `grave` never opens: while `hp <= 0` holds, the "
        "ending "
        "`lose_1` is reached and no scene is played | Move its text to the ending `lose_1`, or change `when`."
    ]
    assert codes(GAME, scenes(scene("bed", "hp < 2"))) == []


def test_a_condition_that_never_holds_is_needless_where_next_leads() -> None:
    text = scene("a", "hp > 3", "{label: a, next: vault}") + scene("vault", "clues > 12")
    assert find(GAME, scenes(text)) == [
        "scenes/b.yaml:6:10 never-holds: the scene `vault` is only reached through `next`: `clues > 12` "
        "never "
        "holds, since `clues` is at most 12 | Delete `when`."
    ]


def test_a_scene_that_nothing_leads_to_is_told_at_its_id() -> None:
    assert find(GAME, scenes(scene("attic"))) == [
        "scenes/b.yaml:1:7 unreachable-scene: nothing leads to the scene `attic`: it has no `when`, and no "
        "`next` "
        "refers to it | Add `when:` to it, or write `next: attic` under a choice."
    ]


def test_a_scene_that_only_leads_to_itself_is_told() -> None:
    assert codes(GAME, scenes(scene("attic", choices="{label: a, next: attic}"))) == [
        "scenes/b.yaml:1:7 unreachable-scene"
    ]


def test_of_scenes_that_nothing_leads_to_the_first_is_told() -> None:
    chain = scene("one", choices="{label: a, next: two}") + scene("two", choices="{label: a, next: three}")
    assert codes(GAME, scenes(chain + scene("three"))) == ["scenes/b.yaml:1:7 unreachable-scene"]


def test_of_a_circle_that_nothing_leads_to_the_first_is_told() -> None:
    circle = scene("one", choices="{label: a, next: two}") + scene("two", choices="{label: a, next: one}")
    assert find(GAME, scenes(circle)) == [
        "scenes/b.yaml:1:7 unreachable-scene: nothing leads to the scene `one` except scenes that cannot "
        "be reached"
        " | Add `when:` to it, or write `next: one` in a scene that can be reached."
    ]


def test_what_a_closed_scene_leads_to_is_not_told_a_second_time() -> None:
    text = scene("vault", "clues > 12", "{label: a, next: hoard}") + scene("hoard")
    assert codes(GAME, scenes(text)) == ["scenes/b.yaml:2:10 unreachable-scene"]


def test_every_way_into_a_scene_counts() -> None:
    check = "{label: a, check: {roll: 1d6, at_least: 3, success: {next: one}, failure: {next: two}}}"
    text = (
        scene("a", "hp > 3", check)
        + scene("one", choices="{label: a, next: three}")
        + scene("two")
        + scene("three")
    )
    assert codes(GAME, scenes(text)) == []


def wordings(*texts: str, when: str = "hp > 3") -> dict[str, str]:
    return scenes(scene("s", when, text=f"[{', '.join(texts)}]"))


def test_a_wording_whose_condition_never_holds_is_told() -> None:
    assert find(GAME, wordings("{when: clues > 12, text: a}", "{text: b}")) == [
        "scenes/b.yaml:3:17 wording-never-told: wording 1 of `s` is never shown: `clues > 12` never holds, "
        "since "
        "`clues` is at most 12 | Use a value it can have: `clues` is a whole number from 0 to 12."
    ]


def test_wordings_below_one_that_always_holds_are_told_once() -> None:
    found = find(GAME, wordings("{when: clues >= 0, text: a}", "{when: hp > 9, text: b}", "{text: c}"))
    assert found == [
        "scenes/b.yaml:3:17 wording-never-told: the wordings below wording 1 are never shown: `clues >= "
        "0` always "
        "holds, "
        "since `clues` is at least 0"
        " | Move it to the end without `when`, or make the condition stricter."
    ]
    assert codes(GAME, wordings("{when: 'true', text: a}", "{text: b}")) == [
        "scenes/b.yaml:3:18 wording-never-told"
    ]


LEFT_NOTHING = [
    (["{when: clues > 3, text: a}", "{when: clues > 5, text: b}", "{text: c}"], 45),
    (["{when: clues > 3, text: a}", "{when: clues <= 3, text: b}", "{text: c}"], 67),
    (['{when: place == "inn", text: a}', '{when: place != "inn", text: b}', "{text: c}"], 76),
]


@pytest.mark.parametrize(("texts", "column"), LEFT_NOTHING)
def test_a_wording_for_which_those_above_leave_nothing_is_told(texts: list[str], column: int) -> None:
    found = find(GAME, wordings(*texts))
    number = 2 if column == 45 else 3
    assert found == [
        f"scenes/b.yaml:3:{column} wording-never-told: wording {number} of `s` is never shown: those above "
        "it cover "
        "every case | Delete it, or make the conditions above it stricter."
    ]


def test_the_scene_s_own_condition_counts_for_its_wordings() -> None:
    texts = ("{when: clues > 3, text: a}", "{text: b}")
    assert codes(GAME, wordings(*texts, when="clues > 5")) == ["scenes/b.yaml:3:38 wording-never-told"]
    named = {
        **wordings(*texts, when="clues > 5"),
        "scenes/a.yaml": scene("a", "hp > 9", "{label: a, next: s}"),
    }
    assert codes(GAME, named) == []


@pytest.mark.parametrize(
    "texts",
    [
        ["{when: clues > 5, text: a}", "{when: clues > 3, text: b}", "{text: c}"],
        ["{when: clues > 5, text: a}", "{when: clues < 5, text: b}", "{text: c}"],
        # Where the first has no answer, the last is told.
        ["{when: 9 / clues > 3, text: a}", "{when: 9 / clues <= 3, text: b}", "{text: c}"],
    ],
)
def test_wordings_that_leave_something_are_not_told(texts: list[str]) -> None:
    assert [code for code in codes(GAME, wordings(*texts)) if "division" not in code] == []


def offered(choice_when: str, scene_when: str = "hp > 3", name: str = "id: dig, ") -> dict[str, str]:
    choice = f"{{{name}label: a, when: '{choice_when}'}}"
    return scenes(scene("s", scene_when, choice))


def test_a_choice_whose_condition_never_holds_is_told() -> None:
    assert find(GAME, offered("clues > 12")) == [
        "scenes/b.yaml:4:40 choice-never-offered: the choice `dig` of `s` is never offered: `clues > 12` "
        "never "
        "holds, since `clues` is at most 12"
        " | Use a value it can have: `clues` is a whole number from 0 to 12."
    ]
    (line,) = find(GAME, offered("clues > 12", name=""))
    assert "the choice `1` of `s` is never offered" in line


def test_a_choice_that_needs_no_condition_is_told() -> None:
    assert find(GAME, offered("clues >= 0")) == [
        "scenes/b.yaml:4:40 always-holds: `clues >= 0` always holds, since `clues` is at least 0"
        " | Delete `when`, or make it stricter."
    ]


def test_a_choice_that_its_scene_excludes_is_told() -> None:
    assert find(GAME, offered('place == "mill"', 'place == "inn"')) == [
        "scenes/b.yaml:4:40 choice-never-offered: the choice `dig` of `s` is never offered: the scene "
        "opens only "
        'while `place == "inn"` holds | Change one of the two conditions.'
    ]


def test_where_next_leads_into_a_scene_its_condition_excludes_nothing() -> None:
    files = {
        **offered('place == "mill"', 'place == "inn"'),
        "scenes/a.yaml": scene("a", "hp > 9", "{label: a, next: s}"),
    }
    assert codes(GAME, files) == []


def test_a_choice_that_only_the_dead_could_take_is_told() -> None:
    assert find(GAME, offered("hp < 1", "clues > 3")) == [
        "scenes/b.yaml:4:40 choice-never-offered: the choice `dig` of `s` is never offered: while `hp <= "
        "0` holds, "
        "the ending `lose_1` is reached and no scene is played | Change the condition."
    ]


@pytest.mark.parametrize(
    ("choice_when", "scene_when"),
    [
        ("clues > 3", "hp > 3"),
        ("clues > 3", "clues < 9"),
        ("turn > 4", "turn < 5"),
        ("hp < 2", "clues > 3"),
    ],
)
def test_a_choice_that_may_be_offered_is_not_told(choice_when: str, scene_when: str) -> None:
    assert codes(GAME, offered(choice_when, scene_when)) == []


def test_an_ending_that_always_holds_is_not_told_for_every_scene() -> None:
    game = GAME.replace("hp <= 0", "hp >= 0")
    assert codes(game, scenes(scene("s", "hp > 5"))) == ["game.yaml:7:19 ends-at-once"]


def ladder(roll: str, *thresholds: int) -> str:
    rungs = "".join(f"{{at_least: {least}, outcome: success}}, " for least in thresholds)
    check = f"{{roll: {roll}, results: [{rungs}{{outcome: failure}}]}}"
    return scene("well", "hp > 3", f"{{label: a, check: {check}}}, {{label: b}}, {{label: c}}")


def test_a_result_that_no_total_reaches_is_told() -> None:
    assert find(GAME, scenes(ladder("2d6kh1", 7, 4))) == [
        "scenes/b.yaml:4:67 result-never-reached: result 1 is never reached: 2d6kh1 gives 1 to 6"
        " | Delete it, or change the roll, or `at_least` here or above."
    ]
    assert codes(GAME, scenes(ladder("2d6", 7, 2))) == ["scenes/b.yaml:4:119 result-never-reached"]
    assert codes(GAME, scenes(ladder("d2*2", 4, 3))) == ["scenes/b.yaml:4:98 result-never-reached"]
    assert codes(GAME, scenes(ladder("2d6kh1", 6, 4, 3, 2))) == []


def test_of_rolls_whose_odds_take_too_long_nothing_is_told() -> None:
    assert codes(GAME, scenes(ladder("100d1000e1000", 200_000))) == []


def test_what_follows_from_any_result_is_known() -> None:
    rungs = "[{at_least: 4, outcome: success, next: two}, {outcome: failure, next: three}]"
    first = scene(
        "one", "hp > 3", f"{{label: a, check: {{roll: d6, results: {rungs}}}}}, {{label: b}}, {{label: c}}"
    )
    assert codes(GAME, scenes(first + scene("two") + scene("three"))) == []
