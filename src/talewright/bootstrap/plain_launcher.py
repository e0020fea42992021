"""The launcher of the plain face: connects lobby, output and keyboard, and runs it.

The face decides what is played.
"""

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TextIO

from talewright.bootstrap.splash import PlayCommandOptions
from talewright.errors import TalewrightError
from talewright.faces.plain.app import PlainStartRequest, run_plain_face
from talewright.faces.plain.console import Keyboard, PlainConsole
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import words_for
from talewright.play.lobby import Lobby
from talewright.play.playable_games import OwnGameLibrary


async def nothing_to_close() -> None:
    """Do nothing: there are no connections to close."""


def play_plainly(
    lobby: Lobby,
    shelf: OwnGameLibrary | None,
    asked: PlayCommandOptions,
    sheet: PlainOutput,
    source: TextIO,
    shown: str,
    close: Callable[[], Awaitable[None]] = nothing_to_close,
) -> int:
    """Run the face for one player; return the exit code. `close` releases what the lobby has opened.

    Without a shelf, the games are elsewhere, and `asked` names one as the lobby does.
    """
    desk = PlainConsole(sheet, Keyboard(source), words_for(asked.language or asked.locale), shown)

    async def play() -> int:
        try:
            return await _play(lobby, shelf, asked, desk)
        finally:
            await close()

    return asyncio.run(play())


async def _play(
    lobby: Lobby, shelf: OwnGameLibrary | None, asked: PlayCommandOptions, desk: PlainConsole
) -> int:
    wishes = PlainStartRequest(
        game=asked.game,
        campaign=asked.campaign,
        language=asked.language,
        locale=asked.locale,
        new=asked.new,
        place=asked.server or str(asked.saves),
        options=_write_options(asked),
        debug=asked.debug,
    )
    if asked.game and shelf is not None:
        try:
            wishes = replace(wishes, game=shelf.admit(asked.game).game.id)
        except TalewrightError:
            # A campaign that was named explicitly must exist.
            if asked.campaign or asked.game not in {one.name for one in await lobby.campaigns()}:
                raise
            wishes = replace(wishes, game="", campaign=asked.game)
    return await run_plain_face(lobby, wishes, desk)


def _write_options(asked: PlayCommandOptions) -> str:
    """The options with which a command finds the same campaigns."""
    if asked.server:
        return f" --server {shlex.quote(asked.server)}"
    return f" --saves {shlex.quote(str(asked.saves))}" if asked.elsewhere else ""
