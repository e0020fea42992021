"""The desk: faults gathered, each once, in order, and not without end."""

from talewright.errors import Fault, Severity, SourcePlace
from talewright.pack.faults import FAULTS_MAX, FaultCode, FaultList


def test_faults_stand_in_the_order_of_the_files() -> None:
    fault_list = FaultList()
    for place in (
        SourcePlace("b", 1, 2),
        SourcePlace("a", 2, 1),
        SourcePlace("b", 1, 1),
        SourcePlace("a", 1, 9),
    ):
        fault_list.report(FaultCode.BAD_VALUE, place, "m", "s")
    assert [str(fault.place) for fault in fault_list.faults()] == ["a:1:9", "a:2:1", "b:1:1", "b:1:2"]


def test_one_kind_of_fault_is_told_once_at_one_place() -> None:
    fault_list = FaultList()
    fault_list.report(FaultCode.BAD_VALUE, SourcePlace("a"), "first", "s")
    fault_list.report(FaultCode.BAD_VALUE, SourcePlace("a"), "second", "s")
    fault_list.report(FaultCode.BAD_NAME, SourcePlace("a"), "third", "s")
    fault_list.add(Fault("bad-value", "fourth", SourcePlace("a"), "s"))
    assert [fault.message for fault in fault_list.faults()] == ["third", "first"]
    assert fault_list.stumbles == 4


def test_warnings_are_no_errors() -> None:
    fault_list = FaultList()
    fault_list.report(FaultCode.FEW_CHOICES, SourcePlace("a"), "m", "s")
    assert not fault_list.has_errors
    fault_list.add(Fault("toll", "m", SourcePlace("b"), "s", Severity.ERROR))
    assert fault_list.has_errors


def test_a_full_desk_keeps_no_more() -> None:
    fault_list = FaultList()
    for line in range(1, FAULTS_MAX + 10):
        assert fault_list.full is (line > FAULTS_MAX)
        fault_list.report(FaultCode.BAD_VALUE, SourcePlace("a", line), "m", "s")
        fault_list.add(Fault("bad-value", "m", SourcePlace("a", line), "s"))
    assert len(fault_list.faults()) == FAULTS_MAX
    assert fault_list.suggest("rop", ["rope"]) == ""


def test_a_suggestion_names_the_nearest_or_all() -> None:
    fault_list = FaultList()
    assert fault_list.suggest("rop", ["rope", "lamp"]) == "Write `rope`."
    assert fault_list.suggest("xyz", ["rope", "lamp"], "things") == "The things here are: rope, lamp."
    assert fault_list.suggest("xyz", [], "things") == "There are no things here."


def test_what_nobody_sees_is_written_out() -> None:
    fault_list = FaultList()
    fault_list.report(FaultCode.BAD_VALUE, SourcePlace("a"), "vis\u200bible", "Write \x1b[2J.")
    fault_list.add(Fault("toll", "one\ntwo", SourcePlace("b"), "井."))
    assert [(fault.message, fault.suggestion) for fault in fault_list.faults()] == [
        ("vis\\u200bible", "Write \\u001b[2J."),
        ("one\\u000atwo", "井."),
    ]
