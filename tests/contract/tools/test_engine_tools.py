"""The engine's own tools: which there are, what they take, and what becomes of a call."""

import jsonschema
import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, SuggestedChoice
from talewright.contract.tools.engine_tools import EngineCallAnswer, list_engine_tools, read_engine_call
from talewright.kernel.judging.moves import End, Op, Update
from talewright.kernel.state.state import begin
from talewright.kernel.story.scenes import Risk
from talewright.llm.requests import ToolSpec
from tests.contract.chapel import chapel, ground
from tests.kernel.making import integer, make_ending, make_game, make_layout


def tools_at(where: AnswerGround) -> tuple[ToolSpec, ...]:
    return list_engine_tools(where.game, where.language, moves_only=where.moves_only)


def tool(name: str, where: AnswerGround | None = None) -> ToolSpec:
    return next(spec for spec in tools_at(where or ground()) if spec.name == name)


def bare(**slots: object) -> AnswerGround:
    game = make_game(make_layout(slots))  # type: ignore[arg-type]  # Slots, all of them.
    return AnswerGround(game, begin(game))


def bare_with_end() -> AnswerGround:
    layout = make_layout({"hp": integer()})
    game = make_game(layout, endings=[make_ending(layout, "dead", "hp == 9")])
    return AnswerGround(game, begin(game))


def names(where: AnswerGround) -> list[str]:
    return [spec.name for spec in tools_at(where)]


def test_tools_that_make_sense() -> None:
    assert names(ground()) == ["offer_choices", "propose_updates", "end_game"]
    assert names(ground(moves_only=True)) == ["propose_updates", "end_game"]
    assert names(bare(hp=integer())) == ["offer_choices", "propose_updates"]
    assert names(bare(hp=integer(readonly=True))) == ["offer_choices"]


def test_endings_are_those_that_could_be_granted() -> None:
    def endings(where: AnswerGround) -> object:
        members = tool("end_game", where).parameters["properties"]
        assert isinstance(members, dict)
        return members["ending"]["enum"]

    assert endings(ground()) == ["dead"]
    assert endings(ground(game=chapel(may_end=True))) == ["dead", "sainted"]


def test_paths_are_listed_where_all_are_known() -> None:
    def path(where: AnswerGround) -> object:
        members = tool("propose_updates", where).parameters["properties"]
        assert isinstance(members, dict)
        return members["updates"]["items"]["properties"]["path"]

    assert path(bare(hp=integer(), mp=integer())) == {"type": "string", "enum": ["hp", "mp"]}
    assert path(ground()) == {"type": "string", "maxLength": 200}


def test_schemas_are_schemas_and_descriptions_have_two_languages() -> None:
    english, chinese = tools_at(ground()), tools_at(ground(language="zh-CN"))
    for one, other in zip(english, chinese, strict=True):
        jsonschema.Draft202012Validator.check_schema(dict(one.parameters))
        assert one.parameters["additionalProperties"] is False
        assert one.parameters == other.parameters
        assert one.description.isascii()
        assert not other.description.isascii()
    assert [spec.description for spec in english] == [
        "Offer the player 3 to 6 things to do next; once, at the end.",
        "Propose changes of the state that no other tool makes: set takes a value of the place's own type, "
        "inc and dec are for numbers, push and remove for lists, toggle for true and false. The engine "
        "checks every one.",
        "Propose that the story is over, with one of its endings. The engine decides.",
    ]
    assert [spec.description for spec in chinese] == [
        "给玩家 3 到 6 个接下来可做的选择。在最后调用一次。",
        "提议其他工具做不到的状态变化：set 的值须与该处类型一致，inc 和 dec 用于数字，"
        "push 和 remove 用于列表，toggle 用于布尔值。由引擎校验。",
        "提议故事以某个结局结束。由引擎决定。",
    ]


def test_schemas_are_these() -> None:
    choices, updates, end = (spec.parameters for spec in tools_at(bare_with_end()))
    text = {"type": "string", "maxLength": 100}
    reason = {"type": "string", "maxLength": 300}
    choice = {
        "type": "object",
        "properties": {
            "id": text,
            "label": {"type": "string", "maxLength": 200},
            "hint": reason,
            "risk": {"type": "string", "enum": ["low", "medium", "high"]},
        },
        "required": ["label"],
        "additionalProperties": False,
    }
    assert choices["properties"] == {
        "choices": {"type": "array", "items": choice, "minItems": 3, "maxItems": 6}
    }
    kinds = ["number", "string", "boolean", "object", "null"]
    several = {"type": "array", "items": {"type": kinds}}
    update = {
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["set", "inc", "dec", "push", "remove", "toggle"]},
            "path": {"type": "string", "enum": ["hp"]},
            "value": {"anyOf": [*({"type": kind} for kind in kinds), several]},
            "reason": reason,
        },
        "required": ["op", "path"],
        "additionalProperties": False,
    }
    assert updates["properties"] == {
        "updates": {"type": "array", "items": update, "minItems": 1, "maxItems": 32}
    }
    assert end == {
        "type": "object",
        "properties": {"ending": {"type": "string", "enum": ["dead"]}, "reason": reason},
        "required": ["ending"],
        "additionalProperties": False,
    }
    assert (choices["required"], updates["required"]) == (["choices"], ["updates"])


