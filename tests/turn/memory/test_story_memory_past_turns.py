"""Retelling: a finished turn as a model is shown it again."""

import json
from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.kernel.chance import Draw
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import State, begin
from talewright.kernel.story.cast import Lore
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import PastTurn
from talewright.llm.reply_chunks import Stop, StopReason, Text
from talewright.llm.requests import AssistantMessage, ToolCall, ToolResult
from talewright.prompt.past_turns_part import SILENCE, TranscriptInput
from talewright.turn.memory.past_turns import ANSWER_LENGTH_MAX, TRIMMED_SINCE_ENGINE, list_past, retell
from talewright.turn.records.commit_body import MODEL, OUTSIDE, SCENES, OfferedChoice, TurnBody, write_body
from tests.turn.making import bridge, chapel, ferry, plain
from tests.turn.stories import GAME

TEXTS = Texts("en", {"title": "A test", "intro": "Rain.", "lore.toll.text": "A\npenny."})
CARDS = replace(GAME, lore=(Lore("toll"),))
TOOLS = replace(GAME, contract="tools")
PATCH = replace(GAME, contract="patch")


def said(text: str, purpose: str = "tell", **more: Json) -> dict[str, Json]:
    return {"purpose": purpose, "text": text, "stop": "end", **more}


def told(*exchanges: dict[str, Json], **parts: str) -> TurnBody:
    return TurnBody(said="I wave", told=MODEL, narration="He nods.", exchanges=exchanges, **parts)  # type: ignore[arg-type]


def test_what_was_asked() -> None:
    body = replace(told(said("x")), lore=({"id": "toll", "why": "key"}, {"id": "gone", "why": "key"}))
    past = retell(3, body, CARDS, TEXTS)
    assert (past.version, past.asked) == (3, TranscriptInput("I wave", lore=("A penny.",)))


def test_the_first_turn() -> None:
    opening = replace(told(said("x")), said="", input={"kind": "opening"}, narration="Rain.\n\nHe waits.")
    assert retell(1, opening, CARDS, TEXTS).asked == TranscriptInput("", opening=True, happened="Rain.")
    # An introduction that scenes told stands in the answer.
    assert retell(1, replace(opening, told=SCENES), CARDS, TEXTS).asked == TranscriptInput("", opening=True)
    assert retell(1, replace(opening, narration="He waits."), CARDS, TEXTS).asked.happened == ""
    assert retell(1, opening, CARDS, Texts("en")).asked.happened == ""


def test_a_text_that_reached_its_length_limit_is_told_back_up_to_its_last_whole_sentence() -> None:
    body = told({**said("He nods. He takes the coin. The bo"), "stop": "length"})
    assert retell(1, body, TOOLS, TEXTS).answer == (AssistantMessage("He nods. He takes the coin."),)


@pytest.mark.parametrize("game", [CARDS, PATCH, TOOLS])
def test_past_turns_can_be_told_as_prose(game: object) -> None:
    assert isinstance(game, type(GAME))
    opening = replace(told(said("x")), said="", input={"kind": "opening"}, narration="Rain.\n\nHe waits.")
    assert retell(1, opening, game, TEXTS, plainly=True).answer == (AssistantMessage("He waits."),)
    assert retell(3, told(said("x")), game, TEXTS, plainly=True).answer == (AssistantMessage("He nods."),)
    silent = replace(told(said("x")), narration="")
    assert retell(3, silent, game, TEXTS, plainly=True).answer == (AssistantMessage("..."),)


@pytest.mark.parametrize("game", [CARDS, PATCH])
def test_an_answer_stands_as_it_came(game: object) -> None:
    assert isinstance(game, type(GAME))
    body = told(
        said("first", mend=["bad"]),
        said("", "tell", trouble="busy"),
        said('"Old Marn"', "errand name"),
        said("moves", "moves"),
        said("the answer", "repair"),
        said('"Old Marn"', "errand name"),
    )
    assert retell(3, body, game, TEXTS).answer == (AssistantMessage("the answer"),)


def test_rounds_of_tools_stand_with_their_results() -> None:
    body = told(
        said("flawed", mend=["bad"]),
        said(
            "Hm.",
            calls=[{"id": "c1", "name": "pay", "arguments": "{}"}],
            results=[{"id": "c1", "text": "no", "refused": True}],
        ),
        said('"Marn"', "errand name"),
        said("He nods.", "round", results=[]),
    )
    assert retell(3, body, TOOLS, TEXTS).answer == (
        AssistantMessage("Hm.", (ToolCall("c1", "pay", "{}"),)),
        ToolResult("c1", "pay", "no", refused=True),
        AssistantMessage("He nods."),
    )


