"""Campaign lookup: finds or starts the campaign for a game name, a campaign name or both.

If neither is given, the face asks the player; nothing is asked here.
"""

import re
from collections.abc import Awaitable, Callable, Container, Sequence
from difflib import get_close_matches
from typing import TypeVar

from talewright.chronicle.store import CAMPAIGN_NAME_LENGTH_MAX, NameTakenError, UnknownCampaignError
from talewright.common.language_tags import pick_language, pick_told_language
from talewright.errors import TalewrightError
from talewright.play.lobby import CampaignInfo, Lobby
from talewright.play.session import Session

Made = TypeVar("Made")

NAMES_TRIED_MAX = 32
"""How many numbered names a new campaign tries while others take them; then it gets a random one."""

_UNFIT = re.compile("[^a-z0-9_-]+")
RANDOM_LENGTH = 8
"""Characters of an id that make the name of a campaign unique."""

_END_LENGTH = RANDOM_LENGTH + 1
"""Characters reserved for the end of a campaign's name: a hyphen, and a number or a part of an id."""


class UnknownLanguageError(TalewrightError):
    """A game is not available in a language."""


def find_campaign(
    campaigns: Sequence[CampaignInfo], *, game: str, campaign: str, new: bool
) -> CampaignInfo | None:
    """The named campaign, or the game's last playable one; None if a new one is to be started."""
    if not campaign:
        return None if new else next((one for one in campaigns if one.game == game and not one.damaged), None)
    named = next((one for one in campaigns if one.name == campaign), None)
    if named is None and not game:
        near = get_close_matches(campaign, [one.name for one in campaigns], 1)
        hint = f"Did you mean {near[0]}?" if near else "Run `talewright play` alone to list the campaigns."
        raise UnknownCampaignError(f"there is no campaign {campaign!r}", hint)
    if named is not None and game and named.game != game:
        raise NameTakenError(
            f"the campaign {named.name!r} belongs to the game {named.game}, not to {game}",
            "Choose another name for the new campaign, or leave out the game.",
        )
    if named is not None and new:
        raise NameTakenError(f"a campaign named {named.name!r} already exists", "Choose another name.")
    return named


async def begin_game(lobby: Lobby, *, game: str, campaign: str, language: str, locale: str) -> Session:
    """Start a campaign in the requested language, or in the terminal's if the game has it.

    Otherwise it is in English, or else in the game's first language.
    """
    infos = [info for info in await lobby.games() if info.id == game]
    told = infos[0].languages if infos else ()
    picked = pick_language(language, told)
    if language and not picked and told:
        raise UnknownLanguageError(
            f"this game is not available in {language!r}", f"It is available in {', '.join(told)}."
        )
    return await lobby.begin(game, picked or language or pick_told_language(locale, told), campaign)


def name_stem(game: str) -> str:
    """How the names of a game's campaigns begin."""
    return _UNFIT.sub("-", game.lower())[: CAMPAIGN_NAME_LENGTH_MAX - _END_LENGTH]


def number_campaign(game: str, taken: Container[str]) -> str:
    """A name for a new campaign: `<game>-<n>`, the first that is free."""
    stem, number = name_stem(game), 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


async def take_free_name(
    make: Callable[[str], Awaitable[Made]],
    taken: set[str],
    pick: Callable[[set[str]], str],
    pick_random: Callable[[], str],
) -> Made:
    """Make a campaign without a given name; others may be taking the same names at the same time."""
    for _ in range(NAMES_TRIED_MAX):
        name = pick(taken)
        try:
            return await make(name)
        except NameTakenError:
            taken = taken | {name}
    return await make(pick_random())
