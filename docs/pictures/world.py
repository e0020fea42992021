"""Draws a living world: `python docs/pictures/world.py` draws `world-timeline.svg` and `world-knowledge.svg`.

A game is really played, without a model: a day of walking about, waiting and talking, one choice after the
other. The pictures are what `talewright world --svg` draws of that campaign; nothing is touched up.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from talewright.bootstrap import open_lobby
from talewright.cli import main
from tests.opened import opened

FOLDER = Path(__file__).parent
GAME = FOLDER.parents[1] / "tests" / "plays" / "games" / "crossing"
CAMPAIGN = "evening"
SECRET = bytes(range(32))
"""Under which life off-screen goes as in the pictures."""

CHOICES = (
    *("talk-grim", "go-square", "talk-sera", "wait", "wait", "wait", "go-inn", "talk-sera", "wait"),
    *("wait-long", "go-square", "go-mill", "talk-sera", "wait-long", "go-square", "go-inn"),
    *("talk-grim", "wait"),
)
"""What the player does."""


async def play(saves: Path) -> None:
    """Play the campaign. What is not offered in a turn is replaced by waiting."""
    session = await opened(
        open_lobby(saves, git=False, language="en", secret=SECRET).begin(str(GAME), campaign=CAMPAIGN)
    )
    for choice in CHOICES:
        offered = {one.id for one in (await session.view()).choices}
        wanted = f"world.{choice}"
        await session.choose(wanted if wanted in offered else "world.wait")
    await session.close()


def draw(saves: Path) -> int:
    """Draw the pictures of the campaign, beside this file."""
    with tempfile.TemporaryDirectory() as drawn:
        code = main(["world", CAMPAIGN, "--saves", str(saves), "--svg", drawn])
        for file in Path(drawn).iterdir():
            shutil.copy(file, FOLDER / f"world-{file.name}")
    return code


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ["TALEWRIGHT_HOME"] = home
        asyncio.run(play(Path(home) / "saves"))
        sys.exit(draw(Path(home) / "saves"))
