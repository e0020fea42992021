"""Inspection: what is in a prompt, why, what was left out, and where it differs from the one before."""

from talewright.llm.requests import AssistantMessage
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.lore.lore_selection import LoreReason, LoreVerdict
from talewright.prompt.past_turns_part import TranscriptInput, TranscriptTurn
from talewright.prompt.prompt_assembly import Prompt, assemble, spell_messages
from talewright.prompt.prompt_inspection import (
    PromptDifference,
    PromptPartSize,
    compare,
    inspect_prompt,
    to_json,
)
from talewright.prompt.token_budget import FittedSections, PromptSection, SectionCut, ShorteningStep
from talewright.prompt.words.english import ENGLISH

LORE = (LoreVerdict("toll", LoreReason.KEY, "heron", "A penny."), LoreVerdict("guest", LoreReason.WITHHELD))


def make(
    role: str = "You tell.",
    world: str = "A tower.",
    turns: int = 1,
    state: str = "1",
    summary: str = "",
    said: str = "I go, 你",
) -> Prompt:
    frozen = FittedSections(
        (PromptSection("role", role), PromptSection("world", world)), (SectionCut("things", 4),)
    )
    memory = FittedSections((PromptSection("summary", summary),) if summary else ())
    pasts = [
        TranscriptTurn(n, TranscriptInput(f"said {n}"), (AssistantMessage(f"told {n}"),))
        for n in range(1, turns + 1)
    ]
    tail = FittedSections((PromptSection("state", state), PromptSection("asked", f"[PLAYER]\n{said}")))
    return assemble(frozen, memory, pasts, tail, ENGLISH)


def test_every_part_with_its_size() -> None:
    inspection = inspect_prompt(make(), LORE)
    assert inspection.rows[:2] == (
        PromptPartSize("role", estimate_tokens("You tell."), 9),
        PromptPartSize("world", estimate_tokens("A tower."), 8),
    )
    both = estimate_tokens("[PLAYER]\nsaid 1") + estimate_tokens("told 1")
    assert inspection.rows[2] == PromptPartSize("turn 1", both, 21)
    assert inspection.rows[-1] == PromptPartSize("asked", estimate_tokens("[PLAYER]\nI go, 你"), 18)
    assert inspection.tokens == sum(row.tokens for row in inspection.rows)
    assert (inspection.lore, inspection.cuts, inspection.difference) == (LORE, (("things", 4),), None)


def test_the_next_turn_differs_from_its_tail_on() -> None:
    before, after = make(turns=2), make(turns=3, state="2")
    stable = len(spell_messages(before.stable))
    found = compare(before, after)
    # The head of the message is still the same: who speaks.
    assert found.at_byte == stable + len(b"\x1euser\n")
    assert (found.part, found.size_bytes) == ("turn 3", len(spell_messages(after.messages)))
    assert (found.new, found.changed, found.gone) == (("turn 3",), ("state",), ())


def test_where_the_beginning_is_another() -> None:
    assert compare(make(), make(role="You told.")).part == "role"
    found = compare(make(), make(world="A towel."))
    assert (found.at_byte, found.part) == (len(b"\x1esystem\nYou tell.\n\nA towe"), "world")
    assert (found.changed, found.new) == (("world",), ())
    found = compare(make(summary="They met."), make(summary="They meet.", turns=2))
    assert found.part == "summary"
    assert compare(make(turns=3), make(turns=1)).gone == ("turn 2", "turn 3")
    assert compare(make(), make(summary="They met.")).part == "summary"


def test_a_change_at_the_end_of_a_message() -> None:
    found = compare(make(), make(state="12"))
    assert found.part == "state"
    assert compare(make(), make(said="I go, 我")).part == "asked"
    # What is added between two parts is found in the one that was made longer.
    assert compare(make(), make(role="You tell..")).part == "role"


def test_what_was_to_be_kept_is_kept_until_something_before_the_tail_changes() -> None:
    assert compare(make(turns=2), make(turns=3, state="2", said="I stay")).kept
    for other in (make(role="You told."), make(summary="They met.", turns=2), make(turns=1, state="2")):
        assert not compare(make(turns=2), other).kept


def test_every_part_with_its_words_and_what_it_weighs() -> None:
    frozen = FittedSections(
        (
            PromptSection("role", "You tell."),
            PromptSection("world", "A tower.", (ShorteningStep("world", 40, "T."),)),
        )
    )
    tail = FittedSections(
        (
            PromptSection("notes", "Rain.", (ShorteningStep("notes", 60),)),
            PromptSection("asked", "[PLAYER]\nI go"),
        )
    )
    past = TranscriptTurn(1, TranscriptInput("said 1"), (AssistantMessage("told 1"),))
    rows = inspect_prompt(assemble(frozen, FittedSections(()), [past], tail, ENGLISH), ()).rows
    weights = [(row.name, row.weight) for row in rows]
    assert weights == [("role", None), ("world", 40), ("turn 1", None), ("notes", 60), ("asked", None)]
    assert [row.text for row in rows[1:4]] == ["A tower.", "[PLAYER]\nsaid 1\n\ntold 1", "Rain."]


def test_the_same_prompt() -> None:
    size = len(spell_messages(make().messages))
    assert compare(make(), make()) == PromptDifference(size, "", size)


def test_as_json() -> None:
    raw = to_json(inspect_prompt(make(), LORE, make(state="2")))
    assert raw["lore"] == [
        {"id": "toll", "told": True, "why": "key", "detail": "heron"},
        {"id": "guest", "told": False, "why": "withheld", "detail": ""},
    ]
    assert raw["cuts"] == [{"name": "things", "tokens": 4}]
    sections = raw["sections"]
    assert isinstance(sections, list)
    tokens = estimate_tokens("You tell.")
    assert sections[0] == {"name": "role", "tokens": tokens, "bytes": 9, "weight": None}
    difference = raw["difference"]
    assert isinstance(difference, dict)
    assert (difference["part"], difference["changed"], difference["kept"]) == ("state", ["state"], True)
    assert to_json(inspect_prompt(make(), ()))["difference"] is None
