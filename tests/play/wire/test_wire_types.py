"""Wire types: every type there and back, the JSON of the plain codec, and two ends of different versions."""

import json

import pytest

from talewright.common.json_values import Json
from talewright.play.campaign_view import RollView, View, Viewer
from talewright.play.lobby import CampaignInfo
from talewright.play.news import News
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.session_inputs import AnswerDecision, Choose, Fork, GoOn, Load, Retry, Say, Switch, Undo
from talewright.play.wire.view_codec import WireError, to_wire
from talewright.play.wire.wire_types import WIRE_TYPES, adapter_of, read_wire, write_wire
from tests.play.wire.test_view_codec import TURN, VALUES

INPUTS = [
    Say("hello", sure=True),
    Choose("a"),
    AnswerDecision("d", "yes", "note"),
    GoOn(),
    Retry("other words"),
    Undo(3),
    Fork("c1", "side"),
    Switch("main"),
    Load("m"),
]
SENT: list[object] = [*VALUES, TURN, *INPUTS]


def test_every_wire_type_is_tried() -> None:
    assert {type(value) for value in SENT} == set(WIRE_TYPES)


@pytest.mark.parametrize("value", SENT, ids=lambda value: type(value).__name__)
def test_a_value_comes_back_as_it_went(value: object) -> None:
    assert read_wire(type(value), write_wire(value)) == value


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_the_json_is_that_of_the_plain_codec(value: object) -> None:
    plain = json.loads(json.dumps(to_wire(value)))  # type: ignore[arg-type]
    assert json.loads(write_wire(value)) == plain


def add_members(raw: Json) -> Json:
    """The same with one more member in every object."""
    if isinstance(raw, dict):
        return {**{key: add_members(inner) for key, inner in raw.items()}, "added_later": [1]}
    return [add_members(inner) for inner in raw] if isinstance(raw, list) else raw


@pytest.mark.parametrize("value", SENT, ids=lambda value: type(value).__name__)
def test_an_added_member_is_passed_over(value: object) -> None:
    raw = json.loads(write_wire(value))
    assert read_wire(type(value), json.dumps({**raw, "added_later": {"a": 1}})) == value
    if isinstance(value, View):
        assert read_wire(View, json.dumps(add_members(raw))) == value


def test_a_member_that_an_older_version_does_not_send_has_its_default() -> None:
    raw = json.dumps({"name": "c", "game": "g", "title": "T", "language": "en", "at": "now"})
    assert read_wire(CampaignInfo, raw) == CampaignInfo("c", "g", "T", "en", "now")
    assert read_wire(InputResult, b'{"kind": "committed"}') == InputResult(ResultKind.COMMITTED)


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (Stamp, "[]", "Stamp: "),
        (Stamp, "{", "Stamp: Invalid JSON"),
        (Stamp, "{}", "Stamp.operation_id: "),
        (Stamp, '{"operation_id": 5}', "Stamp.operation_id: "),
        (Undo, '{"turns": "3"}', "Undo.turns: "),
        (InputResult, '{"kind": "perhaps"}', "InputResult.kind: "),
        (RollView, '{"text": "x", "faces": [1, "2"]}', "RollView.faces.1: "),
        (News, '{"number": true}', ""),
        (News, "[]", ""),
    ],
)
def test_what_is_not_right_is_not_taken(kind: type, raw: str, message: str) -> None:
    with pytest.raises(WireError) as caught:
        read_wire(kind, raw)
    assert caught.value.message.startswith(message)


def test_what_was_sent_is_not_told_again() -> None:
    with pytest.raises(WireError) as caught:
        read_wire(Stamp, '{"operation_id": ["my secret"]}')
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("kind", WIRE_TYPES, ids=lambda kind: kind.__name__)
def test_there_is_a_json_schema(kind: type) -> None:
    assert adapter_of(kind).json_schema()["type"] == "object"


def test_the_viewer_travels_by_name() -> None:
    raw = json.loads(write_wire(View("c", "g", "T", "en", Viewer.MASTER, "main", "c1", 0, None)))
    assert raw["viewer"] == "master"
