"""The wire form: there and back, and nothing taken that is not right."""

import json

import pytest

from talewright.common.json_values import Json
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionPart,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import (
    CardView,
    ChanceView,
    ChangeView,
    ChoiceView,
    DecisionView,
    EndView,
    PanelView,
    PartKind,
    PartView,
    RollView,
    StatusView,
    TurnView,
    View,
    Viewer,
)
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
from talewright.play.master_desk import (
    BriefSectionView,
    BriefView,
    CallResultView,
    ErrandView,
    OutsideTurnView,
    ProposedCall,
    RoundView,
    ToolView,
)
from talewright.play.model_choices import (
    ModelCandidate,
    ModelChoice,
    ModelSource,
    ModelTrialView,
    TrialPhase,
    TrialView,
)
from talewright.play.news import (
    EVENT_TYPES,
    AcceptedNews,
    ActivityNews,
    BackgroundNews,
    ChangeNews,
    ChoicesNews,
    CommittedNews,
    DecisionNews,
    DegradedNews,
    DeltaNews,
    DiceNews,
    EndedNews,
    FailedNews,
    News,
    NewsEvent,
    RefusalNews,
    ResetNews,
    TriggerNews,
)
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.wire.view_codec import Sendable, WireError, from_wire, read_news, to_wire

CHANCES = ChanceView((1, 2), (0.25, 0.75), ("fail", ""), None, "75%")
ROLL = RollView("d6 (3) = 3", 3, "d6", (3,), "fail", chances=CHANCES)
TURN = TurnView("c1", 3, "go", "You go.", (ROLL,), (ChangeView("hp", "x"),), ("rain",), ("no",))
PARTS = (PartView(PartKind.METER, "Water", ("2/5",), 2, 5.5), PartView(PartKind.ROLLED, "d", faces=(1, 2)))
VIEW = View(
    campaign="c",
    game="g",
    title="T",
    language="en",
    viewer=Viewer.PLAYER,
    branch="main",
    head="c1",
    version=3,
    turn=TURN,
    status=(StatusView("HP", "5/10", "+1", True, 5, 0, 10.5),),
    cards=(CardView("hp", "HP", "bar", ("5/10",), "d", "+1", 5, 0, 10),),
    panels=(PanelView("p", "P", ("a", "b"), PARTS),),
    choices=(ChoiceView("a", "A", "h", "high"),),
    decisions=(DecisionView("d", "D?", ("l",), (("y", "Yes"), ("n", "No")), True),),
    end=EndView("dead", "lose", "Left in the Fog"),
    marks=("m",),
    branches=("main",),
    unfinished="u",
    notices=("n",),
    read_only=True,
    free_text=False,
)
CARD = DecisionView("d", "D?", ("l",), (("y", "Yes"), ("n", "No")), True)
OFFERED = (ChoiceView("a", "A", "h", "high"),)
EVENTS: list[NewsEvent] = [
    AcceptedNews("go"),
    DeltaNews("You"),
    ResetNews("You go."),
    ActivityNews("reading", "Reading"),
    DiceNews(ROLL),
    ChangeNews(ChangeView("hp", "x")),
    RefusalNews("no"),
    TriggerNews("rain"),
    DecisionNews(CARD),
    ChoicesNews(OFFERED),
    CommittedNews(3, "c1"),
    DegradedNews("untold", "Nobody.", OFFERED),
    FailedNews("risky", "Sure?", CARD),
    FailedNews("moved", "Too late."),
    EndedNews(EndView("dead", "lose", "Left in the Fog")),
    BackgroundNews("Time passes."),
]
SENT = to_wire(News(1, DeltaNews("a"), "main", "op"))
VALUES: list[Sendable] = [
    VIEW,
    View("c", "g", "T", "en", Viewer.AUTHOR, "main", "c1", 0, None),
    *(News(3_500_000, event, "main", "op") for event in EVENTS),
    InputResult(ResultKind.FAILED, "moved", "m", "c", True),
    Provenance(3, "t", "c", "r", "s"),
    VariableTrail("HP", ((0, 5), (3, 4.5)), (Provenance(3, "t", "c"),), 0, 10.5),
    VariableTrail("Place", (), ()),
    TreeRow(1, "c1", 3, "go", "You go.", ("main",), ("m",), True, True, 0, "now"),
    TreeRow(0, skipped=7),
    TreeRow(0, "c2", 4, untaken=("Wait", "Run")),
    TreePage((TreeRow(0, "c2", 4, end="win"),), 3, 9, 4),
    CardTrend("hp", ((1, 20.0), (3, 15.5))),
    StoryStatistics(9, 9, 4, 2, 1, 3, "then", "now"),
    ComparisonView(2, (TURN,), (), ("HP: 5 -> 4",)),
    InspectionPart("cost", ("a",), None),
    InspectionView(3, "c1", (InspectionPart("reply", ("a",), {"a": [1, 2.5, True, None, "x"]}),)),
    GameInfo("g", "T", ("en", "zh-CN"), "shipped", "noir", 30, True),
    GameInfo("g", "T", ("en",), motif="harbor", colors=("#000000", "#ffffff", "#123456")),
    ModelTrialView("t", TrialPhase.PROBING, "s", "m", TrialView(True, "x"), "tools", 1, 3),
    CampaignDetails("c", 3, "You go.", "gpt", 0.25, 1200, "win"),
    CampaignDetails("c"),
    CampaignInfo("c", "g", "T", "en", "now", True),
    Stamp("op", "base"),
]
DONE = InputResult(ResultKind.COMMITTED, commit="c1")
SCHEMA: dict[str, Json] = {"type": "object", "properties": {"to": {"type": "string"}}}
TOLD_VALUES: list[Sendable] = [
    BriefView(
        3,
        (BriefSectionView("state", "HP 5", is_new=False),),
        (ToolView("go", "Go there.", SCHEMA),),
        (ErrandView("world", "e1", "Who?", SCHEMA),),
        "Sum up.",
    ),
    ToolView("go", "Go there."),
    OutsideTurnView("handle", "I go", ({"total": 3}, "rain"), 2),
    ProposedCall("go", {"to": "the pier", "by": [1, None]}, "call-1"),
    RoundView((CallResultView("call-1", "go", "{}", refused=True),), ("no words",)),
    RoundView(result=DONE),
    ModelChoice("fast", "fast-1", "a service", "$1", "no key", "Set it."),
    ModelSource("near", "Near", is_local=True, models=("a", "b")),
    ModelCandidate("near", "a", "a-key", "http://127.0.0.1:1"),
    TrialView(good=True, text="Hello.", seconds=0.5),
]
"""What only a game master or whoever sets up models sends or is given."""


