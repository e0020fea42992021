"""Scenes and triggers read: passages, choices, checks, wordings and where they lead."""

import pytest

from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.story.scenes import Check, Ladder, Risk, Rung, SceneResult, Trial
from tests.pack.making import check_fault, compile_game, good_game, told
from tests.plugs.toll import Toll

GAME = "variables:\n  - {id: rope, type: integer, min: 0, max: 9}\n"
HEAD = "- id: rim\n  when: rope < 9\n  text: The rim.\n"
CHOICES = "  choices: [{label: a}, {label: b}, {label: c}]\n"
REST = "  - label: b\n  - label: c\n"


def test_a_scene_keeps_keys_and_its_words_go_into_the_texts() -> None:
    scene = """
- id: rim
  when: rope < 9
  priority: 3
  once: true
  text:
    - {when: rope < 3, text: A short rope.}
    - {text: A rope.}
  choices:
    - id: down
      label: Climb down
      also: [descend]
      hint: It is dark.
      risk: high
      when: rope > 1
      text: You climb.
      updates: [{op: dec, path: rope, value: 1, reason: worn}]
      check:
        roll: 2d6+1
        at_least: 8
        success: {text: You stand., next: rim, updates: [{op: inc, path: rope, value: 1, reason: found}]}
        failure: {text: You slip.}
      next: rim
    - label: Wait
    - label: Leave
"""
    compiled = compile_game(GAME, {"scenes/a.yaml": scene})
    assert compiled.faults == ()
    assert compiled.game is not None
    rim = compiled.game.scenes["rim"]
    assert (rim.id, rim.priority, rim.once) == ("rim", 3, True)
    assert rim.when is not None
    assert rim.when.source == "rope < 9"
    assert [(variant.text, variant.when and variant.when.source) for variant in rim.variants] == [
        ("scene.rim.text.1", "rope < 3"),
        ("scene.rim.text.2", None),
    ]
    down, wait, leave = rim.choices
    assert (down.id, down.risk, down.text, down.next) == ("down", Risk.HIGH, "scene.rim.down.text", "rim")
    assert down.updates == (Update(Op.DEC, "rope", 1, "scene.rim.down.reason.1"),)
    assert isinstance(down.check, Check)
    assert (down.check.roll, down.check.at_least) == ("2d6+1", 8)
    assert down.check.success.text == "scene.rim.down.success"
    assert down.check.success.updates == (Update(Op.INC, "rope", 1, "scene.rim.down.reason.2"),)
    assert (down.check.failure.text, down.check.failure.next) == ("scene.rim.down.failure", "")
    assert (wait.id, leave.id, wait.text, wait.risk) == ("2", "3", "", Risk.LOW)
    texts = compiled.texts["en"]
    assert texts.entries["scene.rim.text.2"] == "A rope."
    assert texts.entries["scene.rim.down.label"] == "Climb down"
    assert texts.entries["scene.rim.down.reason.2"] == "found"
    assert texts.lists["scene.rim.down.also"] == ("descend",)


TOLL = {"toll": Toll()}
ON = "systems: [toll]\n"


def with_check(check: str) -> dict[str, str]:
    return {"scenes/a.yaml": f"{HEAD}  choices: [{{label: a}}, {{label: b}}, {{label: c, check: {check}}}]\n"}


def test_a_check_may_be_a_trial() -> None:
    check = "{try: pay, with: {coins: 2}, success: {text: Paid., next: rim}, failure: {text: Not paid.}}"
    compiled = compile_game(ON + GAME, with_check(check), TOLL)
    assert compiled.faults == ()
    assert compiled.game is not None
    choice = compiled.game.scenes["rim"].choices[2]
    success, failure = SceneResult("scene.rim.3.success", (), "rim"), SceneResult("scene.rim.3.failure")
    assert choice.check == Trial("pay", {"coins": 2}, success, failure)
    assert compiled.texts["en"].entries["scene.rim.3.failure"] == "Not paid."
    costly = check.replace("failure:", "partial: {text: You still owe., next: rim}, failure:")
    third = good_game(ON + GAME, with_check(costly), TOLL).scenes["rim"].choices[2].check
    assert third == Trial(
        "pay", {"coins": 2}, success, failure, SceneResult("scene.rim.3.partial", (), "rim")
    )
    bare = good_game(ON + GAME, with_check("{try: gamble, success: {}, failure: {}}"), TOLL)
    assert bare.scenes["rim"].choices[2].check == Trial("gamble", {}, SceneResult(), SceneResult())


