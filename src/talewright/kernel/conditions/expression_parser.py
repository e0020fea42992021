"""Expression parser: turns the text of an expression into a tree, or an error with a hint.

It looks at the text only. `expression_types` checks that paths exist and types agree.
"""

from typing import NoReturn, TypeAlias

from talewright.common.name_suggestions import nearest
from talewright.kernel.conditions.condition_functions import CONDITION_FUNCTIONS
from talewright.kernel.conditions.expression_tokens import Token, TokenKind, quote, tokens
from talewright.kernel.conditions.expression_tree import (
    ARITHMETIC_SIGNS,
    COMPARISON_SIGNS,
    RESERVED_WORDS,
    WORDS,
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
    Word,
)

EXPRESSION_LENGTH_MAX = 2_000
"""Characters in an expression."""

NODES_MAX = 250
"""Values and operators in an expression."""

DEPTH_MAX = 50
"""Nesting depth of an expression; `a and b and c ...` counts once, `a + b + c ...` once per sign."""

_SPLIT = "Split it, or compute a part of it in a derived variable."

FOREIGN_WORDS = {
    "is": "Write `==`.",
    "equals": "Write `==`.",
    "contains": "Write `has(list, value)` or `value in list`.",
    "if": "Write the condition alone, without `if`.",
    "else": "There is no conditional expression; write two conditions.",
    "for": "There are no loops.",
    "lambda": "You cannot define functions.",
    "import": "You cannot import anything.",
    "none": "There is no null; an empty text, list or object has the length 0: `len(name) == 0`.",
    "null": "There is no null; an empty text, list or object has the length 0: `len(name) == 0`.",
    "and": "Write `and` in lower case.",
    "or": "Write `or` in lower case.",
    "not": "Write `not` in lower case.",
    "in": "Write `in` in lower case.",
    **dict.fromkeys(("yes", "on"), "Write `true`; a boolean variable can also be written alone."),
    **dict.fromkeys(("no", "off"), "Write `false`; a boolean variable can also be written after `not`."),
    "true": "Write `true` in lower case.",
    "false": "Write `false` in lower case.",
}
"""Lower-case words from other languages, and what to write here instead."""

_LEVELS = (("or",), ("and",), (), ("not", "in", *COMPARISON_SIGNS), ("+", "-"), ("*", "/"))
_BINDING = {word: binding for binding, words in enumerate(_LEVELS, start=1) for word in words}
"""Binding power of each binary operator; `not` is listed because of `not in`."""

_LOOSEST = 0
_NEGATION = 3
"""Prefix `not`: looser than a comparison, tighter than `and`."""

_COMPARISON = 4
_MINUS = 6
"""Prefix `-`: tighter than any binary operator."""

Grown: TypeAlias = tuple[Node, int]
"""A tree and its depth in nodes."""


def parse(text: str) -> Node:
    """Parse an expression; raises ExpressionError with the column of the first error."""
    if len(text) > EXPRESSION_LENGTH_MAX:
        raise ExpressionError(
            f"this has {len(text)} characters; the limit is {EXPRESSION_LENGTH_MAX}",
            EXPRESSION_LENGTH_MAX + 1,
            _SPLIT,
        )
    return _Parser(text).read_whole()


def word_hint(written: str) -> str:
    """What to write instead of a word from another language; empty if it is not one."""
    return "" if written in RESERVED_WORDS else FOREIGN_WORDS.get(written.lower(), "")


