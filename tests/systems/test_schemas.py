"""The schemas of the built-in systems: nothing in them goes unchecked."""

import pytest

from talewright.bootstrap import installed_systems
from talewright.common.json_schema import read_schema
from talewright.kernel.system import PlainSystem, check_tools
from tests.systems.spiral.memory.test_day_summaries import ask, errand, many

BUILT_IN = ("odds", "spiral")
ERRANDS = {"spiral": (errand(), ask(many(10)))}
"""An errand of each form that a system asks."""


def test_the_built_in_systems_are_all_here() -> None:
    kinds = {name: type(system) for name, system in installed_systems().items()}
    ours = {name: kind for name, kind in kinds.items() if kind.__module__.startswith("talewright.")}
    assert list(ours) == list(BUILT_IN)
    asking = [name for name, kind in ours.items() if kind.errands is not PlainSystem.errands]
    assert asking == list(ERRANDS)


@pytest.mark.parametrize("name", BUILT_IN)
def test_tools_are_checked_whole(name: str) -> None:
    assert installed_systems()[name].tools()
    check_tools(installed_systems()[name])


@pytest.mark.parametrize("name", ERRANDS)
def test_answers_to_errands_are_checked_whole(name: str) -> None:
    for each in ERRANDS[name]:
        assert read_schema(each.answer_schema).properties
