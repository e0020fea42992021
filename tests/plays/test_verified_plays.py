"""Every play is believed when it is verified: its turns, played again, come out as they were recorded."""

import asyncio

import pytest

from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.turn_proof import TurnStanding
from talewright.play.verify.verification_report import VerificationReport
from tests.plays.performances import perform_straight
from tests.plays.scripts import Play, read_plays
from tests.plays.stage import SECRET, Shelf

SECRETS_TO_TELL = ("only the secret can reproduce", "because the dice secret is not available")
"""Ends of the only reasons why a turn may be unproven without the secret."""


def list_unproven(report: VerificationReport) -> list[str]:
    """What was found of turns that are not proven."""
    return [
        f"{turn.version}: {turn.verdict.why}"
        for turn in report.turns
        if turn.verdict.standing is not TurnStanding.PROVEN
    ]


@pytest.mark.parametrize(
    "play",
    [
        pytest.param(play, marks=[pytest.mark.slow] if play.is_long else [], id=play.name)
        for play in read_plays()
    ],
)
def test_it_is_proven(play: Play) -> None:
    book, shelf = perform_straight(play.name).book, Shelf(play.game)
    # Some plays begin in a state of their own, which no game begins with; that is found.
    altered = [f"0: it does not start as its game does: {name}" for name in roots_of(play)]
    owner = asyncio.run(verify(book, editions=shelf, secret=SECRET))
    assert list_unproven(owner) == altered
    assert len(owner.violations) == len(altered)
    if not play.is_long:
        blind = asyncio.run(verify(book, editions=shelf))
        assert len(blind.violations) == len(altered)
        assert [why for why in list_unproven(blind) if not why.endswith(SECRETS_TO_TELL)] == altered


def roots_of(play: Play) -> list[str]:
    """The variables in which a play begins otherwise than its game, in one word."""
    names = sorted({path.split(".")[0] for path in play.start})
    return [", ".join(names)] if names else []
