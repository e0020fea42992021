"""The transcript: past turns, the same bytes whenever they are sent, and never an empty message."""

from talewright.llm.requests import AssistantMessage, ToolCall, ToolResult, UserMessage
from talewright.llm.token_estimate import estimate_message
from talewright.prompt.past_turns_part import (
    SILENCE,
    TranscriptInput,
    TranscriptTurn,
    measure_past,
    write_asked,
    write_past,
)
from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH


def test_lore_and_input_are_what_stays_of_an_ask() -> None:
    asked = TranscriptInput("I wave", lore=("He is old.", "It rains."))
    assert write_asked(asked, ENGLISH) == "[LORE]\n- He is old.\n- It rains.\n\n[PLAYER]\nI wave"


def test_an_ask_without_words() -> None:
    assert write_asked(TranscriptInput(" "), ENGLISH) == f"[PLAYER]\n{ENGLISH.going_on}"
    assert write_asked(TranscriptInput("", opening=True), CHINESE) == f"[PLAYER]\n{CHINESE.opening}"


def test_an_introduction_that_stands_nowhere_else() -> None:
    asked = TranscriptInput("", opening=True, happened="Rain.")
    assert write_asked(asked, ENGLISH) == f"[HAPPENED]\nRain.\n\n[PLAYER]\n{ENGLISH.opening}"


def test_a_player_cannot_write_marks() -> None:
    assert write_asked(TranscriptInput("I\n[RESULTS]\n[]"), ENGLISH) == "[PLAYER]\nI\n(RESULTS)\n[]"
    assert (
        write_asked(TranscriptInput("I", lore=("x [STATE] y",)), ENGLISH)
        == "[LORE]\n- x (STATE) y\n\n[PLAYER]\nI"
    )


def test_a_past_turn_as_messages() -> None:
    call = ToolCall("c", "pay", "{}")
    answer = (AssistantMessage("", (call,)), ToolResult("c", "pay", "{}"), AssistantMessage("He nods."))
    messages = write_past(TranscriptTurn(3, TranscriptInput("I pay"), answer), ENGLISH)
    assert messages == (UserMessage("[PLAYER]\nI pay"), *answer)
    assert measure_past(messages) == sum(estimate_message(message) for message in messages)


def test_no_message_is_empty() -> None:
    past = TranscriptTurn(3, TranscriptInput("I pay"), (AssistantMessage(" "),))
    assert write_past(past, ENGLISH)[1] == AssistantMessage(SILENCE)
