"""Inspecting: the whole record of a turn for its author, and for a player what the player saw."""

import json
from typing import Any

from talewright.chronicle.records import Aside, AttemptVerdict, Commit
from talewright.kernel.judging.moves import Op, Update
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import CampaignHistory, read_history
from talewright.play.history.turn_record import inspect_turn, tell_turn
from talewright.turn.records.commit_body import GameEnd
from tests.play.history.tiny import DEEP, HIDDEN, TINY, begin_tiny, gain, pay, run, take


async def made() -> tuple[CampaignHistory, Commit, Commit]:
    scribe = await begin_tiny()
    first = await take(scribe, "walk", gain(5), roll=True)
    await scribe.fail(AttemptVerdict.FAILED)
    await scribe.book.add(Aside("a1", first.id, "2026", {"summary": "so far"}))
    second = await take(
        scribe,
        "pay",
        pay(2),
        Update(Op.SET, "plot", f"{HIDDEN} twice"),
        cause="scene:toll",
        end=GameEnd("done", "win"),
        more={
            "exchanges": ({"reply": {"text": f"raw \x1b[2J {DEEP}"}, "flaws": ["no choices"]},),
            "usage": {"input_tokens": 7},
        },
    )
    return await read_history(scribe.book), first, second


def inspected(viewer: Viewer, number: int) -> tuple[dict[str, Any], list[str]]:
    history, first, second = run(made())
    facts: dict[str, Any] = inspect_turn(history, (first, second)[number], TINY, viewer)
    json.dumps(facts)
    return facts, list(tell_turn(facts))


def test_author_sees_everything() -> None:
    facts, lines = inspected(Viewer.AUTHOR, 1)
    assert facts["version"] == 2
    assert facts["body"]["exchanges"][0]["flaws"] == ["no choices"]
    assert [attempt["verdict"] for attempt in facts["attempts"]] == ["committed"]
    assert "kind" not in facts
    text = "\n".join(lines)
    assert lines[0].startswith("turn 2 on main  ")
    for name in ("input", "narration", "rulings", "changes", "exchanges", "usage", "end", "attempts"):
        assert f"\n{name}\n" in text
    assert "\nrolls\n" not in text
    assert HIDDEN in text
    assert "\x1b" not in text


def test_author_sees_failed_tries_and_asides_of_a_turn() -> None:
    facts, lines = inspected(Viewer.OPERATOR, 0)
    assert [attempt["verdict"] for attempt in facts["failed_attempts_from_here"]] == ["failed"]
    assert [aside["id"] for aside in facts["asides_made_for_it"]] == ["a1"]
    assert facts["accepted"] is None
    assert "failed attempts from here" in lines
    assert "draws" in lines


def test_player_sees_what_was_shown() -> None:
    facts, lines = inspected(Viewer.PLAYER, 1)
    assert list(facts) == ["turn", "choices", "decisions", "end", "at"]
    assert facts["turn"]["said"] == "pay"
    text = "\n".join(lines)
    for canary in (HIDDEN, DEEP, "digest", "raw"):
        assert canary not in text
        assert canary not in json.dumps(facts)
    assert lines[0] == f"turn 2  {facts['turn']['commit']}  {facts['at']}"
    assert "  You pay." in lines
    assert "choices" in lines


def test_first_turn_can_be_inspected() -> None:
    history, _, _ = run(made())
    root = next(iter(history.commits.values()))
    lines = list(tell_turn(inspect_turn(history, root, TINY, Viewer.AUTHOR)))
    assert "  parent     (none: the campaign starts here)" in lines
    assert "root" in lines