@pytest.mark.parametrize("value", [*VALUES, *TOLD_VALUES], ids=lambda value: type(value).__name__)
def test_a_value_comes_back_as_it_went(value: Sendable) -> None:
    assert from_wire(type(value), json.loads(json.dumps(to_wire(value)))) == value


def test_the_wire_form_is_plain() -> None:
    assert to_wire(News(5, EndedNews(EndView("dead", "lose", "Left in the Fog")), "main", "op")) == {
        "number": 5,
        "kind": "game.ended",
        "branch": "main",
        "operation_id": "op",
        "data": {"end": {"ending": "dead", "outcome": "lose", "title": "Left in the Fog"}},
    }
    roll: dict[str, Json] = {
        "text": "x",
        "total": None,
        "pool": "",
        "faces": [],
        "outcome": "",
        "late": False,
    }

    assert to_wire(RollView("x")) == {
        **roll,
        "chances": None,
        "favor": "",
        "brief": "",
        **dict.fromkeys(("subject", "figures", "verdict", "stakes"), ""),
    }


def test_members_that_are_not_known_are_passed_over() -> None:
    raw = {**to_wire(RollView("x", 2.5)), "later": 1}
    assert from_wire(RollView, raw) == RollView("x", 2.5)


def test_every_kind_of_news_is_among_those_that_came_back() -> None:
    assert {type(event) for event in EVENTS} == set(EVENT_TYPES.values())
    assert {News(1, event).kind for event in EVENTS} == set(EVENT_TYPES)


def test_news_of_a_later_version_are_passed_over() -> None:
    assert read_news({**SENT, "kind": "weather.changed", "data": {"wind": 3}}) is None
    more: Json = {**SENT, "later": 1, "data": {"text": "a", "voice": "low"}}
    assert read_news(more) == News(1, DeltaNews("a"), "main", "op")


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (RollView, [], "RollView must be an object"),
        (RollView, {"text": "x"}, "RollView has no total"),
        (RollView, {"text": 1, "total": None}, "RollView.text is not a valid str"),
        (RollView, {"text": "x", "total": "1"}, "RollView.total is not a valid float"),
        (RollView, {"text": "x", "total": True}, "RollView.total is not a valid float"),
        (News, [], "News must be an object"),
        (News, {"number": 1, "kind": "choices", "data": {}}, "News has no branch"),
        (News, {**SENT, "number": True}, "News.number is not a valid int"),
        (News, {**SENT, "kind": "x"}, "News.kind is none of turn.accepted,"),
        (News, {**SENT, "data": []}, "News.data must be an object"),
        (News, {**SENT, "kind": "choices"}, "News.data has no choices"),
        (
            ToolView,
            {"name": "", "description": "", "parameters": []},
            "ToolView.parameters is not a valid dict",
        ),
        (
            GameInfo,
            {"id": "", "title": "", "languages": "en", "place": ""},
            "GameInfo.languages must be a list",
        ),
        (
            GameInfo,
            {"id": "", "title": "", "languages": ["en", 1], "place": ""},
            r"GameInfo.languages\[1\] is not a valid str",
        ),
        (
            DecisionView,
            {"id": "", "question": "", "lines": [], "options": [["a"]], "takes_note": False},
            r"DecisionView.options\[0\] must have 2 elements",
        ),
    ],
)
def test_what_is_not_right_is_not_taken(kind: type[Sendable], raw: Json, message: str) -> None:
    with pytest.raises(WireError, match=message):
        from_wire(kind, raw)


def test_a_view_that_is_half_there_is_not_taken() -> None:
    raw = dict(to_wire(VIEW))
    raw["turn"] = {"commit": "c"}
    with pytest.raises(WireError, match=r"View\.turn has no version"):
        from_wire(View, raw)
