"""The stage: the real program in a real terminal (tmux), and a model that answers over a real wire.

It types, waits and looks. Nothing of the program is replaced; only the secret of the dice is handed in, by
beginning the campaign beforehand, so that they fall the same in every recording.
"""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from terminal_drawing import Screen
from terminal_tale import MODEL

from talewright.bootstrap import open_game_library, open_lobby
from talewright.pack.user_folders import UserFolders
from talewright_testkit.fake_provider.fake_clock import LoopClock
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.vendor_dialects import LLAMA_CPP
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.opened import opened

ROOT = Path(__file__).parents[2]
SECRET = bytes(range(32))

PACE = ReplyPace(piece_characters=5, gap_seconds=0.03)
"""How the model speaks: so many characters at a time, with a pause between."""

PIECES_MORE = 6
"""So many pieces after the words that are waited for, the model pauses: first events carry no text."""

WAIT_SECONDS_MAX = 120.0
"""How long the stage waits for something to be seen, on a machine that has much else to do."""

LOOK_SECONDS = 0.1
"""Between two looks at the screen."""

LOOKS_STILL = 4
"""So often the screen must look the same before it is called still."""

NO_TMUX = "tmux is not installed here; the terminal is recorded in it"


class UnseenError(Exception):
    """What was waited for did not come."""


class Teller(Protocol):
    """Whoever speaks for the model."""

    def answer(self, asked: ParsedRequest) -> str | FakeAnswer:
        """What the model says to a request, and which tools it calls."""


@dataclass(slots=True)
class Stage:
    """A terminal with the program in it."""

    home: Path
    """The folder of the player: settings and campaigns."""

    columns: int = 100
    rows: int = 30
    command: tuple[str, ...] = ("talewright",)

    async def tmux(self, *words: str) -> str:
        """Have tmux do something; what it says."""
        # The path of a socket may not be long; from its own folder its name is enough.
        command = ("tmux", "-S", "tmux", "-f", os.devnull, *words)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, cwd=self.home)
        out, wrong = await process.communicate()
        if process.returncode:
            raise UnseenError(f"tmux {' '.join(words)}: {wrong.decode(errors='replace').strip()}")
        return out.decode()

    async def start(self, *words: str, columns: int = 100, rows: int = 30) -> None:
        """Start the program in a terminal of a size; what ran there before is gone."""
        self.columns, self.rows, self.command = columns, rows, ("talewright", *words)
        script = Path(sys.executable).with_name("talewright")
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TALEWRIGHT_HOME": str(self.home),
            "TERM": "tmux-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "PYTHONUTF8": "1",
        }
        # A checkout that is not installed is found the way this script found it.
        variables |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
        named = [f"{name}={value}" for name, value in variables.items()]
        size = ("-x", str(columns), "-y", str(rows))
        await self.tmux(
            "new-session", "-d", *size, "-c", str(self.home), "env", "-i", *named, str(script), *words
        )

    async def resize(self, columns: int, rows: int) -> None:
        """Make the terminal larger or smaller while the program runs."""
        self.columns, self.rows = columns, rows
        await self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    async def press(self, *keys: str) -> None:
        """Press keys, as tmux names them."""
        await self.tmux("send-keys", *keys)

    async def type(self, text: str) -> None:
        """Type words."""
        await self.tmux("send-keys", "-l", text)

    async def click(self, column: int, row: int) -> None:
        """Press and let go of the left mouse button, as a terminal tells it; counted from 1."""
        for end in "Mm":
            await self.type(f"\x1b[<0;{column};{row}{end}")

    async def look(self) -> Screen:
        """What is seen now."""
        captured = await self.tmux("capture-pane", "-e", "-N", "-p")
        return Screen(self.columns, self.rows, captured, " ".join(self.command))

    async def wait(self, is_seen: Callable[[str], bool] | str) -> Screen:
        """Look until something is seen: words, or what a question about the words holds true of."""
        asked = is_seen if callable(is_seen) else lambda text: str(is_seen) in text
        screen = await self.look()
        for _ in range(int(WAIT_SECONDS_MAX / LOOK_SECONDS)):
            if asked(screen.text):
                return screen
            await asyncio.sleep(LOOK_SECONDS)
            screen = await self.look()
        raise UnseenError(f"never seen: {is_seen}\n{screen.text}")

    async def rest(self, is_seen: Callable[[str], bool] | str) -> Screen:
        """The same, and then until nothing moves any more."""
        screen, still = await self.wait(is_seen), 0
        while still < LOOKS_STILL:
            await asyncio.sleep(LOOK_SECONDS)
            before, screen = screen, await self.look()
            still = still + 1 if screen == before else 0
        return screen

    async def find(self, words: str) -> tuple[int, int]:
        """Column and row where words stand, counted from 1."""
        lines = (await self.wait(words)).text.split("\n")
        row = next(at for at, line in enumerate(lines) if words in line)
        return lines[row].index(words) + 1, row + 1

    async def kill(self) -> None:
        """Kill the program, as a crash or a power cut would."""
        os.kill(int(await self.tmux("display-message", "-p", "#{pane_pid}")), signal.SIGKILL)
        await self.wait_gone()

    async def leave(self) -> None:
        """Leave the program by its key."""
        await self.press("C-q")
        await self.wait_gone()

    async def wait_gone(self) -> None:
        """Until the program has ended, and the terminal with it."""
        for _ in range(int(WAIT_SECONDS_MAX / LOOK_SECONDS)):
            try:
                await self.tmux("has-session")
            except UnseenError:
                return
            await asyncio.sleep(LOOK_SECONDS)
        raise UnseenError("the program does not end")


