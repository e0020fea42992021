"""Scalar forms: what each takes, and what it says of the rest."""

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.files.yaml_nodes import BrokenNode, ScalarNode
from talewright.pack.schema.scalar_forms import (
    FixedWordForm,
    FlagForm,
    Form,
    FormulaForm,
    NumberForm,
    PatternForm,
    TextForm,
    UnreadableError,
    WholeNumberForm,
)
from tests.pack.making import read

WORD = PatternForm(r"[a-z]{1,5}", "a small word", "well", 5)
KINDS = FixedWordForm(("integer", "number", "string"))

TAKEN: list[tuple[Form[object], str, object]] = [
    (TextForm(5), "井边", "井边"),
    (TextForm(5), "'12345'", "12345"),
    (TextForm(empty=True), "''", ""),
    (WORD, "well", "well"),
    (NumberForm(), "1.5", 1.5),
    (NumberForm(0, 2), "2", 2),
    (NumberForm(0, 2), "0", 0),
    (WholeNumberForm(), "-3", -3),
    (WholeNumberForm(), "3.0", 3),
    (WholeNumberForm(2, 2), "2", 2),
    (FlagForm(), "true", True),
    (FlagForm(), "false", False),
    (KINDS, "number", "number"),
    (KINDS, "'string'", "string"),
]


@pytest.mark.parametrize(("form", "text", "value"), TAKEN)
def test_what_fits_is_taken(form: Form[object], text: str, value: object) -> None:
    fault_list = FaultList()
    taken = form.read(read(text), fault_list, "field")
    assert taken == value
    assert type(taken) is type(value)
    assert fault_list.faults() == ()


REFUSED: list[tuple[Form[object], str, str, str]] = [
    (TextForm(), "3", "wrong-type: `field`: expected a text, found the number 3", 'Put it in quotes: "3".'),
    (TextForm(), "true", "wrong-type: `field`: expected a text, found true", 'Put it in quotes: "true".'),
    (TextForm(), "~", "wrong-type: `field`: expected a text, found nothing", "Write a text."),
    (TextForm(), "[a]", "wrong-type: `field`: expected a text, found a list", "Write a text."),
    (TextForm(), "{a: b}", "wrong-type: `field`: expected a text, found a mapping", "Write a text."),
    (TextForm(5), "123456x", "bad-length: `field` may have at most 5 characters, not 7", "Shorten it."),
    (TextForm(), "' '", "bad-length: `field` is empty", "Write a text."),
    (
        TextForm(example="d20"),
        "20",
        "wrong-type: `field`: expected a text, found the number 20",
        "Write it like `d20`.",
    ),
    (WORD, "Well", 'bad-name: `field`: expected a small word, found "Well"', "Write it like `well`."),
    (WORD, "welling", 'bad-name: `field`: expected a small word, found "welling"', "Write it like `well`."),
    (WORD, '"well\\n"', 'bad-name: `field`: expected a small word, found "well"', "Write it like `well`."),
    (WORD, "3", "wrong-type: `field`: expected a small word, found the number 3", "Write it like `well`."),
    (WORD, "true", "wrong-type: `field`: expected a small word, found true", 'Put it in quotes: "true".'),
    (WORD, "[a]", "wrong-type: `field`: expected a small word, found a list", "Write it like `well`."),
    (
        NumberForm(),
        "'3'",
        'wrong-type: `field`: expected a number, found the text "3"',
        "Write 3 without quotes.",
    ),
    (
        NumberForm(),
        "three",
        'wrong-type: `field`: expected a number, found the text "three"',
        "Write a number.",
    ),
    (NumberForm(), "true", "wrong-type: `field`: expected a number, found true", "Write a number."),
    (
        NumberForm(0, 2),
        "-1",
        "out-of-range: `field`: expected a number from 0 to 2, found the number -1",
        "Write 0 or more.",
    ),
    (
        NumberForm(0, 2),
        "2.1",
        "out-of-range: `field`: expected a number from 0 to 2, found the number 2.1",
        "Write 2 or less.",
    ),
    (
        NumberForm(0),
        "-1",
        "out-of-range: `field`: expected a number of 0 or more, found the number -1",
        "Write 0 or more.",
    ),
    (
        NumberForm(None, 0),
        "1",
        "out-of-range: `field`: expected a number of 0 or less, found the number 1",
        "Write 0 or less.",
    ),
    (
        WholeNumberForm(),
        "1.5",
        "wrong-type: `field`: expected a whole number, found the number 1.5",
        "Write 2.",
    ),
    (
        WholeNumberForm(),
        "'15'",
        'wrong-type: `field`: expected a whole number, found the text "15"',
        "Write 15 without quotes.",
    ),
    (
        WholeNumberForm(),
        "[]",
        "wrong-type: `field`: expected a whole number, found a list",
        "Write a whole number.",
    ),
    (FlagForm(), "yes", 'wrong-type: `field`: expected true or false, found the text "yes"', "Write true."),
    (
        FlagForm(),
        "'False'",
        'wrong-type: `field`: expected true or false, found the text "False"',
        "Write false.",
    ),
    (FlagForm(), "1", "wrong-type: `field`: expected true or false, found the number 1", "Write true."),
    (
        FlagForm(),
        "maybe",
        'wrong-type: `field`: expected true or false, found the text "maybe"',
        "Write true or false.",
    ),
    (
        KINDS,
        "interger",
        'not-one-of: `field`: expected one of integer, number, string, found "interger"',
        "Write `integer`.",
    ),
    (
        KINDS,
        "x",
        'not-one-of: `field`: expected one of integer, number, string, found "x"',
        "The words here are: integer, number, string.",
    ),
    (
        KINDS,
        "3",
        "wrong-type: `field`: expected one of integer, number, string, found the number 3",
        "Write one of integer, number, string.",
    ),
]


