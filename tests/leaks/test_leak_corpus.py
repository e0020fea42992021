"""The leak corpus: every obfuscation in every field of an answer, in both languages: none gets through."""

import asyncio
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import LEAK, HiddenTexts
from talewright.kernel.story.cast import Person
from talewright.kernel.story.game_texts import Texts
from talewright.providers.scripted import ScriptedReply, by
from talewright.systems.spiral.memory.day_summaries import NOTHING_LEFT, withhold
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.records.commit_body import write_body
from talewright.turn.turn_signals import NarrationDelta, NarrationReset
from tests.kernel.making import make_game, make_layout, opened, string
from tests.leaks.obfuscations import OBFUSCATIONS, cut
from tests.turn.making import Bench, cards, lay_bench, update

SECRETS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "The chaplain buried the second key under the third flagstone, counted from the well.",
        "It was she who opened the door to the grey raincoat.",
    ),
    "zh-CN": (
        "守灯人把第二把钥匙埋在从井边数起的第三块石板底下，谁也不知道。",
        "下午是她亲手给灰雨衣开的门。",
    ),
}
FIELDS = (
    *("narration", "labels", "labels with hints", "hints", "reasons", "events", "values", "names"),
    "narration and labels",
)
CASES = list(itertools.product(SECRETS, OBFUSCATIONS))
CLEAN = "Rain falls on the yard."


def make_edition(language: str) -> Edition:
    """A game with people who hide something; cards for whatever a storyteller notes."""
    layout = make_layout(
        {
            **{f"note{at}": string() for at in range(6)},
            "journal": opened(string(), {}),
        }
    )
    secrets = SECRETS[language]
    people = tuple(Person(f"p{at}") for at in range(len(secrets)))
    game = replace(make_game(layout), people=people, contract="cards", plan="one_ask")
    entries = {f"npc.p{at}.secret": secret for at, secret in enumerate(secrets)}
    texts = {"en": Texts("en", {"title": "A test", **entries})}
    return Edition(game, texts, f"leaks-{language}", f"leaks-{language}")


def split(name: str, secret: str) -> list[str]:
    """The parts of a text, each set otherwise; those that come out of order are long enough to be read so."""
    if name == "reversed_pieces":
        count = max(2, len(secret) // (17 if secret.isascii() else 6))
        return cut(secret, -(-len(secret) // count))[::-1]
    return [OBFUSCATIONS[name](part) for part in cut(secret, -(-len(secret) // 6))]


def offer(labels: Sequence[str], hints: Sequence[str] = ()) -> Json:
    rows = itertools.zip_longest([*labels, "b", "c", "d"][: max(3, len(labels))], hints, fillvalue="")
    return [
        {"id": f"c{at}", "label": label or "go", "hint": hint, "risk": "low", "tags": []}
        for at, (label, hint) in enumerate(rows)
    ]


def change(reply: ScriptedReply, **more: Json) -> ScriptedReply:
    return replace(reply, text=json.dumps({**json.loads(reply.text), **more}, ensure_ascii=False))


def answer(field: str, text: str, parts: Sequence[str]) -> ScriptedReply:
    """An answer with the text in a field, or in parts in several of its kind."""
    match field:
        case "narration":
            return cards(f"He leans over. {text}")
        case "labels":
            return change(cards(CLEAN), choices=offer(parts))
        case "labels with hints":
            return change(cards(CLEAN), choices=offer(parts, ["You would rather not."] * len(parts)))
        case "hints":
            return change(cards(CLEAN), choices=offer(list("abcdef"), parts))
        case "reasons":
            return cards(CLEAN, *({**update("set", "note0", "x"), "reason": part} for part in parts))
        case "events":
            return cards(CLEAN, events=[{"type": "note", "message": part} for part in parts])
        case "values":
            return cards(CLEAN, *(update("set", f"note{at}", part) for at, part in enumerate(parts)))
        case "names":
            return cards(CLEAN, update("set", "journal", {text: "x"}))
        case _:
            label, *rest = parts
            return change(cards(f"He says: {label}"), choices=offer([*rest, "b", "c"][: max(3, len(rest))]))


async def tell(bench: Bench, reply: ScriptedReply, size: int) -> tuple[str, list[str]]:
    """What a storyteller was told of its answer; what stands in the record, and what was shown until then."""
    trying = bench.told_by(reply, cards(CLEAN), cards(CLEAN), cut=by(size))
    body = await trying.commit(Opening(), "op")
    assert body.narration.endswith(CLEAN)
    shown = [""]
    for signal in bench.signals:
        if isinstance(signal, NarrationDelta):
            shown[-1] += signal.text
        elif isinstance(signal, NarrationReset):
            shown.append(signal.text)
    record = json.dumps(write_body(replace(body, exchanges=())), ensure_ascii=False)
    return json.dumps(body.exchanges, ensure_ascii=False), [record, *shown]


@pytest.mark.parametrize(("language", "name"), CASES)
def test_nothing_hidden_passes_in_any_field(language: str, name: str) -> None:
    async def run() -> list[str]:
        passed = []
        edition = make_edition(language)
        for secret, field in itertools.product(SECRETS[language], FIELDS):
            # Only what is told while it arrives can be cut in other places.
            size = 3 if field.startswith("narration") else 4_000
            reply = answer(field, OBFUSCATIONS[name](secret), split(name, secret))
            bench = await lay_bench(edition, [cards(CLEAN)])
            mended, told = await tell(bench, reply, size)
            # A name may be refused for its length before anybody looks what it says.
            if LEAK.message not in mended and field != "names":
                passed.append(f"{field}: {reply.text}")
            if HiddenTexts([secret]).covers(told):
                passed.append(f"{field}: told")
        return passed

    assert asyncio.run(run()) == []


@pytest.mark.parametrize(("language", "name"), CASES)
def test_nothing_hidden_passes_in_a_summary(language: str, name: str) -> None:
    for secret in SECRETS[language]:
        text = OBFUSCATIONS[name](secret)
        veil = HiddenTexts([secret])
        told = f"It rained. {text}"
        for kept in (withhold(told, [secret]), veil.take_out(told)):
            assert not veil.covers([kept])
            assert kept.startswith("It rained.") or kept in (NOTHING_LEFT, "")
