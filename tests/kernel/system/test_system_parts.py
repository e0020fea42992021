"""What a system does is found by its methods, and a system that is not whole is refused."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import get_args

import pytest

from talewright.common.json_schema import read_schema
from talewright.common.json_values import Json
from talewright.errors import Fault, TalewrightError
from talewright.kernel import system as port
from talewright.kernel.chance import Chance
from talewright.kernel.judging.move_resolution import (
    allowed_tools,
    judge,
    settle,
)
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Errand, Granted, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import begin
from talewright.kernel.system import (
    AuthorFileReader,
    AuthorFiles,
    AuthorYaml,
    HasNotes,
    PastTurn,
    Sight,
    System,
    SystemAnswer,
    Tool,
    deny_unknown,
    narrator_guidance,
    new_game_files,
    sight,
    system_files,
    system_port,
    system_tools,
    ticks,
)
from talewright.kernel.system.system_parts import SystemParts, check_system, check_tools, file_patterns
from tests.kernel.making import Scripted, make_game, make_layout
from tests.kernel.system.test_system_port import LAYOUT, MUTE, TOLL, Ferry, Mute, call
from tests.plugs.toll import Toll


def test_a_system_with_only_a_name_is_asked_for_nothing() -> None:
    game = make_game(make_layout({}), systems=[Mute()])
    assert {getattr(game.parts, part.name) for part in fields(SystemParts)} == {()}
    assert allowed_tools(WorkingState(game, begin(game))) == ()
    assert settle(game, begin(game), Scripted()).changes == ()
    check_system(Mute())


def test_systems_are_sorted_by_what_they_do_in_the_order_of_the_game() -> None:
    game = make_game(LAYOUT, systems=[Ferry(), MUTE, TOLL])
    assert [system.name for system in game.parts.tools] == ["ferry", "toll"]
    assert [system.name for system in game.parts.phases] == ["ferry", "toll"]
    assert [system.name for system in game.parts.ticks] == ["toll"]
    everything = make_game(LAYOUT, systems=[TOLL]).parts
    assert {getattr(everything, part.name) for part in fields(SystemParts)} == {(TOLL,)}


def test_there_is_a_part_for_every_protocol_of_the_port() -> None:
    """The parts are the list that both sorting and checking go by."""
    modules = (module for name, module in sys.modules.items() if name.startswith("talewright.kernel.system"))
    protocols = {name for module in modules for name in vars(module) if name.startswith("Has")}
    assert {get_args(part.type)[0].__name__ for part in fields(SystemParts)} == protocols


class Bookish:
    """A system that reads files of both kinds."""

    name = "bookish"

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (AuthorFileReader("Rules.md", lambda text, place: (text, ())),)

    def yaml_patterns(self) -> tuple[str, ...]:
        return ("shelves/*.yaml",)

    def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
        return {}, ()


def test_the_files_of_systems_are_asked_for_only_when_they_are_needed() -> None:
    taken: list[str] = []

    def load() -> Iterator[System]:
        taken.append("bookish")
        yield Bookish()

    patterns = file_patterns(load())
    assert taken == []
    assert list(patterns) == ["Rules.md", "shelves/*.yaml"]
    assert taken == ["bookish"]


class Forgetful:
    """It asks a model, and has nowhere to put the answer."""

    name = "forgetful"

    def errands(self, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return ()


class Promising(HasNotes):
    """It says that it has notes, and only inherits their declaration."""

    name = "promising"


def test_a_system_has_every_method_of_what_it_does() -> None:
    with pytest.raises(TalewrightError, match="'forgetful' lacks `take`, which HasErrands requires"):
        check_system(Forgetful())
    with pytest.raises(TalewrightError, match="'promising' lacks `notes`, which HasNotes requires"):
        check_system(Promising())  # type: ignore[abstract]


FILES: AuthorFiles = {"Toll.md": {"cart": 3, "horse": 2}}


def test_slots_and_tools_are_made_from_the_files_of_the_author() -> None:
    game = make_game(make_layout(TOLL.slots(FILES)), systems=[TOLL])
    game = replace(game, files={"toll": FILES})
    (pay, *_) = game.tools_in("zh-CN")
    assert pay.description == "在桥上付钱。"
    assert read_schema(pay.parameters).properties["load"].enum == ("cart", "horse")
    assert game.tools_in("en")[0].parameters == pay.parameters
    (granted,) = judge(game, begin(game), [call("pay", coins=1, load="cart")], MODEL, Scripted()).rulings
    assert isinstance(granted, Granted)
    assert granted.changes[-1].value == "cart"
    (refused,) = judge(game, begin(game), [call("pay", coins=1, load="cow")], MODEL, Scripted()).rulings
    assert isinstance(refused, Refused)
    assert "cart" in refused.reason
    check_tools(TOLL, FILES, ("en", "zh-CN"))


class Babel(Toll):
    """Its arguments have other values in every language."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        load: Json = {"type": "string", "enum": ["大车" if language == "zh-CN" else "cart"]}
        return (Tool("pay", "", {"type": "object", "properties": {"load": load}}),)


def test_tools_are_the_same_in_every_language() -> None:
    check_tools(Babel(), FILES, ("zh-CN",))
    check_tools(MUTE, FILES, ("en",))
    with pytest.raises(TalewrightError, match="tools of the system 'toll' differ in en and zh-CN"):
        check_tools(Babel(), FILES, ("en", "zh-CN"))


class Careless:
    """Its tool asks for something that nobody would look at."""

    name = "careless"

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        coins: Json = {"type": "integer", "multipleOf": 5}
        row = Tool("row", "", None, authored={"type": "object"})
        return (row, Tool("pay", "", {"type": "object", "properties": {"coins": coins}}))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)


def test_a_tool_asks_for_nothing_that_is_not_checked() -> None:
    check_system(TOLL)
    with pytest.raises(TalewrightError) as caught:
        check_system(Careless())
    assert caught.value.message == (
        "the tool 'pay' of the system 'careless': in its JSON Schema, "
        "the keyword 'multipleOf' at `/properties/coins` is not understood"
    )
    assert "docs/plug/systems.md" in caught.value.hint


PLUG_IN_MODULES = (
    narrator_guidance,
    new_game_files,
    sight,
    system_files,
    system_port,
    system_tools,
    ticks,
)


def test_a_plug_in_imports_everything_from_one_place() -> None:
    for module in PLUG_IN_MODULES:
        own = [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
        ]
        assert own
        assert set(own) <= set(port.__all__)
    assert [getattr(port, name) for name in port.__all__]
