"""Pasts from strangers: whatever no campaign could have come to is refused before anything is written."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from talewright.kernel.game import GameLimits
from talewright.kernel.state.state import State
from talewright.play.export.save_game import SaveGameError
from talewright.play.export.whole_save import import_whole, parse_whole
from talewright.stores.memory_store import MemoryStore
from tests.play.export.test_whole_save import NEW, exported, rebuilt
from tests.play.history.campaigns import Clock, Shelved
from tests.play.history.tiny import EDITIONS, TINY, run

Alter = Callable[[list[Any]], object]


def refusal(alter: Alter, editions: Shelved = EDITIONS) -> str:
    """Why an altered file is refused; the store stays empty."""
    store = MemoryStore()
    data = rebuilt(run(exported()), alter)

    async def take() -> None:
        save = parse_whole(data)
        await import_whole(store, editions, save, campaign="x", secret=NEW, now=Clock().now)

    async def go() -> str:
        with pytest.raises(SaveGameError) as caught:
            await take()
        assert await store.campaigns() == ()
        assert caught.value.hint
        return caught.value.message

    return run(go())


def of_kind(lines: list[Any], kind: str, nth: int = 0) -> Any:
    return [line for line in lines if line.get("kind") == kind][nth]


def body(lines: list[Any], nth: int = 1) -> Any:
    """The body of a commit; the first one is the root."""
    return of_kind(lines, "commit", nth)["body"]


def put(member: str, value: object, kind: str = "commit", nth: int = 1) -> Alter:
    def alter(lines: list[Any]) -> None:
        of_kind(lines, kind, nth)[member] = value

    return alter


def put_body(member: str, value: object, nth: int = 1, kind: str = "commit") -> Alter:
    def alter(lines: list[Any]) -> None:
        of_kind(lines, kind, nth)["body"][member] = value

    return alter


@pytest.mark.parametrize(
    ("alter", "fault"),
    [
        (put("id", "../../x"), "its id is '../../x'"),
        (put("game_digest", "../x"), "its id is '../x'"),
        (put("branch", "\x1b[2J"), "its name is '[2J'"),
        (put("name", "x" * 65, "pointing", 0), f"its name is {'x' * 64!r}"),
        (put("operation_id", "", "accepted", 0), "its operation is ''"),
        (put("at", "yesterday"), "its time is 'yesterday'"),
        (put("at", "yesterday", "attempt", 0), "its time is 'yesterday'"),
        (put("commit", "nowhere", "pointing", 0), "points at commit 'nowhere', which does not exist"),
    ],
)
def test_names_that_no_campaign_has(alter: Alter, fault: str) -> None:
    message = refusal(alter)
    assert message.startswith("the past in the file cannot be imported:\n  ")
    assert fault in message


@pytest.mark.parametrize(
    ("alter", "fault"),
    [
        (put("version", 7), "has version 7; expected 1"),
        (put("sequence", 9), "has the counter 9; expected 1"),
        (put("parent", "nobody"), "does not come before it"),
        (put("state_digest", "0" * 64), "its changes do not lead to the recorded state"),
        (put_body("changes", []), "its changes do not lead to the recorded state"),
        (put_body("draws", [[1, 2, 3, 4, 5]]), "its draws cannot be read"),
        (put_body("nonce", "xyz"), "its draws cannot be read"),
        (put_body("narration", 5), "narration is a text"),
        (put_body("exchanges", [{"text": "x"}]), "exchanges.0.purpose is not what it should be"),
        (put_body("rulings", [{"ruling": "granted", "move": {}}]), "rulings.0.move is not what it should be"),
        (put_body("lore", [{}]), "lore.0 has a member id"),
        (put_body("spent", [{"model": "m"}], 0, "attempt"), "spent.0.input_tokens is not what it should be"),
        (
            put_body("usage", {"input_tokens": -5, "output_tokens": 0, "cached_tokens": 0}, 0, "attempt"),
            "usage.input_tokens.minimum is not what it should be",
        ),
        (put_body("input", {"kind": "fly"}), "it cannot be read: InputError: there is no input 'fly'"),
        (put_body("circumstances", {"main": {}}), "it cannot be read: KeyError"),
        (put("input", {"kind": "fly"}, "accepted", 0), "its input cannot be read"),
        (put_body("root", {}, 0), "root.commitment is not what it should be"),
        (
            put_body("root", {"commitment": "", "document": {}, "earlier": 3}, 0),
            "its earlier commitments are not a list",
        ),
    ],
)
def test_turns_that_no_engine_has_written(alter: Alter, fault: str) -> None:
    assert fault in refusal(alter)


def begin_with(lines: list[Any], alter: Callable[[dict[str, Any]], object]) -> None:
    """Leave only the first commit, with another state and a digest that fits it."""
    root = of_kind(lines, "commit", 0)
    document = root["body"]["root"]["document"]
    alter(document)
    root["state_digest"] = State(document, 0).digest
    lines[:] = [*lines[: lines[0]["games"] + 1], root]
    lines[0]["records"] = 1


def test_a_state_must_fit_its_game() -> None:
    def enrich(document: dict[str, Any]) -> None:
        document["gold"] = 5_000

    rich = refusal(lambda lines: begin_with(lines, enrich))
    assert "gold: 5000 does not fit; it is a whole number from 0 to 100" in rich
    poor = refusal(lambda lines: begin_with(lines, lambda document: document.pop("gold")))
    assert "gold: it is missing" in poor
    lost = refusal(
        lambda lines: begin_with(lines, lambda document: document["_engine"].update(scene="attic"))
    )
    assert "_engine.scene: the game has no scene 'attic'" in lost


def test_a_change_must_lead_to_what_fits() -> None:
    def enrich(lines: list[Any]) -> None:
        turn = of_kind(lines, "commit", 1)
        document = of_kind(lines, "commit", 0)["body"]["root"]["document"]
        turn["body"]["changes"] = [
            {"op": "replace", "path": "/gold", "value": 5_000, "was": 10, "reason": "", "cause": "model"}
        ]
        turn["body"]["rulings"] = []
        turn["state_digest"] = State({**document, "gold": 5_000}, 1).digest
        end = lines.index(turn) + 2
        del lines[end:]
        lines[0]["records"] = end - 1 - lines[0]["games"]

    message = refusal(enrich)
    assert "turn 1 (" in message
    assert "gold: 5000 does not fit" in message


def test_games_are_those_of_the_turns() -> None:
    def other(lines: list[Any]) -> None:
        lines[1]["digest"] = "other"

    assert "the games in the file are not the ones" in refusal(other)

    def unknown(lines: list[Any]) -> None:
        lines[1]["game"] = {}

    assert "a game in the file cannot be played" in refusal(unknown)
    swapped = Shelved((_renamed("another"),))

    def swap(lines: list[Any]) -> None:
        lines[1]["game"] = {"edition": "another"}

    assert "a game in the file is not the one its turns were played with" in refusal(swap, swapped)


def test_a_game_brings_no_limits_of_its_own() -> None:
    endless = replace(TINY, game=replace(TINY.game, limits=GameLimits(cascade_max=10**9)))
    message = refusal(lambda lines: None, Shelved((endless,)))
    assert "a game in the file changes the engine's limits" in message


def _renamed(digest: str) -> Any:
    return replace(TINY, digest=digest, form={"edition": digest})
