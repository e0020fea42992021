"""The seed's time targets, with a margin: a roll, a check, an operation on an NPC, loading a rulebook.

Nothing here waits for anything, so the time of the processor counts, and of that the best of several runs,
for a processor as fast as it usually is: a busy or slower machine does not fail the test.
"""

import time
from collections.abc import Callable

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.state.state import Position
from talewright.kernel.system.system_parts import check_tools
from talewright.systems.tabletop import author_files
from tests.processor_speed import measure_slowdown
from tests.systems.tabletop.making import GAME, READY, TABLETOP, do, game_with
from tests.systems.tabletop.rulebook_snapshots import BOOKS

RUNS = 5
MARGIN = 4
"""How many times faster than the target."""

ROLL_SECONDS, CHECK_SECONDS, NPC_SECONDS, LOAD_SECONDS = 0.1, 0.2, 0.05, 0.5


def crowd() -> Position:
    """A campaign with many NPCs and a fight."""
    position = READY
    for number in range(60):
        position = do(position, "create_npc", name=f"Extra {number}", templateName="Wolf")
    enemies: Json = [{"template": "Goblin", "count": 20}]
    return do(position, "start_fight", faces=[20] + [1] * 20, enemies=enemies)


CROWD = crowd()


def fastest(run: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs, on the machine that the targets were set on."""
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds) / measure_slowdown()


def time_call(tool: str, **said: Json) -> float:
    def run() -> None:
        (ruling,) = judge(GAME, CROWD, [Call(tool, said)], MODEL, Fate(b"secret", 1)).rulings
        assert isinstance(ruling, Granted), ruling

    seconds = fastest(run)
    print(f"{tool}: {seconds * 1000:.1f} ms")
    return seconds


def test_a_roll_takes_less_than_100_milliseconds() -> None:
    assert time_call("roll_dice", expression="20d6+3") * MARGIN < ROLL_SECONDS


def test_a_check_takes_less_than_200_milliseconds() -> None:
    assert time_call("skill_check", skill="Stealth", difficulty=12, advantage=True) * MARGIN < CHECK_SECONDS


def test_an_operation_on_an_npc_takes_less_than_50_milliseconds() -> None:
    assert time_call("create_npc", name="Gruk", templateName="Goblin") * MARGIN < NPC_SECONDS
    assert time_call("update_npc", name="Extra 7", updates={"hp": 5}) * MARGIN < NPC_SECONDS
    assert time_call("remove_npc", name="Goblin 7") * MARGIN < NPC_SECONDS


def test_loading_a_rulebook_takes_less_than_half_a_second() -> None:
    files = {"System.md": BOOKS["seed_example"].read_text("utf-8")}

    def load() -> None:
        author_files._read_rules.cache_clear()
        author_files._read_labels.cache_clear()
        TABLETOP.slots(files)
        check_tools(TABLETOP, files)

    seconds = fastest(load)
    print(f"load: {seconds * 1000:.1f} ms")
    assert seconds * MARGIN < LOAD_SECONDS
    assert game_with().files_of(TABLETOP)