TRIALS = {
    "tool misspelt": ("{try: »pya, success: {}, failure: {}}", "unknown-tool: Write `pay`."),
    "no such tool": (
        "{try: »fly, success: {}, failure: {}}",
        "unknown-tool: The tools here are: pay, gamble, ask_keeper.",
    ),
    "an argument misspelt": (
        "{try: gamble, with: {»dice: 2}, success: {}, failure: {}}",
        "unknown-field: There are no arguments here.",
    ),
    "an argument of another type": (
        "{try: pay, with: {coins: »two}, success: {}, failure: {}}",
        "wrong-type: Write a whole number.",
    ),
    "with is no mapping": (
        "{try: pay, with: »two, success: {}, failure: {}}",
        "wrong-type: Write a mapping of names to values.",
    ),
    "with alone": (
        "»{with: {coins: 2}, success: {}, failure: {}}",
        "missing-field: Add `try:` with an id of ASCII letters, digits, _ and -.",
    ),
    "try misspelt": (
        "{»tyr: pay, with: {coins: 2}, success: {}, failure: {}}",
        "unknown-field: Write `try`.",
    ),
    "try misspelt, and nothing with it": (
        "{»tyr: pay, success: {}, failure: {}}",
        "unknown-field: Write `try`.",
    ),
    "with misspelt": (
        "{try: pay, »wiht: {coins: 2}, success: {}, failure: {}}",
        "unknown-field: Write `with`.",
    ),
    "both kinds": (
        "{try: pay, »roll: d6, success: {}, failure: {}}",
        "unknown-field: The fields here are: try, with, success, failure, partial.",
    ),
    "half a trial": (
        "»{try: pay, success: {}}",
        "missing-field: Add `failure:` with a mapping with text, updates and next.",
    ),
}


@pytest.mark.parametrize(("check", "fault"), TRIALS.values(), ids=TRIALS)
def test_a_mistake_in_a_trial_is_told(check: str, fault: str) -> None:
    check_fault(fault, ON + GAME, with_check(check), TOLL)


def test_an_argument_is_one_of_the_names_in_the_files_of_the_author() -> None:
    trial = with_check("{try: pay, with: {coins: 2, load: »hors}, success: {}, failure: {}}")
    prices = {"Toll.md": "cart: 3\nhorse: 2\n"}
    check_fault("not-one-of: Write `horse`.", ON + GAME, {**trial, **prices}, TOLL)
    spelt = with_check("{try: pay, with: {coins: 2, load: horse}, success: {}, failure: {}}")
    game = good_game(ON + GAME, {**spelt, **prices}, TOLL)
    assert game.layout.roots["bridge"].fields["load"].enum_values == ("", "cart", "horse")


def test_a_tool_of_a_system_that_is_off_is_told_with_the_system() -> None:
    trial = with_check("{try: »pay, success: {}, failure: {}}")
    check_fault("unknown-tool: Add `toll` to `systems` in game.yaml.", GAME, trial, TOLL)
    alone = "Add a system that provides it to `systems` in game.yaml, or use `roll` instead."
    check_fault(f"unknown-tool: {alone}", GAME, trial)


def test_a_tool_of_a_system_that_is_not_there_is_not_told_besides() -> None:
    trial = with_check("{try: pay, success: {}, failure: {}}")
    check_fault("unknown-system: Write `toll`.", "systems: [»tol]\n" + GAME, trial, TOLL)
    check_fault("wrong-type: Write it as a list: [toll].", "systems: »toll\n" + GAME, trial, TOLL)


