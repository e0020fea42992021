"""Grammar: precedence, what the limits are, and where a text stops being an expression."""

import json
import pathlib

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.expression_json import tree_to_json
from talewright.kernel.conditions.expression_parser import (
    DEPTH_MAX,
    EXPRESSION_LENGTH_MAX,
    FOREIGN_WORDS,
    NODES_MAX,
    parse,
    word_hint,
)
from talewright.kernel.conditions.expression_tree import (
    Arithmetic,
    Comparison,
    ExpressionError,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
)

SPLIT = "Split it, or compute a part of it in a derived variable."


def refusal(text: str) -> tuple[str, int, str]:
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    return refused.value.message, refused.value.column, refused.value.suggestion


A: Json = [".", "a"]
B: Json = [".", "b"]
C: Json = [".", "c"]
D: Json = [".", "d"]

TREES: list[tuple[str, Json]] = [
    ("1", 1),
    ("0.5", 0.5),
    ("'x'", "x"),
    ("true", True),
    ("false", False),
    ("a", A),
    ("a.b.0", [".", "a", "b", "0"]),
    ("turn", ["turn"]),
    ("turn.x", [".", "turn", "x"]),
    ("not.x", [".", "not", "x"]),
    ("true.x", [".", "true", "x"]),
    ("len", [".", "len"]),
    ("count > 1", [">", [".", "count"], 1]),
    ("True", [".", "True"]),
    ("a or b and c", ["or", A, ["and", B, C]]),
    ("a and b or c", ["or", ["and", A, B], C]),
    ("a and b and c and d", ["and", A, B, C, D]),
    ("a or b or c and d or a", ["or", A, B, ["and", C, D], A]),
    ("(a and b) and c", ["and", ["and", A, B], C]),
    ("a and (b or c)", ["and", A, ["or", B, C]]),
    ("not a and b", ["and", ["not", A], B]),
    ("a and not b", ["and", A, ["not", B]]),
    ("not a or b", ["or", ["not", A], B]),
    ("not not a", ["not", ["not", A]]),
    ("not a == b", ["not", ["==", A, B]]),
    ("not a in b", ["not", ["has", B, A]]),
    ("not (a or b)", ["not", ["or", A, B]]),
    ("not(a)", ["not", A]),
    ("a == b and c != d", ["and", ["==", A, B], ["!=", C, D]]),
    ("a in b", ["has", B, A]),
    ("a not in b", ["not", ["has", B, A]]),
    ("a + 1 in b", ["has", B, ["+", A, 1]]),
    ("a in b and c", ["and", ["has", B, A], C]),
    ("a in(b)", ["has", B, A]),
    ("(a < b) == true", ["==", ["<", A, B], True]),
    ("a >= b + 1", [">=", A, ["+", B, 1]]),
    ("a + 1 <= b", ["<=", ["+", A, 1], B]),
    ("a < b * 2", ["<", A, ["*", B, 2]]),
    ("a * 2 > b", [">", ["*", A, 2], B]),
    ("1 - 2 - 3", ["-", ["-", 1, 2], 3]),
    ("1 - (2 - 3)", ["-", 1, ["-", 2, 3]]),
    ("1 + 2 * 3", ["+", 1, ["*", 2, 3]]),
    ("1 * 2 + 3", ["+", ["*", 1, 2], 3]),
    ("8 / 2 / 2", ["/", ["/", 8, 2], 2]),
    ("8 / 2 * 2", ["*", ["/", 8, 2], 2]),
    ("(1 + 2) * 3", ["*", ["+", 1, 2], 3]),
    ("-a * b", ["*", ["negative", A], B]),
    ("a * -b", ["*", A, ["negative", B]]),
    ("a - -b", ["-", A, ["negative", B]]),
    ("--a", ["negative", ["negative", A]]),
    ("-(a + b)", ["negative", ["+", A, B]]),
    ("-a + b", ["+", ["negative", A], B]),
    ("-a == b", ["==", ["negative", A], B]),
    ("-1", ["negative", 1]),
    ("len(a)", ["len", A]),
    ("len (a)", ["len", A]),
    ("min(1, 2, -3)", ["min", 1, 2, ["negative", 3]]),
    ("max(a, b) > 1", [">", ["max", A, B], 1]),
    ("count(a, 'x')", ["count", A, "x"]),
    ("has(a, b or c)", ["has", A, ["or", B, C]]),
    ("has(a, not b)", ["has", A, ["not", B]]),
    ("((((a))))", A),
    ("a\nand\r\n\tb", ["and", A, B]),
    ("'and' == a", ["==", "and", A]),
    ("'+' == a", ["==", "+", A]),
]


