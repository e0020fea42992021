"""Phrases: parts of conditions and what is known of places, in words for a message.

It only words what others have found out.
"""

from typing import assert_never

from talewright.common.name_suggestions import listed
from talewright.kernel.conditions.expression_tree import (
    Arithmetic,
    Comparison,
    ComparisonSign,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
    nodes_of,
)
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    Number,
    NumberDomain,
    TextDomain,
)
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import dotted
from talewright.pack.files.nodes import shorten

_LOW_SIGNS: frozenset[ComparisonSign] = frozenset({"<", "<="})
_HIGH_SIGNS: frozenset[ComparisonSign] = frozenset({">", ">="})


def start_of(node: Node) -> int:
    """The first character of a part, counted from one in the text of its condition."""
    return min(inner.column for inner in nodes_of(node))


def quoted(node: Node) -> str:
    """A part of a condition as one would write it, short enough for a message."""
    return f"`{shorten(write(node))}`"


def write(node: Node) -> str:
    """The text of a tree."""
    match node:
        case Literal(value):
            return f'"{value}"' if isinstance(value, str) else str(value).lower()
        case PathReading(path):
            return dotted(path)
        case TurnNumber():
            return "turn"
        case Negative(operand):
            return f"-{_bracketed(operand)}"
        case Not(FunctionCall("has", (holder, sought))):
            return f"{_bracketed(sought)} not in {write(holder)}"
        case Not(operand):
            return f"not {_bracketed(operand)}"
        case Junction(word, parts):
            return f" {word} ".join(
                f"({write(part)})" if isinstance(part, Junction) else write(part) for part in parts
            )
        case Comparison(sign, left, right):
            return f"{write(left)} {sign} {write(right)}"
        case Arithmetic(sign, left, right):
            return f"{_bracketed(left)} {sign} {_bracketed(right)}"
        case FunctionCall("has", (holder, sought)):
            return f"{_bracketed(sought)} in {write(holder)}"
        case FunctionCall(function, arguments):
            return f"{function}({', '.join(map(write, arguments))})"
        case _:
            assert_never(node)


def _bracketed(node: Node) -> str:
    return f"({write(node)})" if isinstance(node, Junction | Arithmetic | Comparison | Not) else write(node)


def describe_domain(domain: Domain, sign: ComparisonSign, held: bool) -> str:
    """What matters of a domain to a comparison that always, or never, holds; empty where that is not told.

    The words follow `is` and say a bound on one side where the other does not matter.
    """
    match domain:
        case NumberDomain(low, high) if low == high:
            return f"always {_figure(low)}"
        case NumberDomain():
            return _describe_numbers(domain, sign, held)
        case ChoiceDomain(values) if len(values) == 1:
            (value,) = values
            return f"always {write(Literal(value))}"
        case ChoiceDomain(values) if values and all(isinstance(value, str) for value in values):
            return f"always one of {listed(sorted(map(str, values)))}"
        case ChoiceDomain() | TextDomain() | ContentsDomain():
            return ""
        case _:
            assert_never(domain)


def _describe_numbers(domain: NumberDomain, sign: ComparisonSign, held: bool) -> str:
    bounded_below, bounded_above = domain.low > -INTEGER_MAX, domain.high < INTEGER_MAX
    if sign in (_HIGH_SIGNS if held else _LOW_SIGNS) and bounded_below:
        return f"at least {_figure(domain.low)}"
    if sign in (_LOW_SIGNS if held else _HIGH_SIGNS) and bounded_above:
        return f"at most {_figure(domain.high)}"
    if bounded_below and bounded_above:
        return f"from {_figure(domain.low)} to {_figure(domain.high)}"
    if bounded_below:
        return f"at least {_figure(domain.low)}"
    return f"at most {_figure(domain.high)}" if bounded_above else ""


def _figure(number: Number) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)