def test_a_check_may_have_several_results() -> None:
    check = """
      roll: 2d6kh1
      results:
        - {at_least: 6, outcome: success, word: "Yes, and...", text: Well done., next: rim}
        - {at_least: -4, outcome: success, updates: [{op: inc, path: rope, value: 1, reason: found}]}
        - {outcome: failure, word: No., text: You slip.}
"""
    compiled = compile_game(
        GAME, {"scenes/a.yaml": f"{HEAD}  choices:\n  - label: a\n    check:{check}{REST}"}
    )
    assert compiled.faults == ()
    assert compiled.game is not None
    found = Update(Op.INC, "rope", 1, "scene.rim.1.reason.1")
    assert compiled.game.scenes["rim"].choices[0].check == Ladder(
        "2d6kh1",
        (
            Rung(6, True, "scene.rim.1.word.1", SceneResult("scene.rim.1.result.1", (), "rim")),
            Rung(-4, True, "", SceneResult("", (found,))),
            Rung(None, False, "scene.rim.1.word.2", SceneResult("scene.rim.1.result.2")),
        ),
    )
    entries = compiled.texts["en"].entries
    assert entries["scene.rim.1.word.1"] == "Yes, and..."
    assert entries["scene.rim.1.result.2"] == "You slip."
    assert entries["scene.rim.1.word.2"] == "No."


LADDERS = {
    "the last has a threshold": (
        "{roll: d6, results: [{at_least: 4, outcome: success}, {»at_least: 2, outcome: failure}]}",
        "bad-results: Delete `at_least`, or add a last result without it.",
    ),
    "one that takes all stands above others": (
        "{roll: d6, results: [{at_least: 4, outcome: success}, »{outcome: failure}, {outcome: failure}]}",
        "bad-results: Add `at_least`, or move it to the end.",
    ),
    "the lowest first": (
        "{roll: d6, results: [{at_least: 4, outcome: success}, {at_least: »6, outcome: success},"
        " {outcome: failure}]}",
        "bad-results: Write a number below 4, or put the highest first.",
    ),
    "one number twice": (
        "{roll: d6, results: [{at_least: 4, outcome: success}, {at_least: »4, outcome: failure},"
        " {at_least: 2, outcome: failure}, {outcome: failure}]}",
        "bad-results: Write a number below 4, or put the highest first.",
    ),
    "a threshold misspelt": (
        "{roll: d6, results: [{»atleast: 4, outcome: success}, {outcome: failure}]}",
        "unknown-field: Write `at_least`.",
    ),
    "a threshold that is none": (
        "{roll: d6, results: [{at_least: »four, outcome: success}, {outcome: failure}]}",
        "wrong-type: Write a whole number.",
    ),
    "no outcome": (
        "{roll: d6, results: [»{at_least: 4}, {outcome: failure}]}",
        "missing-field: Add `outcome:` with one of success, failure.",
    ),
    "another outcome": (
        "{roll: d6, results: [{at_least: 4, outcome: »succes}, {outcome: failure}]}",
        "not-one-of: Write `success`.",
    ),
    "one result": ("{roll: d6, results: »[{outcome: failure}]}", "bad-length: Add results."),
    "seven results": (
        "{roll: d6, results: »[" + "{outcome: failure}, " * 7 + "]}",
        "bad-length: Remove some.",
    ),
    "results of a word": ("{roll: d6, results: »well}", "wrong-type: Write it as a list: [well]."),
    "no roll": (
        "»{results: [{at_least: 4, outcome: success}, {outcome: failure}]}",
        "missing-field: Add `roll:` with dice such as 2d6+1.",
    ),
    "with a threshold of its own": (
        "{roll: d6, »at_least: 4, results: [{at_least: 4, outcome: success}, {outcome: failure}]}",
        "unknown-field: The fields here are: roll, results.",
    ),
    "of a system": (
        "{»try: pay, roll: d6, results: [{at_least: 4, outcome: success}, {outcome: failure}]}",
        "unknown-field: The fields here are: roll, results.",
    ),
    "results misspelt": (
        "{roll: d6, »resutls: [{at_least: 4, outcome: success}, {outcome: failure}]}",
        "unknown-field: Write `results`.",
    ),
    "bad dice": (
        "{roll: »w6, results: [{at_least: 4, outcome: success}, {outcome: failure}]}",
        "bad-dice: Write it like `2d6+1`.",
    ),
    "next": (
        "{roll: d6, results: [{at_least: 4, outcome: success, next: »rin}, {outcome: failure}]}",
        "unknown-scene: Write `rim`.",
    ),
}