class _Parser:
    """A recursive-descent parser with one token of lookahead."""

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._next = next(self._tokens)
        self._nodes = 0

    def read_whole(self) -> Node:
        """The expression that makes up the whole text."""
        tree, _ = self._read(_LOOSEST, 1)
        if self._next.kind is not TokenKind.END:
            self._refuse("an operator such as `and`, `==` or `+`")
        return tree

    def _read(self, binding: int, depth: int) -> Grown:
        """A value and everything that binds to it more tightly than `binding`."""
        if depth > DEPTH_MAX:
            self._refuse_depth(self._next.column)
        left = self._read_value(binding, depth)
        last = 0
        while (ahead := _BINDING.get(self._next.written, 0)) > binding:
            if ahead == last == _COMPARISON:
                self._refuse_chain()
            left = self._read_operation(left, ahead, depth + 1)
            last = ahead
        return left

    def _read_operation(self, left: Grown, binding: int, depth: int) -> Grown:
        """The operator after a value, and its right operand."""
        token = self._step()
        word = token.written
        if word in WORDS:
            return self._read_junction(word, token.column, left, depth)
        if word == "not":
            self._expect("in", "`in`")
        right = self._read(binding, depth)
        if word in ARITHMETIC_SIGNS:
            return self._grow(Arithmetic(word, left[0], right[0], token.column), left, right)
        if word in COMPARISON_SIGNS:
            return self._grow(Comparison(word, left[0], right[0], token.column), left, right)
        held = self._grow(FunctionCall("has", (right[0], left[0]), token.column), right, left)
        return held if word == "in" else self._grow(Not(held[0], token.column), held)

    def _read_junction(self, word: Word, column: int, first: Grown, depth: int) -> Grown:
        """A chain of one operator, kept flat so that a long list does not become a deep tree."""
        parts = [first, self._read(_BINDING[word], depth)]
        while self._next.written == word:
            self._step()
            parts.append(self._read(_BINDING[word], depth))
        return self._grow(Junction(word, tuple(part for part, _ in parts), column), *parts)

    def _read_value(self, binding: int, depth: int) -> Grown:
        """One value, with prefix `not` or `-`."""
        token = self._next
        if token.kind is TokenKind.NAME:
            return self._read_name(binding, depth)
        if token.kind in (TokenKind.NUMBER, TokenKind.TEXT):
            self._step()
            return self._grow(Literal(token.value, token.column))
        if token.written == "-":
            self._step()
            operand = self._read(_MINUS, depth + 1)
            return self._grow(Negative(operand[0], token.column), operand)
        if token.written != "(":
            self._refuse("a value")
        self._step()
        inner = self._read(_LOOSEST, depth + 1)
        self._expect(")", f"`)` for the bracket in column {token.column}")
        return inner

    def _read_name(self, binding: int, depth: int) -> Grown:
        """A word in the place of a value: a path, a call, `turn`, `true`, `false` or `not`."""
        token = self._next
        word = token.written
        if word == "not":
            if binding > _NEGATION:
                raise ExpressionError(
                    "`not` is not allowed here", token.column, "Put `not ...` in parentheses."
                )
            self._step()
            operand = self._read(_NEGATION, depth + 1)
            return self._grow(Not(operand[0], token.column), operand)
        if word in _BINDING:
            self._refuse("a value")
        self._step()
        if self._next.written == "(":
            return self._read_call(token, depth)
        if word == "turn":
            return self._grow(TurnNumber(token.column))
        if word in ("true", "false"):
            return self._grow(Literal(word == "true", token.column))
        return self._grow(PathReading(token.path, token.column))

    def _read_call(self, name: Token, depth: int) -> Grown:
        """The arguments of a function; `expression_types` checks their number."""
        function = name.written
        if function not in CONDITION_FUNCTIONS:
            near = nearest(function, CONDITION_FUNCTIONS)
            hint = f"Write `{near}(...)`." if near else f"The functions are {', '.join(CONDITION_FUNCTIONS)}."
            raise ExpressionError(f"{quote(function)} is not a function", name.column, hint)
        bracket = self._step()
        arguments = [self._read(_LOOSEST, depth + 1)]
        while self._next.written == ",":
            self._step()
            arguments.append(self._read(_LOOSEST, depth + 1))
        self._expect(")", f"`,` or `)` for the bracket in column {bracket.column}")
        return self._grow(
            FunctionCall(function, tuple(part for part, _ in arguments), name.column), *arguments
        )

    def _step(self) -> Token:
        token = self._next
        self._next = next(self._tokens)
        return token

    def _expect(self, written: str, wanted: str) -> None:
        if self._next.written != written:
            self._refuse(wanted)
        self._step()

    def _grow(self, node: Node, *children: Grown) -> Grown:
        self._nodes += 1
        if self._nodes > NODES_MAX:
            raise ExpressionError(f"this has more than {NODES_MAX} values and operators", node.column, _SPLIT)
        height = 1 + max([height for _, height in children], default=0)
        if height > DEPTH_MAX:
            self._refuse_depth(node.column)
        return node, height

    def _refuse(self, wanted: str) -> NoReturn:
        found = quote(self._next.written) if self._next.written else "the end"
        hint = word_hint(self._next.written)
        raise ExpressionError(f"expected {wanted}, not {found}", self._next.column, hint)

    def _refuse_depth(self, column: int) -> NoReturn:
        raise ExpressionError(f"this is nested more than {DEPTH_MAX} deep", column, _SPLIT)

    def _refuse_chain(self) -> NoReturn:
        raise ExpressionError(
            f"a comparison cannot be followed by {quote(self._next.written)}",
            self._next.column,
            "Join two comparisons with `and`: `1 < x and x < 5`.",
        )
