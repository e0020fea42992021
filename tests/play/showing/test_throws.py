"""Throws: pool and faces as the kernel told them, read back; and nothing out of other words."""

import pytest

from talewright.kernel.chance import Fate
from talewright.kernel.dice import parse, roll
from talewright.kernel.documents import Json
from talewright.play.showing.throws import FACES_MAX, TEXT_LENGTH_MAX, Thrown, read_thrown, read_words

DICE = (
    *("2d6", "d20adv", "4d6kh3+1", "6d10s>=8", "4dF", "(d8+1)*2", "2d6[fire] + d4 [ice]", "d%"),
    *("3d6e", "2d6ro<3", "2d6mi3", "-(d6)", "4d6e kl2".replace(" ", ""), "500d6"),
)


@pytest.mark.parametrize("text", DICE)
def test_the_words_of_the_kernel_are_read_back(text: str) -> None:
    for seed in range(20):
        rolled = roll(parse(text), Fate(b"dice", seed))
        faces = tuple(face.shown for throw in rolled.throws for die in throw.dice for face in die.faces)
        read = read_words(str(rolled))
        assert read.faces == faces[:FACES_MAX], (seed, str(rolled))
        assert read.pool.replace(" ", "") == text.replace(" ", ""), seed
        assert read_thrown({"text": str(rolled)}) == read
        assert read_thrown({**rolled.to_json(), "text": "in other words"}) == Thrown(text, read.faces), seed


@pytest.mark.parametrize(
    "text",
    ["", "d6 = 4", "You roll a die (4).", "2d6 (three, four) = 7", "2d6 () = 0", "5 = 5", "2d6 (3, 4 = 7"],
)
def test_other_words_have_no_dice(text: str) -> None:
    assert read_words(text) == Thrown()


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"text": 5},
        {"text": "d6 (3) = 3" + " " * TEXT_LENGTH_MAX},
        {"dice": "d6", "throws": 3, "text": "x"},
        {"dice": 6, "throws": []},
    ],
)
def test_what_is_not_as_it_should_be_says_nothing(facts: dict[str, Json]) -> None:
    assert read_thrown(facts) == Thrown()


def test_members_that_are_no_dice_are_passed_over() -> None:
    throws: Json = ["x", {"dice": 3}, {"dice": ["x", {"faces": [1, {"face": "x"}, {"face": 4}]}]}]
    assert read_thrown({"dice": "d6", "throws": throws}) == Thrown("d6", (4,))
