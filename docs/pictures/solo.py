"""Records the solo game: `python docs/pictures/solo.py` draws the `solo-*.svg` beside it.

The program runs in tmux, in the terminal and in the plain face, with a scripted storyteller that streams
words and tool calls over HTTP on this machine. The pictures are what the terminal showed; nothing of them is
touched up.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from solo_tale import Storyteller, Tale, Turn, read_tale
from terminal_album import Album, run_recorder
from terminal_drawing import Screen
from terminal_stage import Stage, begin_campaign, open_model, open_stage

from talewright_testkit.fake_provider.reply_script import ReplyPace

FOLDER = Path(__file__).parent
GAME = "solo"
SECRET = bytes([1, 31, *range(2, 32)])
"""Under which the dice fall as the tale tells it: a 5, a 4 and a 1."""

QUICK = ReplyPace(piece_characters=40)
"""How the storyteller speaks: a line at a time, without a pause; no picture is of the middle of a turn."""

LABELS = {
    "starts": "Without a model: three starts to choose from",
    "sheet": "Setup: a summary to confirm",
    "opening": "The opening scene, and everything you know beside it",
    "card": "A decision card before the roll: tags for and against, the odds, four options",
    "contested": "The same card contested: the player's reason, and the storyteller's new assessment",
    "dice": "The dice in the story, and the glitch they cost",
    "morning": "A morning: resist is back, a clock is full, and a condition can be removed",
    "mended": "The condition is removed, and the full clock restarts",
    "plain-setup": "Setup in plain text: the sheet, the confirmation, the opening scene",
    "plain-check": "A check in plain text: contested, reassessed, rolled",
    "plain-morning": "A morning in plain text, with /cards",
    "chinese": "A ready-made start in Chinese",
}
"""What each picture shows."""

ASKING = ("What do you do?", "Type a number", "Type a number to answer.")
"""What stands in the empty line of the terminal face when the player is waited for."""


def shows(text: str, words: str) -> bool:
    """Whether words stand on a screen, wherever its lines end."""
    return "".join(words.split()) in "".join(text.split())


def find_end(text: str) -> tuple[str, ...]:
    """The last two lines of a screen that are not empty."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())[-2:]


class Face(Protocol):
    """Somebody who plays at a stage."""

    async def take(self, turn: Turn) -> None:
        """Do what the player does."""

    async def rest(self, version: int) -> Screen:
        """Until a turn is told and the player is waited for."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Plays in the terminal face."""

    stage: Stage

    async def open(self) -> None:
        """Go to the campaign."""
        await self.stage.start("play", GAME, rows=34)

    async def take(self, turn: Turn) -> None:
        """Words are sent by Enter, a number takes effect at once, or asks for words first."""
        await self.stage.type(turn.typed)
        if turn.note:
            await self.write(turn.note)
        if turn.note or not turn.typed.isdecimal():
            await self.stage.press("Enter")

    async def write(self, note: str) -> Screen:
        """Write what is asked for beside an answer."""
        await self.stage.rest("Say it in your own words")
        await self.stage.type(note)
        return await self.stage.rest(lambda text: shows(text, note))

    async def rest(self, version: int) -> Screen:
        """The head line names the turn, and there is something to answer."""

        def waits(text: str) -> bool:
            asks = any(words in text for words in ASKING)
            return f"turn {version}" in text.partition("\n")[0] and asks

        return await self.stage.rest(waits)


@dataclass(slots=True)
class Plain:
    """Plays in the plain face."""

    stage: Stage
    seen: tuple[str, ...] = ()
    """The last lines that stood there when something was sent."""

    async def open(self) -> Screen:
        """Go to the campaign, in a terminal high enough to see much of it at once."""
        await self.stage.start("play", GAME, "--plain", columns=92, rows=60)
        return await self.rest(0)

    async def take(self, turn: Turn) -> None:
        """Everything is sent by Enter; where an answer asks for words, they have a line of their own."""
        await self.send(turn.typed)
        if turn.note:
            await self.rest(0)
            await self.send(turn.note)

    async def send(self, words: str) -> None:
        """Type a line."""
        await self.stage.type(words)
        self.seen = find_end((await self.stage.wait(lambda text: shows(text, words))).text)
        await self.stage.press("Enter")

    async def rest(self, version: int) -> Screen:
        """An empty prompt stands below something that was not there before."""

        def waits(text: str) -> bool:
            end = find_end(text)
            return end[-1:] == (">",) and end != self.seen

        return await self.stage.wait(waits)

    async def leave(self) -> None:
        """Leave by its command."""
        await self.stage.type("/quit")
        await self.stage.press("Enter")
        await self.stage.wait_gone()


