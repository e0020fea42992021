"""Records the terminal face: `python docs/pictures/terminal.py` draws the `terminal-*.svg` beside it.

The program runs in tmux and is played by keys and mouse, with a scripted model that streams its answers over
HTTP on this machine. The pictures are what the terminal showed; nothing of them is touched up.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from terminal_album import Album, run_recorder
from terminal_stage import PausableClock, Stage, UnseenError, begin_campaign, open_model, open_stage
from terminal_tale import MODEL, Tale, Turn, read_tale

from talewright.faces.tui.words.history_words import history_words

FOLDER = Path(__file__).parent

HISTORY = history_words("en")

LABELS = {
    "first-run": "The first run: games that need no model, and setting one up",
    "lobby": "The lobby: campaigns with their last line, turn, storyteller and cost, and the games",
    "table": "The table: status bar, story, choices with hint and risk, cards beside them",
    "streaming": "In the middle of a turn: the story appears as the model writes it",
    "dice": "Dice in the story: what was rolled, each die, and the result",
    "card": "The history of one card: a curve, and the reason for every change",
    "tree": "The tree of a campaign with two branches",
    "compare": "Two branches side by side, and how they differ",
    "inspector": "The inspector, for authors: everything that is recorded about a turn",
    "help": "The help page lists the keys of a screen",
    "palette": "The command palette",
    "medium": "The table at 80 by 24",
    "narrow": "The table at 60 by 20: story and cards are two tabs",
    "crash": "After the program was killed in the middle of a turn",
    "chinese": "Lantern Road in Chinese",
    "themes": "The four themes: dark, light, high contrast, safe for colour blindness",
}
"""What each picture shows."""

SHORT_TURNS = 3
"""Turns of the short form, which a test runs."""

STREAMED = "Sixteen-forty"
BROKEN_OFF = "Your knuckles"
"""Words in mid-reply: at the first a picture is taken, at the second the program is killed."""

FORKED_AT = 5
"""The turn from which the second branch goes."""


def at_turn(turn: str, waiting: str) -> Callable[[str], bool]:
    """Whether the head line names a turn and the table waits for the player."""
    return lambda text: turn in text.partition("\n")[0] and waiting in text


def is_streaming(text: str) -> bool:
    """Whether the reply is seen in the middle, with all around it drawn."""
    return all(words in text for words in (STREAMED, "Writing the story", "You can type ahead"))


async def take(stage: Stage, turn: Turn) -> None:
    """Do what the player does."""
    await stage.type(turn.typed)
    if not turn.is_choice:
        await stage.press("Enter")


async def play(stage: Stage, album: Album, tale: Tale, turns: int, clock: PausableClock) -> None:
    """Play Mist Harbor from the lobby on."""
    await stage.start()
    await stage.wait("turn 1")
    await stage.press("Enter")
    await stage.rest(at_turn("turn 1", "What do you do?"))
    for number, turn in enumerate(tale.harbor[:turns], 2):
        if number == 2:
            with clock.paused_after(turn.answer, STREAMED):
                await take(stage, turn)
                album.keep("streaming", await stage.wait(is_streaming))
        else:
            await take(stage, turn)
        screen = await stage.rest(at_turn(f"turn {number}", "What do you do?"))
        name = {3: "dice", 5: "table"}.get(number)
        if name is not None:
            album.keep(name, screen)


async def look_back(stage: Stage, album: Album, tale: Tale) -> None:
    """A card's history by mouse; then a second branch, the tree, two ways compared, and the inspector."""
    column, row = await stage.find("▾ Suspicion")
    await stage.click(column + 4, row)
    album.keep("card", await stage.rest("newest first"))
    await stage.press("Escape")
    await stage.rest("What do you do?")
    # The click has left the focus on the card; this brings it back to the line.
    await stage.press("Escape")
    await stage.rest("What do you do?")
    await stage.press("F3")
    await point_at(stage, f"turn {FORKED_AT}")
    await stage.press("b")
    await stage.wait(HISTORY.fork_name)
    await stage.type("docks")
    await stage.press("Enter")
    await stage.rest(at_turn("branch docks", "What do you do?"))
    await take(stage, tale.otherwise)
    await stage.rest(at_turn(f"turn {FORKED_AT + 1}", "What do you do?"))
    await stage.press("F3")
    album.keep("tree", await stage.rest("you are here"))
    turn = len(tale.harbor) + 2
    last = f"turn {turn}"
    await point_at(stage, last)
    await stage.press("c")
    album.keep("compare", await stage.rest("Differences"))
    await stage.press("Escape")
    await stage.wait("Story tree")
    await stage.press("i")
    await stage.rest("This spoils the game")
    await stage.press("Tab")
    await stage.press("Enter")
    album.keep("inspector", await stage.rest(HISTORY.inspector.format(turn=turn)))
    await stage.press("Escape")
    await stage.rest("Story tree")


