"""Records a fight: `python docs/pictures/fight.py` draws the `fight-*.svg` beside it.

Goblin Road is played without a model, in tmux and by keys, until its first fight is over. Only the secret of
the dice is handed in. The pictures are what the terminal showed; nothing of them is touched up.
"""

import re
import sys
from pathlib import Path

from terminal_album import Album, run_recorder
from terminal_drawing import Screen
from terminal_stage import Stage, UnseenError, begin_campaign, open_stage

LABELS = {
    "check": "A roll in the story: the dice, the chance of every total, and the outcome",
    "begun": "A fight begins: initiative, and everybody in order with their hit points",
    "round": "A round of a fight: the player acts, then everybody else",
    "narrow": "The same fight at 80 by 24: the order stands above the story",
    "plain": "A fight in plain text",
    "over": "The end of the fight, and what it brought",
    "chinese": "A fight in Chinese",
}
"""What each picture shows."""

SECRET = bytes(range(32, 64))
GAME = "goblin_road"
TO_THE_FIGHT = {
    "en": ("A drover", "long crowbar", "Say nothing", "Lay a track", "Look at the sand", "Crack the whip"),
    "zh-CN": ("赶牲口的", "长撬棍", "好好看看他", "铺条道", "看沙", "甩一鞭子"),
}
"""Words in the labels of the choices that lead to the first fight."""

CHECKED_AT = 3
"""Which of these choices is decided by a check."""

ATTACK = {"en": "Attack Road Goblin", "zh-CN": "攻击筑路地精"}
FIGHTS = {"en": "Fight, round", "zh-CN": "战斗，第"}
WAITS = {"en": "words of a choice", "zh-CN": "选项里的话"}
"""What the input line says when the table waits for the player."""

TURNS_MAX = 15
"""How long the fight may last; with the dice of this secret it is shorter."""


def find_number(screen: Screen, label: str) -> str:
    """The number of a choice, by words of its label."""
    found = re.search(rf"^\s*(\d)  [^\n│]*{re.escape(label)}", screen.text, re.MULTILINE)
    if found is None:
        raise UnseenError(f"no choice has {label!r} in it\n{screen.text}")
    return found[1]


async def choose(stage: Stage, screen: Screen, label: str, language: str) -> Screen:
    """Take a choice, and wait until the next turn stands."""
    head = screen.text.partition("\n")[0]
    await stage.press(find_number(screen, label))
    return await stage.rest(lambda text: text.partition("\n")[0] != head and WAITS[language] in text)


async def reach_fight(stage: Stage, album: Album, language: str) -> Screen:
    """Play from the first turn to the first of the fight."""
    screen = await stage.rest(WAITS[language])
    for at, label in enumerate(TO_THE_FIGHT[language]):
        screen = await choose(stage, screen, label, language)
        if at == CHECKED_AT and language == "en":
            album.keep("check", screen)
    return screen


async def fight(stage: Stage, album: Album, screen: Screen) -> None:
    """Fight until it is over, and look at it in a small terminal on the way."""
    album.keep("begun", screen)
    screen = await choose(stage, screen, ATTACK["en"], "en")
    album.keep("round", screen)
    await stage.resize(80, 24)
    album.keep("narrow", await stage.rest("Story"))
    await stage.resize(100, 30)
    screen = await stage.rest(FIGHTS["en"])
    for _ in range(TURNS_MAX):
        screen = await choose(stage, screen, ATTACK["en"], "en")
        if FIGHTS["en"] not in screen.text:
            album.keep("over", screen)
            return
    raise UnseenError("the fight does not end")


async def look_plainly(stage: Stage, album: Album) -> None:
    """A turn of the fight, played once more in plain text."""
    await stage.start("play", "--plain", "--campaign", f"{GAME}-1", columns=100, rows=30)
    await stage.rest("> ")
    await stage.type("/undo 2")
    await stage.press("Enter")
    await stage.rest(ATTACK["en"])
    await stage.type("4")
    await stage.press("Enter")
    album.keep("plain", await stage.rest(FIGHTS["en"]))
    await stage.type("/quit")
    await stage.press("Enter")
    await stage.wait_gone()


async def record(home: Path, album: Album, short: bool) -> None:
    """Both languages; the short form stops when the fight has begun."""
    await begin_campaign(home, GAME, "en", SECRET)
    async with open_stage(home) as stage:
        await stage.start("play", "--campaign", f"{GAME}-1")
        screen = await reach_fight(stage, album, "en")
        if short:
            album.keep("begun", screen)
            await stage.leave()
            return
        await fight(stage, album, screen)
        await stage.leave()
        await look_plainly(stage, album)
    await begin_campaign(home, GAME, "zh-CN", SECRET)
    async with open_stage(home) as stage:
        await stage.start("play", "--campaign", f"{GAME}-2", "--language", "zh-CN")
        screen = await reach_fight(stage, album, "zh-CN")
        album.keep("chinese", await choose(stage, screen, ATTACK["zh-CN"], "zh-CN"))
        await stage.leave()


def make_album() -> Album:
    """An album for these pictures."""
    return Album("fight", LABELS)


def main() -> int:
    """Record and write; the exit code."""
    return run_recorder("Record a fight of Goblin Road.", make_album(), record)


if __name__ == "__main__":
    sys.exit(main())
