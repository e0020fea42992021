"""The odds system: honest draws, one a turn for the same thing, and what a storyteller says set right."""

import pytest

from talewright.bootstrap import installed_systems
from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.state.changes import to_operation
from talewright.kernel.state.state import advance, begin
from talewright.kernel.system import Denial, Sight, System
from talewright.pack.build.scene_builder import check_tool_arguments
from talewright.pack.faults import FaultList
from talewright.systems.odds import system
from talewright.systems.odds.odds_attempts import ATTEMPTS_MAX, STAKES_LENGTH_MAX
from talewright.turn.turn_progress import purpose_of_call
from tests.kernel.making import Scripted
from tests.kernel.scene_walk import begin_story, play
from tests.pack.making import good_game, read
from tests.systems.odds.making import GAME, ODDS, START, game_with, granted, refused, sight, take, take_said


class Recording(Scripted):
    """A scripted chance that writes down what it was asked."""

    def __init__(self, *faces: int) -> None:
        super().__init__(*faces)
        self.asked: list[tuple[int, str]] = []

    def draw(self, sides: int, why: str = "") -> int:
        self.asked.append((sides, why))
        return super().draw(sides, why)


def test_it_is_installed_under_its_name() -> None:
    plug: System = system()
    assert plug.name == "odds"
    assert type(installed_systems()["odds"]) is type(plug)


@pytest.mark.parametrize(("face", "outcome"), [(1, "success"), (1_800, "success"), (1_801, "fail")])
def test_an_attempt_succeeds_where_what_is_drawn_is_below_the_chance(face: int, outcome: str) -> None:
    step = take(face, skill="stealth", difficulty="hard", stakes="the gate")
    result = {
        "skill": "stealth",
        "difficulty": "hard",
        "value": 14,
        "p": 0.18,
        "rand": (face - 1) / 10_000,
        "outcome": outcome,
        "stakes": "the gate",
    }
    assert granted(step) == result
    assert step.position.state.read(("odds", "last")) == {"turn": 1, **result}
    assert step.position.state.read(("odds", "tried")) == [{"turn": 1, **result}]
    assert {change.cause for change in step.changes} == {"system:odds"}
    assert step.events == ()


def test_an_attempt_means_the_same_however_it_is_spelled() -> None:
    meant: dict[str, Json] = {"skill": "stealth", "difficulty": "hard"}
    spelled: list[dict[str, Json]] = [
        {"skill": " STEALTH ", "difficulty": "Hard"},
        {"skill_used": "stealth", "difficulty": "hard"},
        {"skill": "", "skill_used": "Stealth", "difficulty": 0.6},
        {"skill": "stealth", "difficulty": "0.60"},
    ]
    for said in spelled:
        purpose = purpose_of_call(GAME, START, Call("attempt", said))
        assert purpose == purpose_of_call(GAME, START, Call("attempt", meant)), said
        assert purpose.what == {"check": ["attempt", {"skill": "stealth"}], "terms": {"difficulty": "hard"}}


def test_the_engine_draws_once_of_ten_thousand() -> None:
    chance = Recording(5_000)
    judge(GAME, START, [Call("attempt", {"skill": "perception", "difficulty": "easy"})], MODEL, chance)
    assert chance.asked == [(10_000, "perception against easy")]


def test_what_is_blocked_is_not_drawn_for() -> None:
    result = granted(take(skill="stealth", difficulty="hopeless"))
    assert result == {
        "skill": "stealth",
        "difficulty": "hopeless",
        "value": 14,
        "p": 0,
        "rand": None,
        "outcome": "blocked",
        "stakes": "",
    }


def test_the_same_attempt_stands_for_the_rest_of_the_turn() -> None:
    first = take(9_000, skill="stealth", difficulty="hard", stakes="the gate")
    again = take(position=first.position, skill="Stealth", difficulty=0.6, stakes="another")
    assert granted(again) == granted(first)
    assert again.changes == ()
    other = take(1, position=again.position, skill="perception", difficulty="hard")
    assert to_operation(other.changes[0])["path"] == "/odds/tried/1"
    third = take(position=other.position, skill="stealth", difficulty="hard")
    assert granted(third) == granted(first)
    assert third.position.state.read(("odds", "last", "skill")) == "perception"
    easier = take(2, position=third.position, skill="stealth", difficulty="easy")
    assert isinstance(granted(easier), dict)
    assert len(easier.position.state.read(("odds", "tried"))) == 3  # type: ignore[arg-type]  # a list


def test_the_next_turn_draws_anew() -> None:
    first = take(9_000, skill="stealth", difficulty="hard")
    later = take(1, position=advance(first.position), skill="stealth", difficulty="hard")
    assert granted(later) != granted(first)
    tried = later.position.state.read(("odds", "tried"))
    assert isinstance(tried, list)
    assert [row["turn"] for row in tried if isinstance(row, dict)] == [2]


def test_a_turn_has_a_limit_of_attempts() -> None:
    game = game_with("\n".join(f"- s{number}: 0.{number:02}" for number in range(ATTEMPTS_MAX)))
    calls = [Call("attempt", {"skill": "stealth", "difficulty": f"s{n}"}) for n in range(ATTEMPTS_MAX)]
    full = judge(game, START, calls, MODEL, Scripted(*[1] * ATTEMPTS_MAX))
    assert full.mends == ()
    one_more = take(1, position=full.position, game=game, skill="perception", difficulty="s0")
    assert refused(one_more) == "20 attempts are enough for one turn; tell what came of them"


