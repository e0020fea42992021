"""Chance: derived draws, their record, and the audit of it."""

import hashlib
import hmac
from dataclasses import replace

import pytest

from talewright.kernel.chance import (
    SIDES_MAX,
    Chance,
    Discrepancy,
    Draw,
    Fate,
    commitment,
    derive_face,
    verify_draws,
)
from tests.sweep import chance as sweep

SECRET = bytes(range(32))


def words(secret: bytes, message: str) -> list[int]:
    """The eight words of a block, worked out by the library."""
    digest = hmac.digest(secret, message.encode(), "sha256")
    return [int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4)]


def expected_face(secret: bytes, message: str, sides: int) -> int:
    """The face that the rule gives, in the plainest way."""
    limit = 2**32 // sides * sides
    block = 0
    while True:
        for word in words(secret, message if block == 0 else f"{message}:{block}"):
            if word < limit:
                return word % sides + 1
        block += 1


def test_draw_is_the_hmac_of_version_and_index() -> None:
    fate: Chance = Fate(SECRET, 12)
    assert [fate.draw(20) for _ in range(30)] == [expected_face(SECRET, f"12:{i}", 20) for i in range(30)]


@pytest.mark.parametrize("length", [0, 1, 63, 64, 65, 200])
def test_secret_of_any_length_is_keyed_as_hmac_says(length: int) -> None:
    secret = b"\x36" * length
    assert Fate(secret, 0).draw(SIDES_MAX) == expected_face(secret, "0:0", SIDES_MAX)


def test_first_draws_stay_what_they_are() -> None:
    # As `printf 1:0 | openssl dgst -sha256 -hmac secret` and its like give them.
    fate = Fate(b"secret", 1)
    assert [fate.draw(100) for _ in range(5)] == [72, 96, 72, 58, 77]


@pytest.mark.parametrize("sides", [2**31 + 1, 2**32 - 1, 3 * 2**30])
def test_unfit_words_are_passed_over(sides: int) -> None:
    fate = Fate(SECRET, 5)
    limit = 2**32 // sides * sides
    faces = [fate.draw(sides) for _ in range(400)]
    assert faces == [expected_face(SECRET, f"5:{i}", sides) for i in range(400)]
    if sides == 2**31 + 1:
        # Half of the words do not fit, so that some draws go on to a second block.
        assert any(min(words(SECRET, f"5:{i}")) >= limit for i in range(400))


def test_draw_may_need_a_third_block() -> None:
    sides, index = 2**31 + 1, 91445
    assert min(words(SECRET, f"5:{index}") + words(SECRET, f"5:{index}:1")) >= sides
    assert Fate(SECRET, 5, start=index).draw(sides) == expected_face(SECRET, f"5:{index}", sides)


def test_named_draw_is_the_hmac_of_its_name() -> None:
    # With these sides half of the words do not fit: some draws need a second block, and draw 91445 a third.
    for sides in (6, 2**31 + 1):
        names = [f"5:{index}" for index in (*range(400), 91445)]
        assert [derive_face(SECRET, name, sides) for name in names] == [
            expected_face(SECRET, name, sides) for name in names
        ]


@pytest.mark.parametrize("place", [0, 1])
def test_word_at_the_limit_does_not_fit(place: int) -> None:
    # With as many sides as a word says, and more than half of all, that word is the first that does not fit.
    for index in range(100):
        found = words(SECRET, f"6:{index}")
        sides = found[place]
        if sides > 2**31 and min(found[: place + 1]) == sides > min(found):
            assert Fate(SECRET, 6, start=index).draw(sides) == next(w for w in found if w < sides) + 1 > 1
            return
    raise AssertionError("no such draw")


def test_face_lies_between_one_and_sides() -> None:
    fate = Fate(SECRET, 0)
    assert {fate.draw(3) for _ in range(100)} == {1, 2, 3}
    assert {fate.draw(1) for _ in range(10)} == {1}
    assert 1 <= fate.draw(SIDES_MAX) <= SIDES_MAX


@pytest.mark.parametrize("sides", [0, -1, SIDES_MAX + 1])
def test_impossible_sides_are_refused(sides: int) -> None:
    fate = Fate(SECRET, 0)
    with pytest.raises(ValueError, match=f"^a draw has 1 to 4294967296 sides, not {sides}$"):
        fate.draw(sides)
    assert fate.draws == ()


def test_draws_are_kept_in_order() -> None:
    fate = Fate(SECRET, 7, start=3)
    faces = fate.draw(6, "a blow"), fate.draw(20)
    assert fate.draws == (Draw(7, 3, 6, faces[0], "a blow"), Draw(7, 4, 20, faces[1], ""))


