"""Many submitters on one campaign: one commit per head, every loser told."""

from tests.sweep import submitters


def test_exactly_one_submitter_takes_each_turn() -> None:
    assert submitters.run(20, seed=1) == 20