def test_the_mechanics_of_a_bundle_are_set_right_and_never_refused() -> None:
    said: dict[str, Json] = {
        "skill_used": "stealth",
        "skill_value": 15,
        "difficulty": 0.6,
        "rand": 0.42,
        "p": 0.19,
        "outcome": "success",
        "notes": "Low skill vs moderate difficulty",
    }
    step = take_said(said, 9_001)
    result = granted(step)
    assert isinstance(result, dict)
    assert (result["p"], result["rand"], result["outcome"]) == (0.18, 0.9, "fail")
    (event,) = step.events
    assert (event.type, event.cause) == ("mechanics_corrected", "system:odds")
    assert event.text == (
        "skill_value was told as 15 and is 14; p was told as 0.19 and is 0.18; "
        "rand was told as 0.42 and is 0.9; outcome was told as 'success' and is 'fail'"
    )


def test_mechanics_that_are_right_or_silent_are_no_event() -> None:
    right = take(
        1_001, skill_used="perception", skill_value=30, difficulty=0.2, rand=0.1, p=0.9, outcome="success"
    )
    assert right.events == ()
    assert granted(right) == granted(take(1_001, skill="perception", difficulty="easy"))
    assert take(1_001, skill="stealth", difficulty="hard", p=None, rand=None, outcome=None).events == ()
    again = take(position=right.position, skill="perception", difficulty="easy", outcome="fail")
    assert [event.text for event in again.events] == ["outcome was told as 'fail' and is 'success'"]


SKILLS = "there is stealth, perception, Prayer"
STEPS = "there is easy, hard, hopeless"
REFUSED: list[tuple[dict[str, Json], str]] = [
    ({"difficulty": "hard"}, f"attempt needs a skill; {SKILLS}"),
    ({"skill": "flight", "difficulty": "hard"}, f"there is no skill 'flight'; {SKILLS}"),
    ({"skill": ["stealth"], "difficulty": "hard"}, f"there is no skill a list; {SKILLS}"),
    ({"skill": "stealth"}, f"attempt needs a difficulty; {STEPS}"),
    ({"skill": "stealth", "difficulty": 0.5}, f"there is no difficulty 0.5; {STEPS}"),
    ({"skill": "stealth", "difficulty": "tough"}, f"there is no difficulty 'tough'; {STEPS}"),
    (
        {"skill": "stealth", "difficulty": "hard", "stakes": 3},
        "stakes is a text of at most 300 characters, not 3",
    ),
]


@pytest.mark.parametrize(("said", "reason"), REFUSED)
def test_what_cannot_be_tried_is_told_with_what_can(said: dict[str, Json], reason: str) -> None:
    step = take_said(said)
    assert refused(step) == reason
    assert step.changes == ()


def test_names_may_be_spelled_with_other_capitals() -> None:
    result = granted(take(1, skill=" prayer ", difficulty="EASY"))
    assert isinstance(result, dict)
    assert (result["skill"], result["difficulty"], result["value"]) == ("Prayer", "easy", -3)


def test_long_stakes_are_cut() -> None:
    result = granted(take(1, skill="stealth", difficulty="hard", stakes="s" * 1_000))
    assert isinstance(result, dict)
    assert result["stakes"] == "s" * STAKES_LENGTH_MAX


def test_nobody_but_the_system_writes_its_slots() -> None:
    step = judge(GAME, START, [Update(Op.SET, "odds.last.outcome", "success")], MODEL, Scripted())
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused)
    assert step.changes == ()


def test_another_tool_is_none_of_its_own() -> None:
    answer = ODDS.judge(Call("fly"), sight(), Scripted(), {})
    assert answer == Denial("fly is no tool of this system")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("{skill: stealth, difficulty: hard}", []),
        ("{skill: stealth, difficulty: hard, stakes: The gate.}", []),
        ("{skill: stealth, dificulty: hard}", ["unknown-field"]),
        ("{skill: stealth}", ["missing-field"]),
        ("{skill: stealth, difficulty: 0.6}", ["wrong-type"]),
    ],
)
def test_the_tool_says_what_an_author_may_write(text: str, codes: list[str]) -> None:
    (tool,) = ODDS.tools({}, "en")
    desk = FaultList()
    check_tool_arguments(tool.parameters, read(text), tool.name, desk)
    assert [fault.code for fault in desk.faults()] == codes


def test_a_game_without_skills_says_so() -> None:
    answer = ODDS.judge(Call("attempt", {"skill": "stealth"}), Sight({}, 1), Scripted(), {})
    assert answer == Denial("there is no skill 'stealth'; there is none in this game")


GAME_FILE = "systems: [odds]\nvariables:\n  - {id: player, type: object, default: {skills: {stealth: 14}}}\n"
SCENE = """- id: gate
  when: odds.last.outcome != "blocked"
  text: The gate.
  choices:
    - {label: a}
    - {label: b}
    - {label: c, check: {try: attempt, with: {skill: stealth, difficulty: hard}, success: {}, failure: {}}}
"""


def test_a_game_folder_with_odds_compiles_and_its_trial_is_drawn_for() -> None:
    game = good_game(GAME_FILE, {"odds.md": "- hard: 0.6\n", "scenes/a.yaml": SCENE}, {"odds": system()})
    opening = begin_story(game, begin(game), Scripted())
    turn = play(game, opening.position, "3", Scripted(1_800))
    assert isinstance(turn.trial, dict)
    assert {"turn": 2, **turn.trial} == turn.position.state.read(("odds", "last"))
    assert turn.trial["outcome"] == "success"
