"""A turn is finished by another process from its recorded steps, byte for byte as by one."""

import asyncio
import random
import shutil
from pathlib import Path

import pytest

from tests.plays.recorded_steps import SteppedStage, unlike
from tests.plays.scripts import Play, read_plays

STEPS_MAX = 40
"""Steps a turn may have."""

PLAYS = [play for play in read_plays() if not play.is_long]
LONG_PLAYS = [play for play in read_plays() if play.is_long]
WITH_DICE = {"09_moves_first", "11_decision", "16_undo_and_otherwise"}
"""Some of the plays in which dice are rolled."""

SEED = 12
"""Decides after which steps the turns of long plays end."""


async def _perform(stage: SteppedStage, *, fresh: bool = False) -> list[bytes]:
    if not fresh:
        await stage.perform()
        return await stage.records()
    for number, turn in enumerate(stage._play.turns, 1):
        await stage._perform_turn(turn, f"turn-{number}")
    return await stage.records()


async def _prepare(play: Play, root: Path, *, fresh: bool) -> int:
    """Make once what is the same in every performance; with fresh fate nothing comes before the play."""
    stage = SteppedStage(play, root, 0, fresh=fresh)
    if not fresh:
        return await stage.prepare()
    await stage._found()
    await stage._leave()
    return 0


@pytest.mark.parametrize("fresh", [False, True], ids=["fixed", "fresh"])
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_finished_by_another_process_after_any_step(play: Play, fresh: bool, tmp_path: Path) -> None:
    async def run() -> None:
        ids = await _prepare(play, tmp_path / "prepared", fresh=fresh)

        def copy(name: str, number: int) -> SteppedStage:
            shutil.copytree(tmp_path / "prepared", tmp_path / name)
            return SteppedStage(play, tmp_path / name, number, fresh=fresh, prepared=ids)

        straight = copy("straight", 0)
        wanted = await _perform(straight, fresh=fresh)
        if fresh and not any(b'"draws"' in record for record in wanted):
            # Without dice, fresh fate is no other fate.
            assert play.name not in WITH_DICE
            return
        for number in range(1, STEPS_MAX):
            stage = copy(str(number), number)
            found = await _perform(stage, fresh=fresh)
            assert unlike(found, wanted) == []
            assert len(found) == len(wanted)
            assert stage.repeated == []
            # Every ask was made once, in whichever process.
            assert len(stage.asked) == len(straight.asked)
            if not stage.ended:
                return
        raise AssertionError("no end to the steps")

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("play", LONG_PLAYS, ids=lambda play: play.name)
def test_long_plays_finished_by_another_process_after_some_step(play: Play, tmp_path: Path) -> None:
    print(f"seed {SEED}")
    numbers = random.Random(SEED)

    async def run() -> None:
        straight = SteppedStage(play, tmp_path / "straight", 0)
        wanted = await _perform(straight)
        # A turn has at least a beginning, an ask or a commit; what lies behind its last step ends nothing.
        stage = SteppedStage(play, tmp_path / "ended", iter(lambda: numbers.randint(1, 3), None))
        found = await _perform(stage)
        assert unlike(found, wanted) == []
        assert len(found) == len(wanted)
        assert stage.repeated == []
        assert len(stage.asked) == len(straight.asked)
        assert stage.ended > len(play.turns) / 2

    asyncio.run(run())
