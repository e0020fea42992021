"""Examples of the API: one value for each kind of response and body, for the OpenAPI document.

They are values of the ports, so they always have the same shape as real responses.
"""

from collections.abc import Mapping
from typing import Any

from talewright.faces.http.response_models import (
    CampaignPage,
    ChosenModel,
    ClosedCampaign,
    DoneView,
    HealthView,
    ImportedCampaign,
    ImportedGame,
    MadeReceipt,
    MadeToken,
    RemovedCampaign,
    TokenProof,
)
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
from talewright.play.campaign_view import CardView, ChangeView, ChoiceView, StatusView, TurnView, View, Viewer
from talewright.play.input_results import InputResult, OperationState, OperationView, ResultKind
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
from talewright.play.master_desk import (
    BriefSectionView,
    BriefView,
    CallResultView,
    OpenTurnView,
    OutsideTurnView,
    RoundView,
    ToolView,
)
from talewright.play.model_choices import ModelChoice, ModelSource, ModelTrialView, TrialPhase, TrialView

_HEAD = "7a41c0d2e85f4b6c9f03a1d25e6b7c88"
_CAMPAIGN = CampaignInfo("mist_harbor-1", "mist_harbor", "Mist Harbor Echoes", "en", "2026-01-01T20:10:00Z")
_TURN = TurnView(
    _HEAD,
    2,
    "Pay five and take the sheet",
    "You line up five coins on the bar.",
    changes=(ChangeView("gold", "Gold 20 -> 15 (Lian's price)"),),
)
_VIEW = View(
    "mist_harbor-1",
    "mist_harbor",
    "Mist Harbor Echoes",
    "en",
    Viewer.PLAYER,
    "main",
    _HEAD,
    2,
    _TURN,
    status=(StatusView("Gold", "15", "-5"),),
    cards=(CardView("gold", "Gold", "number", ("15",), value=15.0, minimum=0.0, maximum=999.0),),
    choices=(ChoiceView("go_docks", "Go down to the docks", "The tide is out."),),
    branches=("main",),
)
_ROW = TreeRow(0, _HEAD, 2, "Pay five", "You line up five coins.", ("main",), here=True)
_WHY = Provenance(2, "Gold 20 -> 15", "a scene", "Lian's price", "Pay five and take the sheet")
_TOOL = ToolView("propose_updates", "Propose changes of the state.", {"type": "object"})
_SOURCE = ModelSource("ollama", "Ollama", is_local=True, models=("qwen3:8b",))
_COST = {"uncached_tokens": 1200, "cached_tokens": 3400, "output_tokens": 310, "dollars": 0.002}