@pytest.mark.parametrize(("check", "fault"), LADDERS.values(), ids=LADDERS)
def test_a_mistake_in_several_results_is_told(check: str, fault: str) -> None:
    check_fault(fault, GAME, with_check(check))


FAULTS = {
    "choice without label": (
        "  choices: [{label: a}, {label: b}, »{text: c}]",
        "missing-field: Add `label:` with a text.",
    ),
    "choice of a word": (
        "  choices: [{label: a}, {label: b}, »c]",
        "wrong-type: Write a mapping with a label.",
    ),
    "no choice": ("  choices: »[]", "bad-length: Add choices."),
    "two choices": ("  »choices: [{label: a}, {label: b}]", "few-choices: Add a choice."),
    "choice twice": (
        "  choices: [{id: a, label: a}, {label: b}, {id: »a, label: c}]",
        "duplicate-id: Give this one another id.",
    ),
    "choice called like a number": (
        "  choices: [{id: '2', label: a}, »{label: b}, {label: c}]",
        "duplicate-id: Give this one another id.",
    ),
    "next": ("  choices: [{label: a}, {label: b}, {label: c, next: »rin}]", "unknown-scene: Write `rim`."),
    "next of a check": (
        "  choices: [{label: a}, {label: b}, {label: c, check: {roll: d6, at_least: 2, success: {},"
        " failure: {next: »zzz}}}]",
        "unknown-scene: The scenes here are: rim.",
    ),
    "half a check": (
        "  choices: [{label: a}, {label: b}, {label: c, check: »{roll: d6, at_least: 2, success: {}}}]",
        "missing-field: Add `failure:` with a mapping with text, updates and next.",
    ),
    "risk": ("  choices: [{label: a}, {label: b}, {label: c, risk: »hihg}]", "not-one-of: Write `high`."),
    "once": ("  once: »yes\n" + CHOICES, "wrong-type: Write true."),
    "priority": ("  priority: »high\n" + CHOICES, "wrong-type: Write a whole number."),
    "condition of a choice": (
        "  choices: [{label: a}, {label: b}, {label: c, when: »rop > 2}]",
        "bad-condition: Write `rope`.",
    ),
}


