"""The desk: faults gathered, each once, in order, and not without end."""

from talewright.errors import Fault, Severity, SourcePlace
from talewright.pack.faults import FAULTS_MAX, FaultCode, FaultList


def test_faults_stand_in_the_order_of_the_files() -> None:
    desk = FaultList()
    for place in (
        SourcePlace("b", 1, 2),
        SourcePlace("a", 2, 1),
        SourcePlace("b", 1, 1),
        SourcePlace("a", 1, 9),
    ):
        desk.report(FaultCode.BAD_VALUE, place, "m", "s")
    assert [str(fault.place) for fault in desk.faults()] == ["a:1:9", "a:2:1", "b:1:1", "b:1:2"]


def test_one_kind_of_fault_is_told_once_at_one_place() -> None:
    desk = FaultList()
    desk.report(FaultCode.BAD_VALUE, SourcePlace("a"), "first", "s")
    desk.report(FaultCode.BAD_VALUE, SourcePlace("a"), "second", "s")
    desk.report(FaultCode.BAD_NAME, SourcePlace("a"), "third", "s")
    desk.add(Fault("bad-value", "fourth", SourcePlace("a"), "s"))
    assert [fault.message for fault in desk.faults()] == ["third", "first"]
    assert desk.stumbles == 4


def test_warnings_are_no_errors() -> None:
    desk = FaultList()
    desk.report(FaultCode.FEW_CHOICES, SourcePlace("a"), "m", "s")
    assert not desk.has_errors
    desk.add(Fault("toll", "m", SourcePlace("b"), "s", Severity.ERROR))
    assert desk.has_errors


def test_a_full_desk_keeps_no_more() -> None:
    desk = FaultList()
    for line in range(1, FAULTS_MAX + 10):
        assert desk.full is (line > FAULTS_MAX)
        desk.report(FaultCode.BAD_VALUE, SourcePlace("a", line), "m", "s")
        desk.add(Fault("bad-value", "m", SourcePlace("a", line), "s"))
    assert len(desk.faults()) == FAULTS_MAX
    assert desk.suggest("rop", ["rope"]) == ""


def test_a_suggestion_names_the_nearest_or_all() -> None:
    desk = FaultList()
    assert desk.suggest("rop", ["rope", "lamp"]) == "Write `rope`."
    assert desk.suggest("xyz", ["rope", "lamp"], "things") == "The things here are: rope, lamp."
    assert desk.suggest("xyz", [], "things") == "There are no things here."


def test_what_nobody_sees_is_written_out() -> None:
    desk = FaultList()
    desk.report(FaultCode.BAD_VALUE, SourcePlace("a"), "vis\u200bible", "Write \x1b[2J.")
    desk.add(Fault("toll", "one\ntwo", SourcePlace("b"), "井."))
    assert [(fault.message, fault.suggestion) for fault in desk.faults()] == [
        ("vis\\u200bible", "Write \\u001b[2J."),
        ("one\\u000atwo", "井."),
    ]