EXAMPLES: Mapping[str, object] = {
    "GameInfo": GameInfo("mist_harbor", "Mist Harbor Echoes", ("en", "zh-CN"), "shipped", "noir", 12),
    "CampaignPage": CampaignPage((_CAMPAIGN,), 1, 50, 1),
    "CampaignDetails": CampaignDetails("mist_harbor-1", 2, "You line up five coins.", dollars=0.0),
    "RemovedCampaign": RemovedCampaign("bin/mist_harbor-1"),
    "ClosedCampaign": ClosedCampaign("mist_harbor-1"),
    "ImportedCampaign": ImportedCampaign("mist_harbor-2"),
    "ImportedGame": ImportedGame("my_world"),
    "View": _VIEW,
    "InputResult": InputResult(ResultKind.COMMITTED, commit=_HEAD, operation_id="9f2c"),
    "OperationView": OperationView("9f2c", OperationState.RUNNING),
    "TurnView": _TURN,
    "TreeRow": _ROW,
    "TreePage": TreePage((_ROW,), 0, 1, 2),
    "CardTrend": CardTrend("gold", ((1, 20.0), (2, 15.0))),
    "StoryStatistics": StoryStatistics(
        2, 2, 1, 1, 0, 1, began="2026-01-01T20:00:00Z", ended="2026-01-01T20:10:00Z"
    ),
    "ComparisonView": ComparisonView(1, (_TURN,), (), ("Gold 15 -> 20",)),
    "Provenance": _WHY,
    "VariableTrail": VariableTrail("Gold", ((1, 20.0), (2, 15.0)), (_WHY,), 0.0, 999.0),
    "InspectionModel": InspectionView(2, _HEAD, (InspectionPart("shown", ("You line up five coins.",)),)),
    "Read the cost": {"campaign": "mist_harbor-1", "total": _COST, "models": {}, "turns": []},
    "MadeReceipt": MadeReceipt("mist_harbor-1", 4, "talewright-receipt-1:4:577b30fa...:2adb04a4..."),
    "Verify a campaign": {"campaign": "mist_harbor-1", "good": True, "violations": [], "turns": []},
    "MadeToken": MadeToken("tw1.eyJjYW1wYWlnbiI6Im1pc3RfaGFyYm9yLTEifQ.c2lnbmF0dXJl", "2027-02-14T08:00:00Z"),
    "TokenProof": TokenProof("5f1d7a84db00d2fce00b31a7fc73224f3a1c1f0dd8e2b8e27d3dfd1d3b1c2d90"),
    "HealthView": HealthView("ok"),
    "ModelChoice": ModelChoice("home", "qwen3:8b", "on this machine"),
    "ChosenModel": ChosenModel("home", "mist_harbor-1"),
    "ModelSource": _SOURCE,
    "TrialView": TrialView(good=True, text="The lamp is lit.", seconds=1.2),
    "ModelTrialView": ModelTrialView(
        "7f2c", TrialPhase.PROBING, "ollama", "qwen3:8b", question="JSON", number=2, of=5
    ),
    "DoneView": DoneView("qwen3:8b is the default model now."),
    "BriefModel": BriefView(2, (BriefSectionView("world", "A harbor in fog."),), (_TOOL,)),
    "OpenTurnModel": OpenTurnView("9f2c", "I listen at the door.", "2026-01-01T12:30:00Z"),
    "OutsideTurnModel": OutsideTurnView("WyJtYWluIiwgIjlmMmMiLCAiIl0=", "I listen at the door."),
    "RoundView": RoundView((CallResultView("call-1", "propose_updates", '{"result": "done"}'),)),
    "ToolModel": _TOOL,
    "Read the rules of a game": ("Checks are rolled with 2d6.",),
}
"""By the name of a schema, or the summary of a route."""

BODY_EXAMPLES: Mapping[str, Any] = {
    "BeginBody": {"game": "mist_harbor", "language": "en", "operation_id": "begin-9f2c"},
    "PlayerTurnBody": {"kind": "say", "text": "I look around.", "operation_id": "9f2c"},
    "UndoBody": {"turns": 1},
    "ForkBody": {"commit": "", "name": "other"},
    "SwitchBody": {"branch": "main"},
    "LoadBody": {"mark": "before the docks"},
    "TokenBody": {"campaign": "mist_harbor-1", "role": "player"},
    "ChosenModelBody": {"name": "home", "campaign": "mist_harbor-1"},
    "CandidateBody": {"source": "ollama", "model": "qwen3:8b"},
    "ReceiptBody": {"receipt": ""},
    "MasterTurnBody": {"kind": "say", "text": "I listen at the door.", "operation_id": "9f2c"},
    "CallsBody": {"turn": "WyJtYWluIl0=", "calls": [{"name": "propose_updates", "arguments": {}}]},
    "FinishBody": {"turn": "WyJtYWluIl0=", "narration": "Behind the door the fog speaks."},
    "HandleBody": {"turn": "WyJtYWluIl0="},
    "OperationBody": {"operation_id": "9f2c"},
    "ErrandAnswerBody": {"system": "world", "errand": "rumor-1", "answer": "They met at the pier."},
    "SummaryBody": {"text": "The harbor sleeps badly."},
}
"""By the name of a body."""
