"""Expression JSON: the parsed form of a condition as JSON, which compiled games store.

It does not check the tree against any slots; that was done before it was written.
"""

from collections.abc import Sequence
from typing import assert_never, cast

from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import CONDITION_FUNCTIONS
from talewright.kernel.conditions.expression_tree import (
    ARITHMETIC_SIGNS,
    COMPARISON_SIGNS,
    WORDS,
    Arithmetic,
    Comparison,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
)


def tree_to_json(tree: Node) -> Json:
    """Write a tree as nested lists, each starting with its word or sign; columns are left out."""
    match tree:
        case Literal():
            return tree.value
        case PathReading():
            return [".", *tree.path]
        case TurnNumber():
            return ["turn"]
        case Negative():
            return ["negative", tree_to_json(tree.operand)]
        case Not():
            return ["not", tree_to_json(tree.operand)]
        case Junction():
            return [tree.word, *map(tree_to_json, tree.parts)]
        case Arithmetic() | Comparison():
            return [tree.sign, tree_to_json(tree.left), tree_to_json(tree.right)]
        case FunctionCall():
            return [tree.function, *map(tree_to_json, tree.arguments)]
        case _:
            assert_never(tree)


def tree_from_json(form: Json) -> Node:
    """Read what `tree_to_json` wrote; raises ValueError for anything else."""
    if isinstance(form, (bool, int, float, str)):
        return Literal(form)
    if not isinstance(form, list) or not form:
        raise ValueError("a tree is a plain value or a list headed by a word or sign")
    head, rest = form[0], form[1:]
    if head == ".":
        return PathReading(tuple(cast(Sequence[str], rest)))
    parts = tuple(map(tree_from_json, rest))
    if head in WORDS:
        return Junction(head, parts)
    if isinstance(head, str) and head in CONDITION_FUNCTIONS:
        return FunctionCall(head, parts)
    if head in ARITHMETIC_SIGNS and len(parts) == 2:
        return Arithmetic(head, *parts)
    if head in COMPARISON_SIGNS and len(parts) == 2:
        return Comparison(head, *parts)
    if head == "negative" and len(parts) == 1:
        return Negative(*parts)
    if head == "not" and len(parts) == 1:
        return Not(*parts)
    if head == "turn" and not parts:
        return TurnNumber()
    raise ValueError(f"{head!r} heads no tree of {len(parts)} parts")
