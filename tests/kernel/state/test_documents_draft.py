"""Drafts: written in place where nobody else looks, copied once elsewhere, undone exactly."""

import copy
import json
import random

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.documents import ABSENT, Draft, DraftError, find
from talewright.kernel.state.state_paths import Path


def make_base() -> dict[str, Json]:
    return {
        "hp": 5,
        "time": {"hour": 22, "minute": 30},
        "bag": ["rope", {"id": "lamp"}],
        "deep": {"a": {"b": 1}},
    }


def text(document: Json) -> str:
    """The document with its keys in the order in which they stand."""
    return json.dumps(document)


def test_writes_are_seen_and_the_base_is_not_altered() -> None:
    base = make_base()
    draft = Draft(base)
    assert draft.replace(("hp",), 6) == 5
    assert draft.replace(("time", "minute"), 31) == 30
    assert draft.replace(("bag", "0"), "cord") == "rope"
    assert draft.replace(("bag", "1", "id"), "torch") == "lamp"
    draft.add(("time", "day"), 1)
    draft.add(("bag", "0"), "coin")
    draft.add(("bag", "3"), "key")
    assert draft.remove(("deep", "a", "b")) == 1
    assert draft.remove(("bag", "1")) == "cord"
    assert draft.document == {
        "hp": 6,
        "time": {"hour": 22, "minute": 31, "day": 1},
        "bag": ["coin", {"id": "torch"}, "key"],
        "deep": {"a": {}},
    }
    assert text(base) == text(make_base())


def test_what_was_not_touched_is_shared() -> None:
    base = make_base()
    draft = Draft(base)
    draft.replace(("time", "minute"), 31)
    document = draft.document
    assert document is not base
    assert document["time"] is not base["time"]
    assert document["bag"] is base["bag"]
    assert document["deep"] is base["deep"]
    assert Draft(base).document is base


def test_each_container_is_copied_once() -> None:
    draft = Draft(make_base())
    draft.replace(("deep", "a", "b"), 2)
    draft.replace(("bag", "1", "id"), "torch")
    paths: list[Path] = [(), ("deep",), ("deep", "a"), ("bag",), ("bag", "1")]
    first = [draft.peek(path) for path in paths]
    for number in range(20):
        draft.replace(("deep", "a", "b"), number)
        draft.replace(("bag", "1", "id"), str(number))
        draft.add(("bag", "2"), number)
        draft.remove(("bag", "2"))
        draft.add(("deep", "a", "x"), None)
        draft.remove(("deep", "a", "x"))
        draft.replace(("hp",), number)
    assert all(draft.peek(path) is container for path, container in zip(paths, first, strict=True))


def test_a_document_handed_out_stays_as_it_was() -> None:
    draft = Draft(make_base())
    draft.replace(("deep", "a", "b"), 2)
    first = draft.document
    draft.replace(("deep", "a", "b"), 3)
    second = draft.document
    draft.rollback(0)
    assert find(first, ("deep", "a", "b")) == 2
    assert find(second, ("deep", "a", "b")) == 3
    assert draft.document == make_base()


@pytest.mark.parametrize("path", [(), ("deep",), ("deep", "a"), ("bag",)])
def test_what_was_read_stays_as_it_was(path: Path) -> None:
    draft = Draft(make_base())
    draft.replace(("deep", "a", "b"), 2)
    draft.add(("bag", "2"), "key")
    kept = draft.read(path)
    before = copy.deepcopy(kept)
    draft.replace(("deep", "a", "b"), 3)
    draft.remove(("bag", "2"))
    assert kept == before
    assert draft.read(("deep", "a", "b")) == 3


def test_reading_what_is_not_owned_gives_nothing_up() -> None:
    draft = Draft(make_base())
    draft.replace(("hp",), 6)
    root = draft.peek(())
    assert draft.read(("deep", "a")) == {"b": 1}
    assert draft.read(("hp",)) == 6
    assert draft.read(("missing",)) is ABSENT
    draft.replace(("hp",), 7)
    assert draft.peek(()) is root
    assert draft.read(()) is root
    draft.replace(("hp",), 8)
    assert draft.peek(()) is not root
    assert find(root if isinstance(root, dict) else None, ("hp",)) == 7


