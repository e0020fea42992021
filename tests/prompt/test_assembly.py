"""Assembly: the parts in their one order."""

from talewright.llm.messages import Assistant, System, User
from talewright.prompt.assembly import Past, assemble


def test_frozen_memory_transcript_tail() -> None:
    past = [Past("I wave", "He nods."), Past("", "It rains.")]
    assert assemble("frozen", "memory", past, "tail") == (
        System("frozen"),
        System("memory"),
        User("I wave"),
        Assistant("He nods."),
        User(""),
        Assistant("It rains."),
        User("tail"),
    )


def test_no_memory_and_no_past() -> None:
    assert assemble("frozen", "", [], "tail") == (System("frozen"), User("tail"))


def test_what_comes_later_leaves_the_beginning_as_it_was() -> None:
    past = [Past(f"said {number}", f"told {number}") for number in range(4)]
    before = assemble("frozen", "memory", past[:3], "tail 3")
    after = assemble("frozen", "memory", past, "tail 4")
    assert after[: len(before) - 1] == before[:-1]
