"""Plain app: from the menu of games and campaigns into one of them, and finally to an exit code.

`play` finds the requested campaign; `command_loop` plays it.
"""

import asyncio
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from talewright.errors import TalewrightError
from talewright.faces.plain.command_loop import PlainFace
from talewright.faces.plain.command_parser import NumberedOffer, QuitCommand, TellCommand, read_line
from talewright.faces.plain.console import PlainConsole
from talewright.faces.plain.plain_output import HANGING
from talewright.faces.plain.plain_words import words_for
from talewright.faces.plain.view_text import show_offers
from talewright.play.campaign_lookup import begin_game, find_campaign
from talewright.play.lobby import CampaignInfo, GameInfo, Lobby
from talewright.play.session import Session

FAILED = 1
"""The exit code after an unexpected error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainStartRequest:
    """The player's options at startup."""

    game: str = ""
    """The id of a game; empty asks the player."""

    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The terminal's language, used if the player names none and the game has it."""

    new: bool = False
    place: str = ""
    """Where campaigns are saved, as shown to the player."""

    options: str = ""
    """Options a command needs to find the same campaigns."""

    debug: bool = False
    """Whether an unexpected error is shown with its traceback."""


async def run_plain_face(lobby: Lobby, wishes: PlainStartRequest, desk: PlainConsole) -> int:
    """Open a campaign, play it, and return the exit code."""
    try:
        session = await _open_campaign(lobby, wishes, desk)
        if session is None:
            return 0
        try:
            return await _play(lobby, session, wishes, desk)
        finally:
            await session.close()
    except (TalewrightError, BrokenPipeError):
        raise
    except Exception as error:
        if wishes.debug:
            traceback.print_exc()
        name = type(error).__name__
        told = desk.words.wrong.format(error=f"{name}: {error}" if str(error) else name)
        desk.sheet.block([told, desk.words.wrong_hint])
        return FAILED


async def _play(lobby: Lobby, session: Session, wishes: PlainStartRequest, desk: PlainConsole) -> int:
    view = await session.view()
    desk.words = words_for(view.language)
    begun = session.opening is not None and view.version <= 1
    receipt = (await lobby.details(view.campaign)).receipt if begun else ""
    face = PlainFace(session, desk)
    # Ctrl-C stops a running turn, and otherwise quits; where signals cannot be handled, it ends the program.
    with suppress(RuntimeError, ValueError):
        _on_interrupt(asyncio.get_running_loop(), face.interrupt)
    await face.play()
    words = desk.words
    if receipt:
        # Not under the opening, where it would stand between the player and the story.
        desk.sheet.block([words.receipt.format(campaign=view.campaign), receipt])
    kept = words.kept.format(campaign=view.campaign, place=wishes.place)
    desk.sheet.block([kept, words.goodbye.format(campaign=view.campaign, options=wishes.options)])
    # Scripts must be able to tell a damaged campaign from one that was played.
    return FAILED if view.read_only else 0


def _on_interrupt(loop: asyncio.AbstractEventLoop, react: Callable[[], None]) -> None:
    """Call a function in the loop at Ctrl-C."""

    def relay(number: int, frame: object) -> None:
        if loop.is_closed():
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(react)

    try:
        loop.add_signal_handler(signal.SIGINT, react)
    except NotImplementedError:
        # The loops of Windows cannot.
        signal.signal(signal.SIGINT, relay)


async def _open_campaign(lobby: Lobby, wishes: PlainStartRequest, desk: PlainConsole) -> Session | None:
    """Open the requested campaign; None if the player quits."""
    if not wishes.game and not wishes.campaign:
        chosen = await _ask_campaign(lobby, wishes, desk)
        if chosen is None:
            return None
        wishes = chosen
    game, campaign = wishes.game, wishes.campaign
    found = find_campaign(await lobby.campaigns(), game=game, campaign=campaign, new=wishes.new)
    if found is not None:
        if not campaign:
            words = words_for(found.language)
            desk.sheet.block([words.going_on.format(campaign=found.name, game=found.game)])
        return await lobby.open(found.name)
    return await begin_game(
        lobby, game=game, campaign=campaign, language=wishes.language, locale=wishes.locale
    )


async def _ask_campaign(
    lobby: Lobby, wishes: PlainStartRequest, desk: PlainConsole
) -> PlainStartRequest | None:
    """Let the player pick a game or a campaign; None if they quit."""
    words, sheet = desk.words, desk.sheet
    campaigns, games = await lobby.campaigns(), await lobby.games()
    entries: list[PlainStartRequest] = [replace(wishes, campaign=one.name) for one in campaigns]
    entries += [replace(wishes, game=game.id, new=True) for game in games]
    if not entries:
        raise TalewrightError(words.no_games)
    lines = [_describe_campaign(one, desk) for one in campaigns] + [_describe_game(game) for game in games]
    # An entry is looked up by its number; the command itself is only a placeholder.
    offers = tuple(NumberedOffer(line, TellCommand(str(number))) for number, line in enumerate(lines))
    numbered = show_offers(offers)
    if campaigns:
        sheet.block([words.campaigns, *numbered[: len(campaigns)]], HANGING)
    if games:
        sheet.block([words.games, *numbered[len(campaigns) :]], HANGING)
    sheet.block([words.menu])
    while True:
        line = await desk.ask()
        if line is None:
            return None
        deed = read_line(line, offers, words)
        if isinstance(deed, QuitCommand):
            return None
        if isinstance(deed, TellCommand) and deed.message.isdecimal():
            return entries[int(deed.message)]
        sheet.block([deed.message if isinstance(deed, TellCommand) else words.menu])


def _describe_campaign(one: CampaignInfo, desk: PlainConsole) -> str:
    at = one.at[:16].replace("T", " ")
    text = desk.words.campaign.format(title=one.title, campaign=one.name, at=at)
    return desk.words.damaged.format(text=text) if one.damaged else text


def _describe_game(game: GameInfo) -> str:
    return f"{game.title} ({game.id}; {', '.join(game.languages)})"
