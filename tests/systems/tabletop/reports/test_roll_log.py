"""The roll log: every die of a campaign once, from results and from the state; hidden ones kept back."""

import json
from collections.abc import Sequence

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Draw, Fate
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.system import PastTurn, Sight
from talewright.systems.tabletop.reports.roll_log import NOTHING_ROLLED, list_rolls, report_rolls
from tests.systems.tabletop.making import GAME, READY

AT = "2026-11-18T09:30:00Z"


def sight(ending: str = "") -> Sight:
    return Sight({ENGINE_ROOT: {"ending": ending}}, turn=9)


def draws(*faces: int, sides: int = 20, why: str = "") -> tuple[Draw, ...]:
    return tuple(Draw(1, index, sides, face, why) for index, face in enumerate(faces))


def result(expression: str, faces: Sequence[int], total: int, **more: Json) -> dict[str, Json]:
    return {"expression": expression, "individualRolls": list(faces), "total": total, **more}


def called(tool: str, **members: Json) -> Json:
    return {"kind": "call", "tool": tool, "result": dict(members)}


def turn(rolls: Sequence[Json], drawn: tuple[Draw, ...], said: str = "I try", version: int = 1) -> PastTurn:
    return PastTurn(version, said, "Well.", draws=drawn, rolls=tuple(rolls))


def told(turns: Sequence[PastTurn], *, spoilers: bool = True, ending: str = "") -> list[str]:
    return list(report_rolls(sight(ending), turns, spoilers=spoilers).lines)


CHECK = called(
    "skill_check", skill="Stealth", roll=result("1d20+2", [13], 15, context="Stealth vs DC 15", logId="r1")
)
SECRET = called("roll_dice", **result("2d6", [4, 3], 7, visible=False, logId="h1"), context="a trap")


def test_rolls_are_found_in_results_with_what_they_were_for() -> None:
    played = [turn([CHECK], draws(13)), turn([SECRET], draws(4, 3, sides=6), "I wait", 2)]
    assert told(played) == [
        "turn 1: I try",
        "  1d20+2 (13) = 15  Stealth vs DC 15",
        "turn 2: I wait",
        "  2d6 (4, 3) = 7  a trap  [hidden]",
        "rolls: 2 (1 hidden), dice: 3",
    ]


def test_hidden_rolls_are_for_others_than_the_player_until_the_end() -> None:
    played = [turn([SECRET, CHECK], draws(4, 3, 13, 8), "", 2)]
    assert told(played, spoilers=False) == [
        "turn 2",
        "  1d20+2 (13) = 15  Stealth vs DC 15",
        "rolls: 1, dice: 1",
    ]
    assert told([turn([SECRET], draws(4, 3, 8))], spoilers=False) == [NOTHING_ROLLED]
    assert told(played, spoilers=False, ending="home") == told(played)
    assert len(told(played)) == 5


def test_every_die_is_listed_once() -> None:
    """Rolls that repeat another, or whose dice were never drawn, do not count; dice without a roll do."""
    twice = called("attack", hit=result("1d20", [13], 13, logId="r1"), again=[CHECK])
    made_up = called("attack", roll=result("1d20", [20], 20))
    (logged,) = list_rolls([turn([CHECK, twice, made_up], draws(13, 13, 7, why="luck"))])
    assert [(roll.id, roll.draws) for roll in logged.rolls] == [("r1", (0,))]
    assert [draw.face for draw in logged.others] == [13, 7]
    assert told([turn([], draws(7, why="luck"))]) == [
        "turn 1: I try",
        "  d20: 7  luck  [no roll]",
        "rolls: 0, dice: 1",
    ]


def test_rolls_that_only_the_state_remembers() -> None:
    def remember(name: str, value: Json) -> Change:
        return Change("replace", f"/tabletop/{name}", value, [], "", "system:tabletop")

    old: Json = {"id": "r1", **result("1d20", [13], 13)}
    new: Json = {"id": "r2", **result("4dF", [-1, 0, 1, 1], 1), "context": "Fight"}
    hidden: Json = {"id": "h1", **result("1d6", [6], 6)}
    changes = (remember("rolls", [old, new]), remember("hidden_rolls", [hidden]), remember("combat", [old]))
    first = turn([called("roll_dice", **result("1d20", [13], 13, logId="r1"))], draws(13))
    second = PastTurn(2, "", "", changes, draws(1, 2, 3, 3, 6, sides=3))
    one, two = list_rolls([first, second])
    assert [roll.id for roll in one.rolls] == ["r1"]
    assert [(roll.id, roll.visible, roll.draws) for roll in two.rolls] == [
        ("r2", True, (0, 1, 2, 3)),
        ("h1", False, (4,)),
    ]
    assert two.others == ()


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("1d6 (4) = 4", (4,)),
        ("4d6kh3 (6, 5, 2 dropped, 4) + 1 = 16", (6, 5, 2, 4)),
        ("2d6ro1 (1 rerolled to 4, 6 then 3) = 13", (1, 4, 6, 3)),
        ("(1d6mi2 (1 as 2) + 2) * 2 = 8", (1,)),
        ("4dF (+1, 0, -1, +1) = 1", (1, 0, -1, 1)),
        ("Trap (2): 3d6! ((6 then 2) dropped, 3, 1) = 4", (6, 2, 3, 1)),
    ],
)
def test_dice_of_scenes_are_read_from_their_words(text: str, faces: tuple[int, ...]) -> None:
    fate = "dF" in text
    drawn = draws(*(face + 2 * fate for face in faces), sides=3 if fate else 6)
    rolled: Json = {"kind": "roll", "text": text, "total": 1, "needed": 3, "success": False}
    (logged,) = list_rolls([turn([rolled, "nonsense"], drawn)])
    assert [(roll.text, roll.faces, roll.tool) for roll in logged.rolls] == [(text, faces, "")]
    assert logged.others == ()


