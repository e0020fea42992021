"""Changes: an RFC 6902 operation that any library replays, kept with what it takes to undo it."""

from dataclasses import FrozenInstanceError

import jsonpatch
import pytest

from talewright.common.json_values import Json
from talewright.kernel.state import changes
from talewright.kernel.state.changes import Change, ChangeError, ChangeOp
from talewright.kernel.state.documents import ABSENT, Absent, DraftError

SET = Change("replace", "/hp", 4, 5, "a fall", "model", clamped=True)
PUSH = Change("add", "/bag/1", {"id": "key"}, ABSENT, "found", "scene:pier")
DROP = Change("remove", "/bag/0", ABSENT, "rope", "", "trigger:rot")
CLEAR = Change("replace", "/note", None, None, "", "engine")


@pytest.mark.parametrize(
    ("change", "operation", "rest"),
    [
        (
            SET,
            {"op": "replace", "path": "/hp", "value": 4},
            {"was": 5, "reason": "a fall", "cause": "model", "clamped": True},
        ),
        (
            PUSH,
            {"op": "add", "path": "/bag/1", "value": {"id": "key"}},
            {"reason": "found", "cause": "scene:pier"},
        ),
        (DROP, {"op": "remove", "path": "/bag/0"}, {"was": "rope", "reason": "", "cause": "trigger:rot"}),
        (
            CLEAR,
            {"op": "replace", "path": "/note", "value": None},
            {"was": None, "reason": "", "cause": "engine"},
        ),
    ],
)
def test_changes_are_written_and_read(
    change: Change, operation: dict[str, Json], rest: dict[str, Json]
) -> None:
    assert changes.to_operation(change) == operation
    assert changes.to_json(change) == {**operation, **rest}
    assert changes.from_json({**operation, **rest}) == change


GOOD: dict[str, Json] = changes.to_json(SET)
TILDE = "in a JSON pointer '~' stands as '~0' and a key's '/' as '~1', not so in '/~'"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (None, "a change is an object"),
        ([], "a change is an object"),
        ({}, "the 'op' of a change is add, replace or remove, not None"),
        ({**GOOD, "op": "test"}, "the 'op' of a change is add, replace or remove, not 'test'"),
        ({**GOOD, "op": ["add"]}, "the 'op' of a change is add, replace or remove, not ['add']"),
        ({**GOOD, "path": 1}, "the 'path' of a change is a string"),
        ({**GOOD, "reason": None}, "the 'reason' of a change is a string"),
        ({**GOOD, "cause": 0}, "the 'cause' of a change is a string"),
        ({**GOOD, "path": "hp"}, "a JSON pointer starts with '/', 'hp' does not"),
        ({**GOOD, "path": "/~"}, TILDE),
        ({**GOOD, "op": "remove"}, "every change but 'remove' has a 'value' (this is 'remove')"),
        ({**GOOD, "op": "add"}, "every change but 'add' has a 'was' (this is 'add')"),
        ({**GOOD, "clamped": 1}, "the 'clamped' of a change is true or false"),
    ],
)
def test_what_is_no_change_is_refused(raw: Json, message: str) -> None:
    with pytest.raises(ChangeError) as error:
        changes.from_json(raw)
    assert str(error.value) == message


@pytest.mark.parametrize("missing", ["value", "was"])
def test_a_replace_needs_both_values(missing: str) -> None:
    raw = {name: value for name, value in GOOD.items() if name != missing}
    without = "remove" if missing == "value" else "add"
    with pytest.raises(ChangeError) as error:
        changes.from_json(raw)
    assert str(error.value) == f"every change but '{without}' has a '{missing}' (this is 'replace')"


@pytest.mark.parametrize("missing", ["path", "reason", "cause"])
def test_texts_are_needed(missing: str) -> None:
    with pytest.raises(ChangeError) as error:
        changes.from_json({name: value for name, value in GOOD.items() if name != missing})
    assert str(error.value) == f"the '{missing}' of a change is a string"


def test_a_value_that_was_not_clamped_says_nothing() -> None:
    raw = {name: value for name, value in GOOD.items() if name != "clamped"}
    assert changes.from_json(raw).clamped is False
    assert changes.from_json({**raw, "clamped": False}).clamped is False


@pytest.mark.parametrize(
    ("op", "value", "was"),
    [
        ("remove", 1, 1),
        ("remove", ABSENT, ABSENT),
        ("add", 1, 1),
        ("add", ABSENT, ABSENT),
        ("replace", 1, ABSENT),
        ("replace", ABSENT, 1),
    ],
)
def test_a_change_that_contradicts_itself_cannot_be_made(
    op: ChangeOp, value: Json | Absent, was: Json | Absent
) -> None:
    with pytest.raises(AssertionError, match="Change"):
        Change(op, "/a", value, was, "", "engine")


def test_a_change_is_a_value() -> None:
    assert Change("add", "/a", 1, ABSENT, "", "player") == Change(
        "add", "/a", 1, ABSENT, "", "player", clamped=False
    )
    with pytest.raises(FrozenInstanceError):
        SET.path = "/mp"  # type: ignore[misc]  # that it is frozen is what is tested
    assert not hasattr(SET, "__dict__")


BASE: dict[str, Json] = {"hp": 5, "bag": ["rope"], "note": None, "time": {"hour": 1}}


def test_changes_are_applied_replayed_and_undone() -> None:
    made = [SET, PUSH, DROP, CLEAR]
    result = changes.apply(BASE, made)
    assert result == {"hp": 4, "bag": [{"id": "key"}], "note": None, "time": {"hour": 1}}
    assert jsonpatch.apply_patch(BASE, [changes.to_json(change) for change in made]) == result
    assert changes.apply(result, changes.invert(made)) == BASE
    assert result["time"] is BASE["time"]
    assert BASE == {"hp": 5, "bag": ["rope"], "note": None, "time": {"hour": 1}}


def test_the_inverse_goes_backwards() -> None:
    assert changes.invert([SET, PUSH, DROP]) == (
        Change("add", "/bag/0", "rope", ABSENT, "", "trigger:rot"),
        Change("remove", "/bag/1", ABSENT, {"id": "key"}, "found", "scene:pier"),
        Change("replace", "/hp", 5, 4, "a fall", "model", clamped=False),
    )


def test_a_change_that_does_not_fit_is_refused() -> None:
    with pytest.raises(DraftError, match="/bag/1: the index must be"):
        changes.apply({"bag": []}, [PUSH])
    with pytest.raises(DraftError, match="/hp: nothing stands there"):
        changes.apply({}, [SET])
    with pytest.raises(DraftError, match="/bag/0: the list is empty"):
        changes.apply({"bag": []}, [DROP])
