"""Outlooks and phrases: the quick look agrees with the long one, and parts read as they were written."""

import random

import pytest

from talewright.kernel.conditions.conditions import parse_condition
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import ComparisonSign, Node, PathReading
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
    domain_of,
)
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path
from talewright.pack.lint.condition_judge import JUDGEMENTS_MAX, ConditionJudge
from talewright.pack.lint.condition_trees import describe_domain, quoted, rewrite, start_of, write

LAYOUT = Layout(
    {
        "a": Slot(kind=SlotKind.INTEGER, default=0, minimum=0, maximum=4),
        "b": Slot(kind=SlotKind.NUMBER, default=0, minimum=-1.5, maximum=2),
        "f": Slot(kind=SlotKind.BOOLEAN, default=False),
        "g": Slot(kind=SlotKind.BOOLEAN, default=False, nullable=True),
        "e": Slot(kind=SlotKind.ENUM, default="p", enum_values=("p", "q", "r")),
        "s": Slot(kind=SlotKind.STRING, default=""),
        "l": Slot(kind=SlotKind.LIST, default=[], element=Slot(kind=SlotKind.STRING, default="")),
    }
)
FACTS: dict[Path, Domain] = {path: domain_of(slot) for path, slot in LAYOUT.walk()}
FACTS["e",] = ChoiceDomain(frozenset({"p", "q"}))


def tree(text: str) -> Node:
    return parse_condition(text, LAYOUT).tree


def write_condition(chance: random.Random, depth: int) -> str:
    if depth and chance.random() < 0.6:
        parts = [write_condition(chance, depth - 1) for _ in range(chance.randint(2, 3))]
        joined = f" {chance.choice(['and', 'or'])} ".join(f"({part})" for part in parts)
        return f"not ({joined})" if chance.random() < 0.2 else joined
    sign = chance.choice(["<", "<=", ">", ">=", "==", "!="])
    return chance.choice(
        [
            f"a {sign} {chance.randint(-1, 5)}",
            f"a {sign} {chance.randint(-1, 5)}.5",
            f"b {sign} {chance.choice(['-1.5', '0', '2', '2.5'])}",
            "f",
            "not f",
            f"f {chance.choice(['==', '!='])} {chance.choice(['true', 'false'])}",
            f'e {chance.choice(["==", "!="])} "{chance.choice("pqr")}"',
            f's {chance.choice(["==", "!="])} "x"',
            chance.choice(["true", "false"]),
        ]
    )


def test_the_quick_look_agrees_with_the_long_one() -> None:
    chance = random.Random(5)
    seen = 0
    for _ in range(2_000):
        text = write_condition(chance, 2)
        quick = ConditionJudge(LAYOUT, FACTS).judge_quickly(tree(text))
        if quick is not None:
            seen += 1
            assert quick is judge_possible(tree(text), LAYOUT, FACTS), f"seed 5: {text}"
    assert seen > 1_000


@pytest.mark.parametrize(
    "text", ["g", "g == true", "a + 1 > 3", '"x" in l', "len(l) > 2", "turn > 3", "a < b"]
)
def test_what_does_more_than_hold_a_place_against_a_value_is_looked_at_longer(text: str) -> None:
    outlooks = ConditionJudge(LAYOUT, FACTS)
    assert outlooks.judge_quickly(tree(text)) is None
    assert outlooks.judge(tree(text)) is judge_possible(tree(text), LAYOUT, FACTS)


def test_what_is_supposed_counts_before_what_is_known() -> None:
    outlooks = ConditionJudge(LAYOUT, FACTS)
    supposed: dict[Path, Domain] = {("a",): NumberDomain(3, 3, whole=True)}
    for text in ("a > 2", "a + 1 > 3", "a > 2 and a < 4"):
        assert outlooks.judge(tree(text)) is Outlook.UNKNOWN
        assert outlooks.judge_supposing(tree(text), supposed) is Outlook.ALWAYS


def test_conditions_exclude_one_another() -> None:
    outlooks = ConditionJudge(LAYOUT, FACTS)
    assert outlooks.exclude(tree("a > 2 and f"), tree("a < 2"))
    assert not outlooks.exclude(tree("a > 2 and f"), tree("a < 4"))
    assert outlooks.exclude(tree("a > 2"), tree("a < 4"), supposed={("a",): NumberDomain(0, 2, whole=True)})


