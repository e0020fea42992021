"""Records an evening with a model of one's own: draws the `own-model-*.svg` beside it.

Run it from the project's folder: `PYTHONPATH=. python docs/pictures/own_model.py`.

The model is a real one, SmolLM2-135M on llama.cpp with one thread (`make models`). The program runs in tmux,
set up with one command and played by keys. What the model tells is different in every recording.
"""

import sys
from pathlib import Path

from terminal_album import Album, run_recorder
from terminal_stage import Stage, UnseenError, open_stage

from tests.models.server_process import MODEL
from tests.models.serving import MISSING, find_weights, serve_model

LABELS = {
    "setup": "talewright setup asks the server what it can do",
    "waiting": "While the model reads: what it is doing, for how long, and a key that goes on without it",
    "told": "A turn told by the model: the story is its own, the numbers are the game's",
    "skipped": "After F8: the game's own scene told the turn, and a line says why",
}
"""What each picture shows."""

WAITED_SECONDS = 3
"""How long the picture of a wait has waited."""


async def set_up(stage: Stage, album: Album, url: str) -> None:
    """Set the model up as a player does, in one command."""
    await stage.start("setup", "--base-url", url, "--model", MODEL, columns=100, rows=10)
    await stage.tmux("set-option", "-g", "remain-on-exit", "on")
    await stage.tmux("set-option", "-g", "remain-on-exit-format", "")
    album.keep("setup", await stage.rest("To play:"))
    await stage.tmux("kill-server")


async def play(stage: Stage, album: Album) -> None:
    """Two turns of Lantern Road: one by the model, one without it."""
    await stage.start("play", "lantern_road")
    await stage.rest("What do you do?")
    await stage.press("1")
    album.keep("waiting", await stage.wait(f" {WAITED_SECONDS} s"))
    album.keep("told", await stage.rest(lambda text: "turn 2" in text and "What do you do?" in text))
    await stage.press("1")
    await stage.wait(f" {WAITED_SECONDS} s")
    await stage.press("F8")
    await stage.rest(lambda text: "turn 3" in text and "What do you do?" in text)
    await stage.press("PageDown")
    album.keep("skipped", await stage.rest("turn 3"))
    await stage.leave()


async def record(home: Path, album: Album, short: bool) -> None:
    """Set up, then play."""
    weights = find_weights()
    if weights is None:
        raise UnseenError(MISSING)
    with serve_model(weights, threads=1) as served:
        async with open_stage(home) as stage:
            await set_up(stage, album, served.url)
        async with open_stage(home) as stage:
            await play(stage, album)


def main() -> int:
    """Record and write; the exit code."""
    return run_recorder("Record an evening with a small model.", Album("own-model", LABELS), record)


if __name__ == "__main__":
    sys.exit(main())
