"""Many submitters on one campaign: one commit per head, every loser told."""

import pytest

from tests.sweep import submitters

pytestmark = pytest.mark.process


def test_exactly_one_submitter_takes_each_turn() -> None:
    assert submitters.run(20, seed=1) == 20
