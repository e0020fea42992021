"""The Lockbox: a game told by tools, two of which take no arguments; here a script plays it to its end."""

import asyncio

from talewright.llm.requests import ToolCall
from talewright.pack.compiler import check_folder
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import Opening, Say
from tests.models.casts import LOCKBOX_LEAD, USED
from tests.models.games import ROOT, TOOLS, load_edition
from tests.plugs.lock import COMBINATION, DIALS, Lock
from tests.turn.making import lay_bench


def call(*named: tuple[str, str]) -> ScriptedReply:
    calls = tuple(ToolCall(f"call-{at}", name, arguments) for at, (name, arguments) in enumerate(named))
    return ScriptedReply("", calls, USED)


def tell(text: str) -> ScriptedReply:
    return ScriptedReply(text, usage=USED)


def test_it_has_no_faults() -> None:
    assert check_folder(ROOT / TOOLS, {"lock": Lock()}).faults == ()


def test_its_lead_is_told_and_changes_what_it_says() -> None:
    async def play() -> dict[str, object]:
        bench = (await lay_bench(load_edition(TOOLS))).told_by(*LOCKBOX_LEAD.lines)
        for number, said in enumerate(["", *LOCKBOX_LEAD.sayings]):
            await bench.commit(Say(said) if said else Opening(), f"turn-{number}")
        return {path: await bench.value(f"box.{path}") for path in (*DIALS, "pulls", "open")}

    assert asyncio.run(play()) == {"left": 0, "middle": 1, "right": 0, "pulls": 1, "open": False}


def test_the_box_opens_for_whoever_has_listened() -> None:
    digits = zip(DIALS, COMBINATION, strict=True)
    turns = call(*(("turn_dial", f'{{"dial": "{dial}", "digit": {digit}}}') for dial, digit in digits))
    lines = [tell("Rain."), turns, tell("They turn."), call(("listen", "{}")), tell("Three knocks.")]
    lines += [call(("pull", "{}")), tell("It opens.")]

    async def play() -> tuple[str, str]:
        bench = (await lay_bench(load_edition(TOOLS))).told_by(*lines)
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("I turn all dials."), "turn")
        listened = await bench.commit(Say("I listen."), "listen")
        pulled = await bench.commit(Say("I pull."), "pull")
        assert pulled.end is not None
        return str(listened.exchanges), pulled.end.ending

    heard, ending = asyncio.run(play())
    assert '"dials_that_stand_right": 3' in heard
    assert ending == "opened"


def test_a_dial_that_is_not_there_and_a_digit_too_many_are_refused() -> None:
    wrong = call(
        ("turn_dial", '{"dial": "upper", "digit": 1}'), ("turn_dial", '{"dial": "left", "digit": 10}')
    )

    async def play() -> tuple[object, ...]:
        bench = (await lay_bench(load_edition(TOOLS))).told_by(tell("Rain."), wrong, tell("Nothing turns."))
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("I turn the upper dial."), "turn")
        return tuple([await bench.value(f"box.{dial}") for dial in DIALS])

    assert asyncio.run(play()) == (0, 0, 0)


def test_what_opens_it_is_in_no_question() -> None:
    async def play() -> str:
        bench = (await lay_bench(load_edition(TOOLS))).told_by(*LOCKBOX_LEAD.lines)
        for number, said in enumerate(["", *LOCKBOX_LEAD.sayings]):
            await bench.commit(Say(said) if said else Opening(), f"turn-{number}")
        return str(bench.provider.requests)

    assert COMBINATION not in asyncio.run(play())