def test_the_same_for_programs() -> None:
    played = [turn([CHECK, SECRET], draws(13, 4, 3, 8, why="luck")), turn([], (), "nothing")]
    (only,) = json.loads(json.dumps(report_rolls(sight(), played, spoilers=True).data))["turns"]
    assert only["turn"] == 1
    assert only["rolls"][0] == {
        "id": "r1",
        "timestamp": "",
        "text": "1d20+2 (13) = 15",
        "expression": "1d20+2",
        "individualRolls": [13],
        "total": 15,
        "context": "Stealth vs DC 15",
        "visible": True,
        "tool": "skill_check",
        "requestedBy": "system",
        "draws": [0],
    }
    assert (only["rolls"][1]["visible"], only["rolls"][1]["requestedBy"]) == (False, "gm")
    assert only["otherDraws"] == [{"index": 3, "sides": 20, "face": 8, "why": "luck"}]
    (kept,) = json.loads(json.dumps(report_rolls(sight(), played, spoilers=False).data))["turns"]
    assert [roll["individualRolls"] for roll in kept["rolls"]] == [[13]]
    assert "otherDraws" not in kept


def test_a_check_is_one_roll_although_its_result_tells_it_twice() -> None:
    roll = result("2d20kh1", [3, 17], 17, logId="r4", text="Ada, Stealth: 2d20kh1 (3 dropped, 17) = 17")
    told_twice = called("skill_check", text=roll["text"], total=17, individualRolls=[3, 17], roll=roll)
    (logged,) = list_rolls([turn([told_twice], draws(3, 17))])
    assert [(one.id, one.text, one.draws) for one in logged.rolls] == [("r4", roll["text"], (0, 1))]


def test_dice_that_were_rolled_again_belong_to_their_roll() -> None:
    again = result("1d6ro1", [4], 4, logId="r1", text="1d6ro1 (1 rerolled to 4) = 4")
    (logged,) = list_rolls([turn([called("roll_dice", **again)], draws(1, 4, sides=6))])
    assert [one.draws for one in logged.rolls] == [(0, 1)]


def test_calls_of_the_tools_are_logged_as_the_record_has_them() -> None:
    """A hidden roll, a check with two dice, and a whole round of a fight in one turn."""
    calls = [
        Call("roll_dice", {"expression": "2d6", "context": "a trap", "visible": False}),
        Call("skill_check", {"skill": "Stealth", "difficulty": 12, "advantage": True}),
        Call("start_fight", {"enemies": [{"template": "Goblin", "count": 3}]}),
    ]
    fate = Fate(b"log", 1)
    step = judge(GAME, READY, calls, MODEL, fate)
    results = [one.result for one in step.rulings if isinstance(one, Granted)]
    rolls = [called_with(call, result) for call, result in zip(calls, results, strict=True)]
    (logged,) = list_rolls([PastTurn(1, "", "", step.changes, fate.draws, (), tuple(rolls))])
    assert logged.others == ()
    assert [roll.id for roll in logged.rolls][:2] == ["h1", "r1"]
    assert [roll.visible for roll in logged.rolls] == [False, *[True] * (len(logged.rolls) - 1)]
    assert len(logged.rolls) >= 6
    # What the results do not tell, the state remembers.
    (from_state,) = list_rolls([PastTurn(1, "", "", step.changes, fate.draws)])
    assert {roll.id for roll in from_state.rolls} == {roll.id for roll in logged.rolls}


def called_with(call: Call, result: Json) -> Json:
    return {"kind": "call", "tool": call.tool, "result": result}


def test_long_inputs_are_cut() -> None:
    (heading, *_) = told([turn([], draws(7), "I go  on\nand on " * 20)])
    assert len(heading) == len("turn 1: ") + 60
    assert heading.endswith("…")


def test_a_row_has_its_time_and_its_context() -> None:
    drawn = draws(13, why="Rowan, Stealth")
    row = result("1d20+2", [13], 15, logId="r1", text="Rowan, Stealth: 1d20 (13) + 2 = 15", needed=12)
    played = PastTurn(3, "I hide", "Well.", draws=drawn, rolls=(called("skill_check", roll=row),), at=AT)
    report = report_rolls(sight(), [played], spoilers=True)
    assert isinstance(report.data, dict)
    (logged,) = report.data["turns"][0]["rolls"]
    assert (logged["timestamp"], logged["context"]) == (AT, "Rowan, Stealth vs 12")
    assert report.lines[1] == "  Rowan, Stealth: 1d20 (13) + 2 = 15", "not twice"


def test_dice_for_nothing_in_particular_have_no_context() -> None:
    row = called("roll_dice", **result("2d6", [4, 3], 7, logId="r1"))
    report = report_rolls(sight(), [turn([row], draws(4, 3, sides=6, why="2d6"))], spoilers=True)
    assert isinstance(report.data, dict)
    assert report.data["turns"][0]["rolls"][0]["context"] == ""
