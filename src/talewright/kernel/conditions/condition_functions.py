"""Condition functions: the table of what a condition can call. A new function is a new row.

Each row says how a call is written and checked, how it is evaluated, and what static analysis knows about its
result. `docs/author/reference.md` lists the functions for authors.

Every element that an evaluation looks at costs fuel, so that it terminates soon for every document.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import COPIED_PER_STEP, count_work
from talewright.kernel.conditions.expression_tree import ValueType
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    narrow,
    text_lengths,
    truths_of,
)

Document: TypeAlias = Mapping[str, Json]

Fuel: TypeAlias = list[int]
"""A one-element list: how many more elements may be looked at."""

Evaluator: TypeAlias = Callable[[Document, int, Fuel], Json]
"""A compiled tree: takes a document, the turn and the fuel."""

Number: TypeAlias = int | float
NumberEvaluator: TypeAlias = Callable[[Document, int, Fuel], Number]
HolderEvaluator: TypeAlias = Callable[[Document, int, Fuel], Sequence[Json] | Mapping[str, Json]]


class NoAnswerError(ArithmeticError):
    """The expression has no value here: the number is too large, a value is null, or the fuel ran out."""


class ArgumentKind(StrEnum):
    """What an argument is for; this decides how it is checked, and what happens if it is null."""

    NUMBER = "number"
    """A number; a null has no answer."""

    HOLDER = "holder"
    """The list, object or text that is measured or searched, always the first argument; a null is empty."""

    SOUGHT = "sought"
    """What is searched for in the holder: an element of a list, or a key of an object."""


@frozen
class ConditionFunction:
    """One function that a condition can call."""

    name: str
    example: str
    """How to write it, shown with an error."""

    result: ValueType
    arguments: tuple[ArgumentKind, ...]
    compile: Callable[[Sequence[Evaluator], Sequence[ValueType]], Evaluator]
    """Makes the evaluator of a call from those of its arguments and from their types."""

    possible: Callable[[Sequence[Domain | None]], Domain | None]
    """The possible results of a call, given the possible values of its arguments; a holder may have none."""

    holders: tuple[ValueType, ...] = ()
    """The types that the holder may have."""

    repeats: bool = False
    """Whether more arguments of the last kind may follow."""

    @property
    def searches(self) -> bool:
        """Whether it looks at the elements of its holder, which costs fuel."""
        return ArgumentKind.SOUGHT in self.arguments

    def kinds(self, count: int) -> tuple[ArgumentKind, ...]:
        """The kind of each argument of a call with this many."""
        return self.arguments + self.arguments[-1:] * (count - len(self.arguments))


def spend(fuel: Fuel, amount: int) -> None:
    """Use up fuel for elements looked at; raises NoAnswerError if there is too little."""
    fuel[0] -= amount
    if fuel[0] < 0:
        raise NoAnswerError


def are_equal(left: Json, right: Json, fuel: Fuel) -> bool:
    """Whether two values are the same JSON; a top-level null equals nothing, a nested null equals a null."""
    if left is None or right is None:
        return False
    pending: list[tuple[Json, Json]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            count_work(len(one) // COPIED_PER_STEP)
            if one.keys() != other.keys():
                return False
            spend(fuel, len(one))
            pending.extend((one[key], other[key]) for key in one)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            spend(fuel, len(one))
            pending.extend(zip(one, other, strict=True))
        elif one != other or isinstance(one, bool) is not isinstance(other, bool):
            return False
    return True


def _compile_min(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> Evaluator:
    numbers = cast(Sequence[NumberEvaluator], arguments)
    return lambda document, turn, fuel: min([number(document, turn, fuel) for number in numbers])


def _compile_max(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> Evaluator:
    numbers = cast(Sequence[NumberEvaluator], arguments)
    return lambda document, turn, fuel: max([number(document, turn, fuel) for number in numbers])


def _compile_len(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> Evaluator:
    holder = cast(HolderEvaluator, arguments[0])
    return lambda document, turn, fuel: len(holder(document, turn, fuel))


def _compile_count(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> NumberEvaluator:
    """How often a value occurs in a list, or a key in an object; every list element costs fuel."""
    holder, sought = cast(HolderEvaluator, arguments[0]), arguments[1]
    if types[1] is ValueType.TEXT:

        def count_text(document: Document, turn: int, fuel: Fuel) -> int:
            held, text = holder(document, turn, fuel), sought(document, turn, fuel)
            if isinstance(held, Mapping):
                return int(text in held)
            spend(fuel, len(held))
            return 0 if text is None else held.count(text)

        return count_text

    def count(document: Document, turn: int, fuel: Fuel) -> int:
        held, value = holder(document, turn, fuel), sought(document, turn, fuel)
        spend(fuel, len(held))
        if value is None or isinstance(value, (list, dict)):
            return sum(are_equal(element, value, fuel) for element in held)
        is_bool = isinstance(value, bool)
        return sum(element == value and isinstance(element, bool) is is_bool for element in held)

    return count


def _compile_has(arguments: Sequence[Evaluator], types: Sequence[ValueType]) -> Evaluator:
    count = _compile_count(arguments, types)
    return lambda document, turn, fuel: count(document, turn, fuel) > 0


def _possible_min(domains: Sequence[Domain | None]) -> Domain:
    return _possible_choice(min, domains)


def _possible_max(domains: Sequence[Domain | None]) -> Domain:
    return _possible_choice(max, domains)


def _possible_choice(
    choose: Callable[[Sequence[Number]], Number], domains: Sequence[Domain | None]
) -> NumberDomain:
    known = [cast(NumberDomain, domain) for domain in domains]
    low, high = choose([domain.low for domain in known]), choose([domain.high for domain in known])
    return NumberDomain(low, high, whole=all(domain.whole for domain in known))


def _possible_len(domains: Sequence[Domain | None]) -> NumberDomain:
    """The possible length of a list, object or text; a null is empty."""
    (domain,) = domains
    assert domain
    assert not isinstance(domain, NumberDomain), "numbers have no length"
    low, high = (
        (domain.size_min, domain.size_max) if isinstance(domain, ContentsDomain) else text_lengths(domain)
    )
    return NumberDomain(0 if domain.null else low, high, whole=True)


def _possible_count(domains: Sequence[Domain | None]) -> NumberDomain:
    """How often a value may occur in a list, or a key in an object; a null contains and matches nothing."""
    holder, sought = domains
    assert sought, "what has no answer is not searched for"
    if (
        not isinstance(holder, ContentsDomain)
        or holder.items is None
        or narrow("==", holder.items, sought) is None
    ):
        return NumberDomain(0, 0, whole=True)
    surely = isinstance(sought, ChoiceDomain) and sought.values <= holder.always
    return NumberDomain(int(surely and not sought.null and not holder.null), holder.size_max, whole=True)


def _possible_has(domains: Sequence[Domain | None]) -> Domain | None:
    count = _possible_count(domains)
    return truths_of(count.high > 0, count.low == 0)


_NUMBERS = (ArgumentKind.NUMBER, ArgumentKind.NUMBER)
_SEARCH = (ArgumentKind.HOLDER, ArgumentKind.SOUGHT)

_ROWS = (
    ConditionFunction(
        "len",
        "len(list)",
        ValueType.NUMBER,
        (ArgumentKind.HOLDER,),
        _compile_len,
        _possible_len,
        holders=(ValueType.LIST, ValueType.OBJECT, ValueType.TEXT),
    ),
    ConditionFunction(
        "count",
        "count(list, value)",
        ValueType.NUMBER,
        _SEARCH,
        _compile_count,
        _possible_count,
        holders=(ValueType.LIST,),
    ),
    ConditionFunction(
        "min", "min(a, b)", ValueType.NUMBER, _NUMBERS, _compile_min, _possible_min, repeats=True
    ),
    ConditionFunction(
        "max", "max(a, b)", ValueType.NUMBER, _NUMBERS, _compile_max, _possible_max, repeats=True
    ),
    ConditionFunction(
        "has",
        "has(list, value)",
        ValueType.BOOLEAN,
        _SEARCH,
        _compile_has,
        _possible_has,
        holders=(ValueType.LIST, ValueType.OBJECT),
    ),
)

CONDITION_FUNCTIONS: Mapping[str, ConditionFunction] = {row.name: row for row in _ROWS}
"""Every function by its name, in the order in which authors are shown them."""
