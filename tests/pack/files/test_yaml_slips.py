"""Signs that YAML takes otherwise than they were meant: the advice that helps, at the sign itself."""

import pytest

from tests.pack.making import check_fault

VARIABLES = (
    "variables:\n- {id: hp, type: integer, max: 9}\n- {id: bag, type: list, items: {type: string}}\n"
    "- {id: flags, type: object, fields: {coin: {type: boolean}}}\n"
)
SCENE = "- id: start\n  when: 'true'\n  text: t\n  choices:\n  - {label: a}\n  - {label: b}\n  - {label: c}\n"
QUOTES = "Put the whole text or condition in quotes."
APOSTROPHE = "Write the apostrophe twice, as in `'don''t'`, or put the whole text in double quotes."
INNER = "Put the whole text in single quotes, or write a backslash before each double quote in it."
COLON = "with a plain colon and a space after it."

GAMES = [
    (
        "win_conditions: [»hp > 3 and min(hp, 3) > 2]",
        'comma-in-list: Put the whole entry in quotes: "hp > 3 and min(hp, 3) > 2".',
    ),
    (
        "win_conditions: [»min(hp, max(hp, 3)) > 2, hp > 8]",
        'comma-in-list: Put the whole entry in quotes: "min(hp, max(hp, 3)) > 2".',
    ),
    ('win_conditions: [has(bag, "rope"») and has(bag, "lamp")]', f"yaml-syntax: {QUOTES}"),
    ("win_conditions: [hp in »[3, 4]]", f"yaml-syntax: {QUOTES}"),
    (
        "prompt_rules: {style_notes: [»Be brief (short, plain)]}",
        'comma-in-list: Put the whole entry in quotes: "Be brief (short, plain)".',
    ),
    ('prompt_rules: {style_notes: [Be brief, "plain»" words]}', f"yaml-syntax: {INNER}"),
    (
        'prompt_rules: {style_notes: ["a" »"b"]}',
        "yaml-syntax: Close the list with `]`, or write a comma between its entries.",
    ),
    ("win_conditions: »［hp > 3］", "wrong-type: Write it in plain brackets: [hp > 3]."),
    ("tone»：dark", f"yaml-syntax: Write `tone: dark`, {COLON}"),
    ("tone»：dark\nversion: 2.0.0", f"yaml-syntax: Write `tone: dark`, {COLON}"),
    (
        "llm: {temperature: 1»， max_output_tokens: 9}",
        "yaml-syntax: Write a plain comma and a space after it.",
    ),
    ("chance: »dice:d6", "wrong-type: Write `dice: d6`, with a space after the colon."),
    (
        "initial_state:\n  »flags.coin: true",
        "bad-name: Write `flags: {coin: true}`, with all members of the variable together.",
    ),
    (
        "initial_state:\n  »flags.coin: {a: 1}",
        "bad-name: Write `flags: {coin: ...}`, with all members of the variable together.",
    ),
    ("initial_state:\n  »a b: 1", "bad-name: Use ASCII letters, digits and _."),
]


@pytest.mark.parametrize(("lines", "fault"), GAMES)
def test_a_slip_in_the_game_file_gets_the_advice_that_helps(lines: str, fault: str) -> None:
    check_fault(fault, f"{VARIABLES}{lines}\n", {"endings.md": "## win_1\nWon.\n"} if "win" in lines else {})


SCENES = [
    (
        "- {label: Yes, »but how, next: start}",
        'unknown-field: Put the whole text in quotes: `label: "Yes, but how"`.',
    ),
    ("- »label：x", f"wrong-type: Write `label: x`, {COLON}"),
    ("- {»label：x}", f"unknown-field: Write `label: x`, {COLON}"),
    ("- {label: x, check: »roll：d6}", f"wrong-type: Write `roll: d6`, {COLON}"),
    ("- {»label:x}", "unknown-field: Write `label: x`, with a space after the colon."),
    ("»－ label: x", "unknown-field: Start the line with a plain hyphen and a space: `- `."),
    ("- label: 'Don»'t go'", f"yaml-syntax: {APOSTROPHE}"),
    ("- {label: 'Don»'t go'}", f"yaml-syntax: {APOSTROPHE}"),
    ("- label: 'The dogs»' bowl'\n    next: start", f"yaml-syntax: {APOSTROPHE}"),
    ('- label: "Say »"no" to him"', f"yaml-syntax: {INNER}"),
    ("- {label: Room »#4, next: start}", "yaml-syntax: Put the text in quotes if the `#` belongs to it."),
]


@pytest.mark.parametrize(("lines", "fault"), SCENES)
def test_a_slip_in_a_scene_gets_the_advice_that_helps(lines: str, fault: str) -> None:
    check_fault(fault, VARIABLES, {"scenes/a.yaml": f"{SCENE}  {lines}\n"})


def test_the_rest_of_a_bare_label_is_no_key() -> None:
    flag = "variables:\n- {id: coin, type: boolean, labels: {'true': Yes, »sir}}\n"
    check_fault('comma-in-list: Put the whole text in quotes: `true: "Yes, sir"`.', flag)


def test_wide_signs_of_a_text_are_not_blamed_for_what_is_wrong_below() -> None:
    prose = "- id: start\n  text: |\n    他说：你好，走吧。\n  choices:\n  - label: a»: b\n"
    remedy = "Put the text in quotes if the colon is part of it, or fix the indentation of this line."
    check_fault(f"yaml-syntax: {remedy}", "", {"scenes/a.yaml": prose})
