"""The table of condition functions: a row is all that a function needs, and authors read about every one."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from talewright.kernel.conditions.condition_functions import (
    CONDITION_FUNCTIONS,
    ArgumentKind,
    ConditionFunction,
    Evaluator,
)
from talewright.kernel.conditions.conditions import parse_condition, parse_expression
from talewright.kernel.conditions.expression_json import tree_from_json, tree_to_json
from talewright.kernel.conditions.expression_tree import ExpressionError, ValueType
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible
from talewright.kernel.conditions.value_domains import Domain, NumberDomain
from tests.kernel.making import integer, make_layout

REFERENCE = Path(__file__).parents[3] / "docs" / "author" / "reference.md"
LAYOUT = make_layout({"hp": integer(5, -9, 9)})


def test_authors_read_about_every_function() -> None:
    section = REFERENCE.read_text("utf-8").partition("\n## Conditions\n")[2].partition("\n## ")[0]
    first_cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = [name for cell in first_cells for name in re.findall(r"`([a-z_]+)\(", cell)]
    assert sorted(named) == sorted(CONDITION_FUNCTIONS)


@pytest.mark.parametrize("row", CONDITION_FUNCTIONS.values(), ids=lambda row: row.name)
def test_a_row_agrees_with_itself(row: ConditionFunction) -> None:
    assert row.example.startswith(f"{row.name}(")
    assert row.example.count(",") + 1 == len(row.arguments)
    assert bool(row.holders) is (row.arguments[0] is ArgumentKind.HOLDER)
    assert row.searches is (ArgumentKind.SOUGHT in row.arguments)
    assert ArgumentKind.HOLDER not in row.arguments[1:]
    assert row.kinds(4)[:1] == row.arguments[:1]


def _compile_abs(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> Evaluator:
    (number,) = arguments
    return lambda document, turn, fuel: abs(cast(int, number(document, turn, fuel)))


def _possible_abs(domains: Sequence[Domain | None]) -> Domain:
    (domain,) = domains
    assert isinstance(domain, NumberDomain)
    return NumberDomain(0, max(abs(domain.low), abs(domain.high)), domain.whole)


def test_a_row_is_all_that_a_function_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExpressionError, match="`abs` is not a function"):
        parse_condition("abs(hp) > 3", LAYOUT)
    row = ConditionFunction(
        "abs", "abs(a)", ValueType.NUMBER, (ArgumentKind.NUMBER,), _compile_abs, _possible_abs
    )
    monkeypatch.setitem(cast(dict[str, ConditionFunction], CONDITION_FUNCTIONS), "abs", row)
    condition = parse_condition("abs(hp) > 3", LAYOUT)
    assert [condition.holds({"hp": hp}, 1) for hp in (-4, 0, 4)] == [True, False, True]
    assert parse_expression("abs(hp) + 1", LAYOUT).value({"hp": -2}, 1) == 3
    assert tree_from_json(tree_to_json(condition.tree)) == condition.tree
    assert judge_possible(condition.tree, LAYOUT) is Outlook.UNKNOWN
    assert judge_possible(parse_condition("abs(hp) >= 0", LAYOUT).tree, LAYOUT) is Outlook.ALWAYS
    assert judge_possible(parse_condition("abs(hp) > 9", LAYOUT).tree, LAYOUT) is Outlook.NEVER
    with pytest.raises(ExpressionError, match="`abs` takes 1 arguments, not 2") as error:
        parse_condition("abs(hp, 1) > 3", LAYOUT)
    assert error.value.suggestion == "Write `abs(a)`."