def test_only_what_surely_has_an_answer_is_total() -> None:
    outlooks = ConditionJudge(LAYOUT, FACTS)
    assert outlooks.is_total(tree("a > 2"))
    assert outlooks.is_total(tree("a > 0 and 3 / a > 1"))
    assert not outlooks.is_total(tree("3 / a > 1"))
    assert outlooks.is_total(tree("3 / a > 1"), {("a",): NumberDomain(1, 2, whole=True)})


def test_after_many_judgements_nothing_more_is_decided() -> None:
    outlooks = ConditionJudge(LAYOUT, FACTS)
    never = tree("a + 1 > 9")
    for _ in range(JUDGEMENTS_MAX):
        assert not outlooks.spent
        assert outlooks.judge_supposing(never) is Outlook.NEVER
    assert outlooks.spent
    assert outlooks.judge_supposing(never) is Outlook.UNKNOWN
    assert not outlooks.is_total(tree("a + 1 > 9"))
    assert outlooks.judge(tree("a > 9")) is Outlook.NEVER


WRITTEN = [
    "a > 2",
    "a > 2 and (f or not f)",
    "not (a > 2)",
    'e == "p"',
    "f == true",
    '"x" in l',
    '"x" not in l',
    "-a < 3",
    "-(a + 1) < 3",
    "(a + 1) * 2 > turn",
    'count(l, "x") > 2',
    "min(a, 2, 3) > len(l)",
    "a / 2.5 > 1",
    "not f",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_tree_reads_as_it_was_written(text: str) -> None:
    assert write(parse(text)) == text
    assert parse(write(parse(text))) == parse(text)


def test_a_long_part_is_cut_in_messages() -> None:
    assert quoted(parse(" or ".join(f"a == {number}" for number in range(9)))).endswith("...`")


@pytest.mark.parametrize(
    ("text", "column"), [("a > 2", 1), ("  a > 2", 3), ('"x" in l', 1), ("(b + a) > 2", 2)]
)
def test_a_part_begins_with_its_first_character(text: str, column: int) -> None:
    assert start_of(parse(text)) == column


@pytest.mark.parametrize("text", WRITTEN)
def test_rewriting_reaches_every_node(text: str) -> None:
    def turn_about(node: Node) -> Node:
        return PathReading(("z", *node.path)) if isinstance(node, PathReading) else node

    renamed = rewrite(parse(text), turn_about)
    assert write(renamed).replace("z.", "") == text
    assert renamed != parse(text) or "a" not in text
    assert rewrite(parse(text), lambda node: node) == parse(text)


WORDS: list[tuple[Domain, ComparisonSign, bool, str]] = [
    (NumberDomain(0, 9), ">", False, "at most 9"),
    (NumberDomain(0, 9), ">=", True, "at least 0"),
    (NumberDomain(0, 9), "<", False, "at least 0"),
    (NumberDomain(0, 9), "<=", True, "at most 9"),
    (NumberDomain(0, 9), "==", False, "from 0 to 9"),
    (NumberDomain(0.5, 9.25), "!=", True, "from 0.5 to 9.25"),
    (NumberDomain(3, 3), "==", False, "always 3"),
    (NumberDomain(0, INTEGER_MAX), "==", False, "at least 0"),
    (NumberDomain(0, INTEGER_MAX), ">", False, "at least 0"),
    (NumberDomain(-INTEGER_MAX, 9), "==", False, "at most 9"),
    (NumberDomain(-INTEGER_MAX, INTEGER_MAX), "==", False, ""),
    (ChoiceDomain(frozenset({"a"})), "==", False, 'always "a"'),
    (ChoiceDomain(frozenset({True})), "==", False, "always true"),
    (ChoiceDomain(frozenset({"b", "a"})), "==", False, "always one of a, b"),
    (ChoiceDomain(frozenset({True, False})), "==", False, ""),
    (TextDomain(), "==", False, ""),
    (ContentsDomain(0, 3, None), "==", False, ""),
]


@pytest.mark.parametrize(("domain", "sign", "held", "words"), WORDS)
def test_what_matters_of_a_domain_is_put_into_words(
    domain: Domain, sign: ComparisonSign, held: bool, words: str
) -> None:
    assert describe_domain(domain, sign, held) == words
