"""Reasoning: thinking never shows, wherever the pieces end."""

import pytest

from talewright.llm.reply_chunks import Again, Chunk, Text, gather
from talewright.providers.openai_wire.reasoning import ReasoningFilter

TAGS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))
CASES = [
    ("He nods.", "He nods."),
    ("", ""),
    ("<think>hm</think>He nods.", "He nods."),
    ("<think>hm</think>\n\n  He nods. ", "He nods. "),
    ("  He nods.", "  He nods."),
    ("He <think>hm <b></think>nods.", "He nods."),
    ("He [THINK]<think></think>hm[/THINK] nods.", "He  nods."),
    ("<think>a</think><think>b</think>He nods.", "He nods."),
    ("<think>a</think> \n<think>b</think> He nods.", "He nods."),
    ("<think>never ended", ""),
    ("<think>never ended</thin", ""),
    ("<thin air> <<think>x</think>think>", "<thin air> <think>"),
    ("a < b <th", "a < b <th"),
    ("He was thinking.</think>He nods.", "He nods."),
    ("a</think>b</think>\nc", "c"),
    ("</think>He nods.", "He nods."),
    ("<think>a</think>b[/THINK]c", "c"),
]


def strip(*pieces: str) -> list[Chunk]:
    thinking = ReasoningFilter(TAGS)
    chunks = [chunk for piece in pieces for chunk in thinking.feed(piece)]
    return chunks + thinking.finish()


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_what_is_shown(text: str, shown: str) -> None:
    assert gather(strip(text)).text == shown
    assert gather(strip(*text)).text == shown
    for at in range(len(text) + 1):
        assert gather(strip(text[:at], text[at:])).text == shown, at


def test_text_is_not_held_longer_than_needed() -> None:
    thinking = ReasoningFilter(TAGS)
    assert thinking.feed("He") == [Text("He")]
    assert thinking.feed(" <t") == [Text(" ")]
    assert thinking.feed("o") == [Text("<to")]
    assert thinking.feed("<think>") == []
    assert thinking.feed("</think>.") == [Text(".")]
    assert thinking.finish() == []


def test_an_answer_that_turns_out_to_be_thinking_begins_anew() -> None:
    assert strip("He was", " thinking.", "</think>He nods.") == [
        Text("He was"),
        Text(" thinking."),
        Again("the model was thinking aloud"),
        Text("He nods."),
    ]
    # Nothing of it was given yet: there is nothing to take back.
    assert strip("</think>He nods.") == [Text("He nods.")]


def test_a_mark_of_one_letter() -> None:
    thinking = ReasoningFilter((("<", ">"),))
    assert gather(thinking.feed("a<b>c<d") + thinking.feed("e>f") + thinking.finish()).text == "acf"
