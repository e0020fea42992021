"""Folding: the state after every turn, from the changes alone."""

from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.kernel.chance import commitment
from talewright.play.history.campaign_history import read_changes
from talewright.play.verify.campaign_replay import Folding, commitment_of
from tests.play.history.campaigns import SECRET, Scribe
from tests.play.history.tiny import begin_tiny, gain, run, take


def commits() -> tuple[Scribe, list[Commit]]:
    async def go() -> tuple[Scribe, list[Commit]]:
        scribe = await begin_tiny()
        await take(scribe, "walk", gain(5))
        await take(scribe, "run", gain(2), gain(1))
        return scribe, [record async for record in scribe.book.records() if isinstance(record, Commit)]

    return run(go())


def test_documents_of_all_turns_are_made_again() -> None:
    scribe, turns = commits()
    folding = Folding()
    folds = [folding.take(turn) for turn in turns]
    assert [fold.fault for fold in folds] == ["", "", ""]
    assert [len(fold.changes) for fold in folds] == [0, 1, 2]
    assert folds[0].before is None
    assert folds[2].before is folds[1].after
    assert folding.document(turns[2].id) == scribe.position.state.document


def test_wrong_turn_is_told_and_those_after_it_inherit() -> None:
    _, turns = commits()
    folding = Folding()
    folding.take(turns[0])
    wrong = folding.take(replace(turns[1], state_digest="0"))
    assert (wrong.fault, wrong.inherited) == ("its changes do not lead to the recorded state", False)
    after = folding.take(turns[2])
    assert (after.fault, after.inherited) == ("", True)


def test_turn_that_cannot_be_made_leaves_its_children_unmade() -> None:
    _, turns = commits()
    folding = Folding()
    folding.take(turns[0])
    broken = folding.take(replace(turns[1], body={"changes": [{"op": "remove"}]}))
    assert broken.fault == "its changes cannot be applied: the 'path' of a change is a string"
    assert broken.after is None
    orphan = folding.take(turns[2])
    assert (orphan.fault, orphan.inherited) == ("the state before it is unknown", True)
    assert folding.document(turns[2].id) is None


def test_changes_are_a_list() -> None:
    _, turns = commits()
    with pytest.raises(ValueError, match="the changes of a turn are a list"):
        read_changes(replace(turns[1], body={"changes": 5}))


def test_commitment_stands_in_the_first_turn() -> None:
    _, turns = commits()
    assert commitment_of(turns[0]) == commitment(SECRET)
    assert commitment_of(turns[1]) == ""
    assert commitment_of(replace(turns[0], body={"root": {}})) == ""
