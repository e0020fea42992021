"""Offers: what lies on the table after a turn, and everything the authored choices may be called by."""

from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.state.state import Position
from talewright.kernel.story.scenes import Risk
from talewright.turn.inputs.player_choices import ChoiceCandidate, lay_out, name_all
from talewright.turn.records.commit_body import OfferedChoice
from tests.turn.stories import GAME, stand, tower

TEXTS = tower().words("en")
IN_HALL = stand(scene="hall")
IN_FINALE = stand(scene="hall", finale="dawn")
OF_HALL = (
    OfferedChoice("climb", "Climb the stair", "It is steep.", "low", "scenes"),
    OfferedChoice("jump", "Jump into the dark"),
    OfferedChoice("dice", "Throw a die"),
)
OF_FINALE = (
    OfferedChoice("fly", "Fly", "It is far down.", "high", "finale"),
    OfferedChoice("stay", "Stay", "", "medium", "finale"),
)
SUGGESTED = (
    SuggestedChoice("sing", "Sing", "Softly.", Risk.HIGH, ("voice",)),
    SuggestedChoice("climb", "Go up there"),
)


def laid(position: Position, *suggested: SuggestedChoice) -> tuple[OfferedChoice, ...]:
    return lay_out(GAME, TEXTS, position, suggested)


def test_the_choices_of_the_scene() -> None:
    assert laid(IN_HALL) == OF_HALL
    assert laid(stand(scene="hall", coins=0))[1] == OfferedChoice("beg", "Beg", risk="high")
    assert laid(stand()) == ()


def test_what_the_teller_suggests_and_the_authors_words_for_what_is_theirs() -> None:
    assert laid(IN_HALL, *SUGGESTED) == (
        OfferedChoice("sing", "Sing", "Softly.", "high", "model"),
        OF_HALL[0],
    )
    assert laid(stand(), *SUGGESTED)[1] == OfferedChoice("climb", "Go up there", source="model")


def test_a_finale_offers_its_routes_alone() -> None:
    assert laid(IN_FINALE) == OF_FINALE
    assert laid(IN_FINALE, *SUGGESTED) == OF_FINALE


def test_nothing_after_the_end() -> None:
    assert laid(stand(scene="hall", ending="flown"), *SUGGESTED) == ()
    assert laid(stand(scene="hall", finale="dawn", ending="flown")) == ()


def test_what_choices_are_called() -> None:
    assert name_all(GAME, TEXTS, IN_HALL) == (
        ChoiceCandidate("climb", ("Climb the stair", "take the stairs")),
        ChoiceCandidate("jump", ("Jump into the dark",)),
        ChoiceCandidate("dice", ("Throw a die",)),
    )
    assert name_all(GAME, TEXTS, IN_FINALE) == (
        ChoiceCandidate("fly", ("Fly", "spread your arms")),
        ChoiceCandidate("stay", ("Stay",)),
    )
    assert name_all(GAME, TEXTS, stand()) == ()
