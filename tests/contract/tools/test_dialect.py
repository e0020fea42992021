"""The tools dialect: text is told while it arrives, calls become moves or are refused with what would do."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround, Dialect, ModelAnswer, SuggestedChoice
from talewright.contract.text import hidden_tail
from talewright.contract.tools.dialect import ToolsDialect, needs_no_reading
from talewright.contract.tools.tools_instructions import tool_demand, tool_rules
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, End, Op, Update
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.system import AuthorFiles, Sight, SystemAnswer, Tool, deny_unknown
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import CallPart, Piece, Stop, StopReason, Text, Usage, Used
from tests.contract.chapel import chapel, ground, tolled

DIALECT: Dialect = ToolsDialect()
CALLS = Stop(StopReason.CALLS)
END = Stop(StopReason.END)
CHOICES = '{"choices": [{"label": "A"}, {"label": "B"}, {"label": "C"}]}'
KNOWN = "pay, gamble, ask_keeper, offer_choices, propose_updates, end_game"


class Odd:
    """Tools with parameters that a stranger might give them."""

    name = "odd"

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        free: Json = {"type": "object"}
        own: Json = {"type": "object", "properties": {"note": {"type": "string"}}}
        return (Tool("free", "", free), Tool("own", "", own), Tool("none", "", None))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)


def read(*chunks: Piece, where: AnswerGround | None = None) -> ModelAnswer:
    reader = DIALECT.reader(where or tolled())
    told = "".join([reader.feed(chunk) for chunk in chunks])
    answer = reader.finish()
    assert told == answer.prose
    return answer


def call(
    name: str, arguments: str, where: AnswerGround | None = None, name_of_call: str = "c1"
) -> ModelAnswer:
    return read(CallPart(0, name_of_call, name, arguments), CALLS, where=where)


def refusal(name: str, arguments: str, where: AnswerGround | None = None) -> str:
    answer = call(name, arguments, where)
    assert (answer.moves, answer.flaws) == ((), ())
    ((refused, told),) = answer.refused_calls
    assert (refused.tool, refused.id) == (name, "c1")
    return told


def test_dialect_has_a_name_and_rules_and_no_schema() -> None:
    assert DIALECT.name == "tools"
    assert DIALECT.schema(tolled(), Profile("x")) is None
    assert DIALECT.rules(chapel(), "en") == tool_rules("en")
    flaws = (Flaw("x"),)
    assert DIALECT.demand(flaws, ground()) == tool_demand(flaws, ground())


def test_tools_are_those_that_may_be_called_and_the_engines_own() -> None:
    specs = DIALECT.tools(tolled(), Profile("x"))
    assert ", ".join(spec.name for spec in specs) == KNOWN
    assert specs[0].description == "Pay coins at the bridge."
    assert specs[0].parameters == {"type": "object", "properties": {"coins": {"type": "integer"}}}
    assert specs[1].parameters == {
        "type": "object",
        "properties": {"note": {"type": "string", "maxLength": 200}},
        "additionalProperties": False,
    }
    few = DIALECT.tools(tolled(tools=("gamble",)), Profile("x"))
    assert [spec.name for spec in few] == ["gamble", "offer_choices", "propose_updates", "end_game"]
    odd = DIALECT.tools(ground(Odd()), Profile("x"))
    note = {"type": "string", "maxLength": 200}
    assert [spec.parameters for spec in odd[:3]] == [
        {"type": "object", "properties": {"note": note}},
        {"type": "object", "properties": {"note": {"type": "string"}}},
        {"type": "object", "properties": {"note": note}},
    ]


def test_tools_are_narrowed_to_the_profile() -> None:
    profile = Profile("x", schema_keywords=frozenset({"type", "properties"}))
    gamble = DIALECT.tools(tolled(), profile)[1]
    assert gamble.parameters == {"type": "object", "properties": {"note": {"type": "string"}}}


class Wordy:
    """A system with more tools than a short prompt has room for."""

    name = "wordy"

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return tuple(Tool(name, "x" * length, {"type": "object"}) for name, length in WORDY.items())

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)


WORDY = {"largest": 4_000, "large": 2_000, "small": 10}


def test_a_short_prompt_has_the_first_tool_and_those_that_fit() -> None:
    short = Profile("x", short_prompts=True)
    assert [spec.name for spec in DIALECT.tools(ground(Wordy()), Profile("x"))][:3] == list(WORDY)
    assert [spec.name for spec in DIALECT.tools(ground(Wordy()), short)] == ["largest"]
    tools = ("large", "small")
    some = replace(ground(Wordy()), tools=tools)
    assert [spec.name for spec in DIALECT.tools(some, short)] == list(tools)


def test_text_is_told_while_it_arrives() -> None:
    reader = DIALECT.reader(tolled())
    assert reader.feed(Text("You \x1bwait ")) == "You wait"
    assert reader.feed(Used(Usage())) == ""
    assert reader.feed(Text("for the game")) == " for the"
    assert reader.feed(END) == " game"
    assert reader.feed(Text("x")) == ""
    assert reader.feed(CallPart(0, "c", "gamble")) == ""
    answer = reader.finish()
    assert answer == ModelAnswer(prose="You wait for the game", prose_stands=True)
    assert reader.finish() == answer


def test_calls_become_moves_in_their_order() -> None:
    updates = json.dumps({"updates": [{"op": "inc", "path": "player.xp", "value": 1}]})
    answer = read(
        Text("You pay."),
        CallPart(3, "c4", "propose_updates", updates),
        CallPart(0, "c1", "p"),
        CallPart(1, "", "ga", ""),
        CallPart(0, "", "ay", '{"coi'),
        CallPart(1, "", "mble"),
        CallPart(0, "c9", "", 'ns": 2}'),
        CallPart(4, "c5", "end_game", '{"ending": "dead"}'),
        CallPart(2, "c3", "offer_choices", CHOICES),
        CALLS,
    )
    assert answer.moves == (
        Call("pay", {"coins": 2}, "c1"),
        Call("gamble", {}, "call-2"),
        Update(Op.INC, "player.xp", 1),
        End("dead"),
    )
    assert [offer.label for offer in answer.choices] == ["A", "B", "C"]
    assert (answer.refused_calls, answer.flaws, answer.prose_stands) == ((), (), True)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("pay", '{"coins": "x"}', "`pay.coins` must be a whole number, not 'x'"),
        ("pay", '{"coins": ', "the arguments of pay are no JSON: expected a value (character 11)"),
        ("pay", "[]", "the arguments of pay must be one object {...}, not a list"),
        ("gamble", '{"all": 1}', "`gamble` has no 'all'; it takes note"),
        ("end_game", "{}", "`end_game` needs `ending`: one of 'dead'"),
        ("pya", "{}", f"there is no tool 'pya'; there is {KNOWN}; did you mean pay?"),
        ("", "no", f"there is no tool ''; there is {KNOWN}"),
        ("offer_choices", "{}", "`choices` has 0 choices; give 3 to 6"),
    ],
)
def test_calls_that_cannot_be_judged(name: str, arguments: str, told: str) -> None:
    assert refusal(name, arguments) == told


def test_refused_call_keeps_the_arguments_that_could_be_read() -> None:
    assert call("pay", '{"coins": "x\\u001b"}').refused_calls[0][0] == Call("pay", {"coins": "x"}, "c1")
    assert call("nothing", '{"coins": 1}').refused_calls[0][0] == Call("nothing", {}, "c1")


def test_tool_that_cannot_be_called_now() -> None:
    told = refusal("pay", "{}", tolled(tools=("gamble",)))
    assert told == "pay cannot be called now; there is gamble, offer_choices, propose_updates, end_game"
    assert refusal("offer_choices", CHOICES, tolled(moves_only=True)).startswith(
        "there is no tool 'offer_choices'"
    )


def test_arguments_are_plain_and_may_be_missing() -> None:
    assert call("pay", " \n").moves == (Call("pay", {}, "c1"),)
    assert call("pay\x00", '{"why\\u202e": "a\\u0007b"}').moves == (Call("pay", {"why": "ab"}, "c1"),)


def test_note_for_its_own_sake_is_left_out() -> None:
    assert call("gamble", '{"note": "x"}').moves == (Call("gamble", {}, "c1"),)
    odd = ground(Odd())
    assert call("free", '{"note": "x", "a": 1}', odd).moves == (Call("free", {"a": 1}, "c1"),)
    assert call("none", "{}", odd).moves == (Call("none", {}, "c1"),)
    assert call("own", '{"note": "x"}', odd).moves == (Call("own", {"note": "x"}, "c1"),)
    assert refusal("gamble", json.dumps({"note": "x" * 201})).startswith(
        "`gamble.note` must be a text, at most 200"
    )


def test_choices_are_offered_once() -> None:
    answer = read(
        CallPart(0, "a", "offer_choices", "{}"),
        CallPart(1, "b", "offer_choices", CHOICES),
        CallPart(2, "c", "offer_choices", CHOICES.replace("A", "Z")),
        CALLS,
    )
    assert answer.choices[0] == SuggestedChoice(answer.choices[0].id, "A")
    assert [(refused.id, told) for refused, told in answer.refused_calls] == [
        ("a", "`choices` has 0 choices; give 3 to 6"),
        ("c", "choices were offered already; call offer_choices once"),
    ]


def test_arguments_are_bounded() -> None:
    fits = '{"why": "' + "x" * 19_989 + '"}'
    assert len(fits) == 20_000
    assert call("pay", fits).refused_calls == ()
    told = "the arguments of pay have more than 20000 characters; give less"
    assert refusal("pay", fits + " ") == told
    answer = read(*(CallPart(0, "c1", "", "x" * 9_000) for _ in range(9)), CallPart(0, "", "pay"), CALLS)
    assert answer.refused_calls == ((Call("pay", {}, "c1"), told),)
    longest = read(CallPart(0, "c1", "p" * 150), CallPart(0, "c1", "p" * 150), CALLS).refused_calls[0][0]
    assert longest.tool == "p" * 200


def test_calls_are_bounded() -> None:
    parts = [CallPart(number, f"c{number}", "gamble") for number in range(17)]
    assert read(*parts[:16], *parts[:16], CALLS).flaws == ()
    answer = read(*parts, CALLS)
    assert len(answer.moves) == 16
    assert answer.flaws == (Flaw("there are more than 16 calls; call at most 16 tools at once"),)


def test_empty_answer_is_flawed() -> None:
    told = Flaw("the answer is empty; call a tool, or tell what happens as plain text")
    assert read(Text(" \n"), END) == ModelAnswer(flaws=(told,))
    assert read(END).flaws == (told,)
    assert read(Text("You wait."), END).flaws == ()
    assert read(CallPart(0, "c", "gamble"), END).flaws == ()


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        (None, "the answer broke off before its end; give it whole"),
        (Stop(StopReason.LENGTH), "the answer reached its length limit; be shorter"),
        (Stop(StopReason.REFUSAL), "you declined to answer; go on with the story in a way you can tell"),
    ],
)
def test_answer_that_was_cut_off_does_not_stand(stop: Stop | None, told: str) -> None:
    answer = read(Text("You wait"), *([stop] if stop else []))
    assert answer == ModelAnswer(prose="You wait", flaws=(Flaw(told),))


def test_calls_and_states_written_as_text_are_not_shown() -> None:
    told = Flaw(
        "code, JSON and states are not shown: call tools, and keep the text to plain prose", soft=True
    )
    for text in (
        'You wait.\n```json\n{"name": "pay"}\n```',
        'You wait. {"name": "pay"}',
        "You wait.\nGAME_STATE",
    ):
        assert read(Text(text), END) == ModelAnswer(prose="You wait.", flaws=(told,), prose_stands=True)
    empty = Flaw("the answer is empty; call a tool, or tell what happens as plain text")
    assert read(Text('{"name": "pay"}'), END) == ModelAnswer(flaws=(empty, told))


def test_endless_text_does_not_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_tail, "TELLING_LENGTH_MAX", 5)
    told = Flaw("the narration has more than 20000 characters; tell far less")
    assert read(Text("You wait."), END) == ModelAnswer(prose="You w", flaws=(told,))


@pytest.mark.parametrize("silence", ["moves_only", "updates_only"])
def test_text_is_passed_over_where_none_is_asked_for(silence: str) -> None:
    where = tolled(**{silence: True})
    answer = read(Text("You pay."), CallPart(0, "c", "gamble"), CALLS, where=where)
    assert answer == ModelAnswer(moves=(Call("gamble", {}, "c"),))
    assert read(Text("You wait."), END, where=where) == ModelAnswer()


def test_calls_whose_results_need_not_be_seen() -> None:
    game = tolled().game
    assert needs_no_reading(ModelAnswer(), game)
    assert needs_no_reading(
        ModelAnswer(moves=(Call("ask_keeper"), Update(Op.SET, "x", 1), End("dead"))), game
    )
    assert not needs_no_reading(ModelAnswer(moves=(Call("ask_keeper"), Call("pay"))), game)
    assert not needs_no_reading(ModelAnswer(refused_calls=((Call("ask_keeper"), "no"),)), game)


def test_rules_and_demands_in_two_languages() -> None:
    assert tool_rules("en").startswith("# How to answer\nWhatever happens by the rules happens by a tool")
    assert tool_rules("fr") == tool_rules("en")
    assert tool_rules("zh-CN").startswith("# 回答格式\n")
    for language in ("en", "zh-CN"):
        assert "offer_choices" in tool_rules(language)
        assert tool_rules(language).endswith("\n")
    flaws = (Flaw("a"), Flaw("b"))
    start = "Your last answer could not be used:\n- a\n- b\n"
    assert tool_demand(flaws, ground()) == (
        start + "Call the tools you need, or tell what happens as plain text."
    )
    assert tool_demand(flaws, ground(moves_only=True)) == (
        start + "Answer with tool calls alone, without any narration."
    )
    assert tool_demand(flaws, ground(updates_only=True)) == (
        start + "The narration stands and has been shown; do not repeat it. Answer with tool calls alone."
    )
    start = "你上一次的回答无法使用：\n- a\n- b\n"
    assert tool_demand(flaws, ground(language="zh-CN")) == (
        start + "请调用需要的工具，或用纯文字讲述发生的事。"
    )
    assert tool_demand(flaws, ground(language="zh-CN", moves_only=True)) == (
        start + "请只调用工具，不写叙事。"
    )
    assert tool_demand(flaws, ground(language="zh-CN", updates_only=True)) == (
        start + "叙事有效，已经展示给玩家，不要重写。只调用工具。"
    )
    assert tool_demand((), ground()) == "Call the tools you need, or tell what happens as plain text."
    assert tool_demand((), ground(moves_only=True)) == "Answer with tool calls alone, without any narration."
