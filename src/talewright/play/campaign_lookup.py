"""Campaign lookup: which campaign is meant by the name of a game, a campaign or both; else a new one.

Whoever names nothing is asked by the face; nobody is asked here.
"""

from collections.abc import Sequence
from difflib import get_close_matches

from talewright.chronicle.store import NameTakenError, UnknownCampaignError
from talewright.common.language_tags import pick_language, pick_told_language
from talewright.errors import TalewrightError
from talewright.play.lobby import CampaignInfo, Lobby
from talewright.play.session import Session


class UnknownLanguageError(TalewrightError):
    """A game is not told in a language."""


def find_campaign(
    campaigns: Sequence[CampaignInfo], *, game: str, campaign: str, new: bool
) -> CampaignInfo | None:
    """The named campaign, or the last one of the game that can be played; None where one is to be begun."""
    if not campaign:
        return None if new else next((one for one in campaigns if one.game == game and not one.damaged), None)
    named = next((one for one in campaigns if one.name == campaign), None)
    if named is None and not game:
        near = get_close_matches(campaign, [one.name for one in campaigns], 1)
        hint = f"Did you mean {near[0]}?" if near else "`talewright play` alone lists what there is."
        raise UnknownCampaignError(f"there is no campaign {campaign!r}", hint)
    if named is not None and game and named.game != game:
        raise NameTakenError(
            f"the campaign {named.name!r} is one of {named.game}, not of {game}",
            "Choose another name for the new campaign, or leave out the game.",
        )
    if named is not None and new:
        raise NameTakenError(f"a campaign named {named.name!r} already exists", "Choose another name.")
    return named


async def begin_game(lobby: Lobby, *, game: str, campaign: str, language: str, locale: str) -> Session:
    """Begin a campaign in the language that was asked for, or that of the terminal where the game has it.

    Where the terminal names none that it has, it is told in English, or else in its first language.
    """
    infos = [info for info in await lobby.games() if info.id == game]
    told = infos[0].languages if infos else ()
    picked = pick_language(language, told)
    if language and not picked and told:
        raise UnknownLanguageError(
            f"this game is not told in {language!r}", f"It is told in {', '.join(told)}."
        )
    return await lobby.begin(game, picked or language or pick_told_language(locale, told), campaign)
