"""Every part of the System port, proved by a system that uses it."""

from collections.abc import Mapping
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.game import ChanceRules
from talewright.kernel.judging.move_resolution import (
    JudgedStep,
    allowed_tools,
    carry_out,
    cause_of,
    current_phases,
    drop_waiting_call,
    judge,
    keep_waiting_call,
    settle,
    waiting_calls,
)
from talewright.kernel.judging.moves import MODEL, Call, Move, Op, Update
from talewright.kernel.judging.rulings import (
    Decision,
    Errand,
    ErrandWeight,
    Flaw,
    Grade,
    Granted,
    Option,
    Refused,
    Waiting,
)
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.panel_parts import Chips, Lines, Meter, Panel, Rolled
from talewright.kernel.state.changes import to_operation
from talewright.kernel.state.state import Position, State, advance, begin, position_of
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.kernel.system import (
    AuthorFiles,
    Denial,
    Note,
    NoteAudience,
    PastTurn,
    Phase,
    ProposedTelling,
    Retention,
    Sight,
    System,
    SystemAnswer,
    SystemMemory,
    Tool,
    ToolWork,
    deny_unknown,
)
from tests.kernel.making import Scripted, make_game, make_layout
from tests.plugs.toll import Toll

TOLL = Toll()
LAYOUT = make_layout(Toll().slots({}))
GAME = make_game(LAYOUT, systems=[TOLL])
START = begin(GAME)


class Mute:
    name = "mute"


MUTE: System = Mute()


def call(tool: str, **arguments: object) -> Call:
    return Call(tool, arguments)  # type: ignore[arg-type]


def take(move: Call, *faces: int, position: Position = START, **answers: str) -> JudgedStep:
    return judge(GAME, position, [move], MODEL, Scripted(*faces), answers)


def sight() -> Sight:
    return WorkingState(GAME, START).sight(TOLL)


def test_a_granted_call_is_applied_in_the_systems_name() -> None:
    step = take(call("pay", coins=2))
    (ruling,) = step.rulings
    assert isinstance(ruling, Granted)
    assert ruling.result == {"paid": 2}
    assert [to_operation(change) for change in ruling.changes] == [
        {"op": "replace", "path": "/bridge/crossed", "value": True},
        {"op": "replace", "path": "/bridge/coins", "value": 1},
    ]
    assert {change.cause for change in step.changes} == {"system:toll"} == {cause_of(TOLL)}
    assert [event.text for event in step.events] == ["toll.paid"]


def test_what_a_system_grants_must_fit_its_slots() -> None:
    step = take(call("pay", coins=4))
    (ruling,) = step.rulings
    assert isinstance(ruling, Refused)
    assert (ruling.grade, ruling.reason) == (Grade.MEND, "bridge.coins is a whole number from 0 to 9, not -1")
    assert step.position is START
    assert step.changes == ()
    assert step.events == ()


def test_denials_keep_their_grade() -> None:
    (ruling,) = take(call("pay")).rulings
    assert isinstance(ruling, Refused)
    assert ruling.grade is Grade.MEND
    assert ruling.reason == "pay takes coins: a whole number"
    dropped = take(call("pay", coins="all"))
    (ruling,) = dropped.rulings
    assert isinstance(ruling, Refused)
    assert ruling.grade is Grade.DROP
    assert [event.type for event in dropped.events] == ["rejected_update"]


def test_an_unknown_tool_is_answered_with_those_there_are() -> None:
    (ruling,) = take(call("fly")).rulings
    assert isinstance(ruling, Refused)
    assert ruling.reason == "'fly' cannot be called now; there is pay, gamble, ask_keeper"
    (ruling,) = judge(make_game(make_layout({})), START, [call("fly")], MODEL, Scripted()).rulings
    assert isinstance(ruling, Refused)
    assert ruling.reason == "'fly' cannot be called now; there is no tool at all"


def test_a_decision_waits_and_is_judged_again_with_its_answer() -> None:
    asked = take(call("gamble"))
    (waiting,) = asked.rulings
    options = (Option("roll", "Roll"), Option("withdraw", "Step back"))
    need = Decision("gamble", "Roll for the passage?", options, ("4 or more lets you pass",))
    assert waiting == Waiting(call("gamble"), need)
    assert asked.waits == (waiting,)
    assert asked.position is START
    rolled = take(call("gamble"), 5, gamble="roll")
    assert isinstance(rolled.rulings[0], Granted)
    assert rolled.rulings[0].result == {"rolled": 5}
    assert rolled.position.state.read(("bridge", "crossed")) is True
    withdrawn = take(call("gamble"), gamble="withdraw")
    assert withdrawn.changes == ()
    assert isinstance(withdrawn.rulings[0], Granted)