def test_same_version_and_index_give_the_same_draw() -> None:
    once, again = Fate(SECRET, 9), Fate(SECRET, 9)
    first = [once.draw(1000) for _ in range(50)]
    assert [again.draw(1000) for _ in range(50)] == first
    assert [Fate(SECRET, 9, start=index).draw(1000) for index in range(50)] == first


def test_other_version_secret_or_nonce_give_other_draws() -> None:
    def ten(fate: Fate) -> tuple[int, ...]:
        return tuple(fate.draw(1000) for _ in range(10))

    fates = [
        Fate(SECRET, 9),
        Fate(SECRET, 10),
        Fate(b"other", 9),
        Fate(SECRET, 9, b"n"),
        Fate(SECRET, 9, b"m"),
        Fate(SECRET, 9, start=1),
    ]
    assert len({ten(fate) for fate in fates}) == len(fates)


def test_nonce_stands_before_the_message() -> None:
    fate = Fate(SECRET, 4, b"\x00\xff")
    assert [fate.draw(6) for _ in range(9)] == [expected_face(SECRET, f"00ff@4:{i}", 6) for i in range(9)]


def test_commitment_is_the_hash_of_the_secret() -> None:
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def recorded() -> list[Draw]:
    """Three versions of one campaign, the last with a nonce."""
    fates = [Fate(SECRET, 1), Fate(SECRET, 2), Fate(SECRET, 3, b"fresh")]
    for fate in fates:
        for sides in (20, 6, 1000, 2):
            fate.draw(sides, "why")
    return [draw for fate in fates for draw in fate.draws]


NONCES = {3: b"fresh"}


def test_revealed_secret_derives_every_roll_again() -> None:
    assert verify_draws(SECRET, commitment(SECRET), recorded(), NONCES) == []
    assert verify_draws(SECRET, commitment(SECRET), []) == []


@pytest.mark.parametrize("place", range(12))
def test_single_altered_roll_is_found(place: int) -> None:
    draws = recorded()
    honest = draws[place]
    draws[place] = replace(honest, face=honest.face % honest.sides + 1)
    told = f"the secret gives {honest.face}, the record says {draws[place].face}"
    assert verify_draws(SECRET, commitment(SECRET), draws, NONCES) == [
        Discrepancy(draws[place], honest.face, told)
    ]


def test_forgotten_nonce_is_noticed() -> None:
    found = verify_draws(SECRET, commitment(SECRET), recorded())
    assert found
    assert {one.draw.version for one in found if one.draw} == {3}


def test_wrong_secret_is_told_once() -> None:
    assert verify_draws(b"wrong", commitment(SECRET), recorded(), NONCES) == [
        Discrepancy(None, None, "this secret does not match the commitment")
    ]


@pytest.mark.parametrize(("place", "missing"), [(0, 0), (1, 1), (4, 0), (10, 2)])
def test_missing_draw_is_found(place: int, missing: int) -> None:
    draws = recorded()
    gone = draws.pop(place)
    told = f"draw {missing} of version {gone.version} is missing"
    assert verify_draws(SECRET, commitment(SECRET), draws, NONCES) == [
        Discrepancy(draws[place], draws[place].face, told)
    ]


def test_version_may_be_played_again() -> None:
    draws = recorded()[:4]
    assert verify_draws(SECRET, commitment(SECRET), draws + draws) == []


@pytest.mark.parametrize("sides", [0, -6, SIDES_MAX + 1])
def test_impossible_record_is_a_discrepancy(sides: int) -> None:
    draw = Draw(1, 0, sides, 1, "")
    assert verify_draws(SECRET, commitment(SECRET), [draw]) == [
        Discrepancy(draw, None, f"no draw has {sides} sides")
    ]


@pytest.mark.parametrize("sides", [1, SIDES_MAX])
def test_record_at_the_limits_is_compared(sides: int) -> None:
    face = Fate(SECRET, 1).draw(sides)
    assert verify_draws(SECRET, commitment(SECRET), [Draw(1, 0, sides, face, "")]) == []


@pytest.mark.parametrize("die", sweep.DICE)
def test_faces_are_spread_evenly(die: str) -> None:
    sweep.check(die, 0, 10_000)


def test_uneven_faces_would_be_noticed() -> None:
    assert abs(sweep.normal_distance(5.0, 5)) < 1
    assert sweep.normal_distance(40.0, 5) > sweep.SIGMAS
    assert sweep.normal_distance(600.0, 999) < -sweep.SIGMAS
