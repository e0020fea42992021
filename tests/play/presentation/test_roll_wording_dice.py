"""Throws: pool and faces as the kernel told them, read back; and nothing out of other words."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll
from talewright.play.presentation.dice_wording import TEXT_LENGTH_MAX
from talewright.play.presentation.roll_wording import (
    BEFORE_LENGTH_MAX,
    FACES_MAX,
    Thrown,
    read_thrown,
    read_words,
)

DICE = (
    *("2d6", "d20adv", "4d6kh3+1", "6d10s>=8", "4dF", "(d8+1)*2", "2d6[fire] + d4 [ice]", "d%"),
    *("2 + 3 [x] + d6", "((2+3)*2-d6)[all]*2", "2*(4 + 2d6 - (d4+1))", "1+" * 99 + "d6"),
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
    ("text", "thrown"),
    [
        ("4 action against 2 danger: 2d6 (5, 3) = 5. Yes, but...", Thrown("2d6", (5, 3))),
        ("行动 4 对危险 2：2d6 (5, 3) = 5。是，但……", Thrown("2d6", (5, 3))),
        ("Of 3 2d6 (1, 2) + 1 = 4 = enough", Thrown("2d6 + 1", (1, 2))),
        ("He throws - d6 (2) [a = b] * 2 = 4", Thrown("d6 [a = b] * 2", (2,))),
        ("You d6 (2) = 2, the guard d8 (7) = 7", Thrown("d6, d8", (2, 7))),
        ("d6 (2) + luck = 4", Thrown("d6", (2,))),
        ("2d6 (3, 4)", Thrown("2d6", (3, 4))),
        ("(" * 15_000 + "d6 (2)" + " [" * 2_000, Thrown("(" * BEFORE_LENGTH_MAX + "d6", (2,))),
    ],
)
def test_only_what_is_the_pool_is_its_name(text: str, thrown: Thrown) -> None:
    assert read_words(text) == thrown


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
