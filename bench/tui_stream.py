"""The table while a story streams in, beside Textual's own Markdown widget that is fed the same.

Each side is a process in a pseudo-terminal of its own, 100 by 30, whose output is read as it comes: ours is
the whole terminal face at the table of a campaign of 5,000 turns, all of them fetched and measured; the
other is `Markdown` in a `VerticalScroll`, fed through `MarkdownStream`, with an `Input` below it and nothing
above. Both are fed the same chunks, 200 a second; meanwhile keys are typed, each a character that was never
seen before, and the time until it comes out is taken. Sides are run in turn, each pair with another first.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Final, TypeAlias

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Markdown

from bench.figures import at_most, report
from talewright.faces.tui.app import TerminalApp
from talewright.faces.tui.launch_preferences import TerminalStartRequest
from talewright.faces.tui.story.story_column import find_guesses
from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.play.campaign_view import TurnView
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.session_inputs import Say
from tests.faces.tui.fakes import FakeHouse, FakeLobby, FakePast, FakeSession, delta
from tests.faces.tui.story.terminal import Terminal

SECONDS: Final = 60.0
PAIRS: Final = 2
CHUNKS_A_SECOND: Final = 200
KEYS_A_SECOND: Final = 5
CHUNK_LENGTH: Final = 5
TURNS: Final = 5_000
SETTLE_SECONDS: Final = 1.0
"""How long a side rests between being loaded and being fed."""

FIRST_KEY: Final = 0x4E00
"""The first of the characters that are typed, one after the other; the text has none of them."""

CPU_MAX: Final = 2.0
ECHO_MAX_MS: Final = 30.0
WORDS: Final = (
    "the fog comes in from the harbor and takes the lamps one by one while somebody counts coins on a wet "
    "bar and says nothing about the plant or the passage or the man in the grey raincoat who did not haggle"
).split()


def write_story(length: int, seed: int) -> str:
    """Prose with some marks in it, always the same."""
    chance = random.Random(seed)
    parts: list[str] = []
    size = 0
    while size < length:
        words = [chance.choice(WORDS) for _ in range(chance.randint(20, 90))]
        for _ in range(3):
            place = chance.randrange(len(words))
            words[place] = chance.choice(("*{}*", "**{}**", "{},", "{}.")).format(words[place])
        text = " ".join(words).capitalize() + "."
        kind = chance.random()
        if kind < 0.1:
            text = "\n".join(f"- {' '.join(words[at : at + 8])}" for at in range(0, len(words), 8))
        elif kind < 0.2:
            text = f"> {text}"
        parts.append(text)
        size += len(text) + 2
    return "\n\n".join(parts)[:length]


def cut(text: str) -> list[str]:
    """The text in the chunks both sides are fed."""
    return [text[at : at + CHUNK_LENGTH] for at in range(0, len(text), CHUNK_LENGTH)]


Take: TypeAlias = Callable[[str], Awaitable[None]]
"""Something that is fed a chunk."""


@dataclass
class Feed:
    """The chunks in their time, and what the process spent on them."""

    seconds: float
    channel: int
    """Where it is said that feeding begins, and at the end what it took."""

    async def pour(self, take: Take) -> None:
        """Feed one side."""
        chunks = cut(write_story(int(self.seconds * CHUNKS_A_SECOND) * CHUNK_LENGTH, seed=7))
        await asyncio.sleep(SETTLE_SECONDS)
        self.say({"fed": 0})
        spent, start = process_time(), perf_counter()
        for number, chunk in enumerate(chunks):
            await take(chunk)
            wait = start + (number + 1) / CHUNKS_A_SECOND - perf_counter()
            await asyncio.sleep(max(0.0, wait))
        self.say({"fed": len(chunks), "cpu": process_time() - spent, "seconds": perf_counter() - start})

    def say(self, message: dict[str, float]) -> None:
        """Tell the parent something."""
        os.write(self.channel, json.dumps(message).encode() + b"\n")


class Bare(App[None]):
    """Textual's own Markdown, fed as its documentation says."""

    CSS = "VerticalScroll { height: 1fr; } Input { dock: bottom; }"

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self._feed = feed

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Markdown()
        yield Input()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).anchor()
        self.query_one(Input).focus()
        self.run_worker(self.run_feed())

    async def run_feed(self) -> None:
        await self._feed.pour(Markdown.get_stream(self.query_one(Markdown)).write)


