"""Fortune: only draws that stood are kept, and they leave no gap."""

import pytest

from talewright.kernel.chance import SIDES_MAX, Draw, Fate, commitment, verify_draws
from talewright.turn.turn_progress import NamedDraws, RecordedDraws, SeenBefore, TurnDraws

SECRET = b"secret"


def test_a_judgement_that_is_thrown_away_gives_its_draws_back() -> None:
    fortune = TurnDraws(SECRET, 4)
    thrown = fortune.open()
    first = [thrown.draw(6, "thrown") for _ in range(3)]
    assert fortune.draws == ()
    kept = fortune.open()
    assert [kept.draw(6, "kept") for _ in range(3)] == first
    fortune.keep(kept)
    assert fortune.draws == tuple(Draw(4, index, 6, face, "kept") for index, face in enumerate(first))


def test_draws_go_on_where_the_kept_ones_end() -> None:
    fortune = TurnDraws(SECRET, 4)
    for count in (2, 0, 3):
        fate = fortune.open()
        for _ in range(count):
            fate.draw(20)
        fortune.keep(fate)
        fortune.open().draw(20, "never kept")
    assert [(draw.version, draw.index) for draw in fortune.draws] == [(4, index) for index in range(5)]
    straight = Fate(SECRET, 4)
    assert [straight.draw(20) for _ in range(5)] == [draw.face for draw in fortune.draws]
    assert verify_draws(SECRET, commitment(SECRET), fortune.draws) == []


def test_a_nonce_is_mixed_in() -> None:
    fortune = TurnDraws(SECRET, 4, b"nonce")
    fate = fortune.open()
    faces = [fate.draw(1_000) for _ in range(4)]
    fortune.keep(fate)
    plain = Fate(SECRET, 4)
    assert faces != [plain.draw(1_000) for _ in range(4)]
    assert (fortune.nonce, TurnDraws(SECRET, 4).nonce) == (b"nonce", b"")
    assert verify_draws(SECRET, commitment(SECRET), fortune.draws, {4: b"nonce"}) == []


def test_recorded_draws_are_given_back_in_place_of_the_secret() -> None:
    recorded = RecordedDraws([Draw(4, 0, 6, 5, "kept"), Draw(4, 1, 20, 19, "kept")])
    fortune = TurnDraws(b"", 4, recorded=recorded)
    for _ in range(2):
        fate = fortune.open()
        assert fate.draw(6, "once") == 5
    fortune.keep(fate)
    second = fortune.open()
    assert second.draw(20, "twice") == 19
    assert not recorded.exhausted
    # More than is recorded, and a face that the die does not have: whoever compares the draws will see it.
    assert (second.draw(20), recorded.exhausted) == (1, True)
    assert TurnDraws(b"", 4, recorded=RecordedDraws([Draw(4, 0, 6, 7, "")])).open().draw(6) == 6
    fortune.keep(second)
    assert [(draw.index, draw.sides, draw.face, draw.why) for draw in fortune.draws] == [
        (0, 6, 5, "once"),
        (1, 20, 19, "twice"),
        (2, 20, 1, ""),
    ]


def test_recorded_draws_of_a_game_masters_turn_are_given_back() -> None:
    recorded = RecordedDraws([Draw(4, 0, 6, 5, "kept", "4:check:0:d6:0"), Draw(4, 1, 6, 7, "kept")])
    fate = TurnDraws(b"", 4, recorded=recorded).named(SeenBefore()).open()
    # The second face is one that the die does not have, and the third is not recorded.
    assert [fate.draw(6) for _ in range(3)] == [5, 6, 1]
    assert recorded.exhausted


@pytest.mark.parametrize("sides", [0, -1, SIDES_MAX + 1])
def test_impossible_sides_are_refused_by_name_too(sides: int) -> None:
    fate = NamedDraws(SECRET, 4).open()
    with pytest.raises(ValueError, match=f"a draw has 1 to 4294967296 sides, not {sides}"):
        fate.draw(sides)
    assert fate.draws == ()
