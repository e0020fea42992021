"""Choices that read alike, scenes too short or too long, languages for which the engine has no words."""

import pytest

from talewright.common.word_catalogues import interface_languages
from talewright.pack.compiler import compile_files
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import GameFolder
from talewright.prompt.words import PHRASES
from tests.pack.lint.making import HEAD

GAME = "variables:\n- {id: hp, type: integer, min: 0, max: 9, default: 5}\n"
SCENE = "- id: start\n  when: hp > 0\n  text: {text}\n  choices: [{{label: a}}, {{label: b}}, {{label: c}}]\n"


def found(code: str, game: str = GAME, files: dict[str, str] | None = None) -> list[str]:
    """The faults of one kind, as `place severity: message | suggestion`."""
    written = {"game.yaml": HEAD + game, "world.md": "A dry well.\n", **(files or {})}
    folder = GameFolder({name: text.encode() for name, text in sorted(written.items())}, ())
    compiled = compile_files(folder, {}, FaultList(), meaning=True)
    assert compiled.game is not None, compiled.faults
    return [
        f"{fault.place} {fault.severity}: {fault.message} | {fault.suggestion}"
        for fault in compiled.faults
        if fault.code == code
    ]


def told_labels(choices: str, **files: str) -> list[str]:
    scene = f"- id: start\n  when: hp > 2\n  text: t\n  choices:\n{choices}"
    extra = {name.replace("__", "/") + ".yaml": text for name, text in files.items()}
    return [
        line.partition(" warning")[0] for line in found("same-label", GAME, {"scenes/a.yaml": scene, **extra})
    ]


def test_two_choices_with_one_label_are_told_at_the_second() -> None:
    scene = (
        "- id: start\n  when: hp > 2\n  text: t\n  choices: [{label: Go on}, {label: b}, {label: go  On}]\n"
    )
    assert found("same-label", GAME, {"scenes/a.yaml": scene}) == [
        'scenes/a.yaml:4:49 warning: another choice offered with this one has the same label, "go On"'
        " | Write another label, or give the two `when` conditions that never hold together."
    ]


def test_choices_that_are_never_offered_together_may_read_alike() -> None:
    apart = "  - {label: Go, when: hp > 5}\n  - {label: Go, when: hp <= 5}\n  - {label: c}\n"
    assert told_labels(apart) == []
    assert told_labels(apart.replace("hp <= 5", "hp <= 6")) == ["scenes/a.yaml:6:13"]
    assert told_labels(apart.replace(", when: hp > 5", "")) == ["scenes/a.yaml:6:13"]
    assert told_labels("  - {label: Go}\n  - {label: Go, when: hp < 2}\n  - {label: c}\n") == []


def test_labels_that_only_a_translation_makes_alike_are_told_there() -> None:
    game = GAME + "languages: [en, zh-CN]\n"
    scene = "- {id: start, when: hp > 2, text: t, choices: [{label: a}, {label: b}, {label: c}]}\n"
    words = "start: {text: t, choices: {'1': {label: 走}, '2': {label: 走}, '3': {label: 跑}}}\n"
    files = {"scenes/a.yaml": scene, "texts/zh-CN/scenes/a.yaml": words}
    assert [line.partition(" warning")[0] for line in found("same-label", game, files)] == [
        "texts/zh-CN/scenes/a.yaml:1:58"
    ]


def test_the_routes_of_a_finale_do_not_read_alike() -> None:
    routes = "[{label: a, ending: x}, {label: A, ending: y}]"
    finale = f"endings:\n- {{id: end, when: hp < 1, kind: win, finale: {routes}}}\n"
    assert len(found("same-label", GAME + finale)) == 1


LENGTHS = [
    ("word " * 59, "has 59 words, shorter than"),
    ("word " * 60, ""),
    ("it's half-done " * 100, ""),
    ("word " * 201, "has 201 words, longer than"),
    ("word", "has 1 word, shorter than"),
    ("字" * 79, "has 79 characters, shorter than"),
    ("字" * 79 + "。", ""),
    ("字" * 301, "has 301 characters, longer than"),
]


@pytest.mark.parametrize(("text", "told"), LENGTHS)
def test_a_scene_outside_its_length_gets_a_hint(text: str, told: str) -> None:
    lines = found("scene-length", GAME, {"scenes/a.yaml": SCENE.format(text=text.strip())})
    assert len(lines) == bool(told)
    assert all(line.startswith("scenes/a.yaml:3:9 hint: ") and told in line for line in lines)


def test_every_wording_has_its_own_length() -> None:
    long = "word " * 70
    text = f"[{{when: hp > 3, text: {long}}}, {{text: short}}]"
    lines = found("scene-length", GAME, {"scenes/a.yaml": SCENE.format(text=text)})
    assert [line.partition(" | ")[2] for line in lines] == ["Write 60 to 200 words where you can."]


