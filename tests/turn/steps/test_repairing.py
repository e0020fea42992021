"""Telling: repairs, what of a flawed answer stays, and what is asked of the model."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import LEAK, NAMED
from talewright.kernel.game import TellerWishes
from talewright.kernel.judging.moves import Call, End, Move, Op, Update
from talewright.kernel.judging.rulings import Flaw, Grade, Refused
from talewright.kernel.system import ProposedTelling, Sight
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import AssistantMessage, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.inputs.player_inputs import AnswerDecision as AnswerCard
from talewright.turn.inputs.player_inputs import Input, Opening, Say
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.steps.repairing import ANSWER_AGAIN_LENGTH_MIN, flaw_of, name_move
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import Activity, Doing, NarrationDelta, NarrationReset, RepairCause
from tests.plugs.toll import Toll
from tests.turn.making import (
    Bench,
    altered,
    bridge,
    bundle,
    calls,
    cards,
    chapel,
    ferry,
    lay_bench,
    plain,
    update,
)

WRONG = update("dec", "coinz", 1)
RIGHT = update("dec", "coins", 1)


def offering(choice: dict[str, Json]) -> ScriptedReply:
    """A good answer but for one of its choices."""
    answer = json.loads(cards("He nods.").text)
    answer["choices"][0] = choice
    return ScriptedReply(json.dumps(answer))


async def tell(*script: str | ScriptedReply, **parts: object) -> tuple[Bench, TurnBody]:
    bench = await lay_bench(ferry(), opened=True)
    telling = bench.told_by(*script).with_road(**parts)
    return telling, await telling.commit(Say("I wave"), "op")


def test_a_narration_stands_while_its_updates_are_asked_for_again() -> None:
    async def run() -> None:
        bench, body = await tell(
            cards("He nods.", WRONG, choices=("p", "q", "r"), new_facts=["He is old."]),
            cards("He shouts.", WRONG, choices=()),
            cards("", RIGHT, choices=()),
        )
        assert (body.narration, bench.screen()) == ("He nods.", "He nods.")
        assert NarrationReset("") not in bench.signals
        assert "".join(s.text for s in bench.signals if isinstance(s, NarrationDelta)) == "He nods."
        assert await bench.value("coins") == 4
        assert [choice.id for choice in body.choices] == ["p", "q", "r"]
        assert body.facts == ("He is old.",)
        assert [exchange["purpose"] for exchange in plain(body.exchanges)] == ["tell", "repair", "repair"]
        assert [len(exchange.get("mend", [])) for exchange in plain(body.exchanges)] == [1, 1, 0]
        causes = [s.why for s in bench.signals if isinstance(s, Activity) and s.doing is Doing.MENDING]
        assert causes == [RepairCause.RULES] * 2
        assert bench.signals.count(Activity(Doing.JUDGING)) == 3

    asyncio.run(run())


def test_what_the_repair_gives_anew_is_taken() -> None:
    async def run() -> None:
        _, body = await tell(
            cards("He nods.", WRONG, new_facts=["Old."]),
            cards("", RIGHT, choices=("x", "y", "z"), new_facts=["New."]),
        )
        assert [choice.id for choice in body.choices] == ["x", "y", "z"]
        # A repair of the updates tells nothing, so the facts are those of the narration that stands.
        assert body.facts == ("Old.",)

    asyncio.run(run())


def ending(ending_id: str, over: Json = True) -> Json:
    return {"is_game_over": over, "ending_id": ending_id, "reason": "so it goes"}


@pytest.mark.parametrize(
    ("first", "repair"),
    [
        (ending("broke"), ending("", over=False)),
        (ending("broke"), ending("broke")),
        # Where the form of the end itself was the flaw, the repair brings it.
        (ending("broke", over="yes"), ending("broke")),
    ],
)
def test_an_end_stands_while_the_updates_beside_it_are_asked_for_again(first: Json, repair: Json) -> None:
    async def run() -> None:
        edition = altered(ferry(), model_may_end=True)
        bench = (await lay_bench(edition, opened=True)).told_by(
            cards("The boat sinks.", WRONG, choices=(), end=first), cards("", RIGHT, choices=(), end=repair)
        )
        body = await bench.commit(Say("I jump"), "op")
        assert body.end is not None
        assert body.end.ending == "broke"
        ends = [ruling for ruling in plain(body.rulings) if "end" in ruling["move"]]
        assert [ruling["ruling"] for ruling in ends] == ["granted"]
        assert await bench.value("coins") == 4

    asyncio.run(run())


def test_a_broken_answer_is_asked_for_whole() -> None:
    async def run() -> None:
        bench, body = await tell('{"narrative_markdown": "He no', cards("He nods."))
        assert body.narration == "He nods."
        assert NarrationReset("") in bench.signals
        first, second = bench.provider.requests
        assert second.messages[: len(first.messages)] == first.messages
        assert second.messages[-2] == AssistantMessage('{"narrative_markdown": "He no')
        assert isinstance(second.messages[-1], UserMessage)

    asyncio.run(run())


def test_a_failed_answer_is_shown_again_cut() -> None:
    async def run() -> None:
        bench, _ = await tell("nonsense", cards("Hm."), limits=TurnLimits(failed_answer_length_max=3))
        assert bench.provider.requests[1].messages[-2] == AssistantMessage("non")

    asyncio.run(run())


FAILED = '{"narrative_markdown": "He no'
LONG = "".join(f"He says {n} words and no more. " for n in range(30))
SHORT = '{"narrative_markdown": "", "choices": 3, "state_updates": 4, "end": 5}'


@pytest.mark.parametrize("first", [FAILED, SHORT, LONG, "Hm", ""])
@pytest.mark.parametrize("second", [FAILED, SHORT, "Hm. " + LONG, ""])
def test_the_second_demand_of_a_repair_is_shorter_and_takes_the_place_of_the_first(
    first: str, second: str
) -> None:
    async def run() -> None:
        bench, body = await tell(first, second, cards("He nods.", RIGHT))
        assert body.narration == "He nods."
        one, two, three = (request.messages for request in bench.provider.requests)
        assert (two[: len(one)], three[: len(one)]) == (one, one)
        assert len(two) == len(three) == len(one) + 2
        added = [sum(len(message.text) for message in asked[-2:]) for asked in (two, three)]
        # Where there was next to nothing to show, that is all there can be.
        assert added[1] < added[0] or len(first) < ANSWER_AGAIN_LENGTH_MIN
        assert added[1] < added[0] + ANSWER_AGAIN_LENGTH_MIN
        assert "- " in three[-1].text

    asyncio.run(run())


def test_a_narration_that_has_come_to_stand_is_shown_whole() -> None:
    async def run() -> None:
        good = cards("He nods.", WRONG)
        bench, body = await tell("Hm", good, cards("", RIGHT))
        assert body.narration == "He nods."
        assert bench.provider.requests[2].messages[-2] == AssistantMessage(good.text)
        assert len(bench.provider.requests[2].messages) == len(bench.provider.requests[1].messages)

    asyncio.run(run())


def test_a_narration_that_stands_is_shown_with_the_second_demand() -> None:
    async def run() -> None:
        told = "He nods at you, slowly, and looks away over the water."
        bench, body = await tell(cards(told, WRONG), '{"state_updates": 7}', cards("", RIGHT))
        assert body.narration == told
        _, two, three = (request.messages for request in bench.provider.requests)
        assert three[-2] == AssistantMessage(told + '\n\n{"state_updates": 7}')
        assert len(three[-2].text) + len(three[-1].text) < len(two[-2].text) + len(two[-1].text)

    asyncio.run(run())


def test_soft_flaws_alone_are_no_flaws_and_are_told_along_with_others() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        long = "".join(f"word{n} " for n in range(60))
        mechanics = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
        telling = bench.told_by(mechanics, bundle(long, 1))
        body = await telling.commit(Say("I listen"), "op")
        assert body.narration == long.strip()
        assert plain(body.exchanges)[1]["flaws"] == ["the narration has 60 words; stay within 40 from now on"]
        again = bench.told_by(mechanics, bundle(long, 99), bundle("Short.", 2))
        body = await again.commit(Say("I listen"), "op2")
        mend = plain(body.exchanges)[1]["mend"]
        assert len(mend) > 1
        assert mend[-1] == "the narration has 60 words; stay within 40 from now on"

    asyncio.run(run())


RULE = "Never decide, speak or act for the player. Each turn brings one concrete change"


@pytest.mark.parametrize(
    ("answer", "flaw"),
    [
        (cards(f"He says: {RULE}."), LEAK),
        (offering({"id": RULE, "label": "Go"}), LEAK),
        (cards("He nods.", events=[{"type": "info", "message": RULE}]), LEAK),
        (cards("He nods.", {**RIGHT, "reason": RULE}), LEAK),
        (cards("He nods.", {**RIGHT, "reason": "world"}), NAMED),
        (cards("He nods.", events=[{"type": "info", "message": "intro"}]), NAMED),
        (offering({"label": "world"}), NAMED),
        (offering({"label": "Go", "hint": " title "}), NAMED),
    ],
)
def test_an_answer_that_shows_what_is_for_the_storyteller_alone_is_asked_for_whole(
    answer: ScriptedReply, flaw: Flaw
) -> None:
    async def run() -> None:
        bench, body = await tell(answer, cards("He waits."))
        assert (body.narration, bench.screen()) == ("He waits.", "He waits.")
        assert plain(body.exchanges)[0]["mend"] == [flaw.message]
        assert NarrationReset("") in bench.signals
        assert not any(
            RULE[:40] in signal.text for signal in bench.signals if isinstance(signal, NarrationDelta)
        )

    asyncio.run(run())


def test_a_choice_may_have_an_id_that_is_also_the_name_of_a_text() -> None:
    async def run() -> None:
        _, body = await tell(offering({"id": "world", "label": "Look about"}))
        assert body.choices[0].id == "world"

    asyncio.run(run())


def test_an_audit_of_a_system_voids_the_narration() -> None:
    async def run() -> None:
        edition = altered(bridge(), contract="cards", plan="one_ask")
        bench = await lay_bench(edition, [cards("It is free."), cards("It costs a coin.")])
        body = await bench.commit(Opening(), "op")
        assert body.narration.endswith("It costs a coin.")
        assert bench.screen() == "It costs a coin."

    asyncio.run(run())


PROFILE = Profile("fine", answer_mode=AnswerMode.SCHEMA, output_tokens_max=700)


@pytest.mark.parametrize(
    ("wishes", "override", "temperature", "tokens"),
    [
        (TellerWishes(), {}, None, 700),
        (TellerWishes(temperature=0.4, max_output_tokens=300), {}, 0.4, 300),
        (TellerWishes(max_output_tokens=701), {}, None, 700),
        (TellerWishes(temperature=0.4), {"temperature": 0.0}, 0.0, 700),
        (TellerWishes(max_output_tokens=300), {"max_output_tokens": 400}, None, 400),
        (TellerWishes(max_output_tokens=300), {"max_output_tokens": 900}, None, 700),
    ],
)
def test_the_request(
    wishes: TellerWishes, override: dict[str, Any], temperature: float | None, tokens: int
) -> None:
    async def run() -> None:
        bench = await lay_bench(altered(ferry(), teller=wishes), opened=True)
        provider = Scripted([cards("He nods.")], profile=PROFILE)
        telling = bench.with_road(teller=Teller(provider, **override))
        body = await telling.commit(Say("I wave"), "op")
        (request,) = provider.requests
        assert (request.temperature, request.max_output_tokens, request.tools) == (temperature, tokens, ())
        assert request.answer_schema is not None
        assert body.model == {"name": "fine", **override}

    asyncio.run(run())


def test_refusals_in_words_for_the_model() -> None:
    moves: dict[str, Move] = {
        "coins": Update(Op.INC, "coins", 1),
        "pay": Call("pay"),
        "end": End("across"),
    }
    for name, move in moves.items():
        refused = Refused(move, Grade.MEND, "no")
        assert name_move(refused) == name
        assert flaw_of(refused).message == f"{name}: no"


class Auditing(Toll):
    """A toll that writes down what it is asked to audit."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool, list[str], list[str]]] = []

    def audit(self, telling: ProposedTelling, sight: Sight) -> Sequence[Flaw]:
        calls, granted = ([call.tool for call in made] for made in (telling.calls, telling.granted))
        self.heard.append((telling.prose, telling.final, calls, granted))
        return ()


