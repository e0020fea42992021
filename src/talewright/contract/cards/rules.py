"""The rules of the cards dialect, and what a repair demands.

The same game and language give the same bytes; nothing of a running campaign stands in them.
"""

from talewright.contract.cards.words import CHINESE, ENGLISH, Words
from talewright.contract.dialect import Ground
from talewright.contract.writable import list_places, sketch
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Flaw

PLACES_LISTED_MAX = 150
"""Paths that the rules list; a game with more shows the others with the state."""


def cards_rules(game: Game, language: str) -> str:
    """What the model is told once about how to answer."""
    words = _choose(language)
    return words.rules + _describe_end(game, words) + _list_places(game, words)


def cards_demand(flaws: tuple[Flaw, ...], ground: Ground) -> str:
    """What a repair says: what was wrong, and what is wanted now; without flaws the latter alone."""
    words = _choose(ground.language)
    if ground.updates_only:
        wanted = words.again_updates
    elif ground.moves_only:
        wanted = words.again_moves
    else:
        wanted = words.again
    wrong = [words.wrong, *(f"- {flaw.message}" for flaw in flaws)] if flaws else []
    return "\n".join([*wrong, wanted])


def _describe_end(game: Game, words: Words) -> str:
    # A finale is no ending itself: its routes lead to the endings.
    endings = [
        name for ending in game.endings for name in ([route.ending for route in ending.finale] or [ending.id])
    ]
    if not (game.model_may_end and endings):
        return words.may_not_end
    return words.may_end.format(endings=", ".join(dict.fromkeys(endings)))


def _list_places(game: Game, words: Words) -> str:
    places = list_places(game)
    if not places:
        return words.no_places
    lines = "".join(f"- {place.path}: {sketch(place.slot)}\n" for place in places[:PLACES_LISTED_MAX])
    more = len(places) - PLACES_LISTED_MAX
    return words.places + lines + (words.more_places.format(count=more) if more > 0 else "")


def _choose(language: str) -> Words:
    """The words of a language; all but Chinese have the English ones."""
    return CHINESE if language.startswith("zh") else ENGLISH
