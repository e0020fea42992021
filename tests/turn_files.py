"""Which files of the package one turn enters: Mist Harbor, told by a model on the OpenAI wire.

The turn runs as the program runs it, from the player's words to the result, with its store on disk. What is
only imported does not count; what is called does.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import yaml

from talewright.bootstrap import open_lobby, open_provider_factory
from talewright.play.session import InputResult, ResultKind
from talewright_testkit.fake_provider.fake_server import KEY, serve
from talewright_testkit.fake_provider.reply_script import FakeAnswer
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.opened import opened

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "talewright"
PLAY = ROOT / "tests" / "plays" / "01_harbor_first_turn.yaml"
MODEL = "gpt-4.1-mini"

ONCE = "common/frozen_values.py"
"""Makes methods of a class on first use: whether this turn enters it depends on what ran before."""


class FileCounter:
    """Notes every file of the package in which a function is called, the fakes for tests left out."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        self.files.add(frame.f_code.co_filename)

    def entered(self) -> list[str]:
        """Their paths beneath the package."""
        paths = [Path(name) for name in self.files]
        inside = [path.relative_to(PACKAGE) for path in paths if path.is_relative_to(PACKAGE)]
        files = (path.as_posix() for path in inside if path.parts[0] != "testing")
        return sorted(file for file in files if file != ONCE)


async def count_files(home: Path) -> list[str]:
    """Play one turn and list the files it entered."""
    turn = yaml.safe_load(PLAY.read_text("utf-8"))["turns"][1]
    answer = FakeAnswer(json.dumps(turn["replies"][0]["answer"], ensure_ascii=False))
    async with serve(Wire.OPENAI, lambda asked: answer) as server:
        environment = {
            "TALEWRIGHT_HOME": str(home),
            "TALEWRIGHT_MODEL": MODEL,
            "TALEWRIGHT_BASE_URL": f"{server.url}/v1",
            "TALEWRIGHT_API_KEY": KEY,
        }
        factory = open_provider_factory(environment)
        # With a cache of its own: conditions of a game that is read from a cache are parsed on first use.
        with patch.dict(os.environ, environment):
            lobby = open_lobby(home / "saves", git=False, language="zh-CN", factory=factory)
            session = await opened(lobby.begin("mist_harbor"))
        counter = FileCounter()
        sys.settrace(counter)
        try:
            result: InputResult = await session.say(turn["say"])
        finally:
            sys.settrace(None)
        await session.close()
        await factory.close()
    assert result.kind is ResultKind.COMMITTED, result
    return counter.entered()


def main() -> None:
    """Print the files, one a line."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        files = asyncio.run(count_files(Path(name)))
    print("\n".join(files))
    print(f"{len(files)} files")


if __name__ == "__main__":
    main()
