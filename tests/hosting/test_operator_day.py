"""The operator's day in small: the same steps with fewer processes, few turns and a short outage.

The whole day, which begins with an older version, is a part of the sweep.
"""

from pathlib import Path

import pytest

from talewright_testkit.servers.server_process import ServerMissingError
from tests.hosting.chaos.operator_day import DayPlan, live_day
from tests.servers import skip_or_fail
from tests.sweep.parts import find_part

PLAN = DayPlan(
    turns=30,
    seed=20_260_101,
    pace=0.06,
    nodes=1,
    workers=1,
    campaigns=1,
    begins_old=False,
    dumps_amid_turns=False,
    calls_roll=False,
)


@pytest.mark.hosted
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_in_a_day_of_an_operator(tmp_path: Path) -> None:
    try:
        figures = live_day(PLAN, tmp_path)
    except ServerMissingError as error:
        skip_or_fail(error)
    print(figures)
    assert int(str(figures["turns"])) >= PLAN.turns


def test_the_sweep_has_a_part_for_the_whole_day() -> None:
    part = find_part("operator_day")
    assert part is not None
    assert part.run is not None