@pytest.mark.parametrize(("lines", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_mistake_in_a_scene_is_told(lines: str, fault: str) -> None:
    check_fault(fault, GAME, {"scenes/a.yaml": f"{HEAD}{lines}\n"})


WORDINGS = {
    "the last has a condition": (
        "[{when: rope < 3, text: a}, {»when: rope > 2, text: b}]",
        "bad-wordings: Delete `when`, or add a last wording without it.",
    ),
    "one that always holds stands above others": (
        "[»{text: a}, {when: rope > 2, text: b}, {text: c}]",
        "bad-wordings: Add `when`, or move it to the end.",
    ),
    "one has no text": ("[»{when: rope < 3}, {text: b}]", "missing-field: Add `text:` with a text."),
    "one has a bad condition": ("[{when: »rop < 3, text: a}, {text: b}]", "bad-condition: Write `rope`."),
    "one has no condition that could be read": (
        "[{when: »3, text: a}, {text: b}]",
        "wrong-type: Write a condition such as hp <= 0.",
    ),
    "one has a misspelt condition": (
        "[{»wehn: rope < 3, text: a}, {text: b}]",
        "unknown-field: Write `when`.",
    ),
    "there is none": ("»[]", "bad-length: Add wordings."),
}


@pytest.mark.parametrize(("text", "fault"), WORDINGS.values(), ids=WORDINGS)
def test_wordings_are_told_one_at_a_time(text: str, fault: str) -> None:
    check_fault(fault, GAME, {"scenes/a.yaml": f"- id: rim\n  when: rope < 9\n  text: {text}\n{CHOICES}"})


def test_a_scene_may_be_named_in_another_file() -> None:
    files = {
        "scenes/a.yaml": HEAD + "  choices: [{label: a}, {label: b}, {label: c, next: mill}]\n",
        "scenes/b.yaml": HEAD.replace("rim", "mill") + CHOICES,
    }
    assert list(good_game(GAME, files).scenes) == ["rim", "mill"]


UNREAD = {
    "a scene with a fault": HEAD.replace("rim", "mill") + "  choices: »3\n",
    "a file that is no YAML": "- id: mill\n  text: »'a\n",
    "a file that is no list": "»mill: {text: a}\n",
}


@pytest.mark.parametrize("other", UNREAD.values(), ids=UNREAD)
def test_a_scene_that_could_not_be_read_is_not_unknown_besides(other: str) -> None:
    named = HEAD + "  choices: [{label: a}, {label: b}, {label: c, next: mill}]\n"
    compiled = compile_game(GAME, {"scenes/a.yaml": named, "scenes/b.yaml": other.replace("»", "")})
    assert [fault.place.file for fault in compiled.faults] == ["scenes/b.yaml"]


def test_a_scene_taken_twice_is_told_with_the_place_of_the_first() -> None:
    files = {"scenes/a.yaml": HEAD + CHOICES, "scenes/b.yaml": HEAD + CHOICES}
    (fault,) = compile_game(GAME, files).faults
    assert str(fault.place) == "scenes/b.yaml:1:7"
    assert fault.message == "the id `rim` is already used in scenes/a.yaml:1:7"


def test_a_trigger_is_read_from_both_shapes_of_its_file() -> None:
    rule = "- {id: t, when: rope < 2, once: true, priority: 5, events: [{type: info, message: It frays.}]}\n"
    named = "triggers:\n  " + rule
    for text in (rule, named):
        compiled = compile_game(GAME, {"triggers.yaml": text})
        assert compiled.game is not None
        (trigger,) = compiled.game.triggers
        assert (trigger.id, trigger.once, trigger.priority) == ("t", True, 5)
        (event,) = trigger.events
        assert (event.type, event.text, event.cause) == ("info", "trigger.t.event.1", "trigger:t")
        assert compiled.texts["en"].entries["trigger.t.event.1"] == "It frays."


TRIGGERS = {
    "»t: {when: rope > 3}\n": "missing-field: Add `triggers:` with a list of triggers.",
    "»trigger: [{id: t, when: rope > 3}]\n": "unknown-field: Write `triggers`.",
    "triggers:»\n": "wrong-type: Write [] for an empty list.",
    "- {id: t, when: »3}\n": "wrong-type: Write a condition such as hp <= 0.",
    "- {id: t, when: rope > 2, events: [»{type: info}]}\n": "missing-field: Add `message:` with a text.",
    "- {id: t, when: rope > 2}\n- {id: »t, when: rope > 3}\n": "duplicate-id: Give this one another id.",
}


@pytest.mark.parametrize("text", TRIGGERS)
def test_a_mistake_in_a_trigger_is_told(text: str) -> None:
    check_fault(TRIGGERS[text], GAME, {"triggers.yaml": text})


@pytest.mark.parametrize("name", ["triggers.yaml", "npcs.yaml", "items.yaml", "scenes/a.yaml", "lore/a.yaml"])
def test_a_file_of_comments_alone_is_fine(name: str) -> None:
    assert told(compile_game(GAME, {name: "# later\n"})) == []