@pytest.mark.parametrize(("form", "text", "message", "suggestion"), REFUSED)
def test_what_does_not_fit_is_told(form: Form[object], text: str, message: str, suggestion: str) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        form.read(read(text), fault_list, "field")
    (fault,) = fault_list.faults()
    assert f"{fault.code}: {fault.message}" == message
    assert fault.suggestion == suggestion


@pytest.mark.parametrize(
    "form", [TextForm(), WORD, NumberForm(), WholeNumberForm(), FlagForm(), KINDS, FormulaForm("a", 9)]
)
def test_what_is_broken_already_is_not_told_again(form: Form[object]) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        form.read(BrokenNode("f.yaml", 1, 1), fault_list, "field")
    assert fault_list.faults() == ()


def test_a_written_text_keeps_its_node() -> None:
    node = read("rope > 2")
    assert FormulaForm("a condition", 8).read(node, FaultList(), "when") is node
    truth = FormulaForm("a condition", 8, truths=True).read(read("true"), FaultList(), "when")
    assert isinstance(truth, ScalarNode)
    assert (truth.value, truth.text) == (True, "true")


@pytest.mark.parametrize(
    ("text", "code"),
    [("rope >= 2", "bad-length"), ("true", "wrong-type"), ("3", "wrong-type"), ("[a]", "wrong-type")],
)
def test_a_written_text_has_its_limits(text: str, code: str) -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        FormulaForm("a condition", 8).read(read(text), fault_list, "when")
    assert [fault.code for fault in fault_list.faults()] == [code]


def test_a_long_text_is_shortened_in_a_message() -> None:
    fault_list = FaultList()
    with pytest.raises(UnreadableError):
        FlagForm().read(read("a  b\n\n " + "c" * 50), fault_list, "field")
    (fault,) = fault_list.faults()
    assert fault.message.endswith('found the text "a b ' + "c" * 36 + '..."')