def test_a_waiting_call_is_remembered_until_it_is_released() -> None:
    waiting = Waiting(Call("gamble", {"z": 1, "a": "雾"}), Decision("gamble", "?", ()))
    step = keep_waiting_call(GAME, START, waiting)
    assert waiting_calls(step.position) == {"gamble": Call("gamble", {"a": "雾", "z": 1}, "gamble")}
    assert step.changes[0].value == {"tool": "gamble", "arguments": '{"a":"雾","z":1}'}
    assert step.changes[0].cause == "engine"
    freed = drop_waiting_call(GAME, step.position, "gamble")
    assert waiting_calls(freed.position) == {}
    assert freed.position.state.digest == START.state.digest


def test_an_errand_waits_too() -> None:
    (waiting,) = take(call("ask_keeper")).rulings
    errand = Errand("keeper-name", "Who keeps the bridge?", {"type": "string"}, ErrandWeight.MAIN)
    assert waiting == Waiting(call("ask_keeper"), errand)
    answered = judge(GAME, START, [call("ask_keeper")], MODEL, Scripted(), {"keeper-name": "Ann"})
    assert answered.position.state.read(("bridge", "keeper")) == "Ann"


def test_a_phase_narrows_the_tools() -> None:
    across = take(call("pay", coins=1)).position
    table = WorkingState(GAME, across)
    assert current_phases(table) == (Phase("across", "toll.across", frozenset({"ask_keeper"}), "tool_loop"),)
    assert allowed_tools(table) == ("ask_keeper",)
    assert current_phases(WorkingState(GAME, START)) == ()
    (ruling,) = take(call("pay", coins=1), position=across).rulings
    assert isinstance(ruling, Refused)
    assert ruling.reason == "'pay' cannot be called now; there is ask_keeper"


def test_time_passes_by_itself() -> None:
    step = settle(GAME, START, Scripted())
    (change,) = step.changes
    assert (change.path, change.value, change.reason, change.cause) == (
        "/bridge/water",
        1,
        "the river rises",
        "system:toll",
    )
    assert isinstance(step.rulings[0], Granted)


def test_what_a_system_tells_and_shows() -> None:
    assert TOLL.notes(sight()) == (
        Note("The keeper is afraid of the water.", NoteAudience.NARRATOR),
        Note("The bridge has a toll.", NoteAudience.EVERYONE),
    )
    parts = (
        Meter("Water", 0, 5),
        Chips("Mood", ("wary",)),
        Lines("Toll", ("3 coins",)),
        Rolled("Last", (0,), 0),
    )
    assert TOLL.panels(sight()) == (Panel("bridge", "The bridge", parts),)


def test_errands_after_a_turn_come_back_as_updates() -> None:
    (errand,) = TOLL.errands(sight(), ())
    assert errand.weight is ErrandWeight.CHEAP
    updates = TOLL.take(errand.id, "Bell", sight())
    assert carry_out(GAME, START, updates, "aside:1").position.state.read(("bridge", "keeper")) == "Bell"
    assert TOLL.take("other", "Bell", sight()) == ()


def test_pages_headings_readings_and_audits() -> None:
    turn = PastTurn(1, "I walk up to the bridge", "You do.")
    assert TOLL.pages(sight(), [turn]) == {"bridge.md": "1. I walk up to the bridge"}
    assert TOLL.heading(turn, sight()) == "At the bridge: I walk up to the bri"
    (reading,) = TOLL.reads()
    prices, faults = reading.parse("cart: 3\nhorse", "Toll.md")
    assert prices == {"cart": 3}
    assert [str(fault.place) for fault in faults] == ["Toll.md:2:1"]
    assert TOLL.audit(ProposedTelling("It is free."), sight()) == (
        Flaw("the passage is never free; tell what it costs"),
    )
    assert TOLL.audit(ProposedTelling("It costs."), sight()) == ()


def test_a_tool_that_a_system_does_not_have_is_denied() -> None:
    assert deny_unknown(call("x")) == Denial("x is no tool of this system")