@pytest.mark.parametrize("wrap", [False, True])
def test_what_was_peeked_may_be_written_elsewhere(wrap: bool) -> None:
    draft = Draft(make_base())
    draft.replace(("deep", "a", "b"), 2)
    peeked = draft.peek(("deep", "a"))
    assert isinstance(peeked, dict)
    draft.add(("bag", "0"), [peeked] if wrap else peeked)
    draft.replace(("deep", "a", "b"), 3)
    assert draft.peek(("bag", "0")) == ([{"b": 2}] if wrap else {"b": 2})
    draft.replace(("bag", "0", "0", "b") if wrap else ("bag", "0", "b"), 4)
    assert draft.peek(("deep", "a", "b")) == 3


@pytest.mark.parametrize("value", [[1, [2]], {"0": 1, "1": {"0": 2}}])
def test_what_was_written_is_never_altered(value: Json) -> None:
    before = copy.deepcopy(value)
    draft = Draft(make_base())
    assert draft.replace(("hp",), value) == 5
    draft.replace(("hp", "0"), 9)
    draft.replace(("hp", "1", "0"), 9)
    assert value == before
    assert draft.replace(("hp",), value) != before
    draft.remove(("hp", "1", "0"))
    assert value == before


def test_what_was_removed_is_never_altered() -> None:
    draft = Draft(make_base())
    draft.replace(("deep", "a", "b"), 2)
    mark = draft.checkpoint()
    was = draft.remove(("deep",))
    draft.rollback(mark)
    draft.replace(("deep", "a", "b"), 3)
    assert was == {"a": {"b": 2}}
    assert draft.document["deep"] == {"a": {"b": 3}}


def test_a_rollback_undoes_what_came_after_the_mark() -> None:
    draft = Draft(make_base())
    draft.replace(("hp",), 6)
    assert draft.checkpoint() == 1
    draft.replace(("time", "minute"), 31)
    inner = draft.checkpoint()
    draft.replace(("hp",), 7)
    draft.add(("bag", "1"), "key")
    draft.remove(("bag", "0"))
    draft.rollback(inner)
    assert draft.document == {**make_base(), "hp": 6, "time": {"hour": 22, "minute": 31}}
    draft.rollback(1)
    assert draft.document == {**make_base(), "hp": 6}
    assert list(draft.journal) == [("replace", ("hp",), 5)]
    draft.rollback(0)
    assert draft.document == make_base()
    assert list(draft.journal) == []


def test_a_rollback_restores_the_order_of_keys() -> None:
    draft = Draft(make_base())
    draft.remove(("hp",))
    draft.remove(("time", "hour"))
    draft.add(("hp",), {"x": 1})
    draft.remove(("bag",))
    draft.rollback(0)
    assert text(draft.document) == text(make_base())


def test_the_journal_says_what_was_written() -> None:
    draft = Draft(make_base())
    draft.add(("time", "day"), 1)
    draft.replace(("hp",), 6)
    draft.remove(("bag", "0"))
    draft.remove(("time", "hour"))
    assert draft.journal == (
        ("add", ("time", "day")),
        ("replace", ("hp",), 5),
        ("remove", ("bag", "0"), "rope", ()),
        ("remove", ("time", "hour"), 22, ("hour", "minute", "day")),
    )


WHOLE = "the whole document: only its members can be written"


