"""Reach: what may come to stand where, and that no play ever leaves it."""

import pytest

from talewright.errors import Severity
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
)
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.pack import compiler
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import GameFolder
from talewright.pack.lint.lint_context import LintContext, make_lint_context
from tests.pack.lint.making import HEAD


def inquire(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> LintContext:
    """The inquiry into a game, as the inspection opens it."""
    opened: list[LintContext] = []

    def look(*arguments: object) -> tuple[()]:
        opened.append(make_lint_context(*arguments))  # type: ignore[arg-type]  # handed on as they are
        return ()

    monkeypatch.setattr(compiler, "lint_game", look)
    faults = compiler.compile_files(folder, {}, FaultList(), meaning=True).faults
    assert [fault for fault in faults if fault.severity is Severity.ERROR] == []
    return opened[0]


def reach_of(variables: str, effects: str, monkeypatch: pytest.MonkeyPatch) -> LintContext:
    game = f"{HEAD}variables:\n- {{id: hp, type: integer}}\n{variables}"
    triggers = f"- {{id: t, when: hp > 3, once: true, effects: [{effects}]}}\n"
    files = {"game.yaml": game.encode(), "triggers.yaml": triggers.encode(), "world.md": b"w\n"}
    return inquire(GameFolder(files, ()), monkeypatch)


CLOSED = "rules: {readonly: true}"
NUMBER = f"- {{id: x, type: integer, min: 0, max: 9, default: 4, {CLOSED}}}\n"
TEXT = f"- {{id: x, type: string, default: a, {CLOSED}}}\n"
FLAG = f"- {{id: x, type: boolean, {CLOSED}}}\n"
LIST = f"- {{id: x, type: list, default: [a, b], max_items: 5, {CLOSED}}}\n"
FIELDS = f"- {{id: x, type: object, {CLOSED}, default: {{y: 4, z: 0}}}}\n"
OPEN = f"- {{id: x, type: object, open: true, values: {{type: integer}}, default: {{a: 1}}, {CLOSED}}}\n"
PERHAPS = f"- {{id: x, type: integer, nullable: true, {CLOSED}}}\n"

WRITTEN = [
    (NUMBER, "", "x", NumberDomain(4, 4, whole=True)),
    (NUMBER, "{op: set, path: x, value: 6}", "x", NumberDomain(4, 6, whole=True)),
    (NUMBER, "{op: set, path: x, value: 60}", "x", NumberDomain(4, 9, whole=True)),
    (NUMBER, "{op: inc, path: x, value: 1}", "x", NumberDomain(4, 9, whole=True)),
    (NUMBER, "{op: dec, path: x, value: 1}", "x", NumberDomain(0, 4, whole=True)),
    (NUMBER, "{op: inc, path: x, value: 0}", "x", NumberDomain(4, 4, whole=True)),
    (
        NUMBER.replace("min: 0, max: 9, ", ""),
        "{op: inc, path: x, value: 1}",
        "x",
        NumberDomain(4, INTEGER_MAX, whole=True),
    ),
    (
        NUMBER.replace("min: 0, max: 9, ", ""),
        "{op: dec, path: x, value: 1}",
        "x",
        NumberDomain(-INTEGER_MAX, 4, whole=True),
    ),
    (NUMBER.replace("integer", "number"), "{op: inc, path: x, value: 0.5}", "x", NumberDomain(4, 9)),
    (NUMBER.replace(CLOSED, "secret: true"), "", "x", NumberDomain(4, 4, whole=True)),
    (NUMBER.replace(CLOSED, "hidden: true"), "", "x", NumberDomain(0, 9, whole=True)),
    (TEXT, "{op: set, path: x, value: b}", "x", ChoiceDomain(frozenset({"a", "b"}))),
    (FLAG, "", "x", ChoiceDomain(frozenset({False}))),
    (FLAG, "{op: toggle, path: x}", "x", ChoiceDomain(frozenset({False, True}))),
    (LIST, "", "x", ContentsDomain(2, 2, ChoiceDomain(frozenset({"a", "b"})))),
    (
        LIST,
        "{op: push, path: x, value: c}",
        "x",
        ContentsDomain(2, 5, ChoiceDomain(frozenset({"a", "b", "c"}))),
    ),
    (LIST, "{op: remove, path: x, value: b}", "x", ContentsDomain(0, 2, ChoiceDomain(frozenset({"a", "b"})))),
    (LIST, "{op: set, path: x, value: []}", "x", ContentsDomain(0, 2, ChoiceDomain(frozenset({"a", "b"})))),
    (LIST, "{op: set, path: x.0, value: q}", "x", ContentsDomain(0, 5, TextDomain())),
    (FIELDS, "{op: set, path: x, value: {y: 7}}", "x.y", NumberDomain(4, 7, whole=True)),
    (FIELDS, "{op: set, path: x, value: {y: 7}}", "x.z", NumberDomain(0, 0, whole=True)),
    (OPEN, "", "x", ContentsDomain(1, 1, ChoiceDomain(frozenset({"a"})), frozenset({"a"}))),
    (OPEN, "{op: set, path: x.b, value: 3}", "x", ContentsDomain(0, 500, TextDomain())),
    (PERHAPS, "", "x", ChoiceDomain(frozenset(), null=True)),
    (PERHAPS, "{op: inc, path: x, value: 3}", "x", ChoiceDomain(frozenset(), null=True)),
    (
        PERHAPS,
        "{op: inc, path: x, value: 3}, {op: set, path: x, value: 5}",
        "x",
        NumberDomain(5, INTEGER_MAX, whole=True, null=True),
    ),
]


@pytest.mark.parametrize(("variables", "effects", "path", "domain"), WRITTEN)
def test_what_the_author_writes_is_all_that_may_stand_there(
    variables: str, effects: str, path: str, domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach = reach_of(variables, effects, monkeypatch).reach
    found = tuple(path.split("."))
    assert reach.facts[found] == domain
    assert (found in reach.unwritten) is (effects == "" and "hidden" not in variables)


CLOCK = (
    f"- {{id: x, type: object, {CLOSED}, "
    "fields: {hour: {type: integer, min: 0, max: 24}, minute: {type: integer}}}\n"
)


@pytest.mark.parametrize(
    "effects", ["{op: inc, path: x.minute, value: 5}", "{op: set, path: x, value: {minute: 600}}"]
)
def test_what_runs_over_may_bring_the_next_anywhere(effects: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = reach_of(CLOCK, effects, monkeypatch).reach.facts
    assert facts["x", "hour"] == NumberDomain(0, 24, whole=True)
    assert facts["x", "minute"] == NumberDomain(0, 59, whole=True)


def test_a_member_that_the_storyteller_moves_carries_into_one_that_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fields = (
        f"{{hour: {{type: integer, {CLOSED}}}, minute: {{type: integer}}, day: {{type: integer, {CLOSED}}}}}"
    )
    reach = reach_of(f"- {{id: x, type: object, fields: {fields}}}\n", "", monkeypatch).reach
    assert reach.facts["x", "hour"] == NumberDomain(-INTEGER_MAX, INTEGER_MAX, whole=True)
    assert reach.facts["x", "day"] == NumberDomain(0, 0, whole=True)


def test_what_lies_under_something_that_may_be_null_is_not_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    perhaps = f"- {{id: x, type: object, nullable: true, {CLOSED}, fields: {{y: {{type: integer}}}}}}\n"
    facts = reach_of(perhaps, "", monkeypatch).reach.facts
    assert ("x", "y") not in facts
    assert facts["x",] == ContentsDomain(1, 1, ChoiceDomain(frozenset({"y"})), frozenset({"y"}), null=True)


DERIVED = [
    ("integer", "a + b", NumberDomain(2, 11, whole=True)),
    ("integer", "a / 2", NumberDomain(0, 4, whole=True)),
    ("number", "a / 2", NumberDomain(0, 4.5)),
    ("integer, max: 5", "a + b", NumberDomain(2, 5, whole=True)),
    ("integer, min: 4", "a + b", NumberDomain(4, 11, whole=True)),
    ("integer, default: -7", "b / a", NumberDomain(-7, 2, whole=True)),
    ("integer, default: 50", "b / a", NumberDomain(0, 50, whole=True)),
    ("integer, default: 3", "b / 0", NumberDomain(3, 3, whole=True)),
    ("integer, max: 5, rules: {clamp: false}", "a + b", NumberDomain(0, 5, whole=True)),
    ("boolean", "a > 9", ChoiceDomain(frozenset({False}))),
    ("boolean", "a > 8", ChoiceDomain(frozenset({False, True}))),
]


@pytest.mark.parametrize(("kind", "expression", "domain"), DERIVED)
def test_what_is_derived_follows_from_what_it_reads(
    kind: str, expression: str, domain: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = (
        f"- {{id: a, type: integer, min: 0, max: 9}}\n- {{id: b, type: integer, default: 2, {CLOSED}}}\n"
        f"- {{id: x, type: {kind}, derived: '{expression}'}}\n"
    )
    assert reach_of(variables, "", monkeypatch).reach.facts["x",] == domain


def test_turns_are_counted_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reach_of("", "", monkeypatch).reach.facts[TURN] == NumberDomain(1, INTEGER_MAX, whole=True)
