"""What players read beside the story, in every shipped game and language: words, and none of a program's."""

import asyncio
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.faces.plain.plain_words import words_for
from talewright.faces.plain.view_text import show_cards, show_dice, show_happenings, show_status
from talewright.play.campaign_view import View
from tests.opened import opened

TURNS = 12
SEEDS = (3, 5)

OF_PROGRAMS = re.compile(
    r"\brand\b|\bp [01](?:\.|\b)"  # shares of one and what a program calls them
    r"|d\d+(?:kh|kl|adv|dis|ro|mi)|\bdropped\b"  # the notation of dice
    r"|\d[eE]-\d|(?<!\d)-0\b"  # numbers that nobody writes
    r"|[Mm]inute \d+|·分 \d|(?<!\d )日 \d"  # a hand of a clock
    r"|\b(?:no|否) (?:to|->|变为) (?:yes|是)|\bFlags\b|旗标"  # switches
    r"|[a-z]_[a-z]"  # ids
    r"|\bI\d+\b"  # invariants
)


def read_aloud(view: View) -> Iterator[str]:
    """Every line beside the story."""
    words = words_for(view.language)
    if view.turn is not None:
        yield from show_dice(view.turn, words)
        yield from show_happenings(view.turn, words)
    yield from show_status(view.status, words)
    for block in show_cards(view, words):
        yield from block


async def walk(saves: Path, game: str, language: str, seed: int) -> list[str]:
    """What is read on a random way through a game."""
    lobby = replace(open_lobby(saves, git=False), new_secret=lambda: bytes([seed]) * 32)
    session = await opened(lobby.begin(game, language, f"walk-{seed}"))
    rng, lines = random.Random(seed), list[str]()
    for _ in range(TURNS):
        view = await session.view()
        lines += read_aloud(view)
        if view.end is not None:
            break
        if view.decisions:
            await session.answer(view.decisions[0].id, view.decisions[0].options[0][0])
        else:
            await session.choose(rng.choice(view.choices).id)
    await session.close()
    return lines


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(
    "game", ["mist_harbor", "lantern_road", "chapel_watch", "goblin_road", "dusty_tankard", "solo"]
)
def test_players_read_no_words_of_programs(game: str, language: str, tmp_path: Path) -> None:
    for seed in SEEDS:
        lines = asyncio.run(walk(tmp_path, game, language, seed))
        assert len(lines) > TURNS, seed
        assert [line for line in lines if OF_PROGRAMS.search(line)] == [], seed
        if language == "zh-CN":
            # Names of skills and difficulties, stakes and labels are told in Chinese as well.
            assert [line for line in lines if re.search(r"[a-z]{4}", line)] == [], seed


def test_the_card_of_facts_gives_nothing_away(tmp_path: Path) -> None:
    async def main() -> None:
        session = await opened(open_lobby(tmp_path, git=False).begin("mist_harbor", "en", "facts"))
        view = await session.view()
        assert next(card.lines for card in view.cards if card.variable == "flags") == ("none",)
        assert not any("Sabotage" in line for line in read_aloud(view))
        await session.close()

    asyncio.run(main())
