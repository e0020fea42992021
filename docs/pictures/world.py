"""Draws living worlds: `python docs/pictures/world.py` draws `world-timeline.svg` and `world-knowledge.svg`.

Two games are really played, without a model: walking about, waiting and talking, one choice after the other.
The pictures are what `talewright world --svg` draws of these campaigns; nothing is touched up.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from talewright.bootstrap import open_game_library, open_lobby
from talewright.cli import main
from tests.opened import opened

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
SECRET = bytes(range(32))
"""Under which life off-screen goes as in the pictures."""


@dataclass(frozen=True, slots=True)
class Run:
    """A campaign, and what is drawn of it."""

    picture: str
    game: Path
    choices: tuple[str, ...]
    """What the player does."""


RUNS = (
    Run(
        "timeline",
        ROOT / "games" / "dusty_tankard",
        (
            *("bed", "sum", "praise", "talk-prewitt", "wait", "go-lock", "push", "wait", "go-taproom"),
            *("talk-hob", "wait-long", "wait", "talk-ibby", "go-lock", "talk-prewitt", "talk-prewitt"),
            "wait",
        ),
    ),
    Run(
        "knowledge",
        ROOT / "tests" / "plays" / "games" / "crossing",
        (
            *("talk-grim", "go-square", "talk-sera", "wait", "wait", "wait", "go-inn", "talk-sera", "wait"),
            *("wait-long", "go-square", "go-mill", "talk-sera", "wait-long", "go-square", "go-inn"),
            *("talk-grim", "wait"),
        ),
    ),
)


async def play(run: Run, saves: Path) -> None:
    """Play a campaign. What is not offered in a turn is replaced by waiting."""
    shelf = open_game_library()
    game = shelf.admit(str(run.game)).game.id
    lobby = open_lobby(saves, shelf=shelf, git=False, language="en", secret=SECRET)
    session = await opened(lobby.begin(game, campaign=run.picture))
    for choice in run.choices:
        offered = {one.id for one in (await session.view()).choices}
        names = (choice, f"world.{choice}")
        await session.choose(next((name for name in names if name in offered), "world.wait"))
    await session.close()


def draw(run: Run, saves: Path) -> int:
    """Draw the picture of a campaign, beside this file."""
    with tempfile.TemporaryDirectory() as drawn:
        code = main(["world", run.picture, "--saves", str(saves), "--svg", drawn])
        shutil.copy(Path(drawn) / f"{run.picture}.svg", FOLDER / f"world-{run.picture}.svg")
    return code


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ["TALEWRIGHT_HOME"] = home
        codes = []
        for each in RUNS:
            asyncio.run(play(each, Path(home) / "saves"))
            codes.append(draw(each, Path(home) / "saves"))
        sys.exit(max(codes))