@pytest.mark.parametrize(("text", "form"), TREES)
def test_trees(text: str, form: Json) -> None:
    assert tree_to_json(parse(text)) == form


def columns(tree: Node) -> list[int]:
    match tree:
        case Negative(operand, column) | Not(operand, column):
            return [column, *columns(operand)]
        case Junction(_, parts, column) | FunctionCall(_, parts, column):
            return [column, *(number for part in parts for number in columns(part))]
        case Arithmetic(_, left, right, column) | Comparison(_, left, right, column):
            return [column, *columns(left), *columns(right)]
        case Literal() | PathReading() | TurnNumber():
            return [tree.column]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a and 'b' and turn", [3, 1, 7, 15]),
        ("a + -1 >= 2", [8, 3, 1, 5, 6, 11]),
        ("not len(a) == 1", [1, 12, 5, 9, 15]),
        ("a in b", [3, 6, 1]),
        ("a not in b", [3, 3, 10, 1]),
        ("(true)", [2]),
        ("a or not b", [3, 1, 6, 10]),
    ],
)
def test_columns(text: str, expected: list[int]) -> None:
    assert columns(parse(text)) == expected


OPERATOR = "expected an operator such as `and`, `==` or `+`, not "
VALUE = "expected a value, not "
CHAIN = "Join two comparisons with `and`: `1 < x and x < 5`."
ALL_FUNCTIONS = "The functions are len, count, min, max, has."

REFUSALS: list[tuple[str, str, int, str]] = [
    ("", VALUE + "the end", 1, ""),
    ("  ", VALUE + "the end", 3, ""),
    ("a and", VALUE + "the end", 6, ""),
    ("a >", VALUE + "the end", 4, ""),
    ("-", VALUE + "the end", 2, ""),
    ("not", VALUE + "the end", 4, ""),
    ("> 1", VALUE + "`>`", 1, ""),
    ("a > > 1", VALUE + "`>`", 5, ""),
    ("and a", VALUE + "`and`", 1, ""),
    ("a and or b", VALUE + "`or`", 7, ""),
    ("in a", VALUE + "`in`", 1, ""),
    ("()", VALUE + "`)`", 2, ""),
    ("a, b", OPERATOR + "`,`", 2, ""),
    ("a)", OPERATOR + "`)`", 2, ""),
    ("a 5", OPERATOR + "`5`", 3, ""),
    ("a true", OPERATOR + "`true`", 3, ""),
    ("a is b", OPERATOR + "`is`", 3, "Write `==`."),
    ("a IS b", OPERATOR + "`IS`", 3, "Write `==`."),
    ("a AND b", OPERATOR + "`AND`", 3, "Write `and` in lower case."),
    ("a Or b", OPERATOR + "`Or`", 3, "Write `or` in lower case."),
    ("a contains b", OPERATOR + "`contains`", 3, "Write `has(list, value)` or `value in list`."),
    ("(a", "expected `)` for the bracket in column 1, not the end", 3, ""),
    ("1 + (a 5)", "expected `)` for the bracket in column 5, not `5`", 8, ""),
    ("len(a", "expected `,` or `)` for the bracket in column 4, not the end", 6, ""),
    ("len (a b)", "expected `,` or `)` for the bracket in column 5, not `b`", 8, ""),
    ("len()", VALUE + "`)`", 5, ""),
    ("len(a,)", VALUE + "`)`", 7, ""),
    ("a not b", "expected `in`, not `b`", 7, ""),
    ("a not", "expected `in`, not the end", 6, ""),
    ("a == not b", "`not` is not allowed here", 6, "Put `not ...` in parentheses."),
    ("1 + not b", "`not` is not allowed here", 5, "Put `not ...` in parentheses."),
    ("-not b", "`not` is not allowed here", 2, "Put `not ...` in parentheses."),
    ("1 < a < 5", "a comparison cannot be followed by `<`", 7, CHAIN),
    ("a == b != c", "a comparison cannot be followed by `!=`", 8, CHAIN),
    ("a in b in c", "a comparison cannot be followed by `in`", 8, CHAIN),
    ("a in b not in c", "a comparison cannot be followed by `not`", 8, CHAIN),
    ("a and 1 < a == b", "a comparison cannot be followed by `==`", 13, CHAIN),
    ("1 < a + 2 < 5", "a comparison cannot be followed by `<`", 11, CHAIN),
    ("size(a)", "`size` is not a function", 1, ALL_FUNCTIONS),
    ("a.b(c)", "`a.b` is not a function", 1, ALL_FUNCTIONS),
    ("1 + lenn(a)", "`lenn` is not a function", 5, "Write `len(...)`."),
    ("MAX(1, 2)", "`MAX` is not a function", 1, "Write `max(...)`."),
    ("turn(1)", "`turn` is not a function", 1, ALL_FUNCTIONS),
    ("true(1)", "`true` is not a function", 1, ALL_FUNCTIONS),
    ("a = 3", "`=` is not part of the language", 3, "Write `==` to compare."),
    ("a ] and", "`]` is not part of the language", 3, ""),
]


