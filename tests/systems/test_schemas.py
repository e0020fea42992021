"""The schemas of the built-in systems: nothing in them goes unchecked."""

import pytest

from talewright.bootstrap import installed_systems
from talewright.common.json_schema import read_schema
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.system import HasErrands, HasTools
from talewright.kernel.system.system_parts import check_system, check_tools
from talewright.systems.world.offscreen.simulation_prompt import FULL_SCHEMA, SUMMARY_SCHEMA
from tests.systems.spiral.memory.test_day_summaries import ask, errand, many
from tests.systems.tabletop.rulebook_snapshots import BOOKS

BUILT_IN = ("odds", "spiral", "tabletop", "world")
FILES = {"tabletop": {"System.md": BOOKS["d20"].read_text("utf-8")}}
"""Files without which a system has no tools."""

ERRANDS = {
    "spiral": (errand(), ask(many(10))),
    "world": tuple(Errand("life", "?", schema) for schema in (SUMMARY_SCHEMA, FULL_SCHEMA)),
}
"""An errand of each form that a system asks."""


def test_the_built_in_systems_are_all_here() -> None:
    systems = installed_systems().items()
    ours = {name: one for name, one in systems if type(one).__module__.startswith("talewright.")}
    assert list(ours) == list(BUILT_IN)
    asking = [name for name, system in ours.items() if isinstance(system, HasErrands)]
    assert asking == list(ERRANDS)


@pytest.mark.parametrize("name", BUILT_IN)
def test_tools_are_checked_whole(name: str) -> None:
    system = installed_systems()[name]
    assert isinstance(system, HasTools)
    files = FILES.get(name, {})
    assert system.tools(files, "en")
    check_system(system)
    check_tools(system, files, ("en", "zh-CN"))


@pytest.mark.parametrize("name", ERRANDS)
def test_answers_to_errands_are_checked_whole(name: str) -> None:
    for each in ERRANDS[name]:
        assert read_schema(each.answer_schema).properties
