"""A part of the operator's day: a host is brought up, loses PostgreSQL, is backed up and restored.

The whole day, which also has other versions, another key and an owner who leaves, is a part of the sweep.
"""

from pathlib import Path

import pytest

from talewright_testkit.servers.server_process import ServerMissingError
from tests.hosting.chaos.operator_day import DayPlan, live_day
from tests.servers import skip_or_fail
from tests.sweep.parts import find_part

PLAN = DayPlan(
    turns=12,
    seed=20_260_101,
    pace=0.06,
    nodes=1,
    workers=1,
    campaigns=1,
    is_whole=False,
    calls_roll=False,
)


@pytest.mark.hosted
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_in_a_part_of_the_day_of_an_operator(tmp_path: Path) -> None:
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