def test_choices_are_read() -> None:
    given: Json = {"choices": [{"id": "a", "label": "A", "hint": "h", "risk": "high"}, {"label": "B"}, "C"]}
    assert isinstance(given, dict)
    jsonschema.validate({"choices": [{"id": "a", "label": "A"}] * 3}, dict(tool("offer_choices").parameters))
    taken = read_engine_call(tool("offer_choices"), given)
    assert taken.choices[0] == SuggestedChoice("a", "A", "h", Risk.HIGH)
    assert [offer.label for offer in taken.choices] == ["A", "B", "C"]
    assert (taken.moves, taken.refusal) == ((), "")


@pytest.mark.parametrize("count", [0, 2])
def test_too_few_choices_are_refused(count: int) -> None:
    arguments: dict[str, Json] = {"choices": [{"label": str(number)} for number in range(count)]}
    told = f"`choices` has {count} choices; give 3 to 6"
    assert read_engine_call(tool("offer_choices"), arguments) == EngineCallAnswer(refusal=told)


def test_wrong_choices_are_refused_with_all_that_is_wrong() -> None:
    taken = read_engine_call(tool("offer_choices"), {"choices": [{"label": 1}, {"label": 2}, {"label": "x"}]})
    assert taken.choices == ()
    assert taken.refusal == "; ".join(
        f"`choices[{number}].label` must be a text in quotes, not {number + 1}" for number in (0, 1)
    )


def test_updates_are_read() -> None:
    updates: Json = [
        {"op": "inc", "path": "player.xp", "value": 1, "reason": "learned"},
        {"op": "toggle", "path": "flags.lit"},
        {"op": "set", "path": "player.mood", "value": None},
    ]
    assert read_engine_call(tool("propose_updates"), {"updates": updates}) == EngineCallAnswer(
        (
            Update(Op.INC, "player.xp", 1, "learned"),
            Update(Op.TOGGLE, "flags.lit"),
            Update(Op.SET, "player.mood", None),
        )
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "`propose_updates` needs `updates`: a list, at least 1 elements and at most 32 elements"),
        (
            {"updates": [{"op": "test", "path": "a"}]},
            "`propose_updates.updates[0].op` must be one of 'set', 'inc', 'dec', 'push', 'remove', 'toggle', "
            "not 'test'",
        ),
        (
            {"updates": [{"op": "set"}]},
            "`propose_updates.updates[0]` needs `path`: a text, at most 200 characters",
        ),
        ({"updates": [{"op": "set", "path": "a"}]}, "`propose_updates.updates[0]` needs `value`"),
        (
            {"updates": [{"op": "set", "path": "a", "value": 1, "reason": None}]},
            "`propose_updates.updates[0].reason` must be a text, at most 300 characters, not null",
        ),
    ],
)
def test_wrong_updates_are_refused(arguments: dict[str, Json], told: str) -> None:
    assert read_engine_call(tool("propose_updates"), arguments) == EngineCallAnswer(refusal=told)


def test_what_a_value_may_be_is_left_to_its_slot() -> None:
    updates: list[Json] = [{"op": "set", "path": "a", "value": [[1]]}]
    answer = read_engine_call(tool("propose_updates"), {"updates": updates})
    assert answer == EngineCallAnswer((Update(Op.SET, "a", [[1]]),))
    told = read_engine_call(tool("propose_updates"), {"updates": [*updates, 1]}).refusal
    assert told == "`propose_updates.updates[1]` must be an object, not 1"


def test_updates_are_bounded() -> None:
    update: Json = {"op": "toggle", "path": "a"}
    assert len(read_engine_call(tool("propose_updates"), {"updates": [update] * 32}).moves) == 32
    assert read_engine_call(tool("propose_updates"), {"updates": [update] * 33}).moves == ()
    assert read_engine_call(tool("propose_updates"), {"updates": []}).refusal


def test_end_is_read() -> None:
    end = tool("end_game")
    assert read_engine_call(end, {"ending": "dead", "reason": "fell"}) == EngineCallAnswer(
        (End("dead", "fell"),)
    )
    assert read_engine_call(end, {"ending": "dead"}) == EngineCallAnswer((End("dead"),))
    told = "`end_game.ending` must be one of 'dead', not 'alive'"
    assert read_engine_call(end, {"ending": "alive"}) == EngineCallAnswer(refusal=told)
