"""The view codec: views, events and results as JSON and back.

Members have the names of the fields, and empty ones are included: readers need no defaults.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
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
    ChangeView,
    ChoiceView,
    CoverView,
    DecisionView,
    DialView,
    EndView,
    PanelView,
    PartView,
    RollView,
    StatusView,
    TurnView,
    View,
)
from talewright.play.input_results import OperationView
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo
from talewright.play.master_desk import (
    BriefView,
    OpenTurnView,
    OutsideTurnView,
    ProposedCall,
    RoundView,
    ToolView,
)
from talewright.play.model_choices import ModelCandidate, ModelChoice, ModelSource, ModelTrialView, TrialView
from talewright.play.news import EVENT_TYPES, News, NewsEvent, NewsKind
from talewright.play.session import InputResult, Stamp

Sendable: TypeAlias = (
    View
    | News
    | InputResult
    | OperationView
    | TurnView
    | Provenance
    | VariableTrail
    | TreeRow
    | TreePage
    | CardTrend
    | StoryStatistics
    | ComparisonView
    | InspectionView
    | InspectionPart
    | GameInfo
    | CampaignInfo
    | CampaignDetails
    | Stamp
    | BriefView
    | ToolView
    | OpenTurnView
    | OutsideTurnView
    | ProposedCall
    | RoundView
    | ModelChoice
    | ModelSource
    | ModelCandidate
    | TrialView
    | ModelTrialView
    | StatusView
    | CardView
    | PanelView
    | PartView
    | ChoiceView
    | DecisionView
    | RollView
    | ChangeView
    | EndView
    | CoverView
    | DialView
)
"""Types that can be sent."""

T = TypeVar("T", bound=Sendable)
R = TypeVar("R")


class WireError(TalewrightError):
    """The data received is malformed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "Check that both sides run the same version of Talewright.")


def to_wire(value: Sendable) -> dict[str, Json]:
    """A value as JSON."""
    if isinstance(value, News):
        return _write_news(value)
    return {each.name: _write(getattr(value, each.name)) for each in fields(value)}


def write_value(value: object) -> Json:
    """Any value of the ports as JSON: records, mappings, sequences, words and numbers."""
    return _write_news(value) if isinstance(value, News) else _write(value)


def from_wire(kind: type[T], raw: Json) -> T:
    """Parse a value. Raises WireError if it is malformed. Unknown members are ignored."""
    made = _read_news(raw) if kind is News else _read(kind, raw, kind.__name__)
    assert isinstance(made, kind)
    return made


def read_news(raw: Json) -> News | None:
    """Parse an event; None if its kind is unknown, as may be sent by a newer version."""
    if isinstance(raw, Mapping) and isinstance(raw.get("kind"), str) and raw["kind"] not in set(NewsKind):
        return None
    return _read_news(raw)


@frozen
class _NewsHead:
    """The members of all events; the content is in `data`."""

    number: int
    kind: NewsKind
    branch: str
    operation_id: str


def _write_news(news: News) -> dict[str, Json]:
    head = _NewsHead(news.number, news.kind, news.branch, news.operation_id)
    return {each.name: _write(getattr(head, each.name)) for each in fields(head)} | {
        "data": _write(news.event)
    }


def _read_news(raw: Json) -> News:
    head = _read_record(_NewsHead, raw, "News")
    data = raw.get("data") if isinstance(raw, Mapping) else None
    event: NewsEvent = _read_record(EVENT_TYPES[head.kind], data, "News.data")
    return News(head.number, event, head.branch, head.operation_id)


def _write(value: object) -> Json:
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value):
        return {each.name: _write(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _write(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_write(inner) for inner in value]
    assert value is None or isinstance(value, bool | int | float | str), value
    return value


@cache
def _members(kind: Callable[..., object]) -> Mapping[str, Any]:
    """The fields of a record with their types."""
    return get_type_hints(kind)


def _read(kind: Any, raw: Json, where: str) -> object:
    origin = get_origin(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return _read_record(kind, raw, where)
    if origin is Mapping:
        # The only mappings are JSON objects, such as a JSON Schema.
        kind = dict
    if origin is tuple:
        return _read_tuple(get_args(kind), raw, where)
    if origin in (Union, UnionType):
        return _read_union(get_args(kind), raw, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_word(kind, raw, where)
    fits = isinstance(raw, int | float) if kind is float else isinstance(raw, kind)
    if not fits or (isinstance(raw, bool) and kind is not bool):
        raise WireError(f"{where} is not a valid {kind.__name__}")
    return raw


def _read_record(kind: Callable[..., R], raw: Json, where: str) -> R:
    if not isinstance(raw, Mapping):
        raise WireError(f"{where} must be an object")
    parts = {}
    for name, inner in _members(kind).items():
        if name not in raw:
            raise WireError(f"{where} has no {name}")
        parts[name] = _read(inner, raw[name], f"{where}.{name}")
    return kind(**parts)


def _read_tuple(kinds: tuple[Any, ...], raw: Json, where: str) -> tuple[object, ...]:
    if not isinstance(raw, list):
        raise WireError(f"{where} must be a list")
    if kinds[-1] is Ellipsis:
        return tuple(_read(kinds[0], inner, f"{where}[{at}]") for at, inner in enumerate(raw))
    if len(raw) != len(kinds):
        raise WireError(f"{where} must have {len(kinds)} elements")
    return tuple(_read(kind, raw[at], f"{where}[{at}]") for at, kind in enumerate(kinds))


def _read_union(kinds: tuple[Any, ...], raw: Json, where: str) -> object:
    # Every union includes None; besides that, it has one type, or the two number types, or all of JSON.
    if raw is None or (str in kinds and bool in kinds):
        return raw
    first, *others = (kind for kind in kinds if kind is not type(None))
    return _read(float if others else first, raw, where)


def _read_word(kind: type[Enum], raw: Json, where: str) -> Enum:
    try:
        return kind(raw)
    except ValueError:
        raise WireError(f"{where} is none of {', '.join(str(each.value) for each in kind)}") from None