@asynccontextmanager
async def open_stage(home: Path) -> AsyncIterator[Stage]:
    """A stage in an empty folder, while the block runs; whatever runs on it ends with it."""
    if shutil.which("tmux") is None:
        raise UnseenError(NO_TMUX)
    stage = Stage(home)
    try:
        yield stage
    finally:
        with suppress(UnseenError):
            await stage.tmux("kill-server")


class PausableClock(LoopClock):
    """A clock that can stop the model in mid-reply, so that a slow machine sees the same as a fast one."""

    def __init__(self) -> None:
        self._gaps_left = -1
        self._resumed = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        """Wait between two pieces; if this is where the model pauses, until it is resumed."""
        await super().sleep(seconds)
        self._gaps_left -= 1
        if self._gaps_left == 0:
            await self._resumed.wait()

    @contextmanager
    def paused_after(self, answer: str, words: str, pace: ReplyPace = PACE) -> Iterator[None]:
        """Have the next reply pause a few pieces after these words, until the block ends."""
        spoken = answer.index(words) + len(words)
        self._gaps_left = len(list(pace.pieces(answer[:spoken]))) + PIECES_MORE
        self._resumed.clear()
        try:
            yield
        finally:
            self._gaps_left = -1
            self._resumed.set()


@asynccontextmanager
async def open_model(home: Path, teller: Teller, pace: ReplyPace = PACE) -> AsyncIterator[PausableClock]:
    """A model that tells a tale while the block runs, and the settings of a player who has set it up."""
    clock = PausableClock()
    async with serve(
        Wire.OPENAI, teller.answer, dialect=LLAMA_CPP, pace=pace, models=(MODEL,), clock=clock
    ) as server:
        settings = f"""\
model = "home"

[models.home]
base_url = "{server.url}/v1"
model = "{MODEL}"
prices = {{ input = 0.25, output = 2.0 }}
"""
        (home / "settings.toml").write_text(settings, "utf-8")
        yield clock


async def begin_campaign(home: Path, game: str, language: str, secret: bytes = SECRET) -> None:
    """Begin a campaign whose dice fall as in every recording."""
    places = UserFolders(home / "saves", home / "cache", (ROOT / "games",))
    lobby = open_lobby(
        places.saves, shelf=open_game_library(places, language), git=False, language=language, secret=secret
    )
    await (await opened(lobby.begin(game, language))).close()