def test_a_system_sees_its_files_and_the_dice_of_the_game() -> None:
    game = replace(GAME, files={"toll": {"Toll.md": {"cart": 3}}}, chance=ChanceRules(dice=frozenset({6})))
    seen = WorkingState(game, begin(game)).sight(TOLL)
    assert seen.files == {"Toll.md": {"cart": 3}}
    assert seen.dice == frozenset({6})
    assert seen.turn == 1
    assert seen.language == "en"
    assert sight().files == {}
    assert sight().dice is None


def test_a_call_and_updates_share_one_answer() -> None:
    moves: list[Move] = [call("pay", coins=1), Update(Op.SET, "nowhere", 1)]
    step = judge(GAME, START, moves, MODEL, Scripted())
    assert step.position is START
    assert len(step.mends) == 1
    assert step.changes == ()


class Ferry(Mute):
    """Another system with a tool and a phase that leaves it."""

    name = "ferry"

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (Tool("row", "Row across.", {}, work=ToolWork.CONSULTING),)

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        return deny_unknown(call)

    def phase(self, sight: Sight) -> Phase | None:
        return Phase("afloat", text="You are afloat.", opens=True)


def test_a_phase_narrows_the_tools_of_its_own_system_alone() -> None:
    game = make_game(LAYOUT, systems=[Ferry(), TOLL])
    assert allowed_tools(WorkingState(game, START)) == ("row", "pay", "gamble", "ask_keeper")
    across = judge(game, START, [call("pay", coins=1)], MODEL, Scripted()).position
    assert allowed_tools(WorkingState(game, across)) == ("row", "ask_keeper")
    assert [phase.name for phase in current_phases(WorkingState(game, across))] == ["afloat", "across"]


def test_what_each_tool_does() -> None:
    game = make_game(LAYOUT, systems=[Ferry(), TOLL])
    assert game.work == {
        "row": ToolWork.CONSULTING,
        "pay": ToolWork.UPDATING,
        "gamble": ToolWork.ROLLING,
        "ask_keeper": ToolWork.CONSULTING,
    }


def test_systems_hear_in_which_language_to_speak() -> None:
    position = begin(GAME, "zh-CN")
    assert WorkingState(GAME, position).sight(TOLL).language == "zh-CN"
    step = judge(GAME, position, [call("pay", coins=1)], MODEL, Scripted())
    assert advance(step.position).language == "zh-CN"
    assert position_of(GAME, State(GAME.initial, 0)).language == "en"


def test_systems_are_shown_how_the_author_calls_things() -> None:
    texts = Texts("zh-CN", {"value.bridge.keeper.Ferdinand": "费迪南"})
    position = position_of(GAME, State(GAME.initial, 0), "zh-CN", texts)
    assert WorkingState(GAME, position).sight(TOLL).texts is texts
    step = judge(GAME, position, [call("pay", coins=1)], MODEL, Scripted())
    assert advance(step.position).texts is texts
    # Words are no part of where a campaign stands.
    assert position == begin(GAME, "zh-CN")
    assert WorkingState(GAME, START).sight(TOLL).texts is sight().texts is NO_TEXTS


def test_what_is_kept_in_view() -> None:
    assert (TOLL.memories(sight()), TOLL.retention(sight()), TOLL.reach(sight())) == ((), None, 0)
    paid = take(call("pay", coins=1)).position
    across = judge(GAME, paid, [call("ask_keeper")], MODEL, Scripted(), {"keeper-name": "Ann"}).position
    seen = WorkingState(GAME, advance(across)).sight(TOLL)
    assert TOLL.memories(seen) == (
        SystemMemory("The keeper", "The bridge is kept by Ann.", told=True),
        SystemMemory("The water", "Ann has never learned to swim, and nobody knows it."),
    )
    assert TOLL.retention(seen) == Retention(0, due=True)
    assert TOLL.reach(seen) == 1


def test_only_a_final_answer_that_nobody_has_paid_for_is_audited() -> None:
    pay = Call("pay", {"coins": 1})
    assert TOLL.audit(ProposedTelling("It is free.", final=False), sight()) == ()
    assert TOLL.audit(ProposedTelling("It is free.", (pay,)), sight()) == ()
    assert TOLL.audit(ProposedTelling("It is free.", granted=(pay,)), sight()) == ()
