"""The engine's own tools: choices, updates and the end, for models that answer by calling tools.

They are read here and judged elsewhere, like everything a model proposes.
"""

from collections.abc import Mapping

from talewright.common.argument_messages import word_finding
from talewright.common.frozen_values import frozen
from talewright.common.json_schema import Mismatch, check_value, read_schema
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.contract.answer_schema import list_places
from talewright.contract.cards.cards_answer_checks import read_choices
from talewright.contract.cards.cards_schema import (
    CHOICES_MAX,
    CHOICES_MIN,
    HINT_LENGTH_MAX,
    ID_LENGTH_MAX,
    LABEL_LENGTH_MAX,
    PATH_LENGTH_ASKED_MAX,
    REASON_LENGTH_MAX,
)
from talewright.contract.dialect import SuggestedChoice
from talewright.contract.text.answer_json import AnswerFindings
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import CARD_OPS, End, Move, Op, Update
from talewright.kernel.story.scenes import Risk
from talewright.llm.requests import Schema, ToolSpec

OFFER_CHOICES = "offer_choices"
PROPOSE_UPDATES = "propose_updates"
END_GAME = "end_game"

UPDATES_MAX = 32
"""Updates of one call."""

_ENGLISH = {
    OFFER_CHOICES: f"Offer the player {CHOICES_MIN} to {CHOICES_MAX} things to do next; once, at the end.",
    PROPOSE_UPDATES: (
        "Propose changes of the state that no other tool makes: set takes a value of the place's own type, "
        "inc and dec are for numbers, push and remove for lists, toggle for true and false. The engine "
        "checks every one."
    ),
    END_GAME: "Propose that the story is over, with one of its endings. The engine decides.",
}
_CHINESE = {
    OFFER_CHOICES: f"给玩家 {CHOICES_MIN} 到 {CHOICES_MAX} 个接下来可做的选择。在最后调用一次。",
    PROPOSE_UPDATES: (
        "提议其他工具做不到的状态变化：set 的值须与该处类型一致，inc 和 dec 用于数字，"
        "push 和 remove 用于列表，toggle 用于布尔值。由引擎校验。"
    ),
    END_GAME: "提议故事以某个结局结束。由引擎决定。",
}
_WORDS = {"en": _ENGLISH, "zh-CN": _CHINESE}
"""Languages other than Chinese use English."""


@frozen
class EngineCallAnswer:
    """The content of a call to one of the engine's own tools."""

    moves: tuple[Move, ...] = ()
    choices: tuple[SuggestedChoice, ...] = ()
    refusal: str = ""
    """What is wrong with the call and what would be accepted; all other fields are then empty."""


def list_engine_tools(
    game: Game, language: str, *, moves_only: bool, reasons: bool = False
) -> tuple[ToolSpec, ...]:
    """The engine's tools that are useful now; with `reasons`, every update needs one."""
    words = pick_words(language, _WORDS)
    schemas: dict[str, Schema] = {}
    if not moves_only:
        schemas[OFFER_CHOICES] = _CHOICES
    places = list_places(game)
    if places:
        # Beneath an open place any path may be right, so none can be listed.
        paths = [] if any(place.is_open for place in places) else [place.path for place in places]
        schemas[PROPOSE_UPDATES] = _updates(paths, reasons)
    if endings := _list_endings(game):
        schemas[END_GAME] = _object({"ending": _text(endings), "reason": _REASON}, "ending")
    return tuple(ToolSpec(name, words[name], schema) for name, schema in schemas.items())


def read_engine_call(tool: ToolSpec, arguments: Mapping[str, Json]) -> EngineCallAnswer:
    """The content of a call to one of them."""
    if tool.name == OFFER_CHOICES:
        return _read_choices(arguments.get("choices"))
    for finding in check_value(arguments, read_schema(tool.parameters)):
        # The schema describes the values of all places at once; the slot of each knows better.
        if finding.kind is not Mismatch.BRANCHES:
            return EngineCallAnswer(refusal=word_finding(finding, tool.name))
    if tool.name == END_GAME:
        return EngineCallAnswer((End(str(arguments["ending"]), str(arguments.get("reason", ""))),))
    updates = arguments["updates"]
    assert isinstance(updates, list)
    for number, update in enumerate(updates):
        if "value" not in update and update["op"] != Op.TOGGLE:
            return EngineCallAnswer(refusal=f"`{tool.name}.updates[{number}]` needs `value`")
    return EngineCallAnswer(tuple(_read_update(update) for update in updates))


def _read_choices(value: Json) -> EngineCallAnswer:
    # More lenient than the schema: what a player would not notice is silently corrected.
    findings = AnswerFindings()
    choices = read_choices(value, findings)
    if not findings.flaws and len(choices) < CHOICES_MIN:
        findings.add(f"`choices` has {len(choices)} choices; give {CHOICES_MIN} to {CHOICES_MAX}")
    if findings.flaws:
        return EngineCallAnswer(refusal="; ".join(flaw.message for flaw in findings.flaws))
    return EngineCallAnswer(choices=choices)


def _read_update(update: Mapping[str, Json]) -> Update:
    reason = str(update.get("reason", ""))
    return Update(Op(str(update["op"])), str(update["path"]), update.get("value"), reason)


def _list_endings(game: Game) -> list[str]:
    """The endings that could be granted, by the kernel's rules."""
    routes = [route.ending for ending in game.endings for route in ending.finale]
    endings = [ending.id for ending in game.endings if not ending.finale]
    return list(dict.fromkeys([*endings, *routes] if game.model_may_end else endings))


def _text(words: list[str], length_max: int = ID_LENGTH_MAX) -> Schema:
    return {"type": "string", "enum": words} if words else {"type": "string", "maxLength": length_max}


def _object(members: Mapping[str, Schema], *required: str) -> Schema:
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(required),
        "additionalProperties": False,
    }


_REASON = _text([], REASON_LENGTH_MAX)

REASON_TEXT: Schema = {
    "type": "string",
    "maxLength": REASON_LENGTH_MAX,
    "description": "Why you change it; the player reads this.",
}
"""The schema of the reason that a game master must give."""

_CHOICE = _object(
    {
        "id": _text([]),
        "label": _text([], LABEL_LENGTH_MAX),
        "hint": _text([], HINT_LENGTH_MAX),
        "risk": _text([risk.value for risk in Risk]),
    },
    "label",
)
_CHOICES = _object(
    {"choices": {"type": "array", "items": _CHOICE, "minItems": CHOICES_MIN, "maxItems": CHOICES_MAX}},
    "choices",
)


def _updates(paths: list[str], reasons: bool) -> Schema:
    kinds = ["number", "string", "boolean", "object", "null"]
    value = {"anyOf": [*({"type": kind} for kind in kinds), {"type": "array", "items": {"type": kinds}}]}
    update = _object(
        {
            "op": _text([op.value for op in CARD_OPS]),
            "path": _text(paths, PATH_LENGTH_ASKED_MAX),
            "value": value,
            "reason": REASON_TEXT if reasons else _REASON,
        },
        *("op", "path", *(("reason",) if reasons else ())),
    )
    return _object(
        {"updates": {"type": "array", "items": update, "minItems": 1, "maxItems": UPDATES_MAX}}, "updates"
    )
