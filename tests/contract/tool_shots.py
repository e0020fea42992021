"""Shots at the reader of tools: tellings with calls, valid, broken, hostile or cut short, from a seed.

Everything in a call, and everything in the text that is no telling, carries the canary.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from talewright.contract.dialect import AnswerGround, Dialect
from talewright.contract.text.answer_json import strip_controls
from talewright.llm.reply_chunks import CallPart, StopReason
from tests.contract.fire import CANARY, SMALL_BYTES, Shot, fire, read
from tests.contract.patch_shots import (
    SIGNS,
    make_dump,
    make_half_fence,
    make_long,
    make_noise,
    make_other_fence,
    make_surrogates,
    make_truncated,
    make_unfenced,
    tell,
)

TOOLS = (
    *("pay", "gamble", "ask_keeper", "offer_choices", "propose_updates", "end_game", "attempt"),
    *(CANARY, "pya", "offer_choice", "", "雾", "pay\x00"),
)
STRINGS = (CANARY, f"雾{CANARY}", f"```{CANARY}", f'"{CANARY}"', "\x1b[31m", "\u202e", "")


def make_shot(rng: random.Random) -> Shot:
    """Any shot: a text and up to four calls."""
    shot = rng.choice(TEXTS)(rng)
    calls = tuple(make_call(rng, number) for number in range(rng.choice((0, 1, 1, 2, 4))))
    stop = rng.choice((StopReason.END, StopReason.CALLS, shot.stop, StopReason.LENGTH))
    return replace(shot, calls=calls, stop=stop)


def make_call(rng: random.Random, number: int) -> CallPart:
    """One call, mostly of a tool there is and with arguments it might take."""
    name = rng.choice(TOOLS)
    arguments = json.dumps(make_arguments(rng, name), ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.3:
        at = rng.randrange(len(arguments) + 1)
        put = rng.choice(("", '"', "\\", "}", ",", "\n", "\x01", "\ud800", "[" * 40))
        arguments = arguments[:at] + put + rng.choice((arguments[at:], arguments[at + 1 :], ""))
    return CallPart(
        number, rng.choice((f"{CANARY}{number}", "")), name, rng.choice((arguments, arguments, ""))
    )


def make_arguments(rng: random.Random, name: str) -> object:
    """Arguments of a tool, now and then of another."""
    text = rng.choice(STRINGS)
    update = {
        "op": rng.choice(("set", "inc", "toggle", CANARY)),
        "path": "player.xp",
        "value": rng.choice((1, text)),
    }
    known: dict[str, object] = {
        "pay": {"coins": rng.choice((1, 1.5, "all", None, text))},
        "gamble": {"note": text},
        "offer_choices": {"choices": [{"label": text, "id": CANARY}, {"label": "a"}, {"label": "b"}]},
        "propose_updates": {"updates": [update, {**update, "reason": text}]},
        "end_game": {"ending": rng.choice(("dead", text))},
    }
    made = known.get(name if rng.random() < 0.8 else rng.choice(TOOLS), {})
    return rng.choice((made, made, made, made, {**known, CANARY: text}, [made], text, None))


def make_plain(rng: random.Random) -> Shot:
    prose = tell(rng)
    blank = rng.choice(("", "\n", "\ufeff \n"))
    return Shot(blank + prose + blank, "plain", strip_controls(prose), SIGNS)


def make_silent(rng: random.Random) -> Shot:
    return Shot(rng.choice(("", " \n", "\x00", "---", "\ud800")), "silent", "", SIGNS)


def make_written_call(rng: random.Random) -> Shot:
    """A call written as text, as models without tools do."""
    prose, name = tell(rng), rng.choice(TOOLS[:6])
    call = json.dumps({"name": name, "arguments": {CANARY: make_arguments(rng, name)}})
    text = prose + rng.choice(("\n", " ", "\n```json\n", "\n```tool_call\n", "\n[")) + call
    return Shot(
        text + rng.choice(("", "\n```", f"\nYou {CANARY}.")), "written call", strip_controls(prose), SIGNS
    )


def fire_calls(
    dialect: Dialect, ground: AnswerGround, shot: Shot, rng: random.Random, alone: int = SMALL_BYTES
) -> None:
    """Fire one shot with its text cut, and then with its calls cut."""
    whole = fire(dialect, ground, shot, rng, alone)
    for size in (1, rng.randint(2, 30)):
        parts = tuple(part for call in shot.calls for part in divide_call(call, size))
        answer = read(dialect, ground, replace(shot, calls=mix(rng, parts)), [shot.text])
        assert answer == whole, f"{shot.kind}: {answer} of calls in pieces, {whole} in one"


def divide_call(call: CallPart, size: int) -> list[CallPart]:
    """A call in pieces: its name first, then so many characters of its arguments at a time."""
    texts = [call.arguments[at : at + size] for at in range(0, len(call.arguments), size)]
    return [replace(call, arguments=""), *(CallPart(call.index, arguments=text) for text in texts)]


def mix(rng: random.Random, parts: Sequence[CallPart]) -> tuple[CallPart, ...]:
    """Parts of several calls among one another, each call's own in their order."""
    order = [part.index for part in parts]
    rng.shuffle(order)
    waiting = {index: iter([part for part in parts if part.index == index]) for index in order}
    return tuple(next(waiting[index]) for index in order)


TEXTS: tuple[Callable[[random.Random], Shot], ...] = (
    *(make_plain, make_plain, make_plain, make_silent, make_written_call, make_written_call, make_dump),
    *(
        make_half_fence,
        make_long,
        make_noise,
        make_other_fence,
        make_surrogates,
        make_truncated,
        make_unfenced,
    ),
)