async def audit(
    script: Sequence[str | ScriptedReply], given: Sequence[Input] = (), **parts: object
) -> Auditing:
    system = Auditing()
    bench = await lay_bench(altered(bridge(), "auditing", systems=(system,), **parts), script)
    await bench.commit(Opening(), "opening")
    system.heard.clear()
    for number, one in enumerate(given):
        await bench.commit(one, f"op-{number}")
    return system


def test_an_audit_knows_whether_an_answer_is_the_last_and_what_was_granted_before() -> None:
    script: list[str | ScriptedReply] = [
        "He waits.",
        calls("Two.", ("pay", {"coins": "two"})),
        calls("One.", ("pay", {"coins": 1})),
        calls("", ("ask_keeper", {})),
        '"Marn"',
        calls("He nods.", ("ask_keeper", {})),
        '"Marn"',
    ]
    system = asyncio.run(audit(script, [Say("I pay")]))
    assert system.heard == [
        ("Two.", False, [], []),
        ("One.", False, ["pay"], []),
        ("", False, ["ask_keeper"], ["pay"]),
        ("He nods.", True, ["ask_keeper"], ["pay", "ask_keeper"]),
    ]


def test_what_the_player_has_decided_was_granted_before() -> None:
    script: list[str | ScriptedReply] = ["He waits.", calls("Here.", ("gamble", {})), "The die falls."]
    system = asyncio.run(audit(script, [Say("I roll"), AnswerCard("gamble", "withdraw")]))
    assert system.heard == [("Here.", False, ["gamble"], []), ("The die falls.", True, [], ["gamble"])]


def test_the_moves_of_an_answer_that_is_told_later_are_not_the_last() -> None:
    moves = '{"state_updates": [], "end": {"is_game_over": false, "ending_id": "", "reason": ""}}'
    parts = {"contract": "cards", "plan": "moves_first"}
    script: list[str | ScriptedReply] = [moves, cards("He waits."), moves, cards("He nods.")]
    system = asyncio.run(audit(script, [Say("I wave")], **parts))
    assert [(prose, final) for prose, final, _, _ in system.heard] == [("", False), ("He nods.", True)]


def test_after_the_last_round_there_is_only_the_telling() -> None:
    async def run() -> list[bool]:
        system = Auditing()
        edition = altered(bridge(), "auditing", systems=(system,))
        asking = calls("", ("pay", {"coins": 1}))
        bench = await lay_bench(edition, ["He waits.", asking, asking], limits=TurnLimits(rounds_max=1))
        await bench.commit(Opening(), "opening")
        system.heard.clear()
        await bench.take(Say("I pay"), "op")
        return [final for _, final, _, _ in system.heard]

    assert asyncio.run(run()) == [False, True]
