"""Killed in mid-turn: the real program in a real terminal is ended with no warning, and started again.

The campaign opens where it was, what was said is offered, and going on commits it once.
"""

import asyncio
from pathlib import Path

import pytest

from talewright.bootstrap import open_store
from talewright.chronicle.records import Commit
from tests.faces.tui.stalling import stall, write_settings
from tests.faces.tui.watched import Watched, make_environment, run_command

pytestmark = pytest.mark.process

CAMPAIGN = "mist_harbor-1"
SAID = "I hum an old tune"
TOLD = "The lamp gutters. Somebody at the far table hums along, a third below, and then thinks better of it."
BEGUN = "Mist Harbor, ten past eight in the evening."
PLAY = ("play", "mist_harbor", "--language", "en", "--no-git")


def read_commits(saves: Path) -> list[Commit]:
    async def run() -> list[Commit]:
        book = await open_store(saves, git=False).open(CAMPAIGN)
        try:
            return [record async for record in book.records() if isinstance(record, Commit)]
        finally:
            await book.close()

    return asyncio.run(run())


@pytest.mark.parametrize("words", [PLAY, ()], ids=["named", "from the lobby"])
def test_kill_in_mid_turn_loses_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = make_environment(home)
    with stall(TOLD) as oracle:
        write_settings(home, oracle)
        with Watched(PLAY, environment) as first:
            first.see(BEGUN, "turn 1")
            first.write(f"{SAID}\r")
            first.see("The lamp gutters.")
            assert "thinks better of it" not in first.screen.text
            first.kill()
        assert len(oracle.asked) == 1
        assert [commit.version for commit in read_commits(home / "saves")] == [0, 1]

        oracle.stalls = False
        with Watched(words, environment) as second:
            if not words:
                second.see("Your campaigns", "Mist Harbor Echoes", "turn 1")
                second.write("\r")
            second.see("Your last turn was not finished", SAID, "turn 1")
            assert len(oracle.asked) == 1, "nothing is asked before the player wants it"
            second.write("1")
            second.see("thinks better of it", "turn 2")
            assert second.leave() == 0
    commits = read_commits(home / "saves")
    assert [commit.version for commit in commits] == [0, 1, 2]
    assert [commit.body.get("input") for commit in commits].count({"kind": "say", "text": SAID}) == 1
    run_command(("verify", CAMPAIGN), environment)
