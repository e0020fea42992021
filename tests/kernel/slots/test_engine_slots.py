"""The root in which the engine remembers."""

from talewright.kernel.slots.engine_slots import (
    ARGUMENTS_LENGTH_MAX,
    BUNDLES_MAX,
    ENGINE_ROOT,
    ENGINE_SLOT,
    FACT_LENGTH_MAX,
    FACTS_MAX,
    MARKS_MAX,
    SUMMARY_LENGTH_MAX,
)
from talewright.kernel.slots.slot_types import Layout, default_of
from talewright.kernel.slots.value_validation import fit


def test_it_starts_empty() -> None:
    assert ENGINE_ROOT == "_engine"
    assert default_of(ENGINE_SLOT) == {
        "once": {},
        "seen": {},
        "scene": "",
        "finale": "",
        "ending": "",
        "outcome": "",
        "decisions": {},
        "bundles": [],
        "facts": [],
        "summary": "",
    }


def test_nobody_reads_or_writes_any_of_it() -> None:
    slots = [slot for _, slot in Layout({ENGINE_ROOT: ENGINE_SLOT}).walk()]
    assert len(slots) == 11
    assert all(slot.secret and slot.readonly for slot in slots)
    inner = [ENGINE_SLOT.fields[name].values for name in ("once", "seen", "decisions")]
    assert all(slot is not None and slot.secret and slot.readonly for slot in inner)


def test_what_is_remembered_in_words_is_bounded() -> None:
    bundles, facts, summary = (ENGINE_SLOT.fields[name] for name in ("bundles", "facts", "summary"))
    assert (bundles.max_items, facts.max_items) == (BUNDLES_MAX, FACTS_MAX) == (64, 200)
    assert facts.element is not None
    assert facts.element.max_length == FACT_LENGTH_MAX == 300
    assert summary.max_length == SUMMARY_LENGTH_MAX == 20_000


def test_what_is_remembered_of_marks_and_waiting_calls() -> None:
    once, seen, decisions = (ENGINE_SLOT.fields[name] for name in ("once", "seen", "decisions"))
    assert (once.max_items, seen.max_items) == (MARKS_MAX, MARKS_MAX) == (1_000_000, 1_000_000)
    assert once.values is not None
    assert default_of(once.values) is False
    assert seen.values is not None
    assert (default_of(seen.values), seen.values.minimum) == (0, 0)
    assert decisions.values is not None
    assert default_of(decisions.values) == {"tool": "", "arguments": "{}"}
    assert decisions.values.fields["arguments"].max_length == ARGUMENTS_LENGTH_MAX == 20_000
    waiting = {"gamble": {"tool": "gamble", "arguments": "{}"}}
    assert fit(decisions, waiting, "decisions").value == waiting