@pytest.mark.parametrize(("text", "message", "column", "hint"), REFUSALS)
def test_refusals(text: str, message: str, column: int, hint: str) -> None:
    assert refusal(text)[:2] == (message, column)
    assert refusal(text)[2].startswith(hint)
    assert hint or "]" in text or refusal(text)[2] == ""


def test_mistakes_are_told_from_left_to_right() -> None:
    assert refusal("1 < a < 5 ]")[1] == 7


def test_length_is_limited() -> None:
    assert EXPRESSION_LENGTH_MAX == 2_000
    assert parse("true".ljust(2_000)) == Literal(True)
    assert refusal("true".ljust(2_001)) == ("this has 2001 characters; the limit is 2000", 2_001, SPLIT)


def test_nodes_are_limited() -> None:
    assert NODES_MAX == 250
    parse("a or " * 248 + "a")
    assert refusal("a or " * 249 + "a") == ("this has more than 250 values and operators", 3, SPLIT)
    assert refusal("min(" + "1," * 300 + "1)")[1] == 4 + 2 * 250 + 1


def test_a_chain_of_words_is_flat() -> None:
    assert len(tree_to_json(parse("a and " * 100 + "a"))) == 102  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after"),
    [("(", ")"), ("not ", ""), ("-", ""), ("min(1, ", ")"), ("1 + (", ")"), ("a or (", ")")],
)
def test_depth_is_limited(before: str, after: str) -> None:
    deep = [times for times in range(1, 100) if not refused(before * times + "a" + after * times)]
    assert deep == list(range(1, len(deep) + 1))
    step = 2 if after and before[0] in "1a" else 1
    assert len(deep) == (DEPTH_MAX - 1) // step
    message, column, hint = refusal(before * (len(deep) + 1) + "a" + after * (len(deep) + 1))
    assert (message, hint) == ("this is nested more than 50 deep", SPLIT)
    assert column <= len(before) * (len(deep) + 1) + 1


def refused(text: str) -> bool:
    try:
        parse(text)
    except ExpressionError:
        return True
    return False


@pytest.mark.parametrize(
    ("before", "after"), [("min(", ", 1)"), ("min(1, ", ")"), ("not ", ""), ("- ", ""), ("(", ")")]
)
def test_brackets_count_as_depth(before: str, after: str) -> None:
    parse(before + "(" * 48 + "a" + ")" * 48 + after)
    assert refusal(before + "(" * 49 + "a" + ")" * 49 + after)[1] == len(before) + 50


def test_a_long_sum_is_deep() -> None:
    assert DEPTH_MAX == 50
    parse("1+" * 49 + "1")
    message, column, hint = refusal("1+" * 50 + "1")
    assert (message, column, hint) == ("this is nested more than 50 deep", 100, SPLIT)


HINTS = dict(
    json.loads(line)
    for line in pathlib.Path(__file__).with_name("hints.txt").read_text(encoding="utf-8").splitlines()
    if line.startswith("[")
)


def test_all_word_hints_are_known() -> None:
    words = {word: hint for word, hint in HINTS.items() if word.isidentifier()}
    assert words == FOREIGN_WORDS
    for word, hint in words.items():
        assert word_hint(word.upper()) == hint
        assert refusal(f"a {word.title()} b")[1:] == (3, hint)


def test_word_hints() -> None:
    assert word_hint("NULL") == FOREIGN_WORDS["null"]
    assert word_hint("None").startswith("There is no null;")
    assert word_hint("True") == "Write `true` in lower case."
    assert word_hint("true") == ""
    assert word_hint("hp") == ""
    assert all(word == word.lower() for word in FOREIGN_WORDS)
