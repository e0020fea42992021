"""Play on a server: connects the plain face and the terminal to a remote lobby, with the right token.

The address and the token are checked before a face starts. Nothing is stored on this machine but the player's
preferences.
"""

import asyncio
import getpass
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from talewright.bootstrap.splash import PlayCommandOptions
from talewright.common.frozen_values import frozen
from talewright.common.language_tags import locale_language
from talewright.config.access_token import TOKEN, find_token, find_token_file
from talewright.errors import SettingsError
from talewright.faces.plain.plain_output import PlainOutput
from talewright.pack.user_folders import UserFolders
from talewright.remote.remote_lobby import RemoteLobby
from talewright.remote.server_address import read_address
from talewright.remote.server_connection import RetryRules

if TYPE_CHECKING:
    from talewright.faces.tui.launch_preferences import TerminalLaunch

FIRST_ANSWER_SECONDS = 5.0
"""How long to try to reach the server before a face starts."""

PROMPT = "Token of the server: "


@frozen
class ServerAccess:
    """A server, and the token for it."""

    url: str
    token: str

    def open_lobby(self, language: str = "", retry: RetryRules | None = None) -> RemoteLobby:
        """The lobby of the server."""
        return RemoteLobby(self.url, self.token, language=language, retry=retry)


def find_access(
    server: str, environment: Mapping[str, str], ask: Callable[[str], str] | None = None
) -> ServerAccess:
    """The token for a server: from the environment, from the file of this machine, or from the user.

    The file is for servers on this machine: its token is never sent to any other server.
    """
    address = read_address(server)
    file = find_token_file(environment, Path.home()) if address.is_near else None
    found = find_token(environment, file)
    if found is not None:
        return ServerAccess(address.url, found.key.reveal())
    if ask is None:
        raise SettingsError("the token of the server is not known", f"Set {TOKEN} to it.")
    if not address.is_near and not address.is_encrypted:
        print("The connection to this server is not encrypted: others may read the token.", file=sys.stderr)
    return ServerAccess(address.url, ask(PROMPT).strip())


def choose_prompt() -> Callable[[str], str] | None:
    """How to ask for a token; None if there is no one to ask."""
    return getpass.getpass if sys.stdin.isatty() else None


def settle_request(access: ServerAccess, asked: PlayCommandOptions) -> PlayCommandOptions:
    """Find out whether the server has what was asked for; a name may be that of a campaign.

    Raises TalewrightError if the server does not answer or refuses the token.
    """

    async def look() -> PlayCommandOptions:
        lobby = access.open_lobby(retry=RetryRules(FIRST_ANSWER_SECONDS))
        try:
            games = {one.id for one in await lobby.games()}
            if not asked.game or asked.campaign or asked.game in games:
                return asked
            named = asked.game in {one.name for one in await lobby.campaigns()}
            return replace(asked, game="", campaign=asked.game) if named else asked
        finally:
            await lobby.close()

    return asyncio.run(look())


def play_plainly_there(
    asked: PlayCommandOptions, environment: Mapping[str, str], sheet: PlainOutput, source: TextIO
) -> int:
    """Play in the plain face; return the exit code."""
    access = find_access(asked.server, environment, choose_prompt())
    asked = settle_request(access, asked)
    lobby = access.open_lobby(asked.language)
    from talewright.bootstrap.plain_launcher import play_plainly

    return play_plainly(lobby, None, asked, sheet, source, "", lobby.close)


def open_terminal_there(
    asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str]
) -> int:
    """Play in the terminal face; return the exit code."""
    access = find_access(asked.server, environment, choose_prompt())
    door = make_remote_door(access, settle_request(access, asked), places, environment)
    from talewright.faces.tui.app import run_terminal

    return run_terminal(door)


def make_remote_door(
    access: ServerAccess, asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str]
) -> "TerminalLaunch":
    """What the terminal face starts with."""
    from talewright.bootstrap.terminal_launcher import TerminalAssembly
    from talewright.faces.tui.launch_preferences import TerminalLaunch, TerminalServices, TerminalStartRequest

    asked = replace(asked, locale=asked.locale or locale_language(environment))
    house = TerminalAssembly(asked, places, environment, None)

    def enter() -> TerminalServices:
        lobby = access.open_lobby(asked.language)
        return TerminalServices(lobby, lobby.models, lobby.close)

    return TerminalLaunch(
        enter=enter,
        preferences=house.preferences,
        keep=house.keep,
        wishes=TerminalStartRequest(
            game=asked.game,
            campaign=asked.campaign,
            language=asked.language,
            locale=house.preferences.language or asked.locale,
            new=asked.new,
            place=access.url,
        ),
    )
