"""Operations of a patch become updates; the version frames them and nothing else touches it."""

import pytest

from talewright.common.json_values import Json
from talewright.contract.patch.patch_operations import PATCH_OPERATIONS_MAX, VALUE_LENGTH_MAX, read_operations
from talewright.contract.text.answer_json import AnswerFindings
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Op, Update
from tests.contract.chapel import frame, ground
from tests.kernel.making import Scripted

FIRST = '{"op": "test", "path": "/version", "value": 12}'
LAST = '{"op": "replace", "path": "/version", "value": 13}'


def read(raw: Json) -> tuple[tuple[Update, ...], list[str]]:
    """The updates of a patch, and what is wrong with it."""
    findings = AnswerFindings()
    updates = read_operations(raw, ground(), findings)
    assert not any(flaw.soft for flaw in findings.flaws)
    return updates, [flaw.message for flaw in findings.flaws]


def test_seed_patch_becomes_updates() -> None:
    coin: Json = {"id": "silver_coin", "qty": 1}
    updates, flaws = read(
        frame(
            {"op": "replace", "path": "/player/xp", "value": 1},
            {"op": "add", "path": "/player/inventory/-", "value": coin},
            {"op": "test", "path": "/player/inventory/2/id", "value": "silver_coin"},
            {"op": "replace", "path": "/player/inventory/2/qty", "value": 2},
            {"op": "remove", "path": "/player/inventory/0"},
            {"op": "test", "path": "/player/inventory/0/id", "value": "copper_coin"},
        )
    )
    assert flaws == []
    assert updates == (
        Update(Op.SET, "/player/xp", 1),
        Update(Op.PUSH, "/player/inventory", coin),
        Update(Op.TEST, "/player/inventory/2/id", "silver_coin"),
        Update(Op.SET, "/player/inventory/2/qty", 2),
        Update(Op.DELETE, "/player/inventory/0"),
        Update(Op.TEST, "/player/inventory/0/id", "copper_coin"),
    )
    where = ground()
    step = judge(where.game, where.position, updates, MODEL, Scripted())
    player = step.position.state.document["player"]
    assert isinstance(player, dict)
    assert player["inventory"] == [{"id": "copper_coin", "qty": 3}, {"id": "silver_coin", "qty": 2}]


@pytest.mark.parametrize(
    ("path", "update"),
    [
        ("/player/notes/-", Update(Op.PUSH, "/player/notes", True)),
        ("/player/notes/1", Update(Op.INSERT, "/player/notes/1", True)),
        ("/player/xp", Update(Op.SET, "/player/xp", True)),
        ("/npcs/guard/hp", Update(Op.SET, "/npcs/guard/hp", True)),
        ("/npcs/guard/guard", Update(Op.INSERT, "/npcs/guard/guard", True)),
        ("/flags/new", Update(Op.INSERT, "/flags/new", True)),
        ("/flags/-", Update(Op.INSERT, "/flags/-", True)),
        ("/flags/a~1b~0c", Update(Op.INSERT, "/flags/a~1b~0c", True)),
        ("/nowhere/x", Update(Op.INSERT, "/nowhere/x", True)),
    ],
)
def test_add_is_what_the_place_makes_of_it(path: str, update: Update) -> None:
    assert read(frame({"op": "add", "path": path, "value": True})) == ((update,), [])


def test_document_is_followed_along() -> None:
    grow: dict[str, Json] = {"op": "add", "path": "/flags/lit", "value": True}
    updates, _ = read(
        frame(
            grow, {"op": "remove", "path": "/flags/dark"}, grow, {"op": "remove", "path": "/flags/lit"}, grow
        )
    )
    assert [update.op for update in updates] == [Op.INSERT, Op.DELETE, Op.SET, Op.DELETE, Op.INSERT]


def test_rules_of_inventories_follow_the_document() -> None:
    rope: Json = {"id": "rope", "qty": 1}
    updates, flaws = read(
        frame(
            {"op": "add", "path": "/player/inventory/-", "value": rope},
            {"op": "add", "path": "/player/inventory/-", "value": rope},
            {"op": "replace", "path": "/player/inventory/2/qty", "value": 0},
            {"op": "remove", "path": "/player/inventory/2"},
            {"op": "add", "path": "/player/inventory/-", "value": rope},
        )
    )
    assert [update.op for update in updates] == [Op.PUSH, Op.DELETE, Op.PUSH]
    assert flaws == [
        "`patch[2]` breaks a rule of inventories: 'rope' is there already: replace /player/inventory/2/qty",
        "`patch[3]` breaks a rule of inventories: a qty of 0 is nothing: remove /player/inventory/2",
    ]


