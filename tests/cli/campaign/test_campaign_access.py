"""Progress: silence at first, then a line now and then."""

import io

from talewright.cli.campaign.campaign_access import ProgressTicker


def test_ticker_speaks_after_two_seconds_and_then_once_a_second() -> None:
    now = [0.0]
    stream = io.StringIO()
    ticker = ProgressTicker("replaying", stream, lambda: now[0])
    for number in range(50):
        now[0] = number / 10
        ticker(number, 50)
    assert stream.getvalue().splitlines() == [f"replaying: {n} of 50 turns" for n in (20, 30, 40)]
