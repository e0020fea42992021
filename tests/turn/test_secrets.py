"""No message of any ask holds what is secret: not the value of a secret slot, not the campaign's secret."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Grade, Granted, Refused, Waiting
from talewright.kernel.slots.slot_types import Slot, SlotKind, inherit
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.system import AuthorFiles, Grant, Sight, SystemAnswer
from talewright.llm.requests import Request
from talewright.providers.scripted import ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.steps.telling import show_ruling
from talewright.turn.turn_outcomes import Degraded
from tests.kernel.making import integer, listing, make_game, make_layout, record, string
from tests.plugs.toll import Toll
from tests.turn.making import (
    SECRET,
    Bench,
    altered,
    bridge,
    bundle,
    calls,
    cards,
    chapel,
    lay_bench,
    update,
)

CANARIES = (
    "nobody-knows-canary",
    "canary-in-a-member",
    "canary-by-a-system",
    SECRET.decode(),
    SECRET.hex(),
)


class Whispering(Toll):
    """A toll that keeps and changes something secret."""

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        bridge_slot = super().slots(files)["bridge"]
        hush = Slot(kind=SlotKind.STRING, default="canary-in-a-member", secret=True)
        return {"bridge": replace(bridge_slot, fields={**bridge_slot.fields, "hush": hush})}

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        answer = super().judge(call, sight, chance, answers)
        if isinstance(answer, Grant):
            told = Update(Op.SET, "bridge.hush", "canary-by-a-system")
            return replace(answer, updates=(*answer.updates, told))
        return answer


def whispering() -> Edition:
    game = bridge().game
    layout = replace(
        game.layout,
        roots={**game.layout.roots, "bridge": inherit(Whispering().slots({})["bridge"])},
    )
    return altered(bridge(), "whispering", systems=(Whispering(),), layout=layout, initial=layout.defaults())


def find_canaries(requests: list[Request]) -> list[str]:
    assert requests
    sent = json.dumps([asdict(request) for request in requests], ensure_ascii=False, default=str)
    return [canary for canary in CANARIES if canary in sent]


async def play_bridge() -> tuple[Bench, list[Request]]:
    """Rounds, refusals, repairs, errands in the turn and after it, and a turn that fails."""
    bench = await lay_bench(whispering(), ["He waits."])
    requests = bench.provider.requests
    await bench.commit(Opening(), "op-0")
    turns: list[tuple[Say, list[str | ScriptedReply]]] = [
        (
            Say("What is the heir called? nobody knows"),
            [
                # A leak, then something out of its authority, then calls of every kind.
                "They say the keeper once drowned a man who would not pay, and sold his boots.",
                calls("", ("propose_updates", {"updates": [update("set", "heir", "me")]})),
                calls("", ("propose_updates", {"updates": [update("set", "bridge.hush", "x")]})),
                calls("", ("pay", {"coins": 1}), ("pay", {"coins": 99}), ("paid", {})),
                calls("He tells you.", ("ask_keeper", {})),
                '"Old Marn"',
            ],
        ),
        (Say("I gamble"), [calls("He shakes the cup.", ("ask_keeper", {})), "no json", "Hm."]),
        (Say("And now?"), ["free of charge", "It is free", "Still free"]),
        (Say("I wait"), ["He waits too."]),
    ]
    for number, (given, script) in enumerate(turns, 1):
        trying = bench.told_by(*script)
        outcome = await trying.take(given, f"op-{number}")
        assert isinstance(outcome, Degraded) is (number == 3), outcome
        requests = requests + trying.provider.requests
        after = bench.told_by('"the water will take it"')
        assert await condense(after.road, "main") == (0 if number == 3 else 1)
        requests = requests + after.provider.requests
    return bench, requests


def test_no_ask_of_a_tool_loop_holds_a_secret() -> None:
    async def run() -> None:
        bench, requests = await play_bridge()
        assert await bench.value("bridge.hush") == "canary-by-a-system"
        assert await bench.value("heir") == "nobody-knows-canary"
        assert len(requests) == 17
        assert find_canaries(requests) == []

    asyncio.run(run())


def hide(edition: Edition) -> Edition:
    """The same game with one more slot, which is secret."""
    game = edition.game
    heir = Slot(kind=SlotKind.STRING, default="nobody-knows-canary", secret=True)
    layout = replace(game.layout, roots={**game.layout.roots, "heir": heir})
    return altered(edition, "hidden", layout=layout, initial={**game.initial, "heir": "nobody-knows-canary"})


@pytest.mark.parametrize("contract", ["cards", "patch"])
def test_no_ask_of_the_other_dialects_holds_a_secret(contract: str) -> None:
    async def run() -> None:
        edition = hide(chapel() if contract == "patch" else bridge())
        if contract == "cards":
            edition = altered(edition, "cards", contract="cards", plan="one_ask")
        bench = await lay_bench(edition, [cards("He waits.")] if contract == "cards" else None)
        await bench.commit(Opening(), "op-0")
        guess = update("set", "heir", "me")
        script: list[str | ScriptedReply] = [
            *("nonsense", cards("He nods.", guess), cards("He nods.", update("set", "heir.name", 1))),
            *("", cards("", update("set", "mood", "x"), guess), cards("", guess)),
        ]
        if contract == "patch":
            tried = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
            wrong = bundle("It drags.", 1, {"op": "test", "path": "/heir", "value": "me"})
            script = [tried, "nonsense", wrong, bundle("It drags.", 1)]
        requests: list[Request] = []
        for number in range(3):
            trying = bench.told_by(*script[number * 2 if contract == "cards" else 0 :])
            await trying.take(Say("I wave"), f"op-{number + 1}")
            requests += trying.provider.requests
        assert len(requests) >= 6
        assert find_canaries(requests) == []

    asyncio.run(run())


GAME = make_game(
    make_layout(
        {
            "open": integer(),
            "shut": replace(string(), secret=True),
            "bag": listing(record(name=string(), hush=replace(string(), secret=True))),
        }
    )
)


def change(path: str, value: Json, was: Json = "canary") -> Change:
    return Change("replace", path, value, was, "canary", "system:canary")


def test_a_ruling_as_the_model_is_told_it_leaves_out_what_is_secret() -> None:
    made = (
        change("/open", 1),
        change("/shut", "canary"),
        change("/bag/0/hush", "canary"),
        change("/bag/0", {"name": "rope", "hush": "canary"}),
        change("/bag", [{"name": "rope", "hush": "canary"}]),
        Change("remove", "/bag/0", ABSENT, {"hush": "canary"}, "", "engine"),
    )
    told = show_ruling(GAME, Granted(Call("pay", {"coins": 1}, "c1"), made, {"paid": 1}))
    assert told == {
        "ruling": "granted",
        "move": {"call": "pay", "arguments": {"coins": 1}, "id": "c1"},
        "result": {"paid": 1},
        "changes": [
            {"op": "replace", "path": "/open", "value": 1},
            {"op": "replace", "path": "/bag/0", "value": {"name": "rope"}},
            {"op": "replace", "path": "/bag", "value": [{"name": "rope"}]},
            {"op": "remove", "path": "/bag/0"},
        ],
    }
    assert "canary" not in json.dumps(told)


def test_other_rulings_are_told_as_they_are_kept() -> None:
    call = Call("pay", {}, "c1")
    move = {"call": "pay", "arguments": {}, "id": "c1"}
    assert show_ruling(GAME, Granted(call)) == {"ruling": "granted", "move": move}
    assert show_ruling(GAME, Refused(call, Grade.DROP, "no")) == {
        "ruling": "refused",
        "grade": "drop",
        "reason": "no",
        "move": move,
    }
    assert show_ruling(GAME, Waiting(call, Decision("d", "?", ()))) == {
        "ruling": "waiting",
        "for": "d",
        "move": move,
    }