@pytest.mark.parametrize(
    ("raw", "flaws"),
    [
        ({}, ["`patch` must be a list of operations in brackets [], not an object"]),
        (None, ["`patch` must be a list of operations in brackets [], not null"]),
        (
            [],
            [
                f"the first operation of `patch` must be {FIRST}",
                f"the last operation of `patch` must be {LAST}",
            ],
        ),
        (frame()[:1], [f"the last operation of `patch` must be {LAST}"]),
        (frame()[1:], [f"the first operation of `patch` must be {FIRST}"]),
        (frame(version=11), None),
        ([{"op": "test", "path": "/version", "value": True}, frame()[1]], None),
        ([{"op": "test", "path": "/version"}, frame()[1]], None),
        (["test", frame()[1]], None),
    ],
)
def test_version_frames_the_patch(raw: Json, flaws: list[str] | None) -> None:
    updates, found = read(raw)
    assert updates == ()
    if flaws is None:
        assert found[0] == f"the first operation of `patch` must be {FIRST}"
    else:
        assert found == flaws


def test_version_may_be_written_with_more_members_and_as_a_whole_float() -> None:
    raw: Json = [
        {"op": "test", "path": "/version", "value": 12.0, "why": "x"},
        {"op": "replace", "path": "/version", "value": 13},
    ]
    assert read(raw) == ((), [])


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        ("x", 'must be an object such as {"op": "test", "path": "/version", "value": 1}, not \'x\''),
        (
            {"op": "move", "from": "/a", "path": "/b"},
            "is a move, which is not taken; write remove, add or replace with the value itself",
        ),
        (
            {"op": "copy", "from": "/a", "path": "/b"},
            "is a copy, which is not taken; write remove, add or replace with the value itself",
        ),
        ({"op": "inc", "path": "/a"}, "needs an `op`: add, replace, remove or test, not 'inc'"),
        ({"path": "/a"}, "needs an `op`: add, replace, remove or test, not null"),
        ({"op": ["add"], "path": "/a"}, None),
        ({"op": "add", "path": "/player/xp"}, "needs a `value`"),
        ({"op": "replace", "path": "/player/xp"}, "needs a `value`"),
        ({"op": "test", "path": "/player/xp"}, "needs a `value`"),
        ({"op": "remove"}, "needs a `path` such as /player/xp, not null"),
        ({"op": "remove", "path": 1}, "needs a `path` such as /player/xp, not 1"),
        ({"op": "remove", "path": ""}, "needs a `path` such as /player/xp, not ''"),
        ({"op": "remove", "path": "player.xp"}, "needs a `path` such as /player/xp, not 'player.xp'"),
        (
            {"op": "remove", "path": "/a~2"},
            "has a wrong `path`: in a JSON pointer '~' stands as '~0' and a key's '/' as '~1', "
            "not so in '/a~2'",
        ),
        (
            {"op": "remove", "path": "/version"},
            "is on /version; only the first operation tests it and only the last replaces it",
        ),
        (
            {"op": "test", "path": "/version/x", "value": 1},
            "is on /version; only the first operation tests it and only the last replaces it",
        ),
        (
            {"op": "add", "path": "/player/notes/-", "value": "é" * (VALUE_LENGTH_MAX - 1)},
            "has a `value` of 20001 characters; write at most 20000",
        ),
    ],
)
def test_operation_that_cannot_be_taken(operation: Json, told: str | None) -> None:
    updates, flaws = read([frame()[0], operation, frame()[1]])
    assert updates == ()
    if told is None:
        assert len(flaws) == 1
    else:
        assert flaws == [f"`patch[1]` {told}"]


def test_bounds() -> None:
    fits: Json = {"op": "add", "path": "/player/notes/-", "value": "é" * (VALUE_LENGTH_MAX - 2)}
    assert read([frame()[0], fits, frame()[1]])[1] == []
    test: dict[str, Json] = {"op": "test", "path": "/player/xp", "value": 0}
    updates, flaws = read(frame(*[test] * (PATCH_OPERATIONS_MAX - 2)))
    assert (len(updates), flaws) == (62, [])
    told = "`patch` has 65 operations; give at most 64"
    assert read(frame(*[test] * (PATCH_OPERATIONS_MAX - 1))) == ((), [told])
