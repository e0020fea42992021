"""Repetition: circles are stopped early in English and Chinese; what people write is never taken for one."""

import json
import random
import time

import pytest

from talewright.contract.text.repetition import COPIES_MIN, GRAMS_MAX, RepetitionWatch, say_once

OPENING = "You step onto the pier. Fog lies on the water. 你走上码头，水面上笼着雾。"
SENTENCE = "The lantern swings in the wind, and nobody comes to the door. "
SATZ = "灯笼在风里摇晃，没有人来开门。"
PARAGRAPH = "".join(
    f"At the {n} stroke of the bell somebody puts out a lamp in the upper street. " for n in range(9)
)


def stop(text: str, size: int = 0) -> int | None:
    """How many characters had come when the circle was noticed."""
    watch, passed = RepetitionWatch(), 0
    for start in range(0, len(text), size or len(text) or 1):
        piece = text[start : start + (size or len(text))]
        end = watch.feed(piece)
        if end is not None:
            return passed + end
        passed += len(piece)
    return None


@pytest.mark.parametrize(
    ("run", "copies"),
    [
        (SENTENCE, 4),
        (SENTENCE[:40], 6),
        (SATZ, 8),
        (SATZ * 2 + "你等着。", 4),
        (PARAGRAPH, 3),
        ('{"op": "inc", "path": "coins", "value": 1, "reason": ""}, ', 5),
        ("no, ", 120),
        ("哈", 240),
        ("\n", 480),
        ("| --- ", 80),
    ],
)
def test_a_circle_is_stopped_within_a_few_repetitions(run: str, copies: int) -> None:
    end = stop(OPENING + run * 1_000)
    assert end is not None
    assert (end - len(OPENING)) / len(run) <= copies + 1
    # One copy fewer than that is still let pass.
    assert stop(OPENING + run * (copies - 1) + "And then it ends.") is None
    for size in (1, 3, 7, 50):
        assert stop(OPENING + run * 1_000, size) == end


def test_what_was_said_before_does_not_hide_a_circle() -> None:
    # The grams of the run have occurred in other places, and the run contains some of them twice.
    run = "The door opens. The door closes. The door opens again. "
    text = "The door opens again. The door closes. " + run * 20
    end = stop(text)
    assert end is not None
    assert end <= len(run) * (COPIES_MIN + 3)


def test_a_text_is_said_once() -> None:
    said = say_once(OPENING + SENTENCE * 9)
    assert said.startswith(OPENING + SENTENCE)
    assert len(said) < len(OPENING + SENTENCE * 2)
    assert say_once(OPENING + SENTENCE * 2) == OPENING + SENTENCE * 2


def test_refrains_lists_and_similar_choices_pass() -> None:
    refrain = "".join(
        f"{verse} ships went out to sea,\nAnd none of them came home to me.\n\n" for verse in range(30)
    )
    listed = "".join(f"- a rusty key, number {n}\n" for n in range(200))
    choice = {"id": "go", "label": "Go on", "hint": "", "risk": "low", "tags": []}
    chant = "The king is dead! " * 8 + "They fall silent."
    laughter = "哈" * 100 + "！"
    rule = "=" * 120 + "\n" + "| --- " * 30
    for text in (refrain, listed, json.dumps([choice] * 3, indent=2), chant, laughter, rule):
        assert stop(text) is None, text[:60]


def test_it_takes_the_same_time_for_each_character() -> None:
    rng = random.Random(16)
    words = ["the ", "door ", "opens ", "雾", "and ", "again "]
    short = "".join(rng.choice(words) for _ in range(2_000))
    long = "".join(rng.choice(words) for _ in range(10 * 2_000))
    assert len(long) > GRAMS_MAX

    def measure(text: str) -> float:
        begun = time.process_time()
        assert stop(text) is None
        return (time.process_time() - begun) / len(text)

    assert min(measure(long) for _ in range(3)) < 4 * min(measure(short) for _ in range(3))


def test_a_circle_is_noticed_after_any_amount_of_text() -> None:
    rng = random.Random(16)
    prose = "".join(chr(0x4E00 + rng.randrange(20_000)) for _ in range(GRAMS_MAX + 10))
    assert stop(prose) is None
    found = stop(prose + SENTENCE * 10)
    assert found is not None
    assert found <= len(prose) + 6 * len(SENTENCE)