def test_a_narration_whose_updates_were_mended_is_put_into_form() -> None:
    body = told(said("first", mend=["bad"]), said("updates", "repair", updates_only=True))
    (message,) = retell(3, replace(body, facts=("Old.",)), CARDS, TEXTS).answer
    answer = json.loads(message.text)
    # Facts of a turn stand in no memory before the window is cut: they must stand here.
    assert (answer["narrative_markdown"], answer["new_facts"]) == ("He nods.", ["Old."])
    long = told(said("x" * (ANSWER_LENGTH_MAX + 1)))
    (message,) = retell(3, long, CARDS, TEXTS).answer
    assert json.loads(message.text)["narrative_markdown"] == "He nods."
    exact = told(said("x" * ANSWER_LENGTH_MAX))
    assert len(retell(3, exact, CARDS, TEXTS).answer[0].text) == ANSWER_LENGTH_MAX


UNTRIMMED = TRIMMED_SINCE_ENGINE - 1

OFFERS = (
    OfferedChoice("pay", "Pay", "a coin", "low"),
    OfferedChoice("go", "Go", "", "high"),
    OfferedChoice("ask", "Ask"),
)


@pytest.mark.parametrize("who", [SCENES, OUTSIDE])
@pytest.mark.parametrize("edition", [ferry(), chapel(), bridge()], ids=lambda edition: edition.game.id)
def test_what_others_told_is_an_answer_the_reader_takes(edition: object, who: str) -> None:
    """The form in which it is shown is one that the model would be praised for."""
    assert isinstance(edition, type(ferry()))
    game = edition.game
    body = TurnBody(said="I wave", told=who, narration="He nods.", choices=OFFERS)
    (message,) = retell(5, body, game, edition.words("en"), UNTRIMMED).answer
    first = begin(game)
    ground = AnswerGround(game, replace(first, state=State(first.state.document, 4)))
    reader = DIALECTS[game.contract].reader(ground)
    reader.feed(Text(message.text))
    reader.feed(Stop(StopReason.END))
    answer = reader.finish()
    assert (answer.prose.strip(), answer.hard_flaws, answer.flaws) == ("He nods.", (), ())
    if game.contract != "tools":
        assert [offer.label for offer in answer.choices] == ["Pay", "Go", "Ask"]


@pytest.mark.parametrize(("game", "member"), [(CARDS, "choices"), (PATCH, "next_actions")])
def test_past_answers_are_repeated_without_the_choices_they_offered(game: object, member: str) -> None:
    assert isinstance(game, type(GAME))
    answer = f'He "nods".\n```json\n{{"{member}": [{{"label": "A, [1]"}}, 2] , "events": []}}\n```'
    kept = f'He "nods".\n```json\n{{"{member}": [] , "events": []}}\n```'
    past = retell(3, told(said(answer)), game, TEXTS, TRIMMED_SINCE_ENGINE)
    assert (past.answer, past.trimmed) == ((AssistantMessage(kept),), True)
    # A turn of an older engine was asked for with the whole answer.
    past = retell(3, told(said(answer)), game, TEXTS, UNTRIMMED)
    assert (past.answer, past.trimmed) == ((AssistantMessage(answer),), False)
    scenes = TurnBody(said="I wave", told=SCENES, narration="He nods.", choices=OFFERS)
    (message,) = retell(3, scenes, game, TEXTS, TRIMMED_SINCE_ENGINE).answer
    assert f'"{member}": []' in message.text
    assert "Pay" not in message.text


def test_a_call_that_offered_choices_is_repeated_without_them() -> None:
    offered: Json = {"id": "c1", "name": "offer_choices", "arguments": '{"choices": [{"label": "Go"}]}'}
    other: Json = {"id": "c2", "name": "pay", "arguments": '{"choices": [1]}'}
    results: Json = [{"id": name, "text": "ok", "refused": False} for name in ("c1", "c2")]
    body = told(said("He nods.", calls=[offered, other], results=results))
    (message, *came) = retell(3, body, TOOLS, TEXTS, TRIMMED_SINCE_ENGINE).answer
    calls = (ToolCall("c1", "offer_choices", '{"choices": []}'), ToolCall("c2", "pay", '{"choices": [1]}'))
    assert message == AssistantMessage("He nods.", calls)
    assert [one.text for one in came] == ["ok", "ok"]


