"""Blame: who set a place, newest first, also where it moved within a list."""

from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.state.documents import ABSENT
from talewright.play.history.campaign_history import read_history
from talewright.play.history.state_blame import Blamed, blame
from tests.play.history.campaigns import Scribe
from tests.play.history.tiny import begin_tiny, drop, gain, pack, pay, run, take


async def campaign() -> Scribe:
    scribe = await begin_tiny()
    await take(scribe, "beg", gain(5), roll=True)
    await take(scribe, "buy", pay(3), pack("lamp"), pack("map"), cause="scene:market")
    await take(scribe, "lose", drop("rope"))
    await take(scribe, "wait", Update(Op.SET, "time", {"hour": 9, "minute": 30}))
    return scribe


def blamed(*path: str) -> list[Blamed]:
    async def go() -> list[Blamed]:
        scribe = await campaign()
        history = await read_history(scribe.book)
        return list(blame(history.lineage(history.head), scribe.position.state.document, path))

    return run(go())


def test_number_is_followed_back_to_the_beginning() -> None:
    found = blamed("gold")
    assert [(each.commit.version, each.value) for each in found] == [(2, 12), (1, 15), (0, 10)]
    assert [each.change.cause if each.change else "" for each in found] == ["scene:market", "model", ""]
    assert found[1].move["move"] == {"op": "inc", "path": "gold", "value": 5, "reason": ""}  # type: ignore[index, call-overload]
    assert len(found[1].rolls) == 1
    assert found[0].rolls == ()


def test_member_is_set_with_the_object_around_it() -> None:
    found = blamed("time", "minute")
    assert [(each.commit.version, each.value) for each in found] == [(4, 30), (0, 0)]


def test_object_is_set_with_its_members() -> None:
    assert [each.commit.version for each in blamed("time")] == [4, 4, 0]


def test_element_of_a_list_is_followed_as_it_moves() -> None:
    # The map is the second thing since the rope is gone; it was the third before.
    found = blamed("bag", "1")
    assert [(each.commit.version, each.value) for each in found] == [(2, "map")]
    assert [(each.commit.version, each.value) for each in blamed("bag", "0")] == [
        (3, ABSENT),
        (2, "lamp"),
    ]


def test_element_that_was_pushed_along_is_found_again() -> None:
    async def go() -> list[Blamed]:
        scribe = await begin_tiny()
        await take(scribe, "pack", pack("lamp"))
        await take(scribe, "put", Update(Op.INSERT, "/bag/0", "hat"))
        history = await read_history(scribe.book)
        return list(blame(history.lineage(history.head), scribe.position.state.document, ("bag", "2")))

    assert [(each.commit.version, each.value) for each in run(go())] == [(1, "lamp")]


def test_list_is_set_by_everything_within_it() -> None:
    assert [each.commit.version for each in blamed("bag")] == [3, 2, 2, 0]


def test_place_that_never_was_has_only_a_beginning() -> None:
    (found,) = blamed("nowhere")
    assert (found.commit.version, found.value, found.change) == (0, ABSENT, None)
