"""Fortune: only draws that stood are kept, and they leave no gap."""

from talewright.kernel.chance import Draw, Fate, commitment, verify_draws
from talewright.turn.turn_progress import TurnDraws

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