def test_a_language_without_interface_words_gets_a_hint() -> None:
    game = GAME + "languages: [en, zh-TW, de]\n"
    assert [line.partition(": ")[0] for line in found("no-interface-words", game)] == ["game.yaml:5:24 hint"]
    assert found("no-interface-words", "language: de\n" + GAME) == [
        "game.yaml:3:11 hint: the interface is not translated into `de`: keys, menus and messages are in "
        "English"
        " | That is fine if your players also read English; the texts of the game are not affected."
    ]
    assert found("no-interface-words") == []


def test_a_language_with_prompts_has_an_interface_too() -> None:
    assert set(PHRASES) <= set(interface_languages())


def test_a_whole_number_that_loses_a_fraction_gets_a_hint() -> None:
    game = (
        GAME + "- {id: half, type: integer, derived: hp / 2}\n- {id: twice, type: integer, derived: hp * 2}\n"
        "- {id: exact, type: number, derived: hp / 2}\n- {id: luck, type: number, max: 3}\n"
        "- {id: odd, type: integer, derived: luck + 1}\n"
    )
    lines = found("fraction-lost", game)
    assert [line.partition(" | ")[0] for line in lines] == [
        "game.yaml:5:38 hint: `half` is a whole number, but `hp / 2` may have a fraction",
        "game.yaml:9:37 hint: `odd` is a whole number, but `luck + 1` may have a fraction",
    ]


TARGETS = [
    (
        "1d6",
        7,
        "this check never succeeds: 1d6 gives 1 to 6 | Write a number from 2 to 6, or change the roll.",
    ),
    (
        "1d6",
        1,
        "this check never fails: 1d6 gives 1 to 6 | Write a number from 2 to 6, or change the roll.",
    ),
    ("1d6", 2, ""),
    ("2d6+1", 13, ""),
    (
        "5",
        3,
        "this check never fails: 5 gives 5 to 5"
        " | Roll dice, such as 2d6, or write the result without a check.",
    ),
]


@pytest.mark.parametrize(("roll", "target", "told"), TARGETS)
def test_a_check_that_decides_nothing_is_told(roll: str, target: int, told: str) -> None:
    check = f"{{roll: '{roll}', at_least: {target}, success: {{text: x}}, failure: {{text: y}}}}"
    scene = f"- id: s\n  when: hp > 0\n  text: t\n  choices:\n  - label: a\n    check: {check}\n"
    lines = found("result-never-reached", GAME, {"scenes/a.yaml": scene})
    assert [line.partition(" warning: ")[2] for line in lines] == [told] * bool(told)


COMMENTS = [
    ("label: Room #4", "label", 'Put the text in quotes: "Room #4"; or move the comment to its own line.'),
    ("label: Room # 4", "label", 'Put the text in quotes: "Room # 4"; or move the comment to its own line.'),
    ("label: Room # the red one", "label", "quotes"),
    ("label: Room  # the red one", "", ""),
    ("label: 'Room' # the red one", "", ""),
    ("label: Room\n    when: hp > 1 #4", "", ""),
    ("label: Room\n    text: Go to\n      room #4", "text", '"Go to room #4"'),
]


@pytest.mark.parametrize(("lines", "field", "remedy"), COMMENTS)
def test_what_follows_a_hash_in_a_bare_text_is_told(lines: str, field: str, remedy: str) -> None:
    scene = f"- id: s\n  when: hp > 0\n  text: t\n  choices:\n  - label: a\n  - {lines}\n"
    told = found("comment-in-text", GAME, {"scenes/a.yaml": scene})
    assert len(told) == bool(field)
    assert all(f"warning: `{field}` ends at" in line and remedy in line for line in told)
    before = scene[: scene.index("#")]
    place = f"scenes/a.yaml:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))} "
    assert all(line.startswith(place) for line in told)


def test_texts_in_the_games_own_language_that_replace_its_words_are_told_once_a_file() -> None:
    files = {
        "intro.md": "A well.\n",
        "texts/en/intro.md": "Another well.\n",
        "texts/en/labels.yaml": "tone: dark\ntitle: The Other Well\nvariable.hp: Health\n",
    }
    game = GAME.replace("type", "label: Life, type") + "tone: noir\n"
    assert found("overridden-text", game, files) == [
        "texts/en/intro.md:1:1 warning: the game is written in `en`, and this replaces its own `intro`"
        " | Change the text in intro.md and delete it here.",
        "texts/en/labels.yaml:2:1 warning: the game is written in `en`, and this replaces its own `title`"
        " and 1 more | Change the text in game.yaml and delete it here.",
    ]
    assert found("overridden-text", game, {"texts/en/labels.yaml": "tone: dark\n"}) == []
