"""Offers: what lies on the table after a turn, and everything the authored choices may be called by."""

from talewright.contract.answers import Offer
from talewright.kernel.state.state import Position
from talewright.kernel.story.scenes_and_endings import Risk
from talewright.turn.bodies import Offered
from talewright.turn.matching import Candidate
from talewright.turn.offers import lay_out, name_all
from tests.turn.stories import GAME, stand, tower

TEXTS = tower().words("en")
IN_HALL = stand(scene="hall")
IN_FINALE = stand(scene="hall", finale="dawn")
OF_HALL = (
    Offered("climb", "Climb the stair", "It is steep.", "low", "scenes"),
    Offered("jump", "Jump into the dark"),
    Offered("dice", "Throw a die"),
)
OF_FINALE = (
    Offered("fly", "Fly", "It is far down.", "high", "finale"),
    Offered("stay", "Stay", "", "medium", "finale"),
)
SUGGESTED = (Offer("sing", "Sing", "Softly.", Risk.HIGH, ("voice",)), Offer("climb", "Go up there"))


def laid(position: Position, *suggested: Offer) -> tuple[Offered, ...]:
    return lay_out(GAME, TEXTS, position, suggested)


def test_the_choices_of_the_scene() -> None:
    assert laid(IN_HALL) == OF_HALL
    assert laid(stand(scene="hall", coins=0))[1] == Offered("beg", "Beg", risk="high")
    assert laid(stand()) == ()


def test_what_the_teller_suggests_and_the_authors_words_for_what_is_theirs() -> None:
    assert laid(IN_HALL, *SUGGESTED) == (Offered("sing", "Sing", "Softly.", "high", "model"), OF_HALL[0])
    assert laid(stand(), *SUGGESTED)[1] == Offered("climb", "Go up there", source="model")


def test_a_finale_offers_its_routes_alone() -> None:
    assert laid(IN_FINALE) == OF_FINALE
    assert laid(IN_FINALE, *SUGGESTED) == OF_FINALE


def test_nothing_after_the_end() -> None:
    assert laid(stand(scene="hall", ending="flown"), *SUGGESTED) == ()
    assert laid(stand(scene="hall", finale="dawn", ending="flown")) == ()


def test_what_choices_are_called() -> None:
    assert name_all(GAME, TEXTS, IN_HALL) == (
        Candidate("climb", ("Climb the stair", "take the stairs")),
        Candidate("jump", ("Jump into the dark",)),
        Candidate("dice", ("Throw a die",)),
    )
    assert name_all(GAME, TEXTS, IN_FINALE) == (
        Candidate("fly", ("Fly", "spread your arms")),
        Candidate("stay", ("Stay",)),
    )
    assert name_all(GAME, TEXTS, stand()) == ()
