"""Assembly: the parts in their one order, and what of them the next prompt begins with."""

from talewright.llm.requests import AssistantMessage, SystemMessage, UserMessage
from talewright.prompt.past_turns_part import TranscriptInput, TranscriptTurn
from talewright.prompt.prompt_assembly import Prompt, PromptPart, assemble
from talewright.prompt.token_budget import FittedSections, PromptSection, SectionCut
from talewright.prompt.words.english import ENGLISH

FROZEN = FittedSections(
    (PromptSection("role", "You tell."), PromptSection("world", "A tower.")), (SectionCut("things", 4),)
)
MEMORY = (PromptSection("summary", "They met."), PromptSection("facts", "- He is old."))


def past(number: int) -> TranscriptTurn:
    return TranscriptTurn(number, TranscriptInput(f"said {number}"), (AssistantMessage(f"told {number}"),))


def prompt(turns: int, *, memory: tuple[PromptSection, ...] = MEMORY) -> Prompt:
    tail = FittedSections(
        (PromptSection("state", f"[STATE]\n{turns}"), PromptSection("asked", "[PLAYER]\nI go")),
        (SectionCut("near", 5),),
    )
    return assemble(
        FROZEN, FittedSections(memory), [past(number) for number in range(1, turns + 1)], tail, ENGLISH
    )


def test_frozen_memory_transcript_tail() -> None:
    made = prompt(1)
    assert made.messages == (
        SystemMessage("You tell.\n\nA tower."),
        SystemMessage("They met.\n\n- He is old."),
        UserMessage("[PLAYER]\nsaid 1"),
        AssistantMessage("told 1"),
        UserMessage("[STATE]\n1\n\n[PLAYER]\nI go"),
    )
    assert made.cuts == (SectionCut("things", 4), SectionCut("near", 5))
    assert made.parts == (
        PromptPart("role", "You tell.", 0),
        PromptPart("world", "A tower.", 0),
        PromptPart("summary", "They met.", 1),
        PromptPart("facts", "- He is old.", 1),
        PromptPart("turn 1", "[PLAYER]\nsaid 1", 2),
        PromptPart("turn 1", "told 1", 3),
        PromptPart("state", "[STATE]\n1", 4),
        PromptPart("asked", "[PLAYER]\nI go", 4),
    )


def test_no_memory_and_no_past() -> None:
    made = prompt(0, memory=())
    assert made.messages == (
        SystemMessage("You tell.\n\nA tower."),
        UserMessage("[STATE]\n0\n\n[PLAYER]\nI go"),
    )
    assert made.stable == made.messages[:1]


def test_what_comes_later_leaves_the_beginning_as_it_was() -> None:
    before, after = prompt(3), prompt(4)
    assert after.stable[: len(before.stable)] == before.stable
    assert len(after.stable) == len(before.stable) + 2