async def play(face: Face, turns: tuple[Turn, ...], version: int) -> tuple[Screen, int]:
    """Take turns; what is seen after the last, and which turn that is."""
    assert turns
    for at, turn in enumerate(turns):
        if turn.typed:
            await face.take(turn)
        version += 1
        if at + 1 == len(turns) or turns[at + 1].typed:
            screen = await face.rest(version)
    return screen, version


async def play_in_terminal(stage: Stage, album: Album, tale: Tale) -> None:
    """The whole tale in the terminal face."""
    terminal = Terminal(stage)
    await terminal.open()
    await terminal.rest(1)
    sheet, version = await play(terminal, tale.turns("setup"), 1)
    opening, version = await play(terminal, tale.turns("opening"), version)
    assessed, contested, rolled = tale.turns("check")
    card, version = await play(terminal, (assessed,), version)
    album.keep("sheet", sheet)
    album.keep("opening", opening)
    album.keep("card", card)
    await stage.type(contested.typed)
    album.keep("contested", await terminal.write(contested.note))
    await stage.press("Enter")
    album.keep("contested", await terminal.rest(version + 1))
    dice, version = await play(terminal, (rolled,), version + 1)
    _, version = await play(terminal, tale.turns("day"), version)
    waking, mending = tale.turns("morning")
    morning, version = await play(terminal, (waking,), version)
    mended, _ = await play(terminal, (mending,), version)
    album.keep("dice", dice)
    album.keep("morning", morning)
    album.keep("mended", mended)
    await stage.leave()


async def play_plainly(stage: Stage, album: Album, tale: Tale) -> None:
    """The whole tale in the plain face."""
    plain = Plain(stage)
    await plain.open()
    screen, version = await play(plain, tale.turns("setup", "opening"), 1)
    album.keep("plain-setup", screen)
    screen, version = await play(plain, tale.turns("check"), version)
    album.keep("plain-check", screen)
    screen, version = await play(plain, tale.turns("day", "morning"), version)
    await plain.send("/cards")
    album.keep("plain-morning", await plain.rest(0))
    await plain.leave()


async def try_starts(stage: Stage, album: Album) -> None:
    """The door of the ready starts, with no model."""
    await stage.start("play", GAME, rows=40)
    album.keep("starts", await Terminal(stage).rest(1))
    await stage.leave()


async def play_in_chinese(stage: Stage, album: Album) -> None:
    """The first ready start in Chinese, with its first dice."""
    await stage.start("play", GAME, "--language", "zh-CN", rows=34)
    for turn in ("第 1 回合", "第 2 回合"):
        await stage.rest(turn)
        await stage.type("1")
    album.keep("chinese", await stage.rest("第 3 回合"))
    await stage.leave()


async def play_shortly(stage: Stage, album: Album, tale: Tale) -> None:
    """Setup and a contested check as plain text, then a card in the terminal: both faces, one campaign."""
    plain, terminal = Plain(stage), Terminal(stage)
    await plain.open()
    screen, version = await play(plain, tale.turns("setup", "opening"), 1)
    album.keep("plain-setup", screen)
    screen, version = await play(plain, tale.turns("check"), version)
    album.keep("plain-check", screen)
    await plain.leave()
    await terminal.open()
    album.keep("dice", await terminal.rest(version))
    screen, _ = await play(terminal, tale.turns("day")[:1], version)
    album.keep("card", screen)
    await stage.leave()


def make_album() -> Album:
    """An empty album for these pictures."""
    return Album("solo", LABELS)


async def record(home: Path, album: Album, short: bool) -> None:
    """Everything, each in a folder of its own; the short form plays fewer turns."""
    tale = read_tale()
    ways = [play_shortly] if short else [play_in_terminal, play_plainly]
    for way in ways:
        place = home / way.__name__
        place.mkdir()
        await begin_campaign(place, GAME, "en", SECRET)
        async with open_model(place, Storyteller(tale), QUICK), open_stage(place) as stage:
            await way(stage, album, tale)
    if not short:
        for language, look in (("en", try_starts), ("zh-CN", play_in_chinese)):
            place = home / language
            place.mkdir()
            await begin_campaign(place, GAME, language, SECRET)
            async with open_stage(place) as stage:
                await look(stage, album)


def main() -> int:
    """Record and write; the exit code."""
    return run_recorder("Record the pictures of the solo game.", make_album(), record)


if __name__ == "__main__":
    sys.exit(main())