@pytest.mark.parametrize(
    ("act", "path", "message"),
    [
        ("replace", (), WHOLE),
        ("add", (), WHOLE),
        ("remove", (), WHOLE),
        ("replace", ("mp",), "/mp: nothing stands there"),
        ("remove", ("time", "day"), "/time/day: nothing stands there"),
        ("add", ("time", "hour"), "/time/hour: something stands there already"),
        ("replace", ("bag", "2"), "/bag/2: the index must be 0 .. 1"),
        ("remove", ("bag", "2"), "/bag/2: the index must be 0 .. 1"),
        ("add", ("bag", "3"), "/bag/3: the index must be 0 .. 2"),
        ("add", ("bag", "-"), "/bag/-: the index must be 0 .. 2"),
        ("replace", ("bag", "01"), "/bag/01: the index must be 0 .. 1"),
        ("remove", ("none", "0"), "/none/0: the list is empty"),
        ("replace", ("none", "0"), "/none/0: the list is empty"),
        ("add", ("none", "1"), "/none/1: the index must be 0 .. 0"),
        ("add", ("a", "b"), "/a/b: no object or list stands above it"),
        ("add", ("hp", "b"), "/hp/b: no object or list stands above it"),
        ("replace", ("bag", "0", "b"), "/bag/0/b: no object or list stands above it"),
        ("remove", ("bag", "2", "b"), "/bag/2/b: no object or list stands above it"),
        ("remove", ("bag", "-", "b"), "/bag/-/b: no object or list stands above it"),
    ],
)
def test_a_write_that_does_not_fit_changes_nothing(act: str, path: Path, message: str) -> None:
    base = {**make_base(), "none": []}
    draft = Draft(base)
    with pytest.raises(DraftError) as error:
        _write(draft, act, path, 1)
    assert str(error.value) == message
    assert error.value.path == path
    assert message.endswith(error.value.why)
    assert text(draft.document) == text(base)
    assert draft.journal == ()


def test_a_member_of_an_element_beyond_the_first_is_written() -> None:
    draft = Draft({"rows": [[1, 2], [3, 4], [5, 6]]})
    draft.replace(("rows", "2", "1"), 7)
    draft.replace(("rows", "1", "0"), 8)
    assert draft.document == {"rows": [[1, 2], [8, 4], [5, 7]]}


def test_random_writes_agree_with_plain_ones_and_roll_back() -> None:
    rng = random.Random(2)
    for _ in range(200):
        base: dict[str, Json] = {"d": {"x": 1}, "l": [1, [2]], "n": 0}
        draft = Draft(base)
        plain = copy.deepcopy(base)
        handed_out: list[tuple[Json, str]] = []
        marks = [(0, text(plain))]
        for number in range(12):
            _write_both(draft, plain, rng, number)
            if rng.random() < 0.2:
                handed_out.append((draft.document, text(draft.document)))
            if rng.random() < 0.3:
                marks.append((draft.checkpoint(), text(plain)))
        assert json.dumps(draft.peek(())) == text(plain)
        for mark, before in reversed(marks):
            draft.rollback(mark)
            assert text(draft.document) == before
        assert all(text(document) == before for document, before in handed_out)
        assert base == {"d": {"x": 1}, "l": [1, [2]], "n": 0}


def _write(draft: Draft, act: str, path: Path, value: Json) -> None:
    if act == "remove":
        draft.remove(path)
    elif act == "add":
        draft.add(path, value)
    else:
        draft.replace(path, value)


def _write_both(draft: Draft, plain: dict[str, Json], rng: random.Random, number: int) -> None:
    """One random write, to the draft and, in place, to a plain document."""
    path: Path = rng.choice([("d",), ("l",)])
    node = plain[path[0]]
    while isinstance(node, dict | list) and node and rng.random() < 0.5:
        key = rng.choice(_keys(node))
        below: Json = node[key] if isinstance(node, dict) else node[int(key)]
        if not isinstance(below, dict | list):
            break
        path, node = (*path, key), below
    assert isinstance(node, dict | list)
    act = rng.choice(["add", "replace", "remove"]) if node else "add"
    key = (
        rng.choice(_keys(node)) if act != "add" else str(number if isinstance(node, dict) else len(node) // 2)
    )
    values: list[Json] = [number, [number], {"x": number, "y": [number]}]
    value = rng.choice(values)
    _write(draft, act, (*path, key), value)
    mine = copy.deepcopy(value)
    if isinstance(node, list) and act == "add":
        node.insert(int(key), mine)
    elif isinstance(node, list):
        node[int(key) : int(key) + 1] = [mine] if act == "replace" else []
    elif act == "remove":
        del node[key]
    else:
        node[key] = mine


def _keys(node: dict[str, Json] | list[Json]) -> list[str]:
    return list(node) if isinstance(node, dict) else [str(index) for index in range(len(node))]
