"""The spiral system: what the system brings, and that every question finds its room."""

import pytest

from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.state.state import begin
from talewright.kernel.system import Denial, System, ToolWork
from talewright.pack.build.scene_builder import check_tool_arguments
from talewright.pack.faults import FaultList
from talewright.systems.spiral import system
from talewright.systems.spiral.tags import suggest, to_line
from tests.kernel.making import Scripted
from tests.pack.making import good_game, read
from tests.systems.spiral.making import FIRST, GAME, READY, SPIRAL, sight

TOOLS = {tool.name: tool for tool in SPIRAL.tools({}, "en")}


def test_it_has_ten_tools_of_play_and_four_of_setup() -> None:
    plug: System = system()
    assert plug.name == "spiral"
    assert list(TOOLS) == [
        "roll_check",
        "add_glitch",
        "flush_glitches",
        "spend_resist",
        "update_scene",
        "update_player",
        "create_npc",
        "update_npc",
        "advance_time",
        "scratchpad",
        "set_genre",
        "set_character",
        "set_companion",
        "finish_setup",
    ]
    assert [name for name, tool in TOOLS.items() if tool.must_see] == [
        "roll_check",
        "advance_time",
        "scratchpad",
    ]


def test_each_tool_says_what_it_is_doing() -> None:
    works = {name: tool.work for name, tool in TOOLS.items()}
    assert len(works) == len(TOOLS)
    assert works["roll_check"] is ToolWork.ROLLING
    assert works["scratchpad"] is ToolWork.CONSULTING
    assert works["update_scene"] is ToolWork.UPDATING


def test_the_state_begins_as_in_the_original_design() -> None:
    document = dict(FIRST.state.document)
    for own in ("_engine", "spiral", "check"):
        del document[own]
    assert document == {
        "meta": {
            "setup_complete": False,
            "genre": "",
            "day": 1,
            "segment": 1,
            "segments_per_day": 4,
            "segment_labels": ["Morning", "Afternoon", "Evening", "Night"],
        },
        "player": {
            "name": "",
            "concept": "",
            "inherent_tags": [],
            "glitch_tags": [],
            "conditions": [],
            "resist": {"current": 2, "max": 2},
        },
        "gm_pc": None,
        "scene": {"location": "", "positive_tags": [], "negative_tags": [], "active_npcs": []},
        "npcs": {},
    }


@pytest.mark.parametrize(
    "path",
    [
        "meta.day",
        "player.resist.current",
        "gm_pc",
        "scene.location",
        "npcs.gorm.clock",
        "check.highest",
        "spiral.prompt",
    ],
)
def test_nobody_but_the_system_writes_its_slots(path: str) -> None:
    step = judge(GAME, READY, [Update(Op.SET, path, None)], MODEL, Scripted())
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused)
    assert step.changes == ()


def test_what_it_keeps_for_itself_is_in_no_prompt_and_no_view() -> None:
    slots = GAME.layout.roots
    assert slots["spiral"].secret
    assert slots["npcs"].hidden
    assert [name for name in ("meta", "player", "gm_pc", "scene", "check") if slots[name].hidden] == []


def test_another_tool_is_none_of_its_own() -> None:
    assert SPIRAL.judge(Call("fly"), sight(), Scripted(), {}) == Denial("fly is no tool of this system")


def test_it_reads_the_prompt_in_every_language() -> None:
    assert [reading.pattern for reading in SPIRAL.reads()] == ["prompt.md", "texts/*/prompt.md"]


@pytest.mark.parametrize(
    ("tool", "text", "codes"),
    [
        ("add_glitch", "{tag: wet boots}", []),
        ("add_glitch", "{}", ["missing-field"]),
        ("update_npc", "{id: gorm, clock_delta: 1.5}", ["wrong-type"]),
        ("scratchpad", "{operation: read, section: null}", []),
    ],
)
def test_the_tools_say_what_an_author_may_write(tool: str, text: str, codes: list[str]) -> None:
    desk = FaultList()
    check_tool_arguments(TOOLS[tool].parameters, read(text), tool, desk)
    assert [fault.code for fault in desk.faults()] == codes


SCENE = """- id: start
  when: meta.setup_complete == false
  text: Three roads.
  choices:
    - {label: a, updates: [{path: meta.setup_complete, op: set, value: true}]}
    - {label: b}
    - {label: c}
"""


def test_a_game_folder_with_the_spiral_compiles() -> None:
    files = {"prompt.md": "---\ntick: half_day\n---\nWords.", "scenes/a.yaml": SCENE}
    game = good_game("systems: [spiral]\n", files, {"spiral": system()})
    assert begin(game).state.document["gm_pc"] is None
    assert game.files["spiral"]["prompt.md"] == {"text": files["prompt.md"]}


def test_lines_are_one_line_and_suggestions_are_short() -> None:
    assert to_line(" a\u2028b\tc\x07\u202ed ") == "a b cd"
    assert suggest("zzz", [f"t{n}" for n in range(9)]).endswith("`t7`, ...")
