"""Differences: what stands otherwise, as a patch that an independent library can apply."""

import random

import jsonpatch
import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.documents import ABSENT
from talewright.play.history.campaign_history import find_turn, read_history
from talewright.play.history.state_diff import StateDifference, compare, differ, to_operations
from tests.play.history.tiny import begin_tiny, gain, pack, run, take

SEED = 5
PAIRS = 300


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, [StateDifference(("a",), 1, True)]),
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, [
            StateDifference(("a",), 1, ABSENT),
            StateDifference(("b",), 2, 3),
            StateDifference(("c",), ABSENT, 4),
        ]),
        ([1, 2, 3], [2, 3], [StateDifference(("0",), 1, ABSENT)]),
        ([1, 2], [1, 2, 3, 4], [StateDifference(("2",), ABSENT, 3), StateDifference(("3",), ABSENT, 4)]),
        ([1, 2, 3, 4], [9, 4], [
            StateDifference(("0",), 1, 9),
            StateDifference(("2",), 3, ABSENT),
            StateDifference(("1",), 2, ABSENT),
        ]),
        ([{"a": 1}], [{"a": 2}], [StateDifference(("0", "a"), 1, 2)]),
        ([1], {"a": 1}, [StateDifference((), [1], {"a": 1})]),
    ],
)  # fmt: skip
def test_differences(before: Json, after: Json, expected: list[StateDifference]) -> None:
    assert list(differ(before, after)) == expected


def test_patch_of_any_pair_gives_the_other() -> None:
    print(f"seed {SEED}")
    choose = random.Random(SEED)

    def value(depth: int) -> Json:
        kind = choose.randrange(6 if depth else 4)
        if kind == 4:
            return [value(depth - 1) for _ in range(choose.randrange(5))]
        if kind == 5:
            return {choose.choice("abc/~"): value(depth - 1) for _ in range(choose.randrange(4))}
        leaves: list[Json] = [choose.randrange(3), choose.choice("xy"), None, True]
        return leaves[kind]

    for _ in range(PAIRS):
        before, after = {"root": value(3)}, {"root": value(3)}
        patch = to_operations(differ(before, after))
        assert jsonpatch.apply_patch(before, patch) == after
        assert (patch == []) is (jsonpatch.make_patch(before, after).patch == [])


def test_two_branches_are_compared_since_their_common_ancestor() -> None:
    async def go() -> None:
        scribe = await begin_tiny()
        one = await take(scribe, "walk", gain(1))
        document = scribe.position.state.document
        await take(scribe, "run", gain(2))
        await take(scribe, "hide", pack("lamp"))
        await scribe.fork(one, "other", document)
        await take(scribe, "sing", gain(4))
        history = await read_history(scribe.book)
        found = await compare(scribe.book, history, find_turn(history, "main"), find_turn(history, "other"))
        assert found.ancestor == one
        assert found.differences == (
            StateDifference(("gold",), 13, 15),
            StateDifference(("bag", "1"), "lamp", ABSENT),
        )
        assert [turn.body["said"] for turn in found.before_alone] == ["run", "hide"]
        assert [turn.body["said"] for turn in found.after_alone] == ["sing"]
        straight = await compare(scribe.book, history, find_turn(history, "0"), find_turn(history, "1"))
        assert straight.ancestor.version == 0
        assert straight.before_alone == ()
        assert straight.after_alone == (one,)

    run(go())
