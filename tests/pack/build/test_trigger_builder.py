"""Updates read: what could be granted in some state is let through, what never could be is told."""

import pytest

from talewright.kernel.judging.moves import Op, Update
from tests.pack.making import check_fault, compile_game, good_game, told

GAME = """variables:
  - {id: rope, type: integer, min: 0, max: 9}
  - {id: depth, type: number}
  - {id: lit, type: boolean}
  - {id: bag, type: list, max_items: 3}
  - {id: place, type: enum, enum_values: [rim, mill]}
  - {id: stone, type: integer, rules: {update_policy: set_only}}
  - {id: oath, type: integer, rules: {update_policy: inc_dec_only}}
  - {id: note, type: string, max_length: 5}
  - {id: grip, type: integer, max_step: 2, rules: {clamp: false}}
  - {id: tight, type: integer, min: 0, max: 5, rules: {clamp: false}}
  - {id: twice, type: integer, derived: rope * 2}
  - {id: time, type: object, default: {hour: 8, minute: 0}}
"""


def trigger(update: str) -> dict[str, str]:
    return {"triggers.yaml": f"- id: t\n  when: turn > 3\n  once: true\n  effects:\n    - {{{update}}}\n"}


GOOD = [
    ("op: inc, path: rope, value: 100", Update(Op.INC, "rope", 100)),
    ("op: dec, path: depth, value: 0.5", Update(Op.DEC, "depth", 0.5)),
    ("op: inc, path: grip, value: 2", Update(Op.INC, "grip", 2)),
    ("op: set, path: rope, value: 12", Update(Op.SET, "rope", 12)),
    ("op: toggle, path: lit", Update(Op.TOGGLE, "lit", None)),
    ("op: push, path: bag, value: key", Update(Op.PUSH, "bag", "key")),
    ("op: remove, path: bag, value: key", Update(Op.REMOVE, "bag", "key")),
    ("op: set, path: bag.0, value: key", Update(Op.SET, "bag.0", "key")),
    ("op: set, path: place, value: mill", Update(Op.SET, "place", "mill")),
    ("op: set, path: stone, value: 3", Update(Op.SET, "stone", 3)),
    ("op: inc, path: oath, value: 3", Update(Op.INC, "oath", 3)),
    ("op: inc, path: time.minute, value: 130", Update(Op.INC, "time.minute", 130)),
    ("op: set, path: time, value: {hour: 9, minute: 5}", Update(Op.SET, "time", {"hour": 9, "minute": 5})),
    ("op: inc, path: rope, value: 1, reason: worn", Update(Op.INC, "rope", 1, "trigger.t.reason.1")),
]


@pytest.mark.parametrize(("line", "update"), GOOD)
def test_an_update_that_may_be_granted_is_read(line: str, update: Update) -> None:
    assert good_game(GAME, trigger(line)).triggers[0].effects == (update,)


BAD = {
    "op: »add, path: rope, value: 1": (
        "not-one-of: The words here are: set, inc, dec, push, remove, toggle."
    ),
    "op: »incc, path: rope, value: 1": "not-one-of: Write `inc`.",
    "op: inc, path: rope, value: »one": "bad-value: Write a whole number of 0 or more.",
    "op: inc, path: rope, value: »true": "bad-value: Write a whole number of 0 or more.",
    "op: inc, path: rope, value: »-2": "bad-value: Write `dec` with 2.",
    "op: dec, path: rope, value: »-2": "bad-value: Write `inc` with 2.",
    "op: inc, path: rope, value: »1.5": "bad-value: Write a whole number of 0 or more.",
    "op: inc, path: depth, value: »a": "bad-value: Write a number of 0 or more.",
    "op: inc, path: grip, value: »3": "bad-value: Write 2 or less.",
    "op: »set, path: oath, value: 3": "bad-update: Write `inc` or `dec`.",
    "op: »inc, path: stone, value: 3": "bad-update: Write `set`.",
    "op: »toggle, path: rope": "bad-update: Write `set`, `inc` or `dec`.",
    "op: »inc, path: lit, value: 1": "bad-update: Write `set` or `toggle`.",
    "op: »push, path: place, value: rim": "bad-update: Write `set`.",
    "op: »inc, path: bag, value: 1": "bad-update: Write `push`, `remove` or `set`.",
    "op: push, path: bag, value: »3": "bad-value: Write a text of at most 2000 characters.",
    "op: set, path: place, value: »mil": "bad-value: Write `mill`.",
    "op: set, path: note, value: »too long": "bad-value: Write a text of at most 5 characters.",
    "op: set, path: lit, value: »yes": "bad-value: Write true or false.",
    "op: set, path: rope, value: »null": "bad-value: Write a whole number from 0 to 9.",
    "op: set, path: tight, value: »6": "bad-value: Write a whole number from 0 to 5.",
    "op: set, path: bag, value: »[a, b, c, d]": "bad-value: Write a list of at most 3 elements.",
    "op: set, path: time, value: {»hou: 9, minute: 5}": "unknown-path: Write `hour`.",
    "op: set, path: »twice, value: 3": "bad-update: Change what it is computed from.",
    "op: toggle, path: lit, »value: true": "unknown-field: Delete the field.",
}


@pytest.mark.parametrize("line", BAD)
def test_an_update_that_could_never_be_granted_is_told(line: str) -> None:
    check_fault(BAD[line], GAME, trigger(line))


LACKING = {
    "op: inc, path: rope": "missing-field: Add `value:`.",
    "op: set, value: 3": "missing-field: Add `path:` with a path such as time.minute.",
    "path: rope, value: 3": "missing-field: Add `op:` with one of set, inc, dec, push, remove, toggle.",
}


@pytest.mark.parametrize("line", LACKING)
def test_what_an_update_lacks_is_told_at_its_beginning(line: str) -> None:
    files = {"triggers.yaml": f"- id: t\n  when: turn > 3\n  effects:\n    - »{{{line}}}\n"}
    check_fault(LACKING[line], GAME, files)


def test_updates_are_checked_wherever_they_stand() -> None:
    bad = "[{op: inc, path: rop, value: 1}]"
    check = f"{{roll: d6, at_least: 3, success: {{updates: {bad}}}, failure: {{updates: {bad}}}}}"
    scene = (
        "- id: a\n  when: rope > 2\n  text: A.\n  choices:\n"
        f"    - {{label: b, updates: {bad}}}\n    - {{label: c, check: {check}}}\n    - label: d\n"
    )
    finale = f"finale: [{{label: a, ending: b, updates: {bad}}}]"
    game = f"endings:\n  - {{id: e, when: rope > 8, kind: win, {finale}}}\n"
    compiled = compile_game(GAME + game, {"scenes/a.yaml": scene, "endings.md": "## b\nB.\n"})
    assert [fault.split(" ")[1] for fault in told(compiled)] == ["unknown-path:"] * 4
