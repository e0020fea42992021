"""Assembly: the parts in their one order, and what of them the next prompt begins with."""

from talewright.llm.messages import Assistant, System, User
from talewright.prompt.assembly import Part, Prompt, assemble
from talewright.prompt.sections import Cut, Fitted, Section
from talewright.prompt.transcript import Asked, Past
from talewright.prompt.words.english import ENGLISH

FROZEN = Fitted((Section("role", "You tell."), Section("world", "A tower.")), (Cut("things", 4),))
MEMORY = (Section("summary", "They met."), Section("facts", "- He is old."))


def past(number: int) -> Past:
    return Past(number, Asked(f"said {number}"), (Assistant(f"told {number}"),))


def prompt(turns: int, *, memory: tuple[Section, ...] = MEMORY) -> Prompt:
    tail = Fitted(
        (Section("state", f"[STATE]\n{turns}"), Section("asked", "[PLAYER]\nI go")), (Cut("near", 5),)
    )
    return assemble(FROZEN, Fitted(memory), [past(number) for number in range(1, turns + 1)], tail, ENGLISH)


def test_frozen_memory_transcript_tail() -> None:
    made = prompt(1)
    assert made.messages == (
        System("You tell.\n\nA tower."),
        System("They met.\n\n- He is old."),
        User("[PLAYER]\nsaid 1"),
        Assistant("told 1"),
        User("[STATE]\n1\n\n[PLAYER]\nI go"),
    )
    assert made.cuts == (Cut("things", 4), Cut("near", 5))
    assert made.parts == (
        Part("role", "You tell.", 0),
        Part("world", "A tower.", 0),
        Part("summary", "They met.", 1),
        Part("facts", "- He is old.", 1),
        Part("turn 1", "[PLAYER]\nsaid 1", 2),
        Part("turn 1", "told 1", 3),
        Part("state", "[STATE]\n1", 4),
        Part("asked", "[PLAYER]\nI go", 4),
    )


def test_no_memory_and_no_past() -> None:
    made = prompt(0, memory=())
    assert made.messages == (System("You tell.\n\nA tower."), User("[STATE]\n0\n\n[PLAYER]\nI go"))
    assert made.stable == made.messages[:1]


def test_what_comes_later_leaves_the_beginning_as_it_was() -> None:
    before, after = prompt(3), prompt(4)
    assert after.stable[: len(before.stable)] == before.stable
    assert len(after.stable) == len(before.stable) + 2