@dataclass
class Streaming(FakeSession):
    """A session whose next turn is told in chunks."""

    feed: Feed | None = None

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        assert self.feed is not None

        async def hear(chunk: str) -> None:
            self._heard.put_nowait(delta(chunk))

        await self.feed.pour(hear)
        await asyncio.Event().wait()
        return InputResult(ResultKind.COMMITTED)


class Ours(TerminalApp):
    """The terminal face; at the table it goes to the beginning once, back to the end, and takes a turn."""

    async def open_table(self, session: object) -> None:
        assert isinstance(session, Streaming)
        await super().open_table(session)
        self.run_worker(self.load(session))

    async def load(self, session: Streaming) -> None:
        """Have all turns really fetched and measured."""
        while not self.screen.query(StoryWidget):
            await asyncio.sleep(0.05)
        story = self.screen.query_one(StoryWidget)
        while not story.column.items:
            await asyncio.sleep(0.05)
        while len(story.column.items) < TURNS or find_guesses(story.column):
            story.action_scroll_home()
            await asyncio.sleep(0.05)
        story.scroll_end(animate=False)
        assert isinstance(self.screen, TableScreen)
        assert self.screen.parts is not None
        self.screen.parts.workers.take(Say("go on"))


def make_ours(feed: Feed) -> Ours:
    """Our side, with nothing behind the door but turns."""
    told = tuple(
        TurnView(f"c{number}", number, "go on", write_story(700, seed=number), events=("Something happens.",))
        for number in range(TURNS)
    )
    session = Streaming(past=FakePast(told=told), feed=feed)
    return Ours(FakeHouse(lobby=FakeLobby(session=session)).door(TerminalStartRequest(campaign="mist-1")))


@dataclass(frozen=True, slots=True)
class Run:
    """What one side came to."""

    cpu_seconds: float
    """Processor time from the first chunk to the last, which are the same for both."""

    echoes: Sequence[float]
    """Milliseconds from each key to its echo."""


def run_side(side: str, seconds: float) -> Run:
    """One side in a terminal of its own, with somebody who types."""
    command = (sys.executable, "-m", "bench.tui_stream", "--side", side, "--seconds", str(seconds))
    echoes: list[float] = []
    with Terminal(command, columns=100, rows=30) as terminal:
        terminal.wait_told()
        while (told := terminal.take_told()) is None:
            key = chr(FIRST_KEY + len(echoes))
            begun = perf_counter()
            terminal.write(key)
            echoes.append((terminal.wait_for(key, timeout_seconds=10.0) - begun) * 1e3)
            terminal.drain(max(0.0, begun + 1 / KEYS_A_SECOND - perf_counter()))
    result = json.loads(told)
    print(
        f"  {side}: {result['cpu']:.2f} s of CPU in {result['seconds']:.1f} s for {result['fed']} chunks, "
        f"echo {statistics.median(echoes):.1f} ms, p99 {p99(echoes):.1f} ms of {len(echoes)} keys",
        flush=True,
    )
    return Run(result["cpu"], echoes)


def p99(values: Sequence[float]) -> float:
    """The value that all but a hundredth stay under."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


def run_pairs(seconds: float, pairs: int) -> int:
    """Both sides in turn, and the figures."""
    runs: dict[str, list[Run]] = {"ours": [], "textual": []}
    for number in range(pairs):
        for side in list(runs)[:: 1 if number % 2 else -1]:
            runs[side].append(run_side(side, seconds))
    ratio = statistics.median(
        one.cpu_seconds / other.cpu_seconds for one, other in zip(runs["ours"], runs["textual"], strict=True)
    )
    ours, textual = (p99([echo for run in runs[side] for echo in run.echoes]) for side in runs)
    return report(
        [
            at_most("stream_cpu_vs_textual", ratio, CPU_MAX),
            at_most("key_echo_p99_beyond_textual_ms", ours - textual, ECHO_MAX_MS),
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tui_stream")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each side is fed")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--side", choices=("ours", "textual"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side is None:
        return run_pairs(given.seconds, given.pairs)
    feed = Feed(given.seconds, Terminal.channel())
    app: App[int] | App[None] = make_ours(feed) if given.side == "ours" else Bare(feed)
    app.run()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