@pytest.mark.parametrize("game", [CARDS, PATCH, TOOLS, replace(GAME, contract="mvu")])
def test_a_turn_without_words_is_no_empty_message(game: object) -> None:
    assert isinstance(game, type(GAME))
    for body in (TurnBody(told=SCENES), TurnBody(told=MODEL)):
        (message,) = retell(2, body, game, TEXTS).answer
        assert isinstance(message, AssistantMessage)
        assert SILENCE in message.text


def commit(body: TurnBody, version: int = 3, parent: str = "p") -> Commit:
    return Commit("c", parent, "main", version, "op", "now", "g", "s", write_body(body))


def messages(body: TurnBody) -> list[Json]:
    (past,) = list_past([commit(body)])
    return list(past.messages)


def test_turns_as_systems_look_back_on_them() -> None:
    change = Change("replace", "/coins", 4, 3, "", "model")
    rolled: Json = {"kind": "call", "tool": "gamble", "result": {"rolled": 5}}
    body = replace(told(said("x")), changes=(change,), draws=(Draw(3, 0, 6, 5, "why"),), rolls=(rolled,))
    first = TurnBody(language="en", root={"document": {}})
    assert list_past([commit(body), commit(first, 0, "")]) == (
        PastTurn(
            3,
            "I wave",
            "He nods.",
            (change,),
            (Draw(3, 0, 6, 5, "why"),),
            ({"role": "user", "content": "I wave"}, {"role": "assistant", "content": "x"}),
            (rolled,),
            "now",
        ),
    )
    assert [past.version for past in list_past([commit(body, 3), commit(body, 2)])] == [2, 3]


def test_the_messages_of_a_turn_are_its_rounds_without_what_failed() -> None:
    calls: list[Json] = [{"id": "c1", "name": "pay", "arguments": "{}"}]
    body = told(
        said("flawed", mend=["bad"]),
        said("Hm.", calls=calls, results=[{"id": "c1", "text": "no", "refused": True}]),
        said('"Marn"', "errand name"),
        said("", calls=calls, results=[{"id": "c1", "text": "yes", "refused": False}]),
        said("He nods."),
    )
    assert messages(body) == [
        {"role": "user", "content": "I wave"},
        {"role": "assistant", "content": "Hm.", "calls": calls},
        {"role": "tool", "id": "c1", "name": "pay", "content": "no", "refused": True},
        {"role": "assistant", "content": "", "calls": calls},
        {"role": "tool", "id": "c1", "name": "pay", "content": "yes"},
        {"role": "assistant", "content": "He nods."},
    ]


def test_the_messages_of_a_turn_that_no_model_told() -> None:
    body = replace(told(said("x")), told=SCENES)
    assert messages(body)[1:] == [{"role": "assistant", "content": "He nods."}]
    assert messages(TurnBody(told=OUTSIDE)) == []
    assert messages(replace(told(), told=MODEL))[1:] == [{"role": "assistant", "content": "He nods."}]


def test_what_came_of_an_answered_card_stands_before_the_telling() -> None:
    rulings: tuple[Json, ...] = (
        {"ruling": "granted", "move": {"call": "gamble", "arguments": {}, "id": "gamble"}, "result": 5},
        {"ruling": "granted", "move": {"op": "inc", "path": "mood", "value": 1, "reason": ""}},
    )
    answer: Json = {"kind": "answer", "decision": "gamble", "option": "roll", "note": ""}
    body = replace(told(said("He nods.")), input=answer, rulings=rulings)
    content = '{"result": 5}'
    assert messages(body)[1:] == [
        {"role": "tool", "id": "gamble", "name": "gamble", "content": content},
        {"role": "assistant", "content": "He nods."},
    ]
    refused: Json = {"ruling": "refused", "reason": "no", "move": {"call": "gamble", "id": "gamble"}}
    assert plain(messages(replace(body, rulings=(refused,)))[1])["content"] == '{"error": "no"}'
    assert len(messages(replace(body, input={"kind": "say", "text": "x"}))) == 2
