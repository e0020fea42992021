"""Recommendations: the models that authors wrote their games with, told where a player chooses one.

They are words for a person, and nothing is chosen by them.
"""

from collections.abc import Iterator

from talewright.cli.quotes import printable
from talewright.errors import TalewrightError
from talewright.play.playable_games import GameLibrary


def list_recommended(shelf: GameLibrary) -> Iterator[tuple[str, str]]:
    """Every game whose author names a model, and its words for it."""
    for info in shelf.games():
        try:
            named = shelf.edition(info.id).game.teller.recommended_model
        except TalewrightError:
            # A game that cannot be played recommends nothing; `talewright check` says what is wrong.
            continue
        if named:
            yield info.id, named


def tell_recommended(shelf: GameLibrary) -> Iterator[str]:
    """The same in lines; names of games and models are printed as they can be."""
    for game, named in list_recommended(shelf):
        yield f"{printable(game)} was written with {printable(named)}."
