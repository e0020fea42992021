"""Recommendations: what authors wrote their games with, as far as a game can be read."""

from dataclasses import replace

from talewright.cli.models_command import list_recommended, tell_recommended
from talewright.errors import TalewrightError
from talewright.kernel.game import TellerWishes
from talewright.turn.game_editions import Edition
from tests.play.making import HandShelf
from tests.play.scenes import room


class Broken(HandShelf):
    """A shelf whose games have faults by now."""

    def edition(self, game: str) -> Edition:
        raise TalewrightError("it has faults")


def shelve(shelf: HandShelf, named: str) -> HandShelf:
    made = room()
    shelf.put(replace(made, game=replace(made.game, teller=TellerWishes(named))))
    return shelf


def test_a_model_that_an_author_names() -> None:
    shelf = shelve(HandShelf(), "big\x1b-1")
    assert list(list_recommended(shelf)) == [("test", "big\x1b-1")]
    (line,) = tell_recommended(shelf)
    assert line.startswith("test was written for big")
    assert "\x1b" not in line


def test_games_that_name_none_and_games_that_cannot_be_read() -> None:
    assert list(list_recommended(shelve(HandShelf(), ""))) == []
    assert list(tell_recommended(shelve(Broken(), "big-1"))) == []
