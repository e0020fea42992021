"""The album: pictures under their names, taken on a tour through the face.

A tour knows the way; what it is taken with stands in `camera`.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from textual.pilot import Pilot

from talewright.faces.tui.launch_preferences import TerminalLaunch
from tests.faces.tui.camera import SIZE, PosedApp, see, take

Tour = Callable[["Album"], Coroutine[Any, Any, None]]


@dataclass
class Album:
    """The pictures of one language."""

    language: str
    pictures: dict[str, str] = field(default_factory=dict)

    @property
    def is_chinese(self) -> bool:
        return self.language == "zh-CN"

    def pick(self, english: str, chinese: str) -> str:
        """Words in the language of this album."""
        return chinese if self.is_chinese else english

    async def add(self, pilot: Pilot[Any], name: str, *words: str) -> None:
        """A picture of the screen, once these words stand on it."""
        await see(pilot, *words)
        full = f"{name}.{self.language}"
        assert full not in self.pictures, full
        self.pictures[full] = await take(pilot)


@asynccontextmanager
async def visit(door: TerminalLaunch, size: tuple[int, int] = SIZE) -> AsyncIterator[Pilot[Any]]:
    """The app behind a door."""
    app = PosedApp(door)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield pilot


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