async def point_at(stage: Stage, turn: str) -> None:
    """Move the cursor of the tree until it tells of a turn."""
    await stage.rest("Story tree")
    for _ in range(40):
        told = (await stage.rest("Story tree")).text.split("\n")
        if any(line.strip().startswith(turn + " ") for line in told[-6:]):
            return
        await stage.press("Up")
    raise UnseenError(f"the tree does not show {turn}")


async def change_habits(stage: Stage, album: Album) -> None:
    """Help, palette, the four themes and smaller terminals."""
    await stage.press("F1")
    album.keep("help", await stage.rest("In the input line"))
    await stage.press("Escape")
    await stage.wait("What do you do?")
    for name in ("dark", "light", "high contrast", "safe for colour blindness"):
        if name != "dark":
            await choose_command(stage, f"Colours: {name}")
        album.keep("themes", await stage.rest("What do you do?"))
    await choose_command(stage, "Colours: dark")
    await stage.press("C-p")
    album.keep("palette", await stage.rest("What would you like to do?"))
    await stage.press("Escape")
    await stage.rest("What do you do?")
    await shrink(stage, album)
    await stage.resize(100, 30)
    await stage.rest("What do you do?")


async def choose_command(stage: Stage, name: str) -> None:
    """Find a command in the palette and carry it out."""
    await stage.press("C-p")
    await stage.wait("What would you like to do?")
    await stage.type(name)
    await stage.rest(lambda text: text.count(name) > 1)
    await stage.press("Enter")
    await stage.rest(lambda text: name not in text and "What do you do?" in text)


async def shrink(stage: Stage, album: Album) -> None:
    """Smaller terminals: 80 by 24, and 60 by 20 with its two tabs."""
    await stage.resize(80, 24)
    album.keep("medium", await stage.rest("Cards"))
    await stage.resize(60, 20)
    # Its last line ends with this key at every size; until it is redrawn, the end is cut off.
    story = await stage.rest(lambda text: "^q quit" in text.rpartition("\n")[2])
    await stage.press("F2")
    cards = await stage.rest(lambda text: "▾ Suspicion" in text and "What do you do?" not in text)
    album.keep("narrow", story, cards)
    await stage.press("F2")
    await stage.wait("What do you do?")


async def crash(stage: Stage, album: Album, tale: Tale, clock: PausableClock) -> None:
    """Kill the program in the middle of a turn, start it again and go on."""
    turn = tale.broken_off
    with clock.paused_after(turn.answer, BROKEN_OFF):
        await take(stage, turn)
        await stage.wait(BROKEN_OFF)
        await stage.kill()
    await stage.start("play", "mist_harbor")
    screen = await stage.rest("Your last turn was not finished")
    album.keep("crash", screen)
    await stage.press("1")
    await stage.rest(lambda text: "does not count" in text and "What do you do?" in text)


async def play_in_chinese(stage: Stage, album: Album, tale: Tale) -> None:
    """Three turns of Lantern Road."""
    await stage.start("play", "lantern_road", "--language", "zh-CN")
    await stage.rest(at_turn("第 1 回合", "你要做什么？"))
    for number, turn in enumerate(tale.road, 2):
        await take(stage, turn)
        await stage.rest(at_turn(f"第 {number} 回合", "你要做什么？"))
    album.keep("chinese", await stage.look())
    await stage.leave()


def make_album() -> Album:
    """An empty album for these pictures."""
    return Album("terminal", LABELS)


async def record(home: Path, album: Album, short: bool) -> None:
    """Everything, in the order in which it is played; the short form has three turns."""
    tale = read_tale()
    first, second = home / "first", home / "second"
    first.mkdir()
    second.mkdir()
    async with open_stage(first) as stage:
        await stage.start()
        album.keep("first-run", await stage.rest("Welcome to Talewright"))
        await stage.leave()
    await begin_campaign(second, "mist_harbor", "en")
    async with open_model(second, tale) as clock, open_stage(second) as stage:
        await play(stage, album, tale, SHORT_TURNS if short else len(tale.harbor), clock)
        await (shrink if short else change_habits)(stage, album)
        await crash(stage, album, tale, clock)
        if not short:
            await look_back(stage, album, tale)
        await stage.leave()
        if not short:
            await play_in_chinese(stage, album, tale)
        await stage.start()
        campaigns = 1 if short else 2
        album.keep("lobby", await stage.rest(lambda text: text.count(MODEL) == campaigns))
        await stage.leave()


def main() -> int:
    """Record and write; the exit code."""
    return run_recorder("Record the pictures of the terminal face.", make_album(), record)


if __name__ == "__main__":
    sys.exit(main())
