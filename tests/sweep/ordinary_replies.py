"""Ordinary replies, swept: the leak guard stops none of them, as they arrive or as a whole.

A reply is put together from public passages of the game, from what the plays narrate, and from sentences with
times, prices, initials, numbers of rooms and Japanese names. Eight such turns precede it, since the guard
counts over them.
"""

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import begin
from talewright.kernel.story.game_texts import Texts
from talewright.turn.hidden_texts import gather_hidden_texts
from talewright.turn.records.commit_body import MODEL, TurnBody, write_body
from talewright.turn.steps.briefing import PromptFrame, make_frame
from talewright.turn.steps.recalling import TOLD_TURNS, Recalled, recall
from talewright.turn.steps.telling import OUTSIDE_TELLER
from tests.plays.stage import load_edition
from tests.sweep.parts import Progress
from tests.turn.making import bridge, lay_bench

FULL_COUNT = 5_000
CHUNK = 250

GAMES: Final = tuple(sorted(path.parent.name for path in Path("games").glob("*/game.yaml")))
PUBLIC_KINDS: Final = ("scene", "ending", "finale", "intro", "trigger", "variable", "item")
"""The first part of the keys of texts that players come to read."""

LEAKING: Final = "17_hidden_text_guarded.yaml"
"""The play in which a storyteller quotes what is hidden."""

SENTENCES: Final = {
    "en": (
        "It is {h}:{m} by the clock over room {d}{L}, and nobody has wound it since 19{m}.",
        "The fare is ${d}.{m}, or €{d} if you ask {N} nicely; a room costs £{m} a night.",
        "{N} counts to {d}0, then to {m}, and writes {d}x{d} = {m} on the slate.",
        "On the {d}th of May the {h}00 bus no. {d}{L} was {m} minutes late!",
        "{N} says: “Stop!Wait!!” and drops all {m} coins, 3 of them silver, 1 of gold.",
        "You owe {N} {d},{m}0 crowns @ {d}% interest; that makes {h} + {m}.",
        "The label reads B{d}, C-{m}, 4x4, MP3, R2-D{d} and, in pencil, “{J}”.",
        "{J} laughs. “Ask {N}; I was at platform {d} ¾ at {h} o'clock.”",
        "{d}. Take the rope.\n{d}. Leave by gate {m}.\n3) Say nothing to {N}.",
        "**{N}** nods, _slowly_, for the {d}rd time today; the kettle sings at {m} °C.",
    ),
    "zh-CN": (
        "钟上是{h}点{m}分，{d}{L}号房的灯还亮着。",
        "票价是￥{m}，找零{d}块；{N}数了3遍，说少了1枚。",
        "第{d}条写着：{h}时以后，凡{m}岁以下不得入内！",
        "{N}把“{J}”三个字写在B{d}号箱子上，又擦掉了。",
        "{d}、拿绳子。\n{m}、别跟{N}说。",
        "{J}笑了：“{h}点的那班车，{d}路，晚了{m}分钟。”",
        "墙上贴着2{d}{m}年的日历，翻到5月{d}日。",
    ),
}
NAMES: Final = {
    "en": ("J. R. Moss", "A.B. Calloway", "Mr. O'Dell", "Dr. 3. Lund", "Ms. Lee-Ann", "K.C."),
    "zh-CN": ("老周", "J先生", "阿Q", "陈小姐", "K.C.", "罗伯特·李"),
}
JAPANESE: Final = ("マリー", "ジョーカー", "スーパーマン", "ケーキ屋のリー", "お母さん", "井ノ頭", "佐々木")


@cache
def list_public(game: str, language: str) -> tuple[str, ...]:
    """Every paragraph of a game that a player may come to read."""
    texts = load_edition(f"games/{game}").texts[language]
    hidden = {
        f"variable.{name}.description"
        for name, slot in load_edition(f"games/{game}").game.layout.roots.items()
        if slot.hidden or slot.secret
    }
    return tuple(
        part
        for key, text in texts.entries.items()
        if key.split(".")[0] in PUBLIC_KINDS and key not in hidden
        for part in text.split("\n\n")
    )


@cache
def list_narrated(language: str) -> tuple[str, ...]:
    """What the plays narrate in a language."""
    plays = [path for path in sorted(Path("tests/plays").glob("*.yaml")) if path.name != LEAKING]
    found = [text for path in plays for text in _find_narrated(yaml.compose(path.read_text("utf-8")))]
    return tuple(text for text in found if text.isascii() is (language == "en"))


def _find_narrated(node: yaml.Node) -> Iterator[str]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in ("narrative_markdown", "text") and isinstance(value, yaml.ScalarNode):
                yield value.value
            yield from _find_narrated(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _find_narrated(value)


def make_reply(rng: random.Random, game: str, language: str) -> str:
    """One narration."""
    parts: list[str] = []
    for _ in range(rng.randrange(1, 4)):
        match rng.randrange(4):
            case 0:
                parts.append(rng.choice(list_public(game, language)))
            case 1 if list_narrated(language):
                parts.append(rng.choice(list_narrated(language)))
            case _:
                parts.append(" ".join(_fill(rng, language) for _ in range(3)))
    return "\n\n".join(parts)


def _fill(rng: random.Random, language: str) -> str:
    return rng.choice(SENTENCES[language]).format(
        h=rng.randrange(1, 25),
        m=rng.randrange(10, 60),
        d=rng.randrange(2, 10),
        L=rng.choice("ABCDE"),
        N=rng.choice(NAMES[language]),
        J=rng.choice(JAPANESE),
    )


@cache
def _recall_nothing() -> Recalled:
    async def run() -> Recalled:
        return await recall((await lay_bench(bridge(), ["He waits."])).road, "main")

    return asyncio.run(run())


@cache
def _ready(game: str, language: str) -> tuple[AnswerGround, Texts, PromptFrame]:
    edition = load_edition(f"games/{game}")
    texts, position = edition.texts[language], begin(edition.game)
    tools = allowed_tools(WorkingState(edition.game, position))
    ground = AnswerGround(edition.game, position, language, tools=tools)
    return ground, texts, make_frame(DIALECTS[edition.game.contract], ground, texts, OUTSIDE_TELLER)


def guard_reply(game: str, language: str, told: Sequence[str]) -> HiddenTexts:
    """What the next reply must not quote, after these narrations; the oldest is first."""
    ground, texts, frame = _ready(game, language)
    nothing = _recall_nothing()
    bodies = [TurnBody(said="I go on.", told=MODEL, narration=text) for text in reversed(told)]
    commits = (replace(nothing.head, id=f"{at}", body=write_body(body)) for at, body in enumerate(bodies))
    recalled = replace(nothing, past=tuple(commits))
    dialect = DIALECTS[ground.game.contract]
    return gather_hidden_texts(dialect, ground, texts, recalled, "", frame.frozen, frame.tools)


def find_alarm(veil: HiddenTexts, reply: str, size: int) -> str:
    """Where the guard stops a reply that arrives in pieces of this size; empty if it lets it through."""
    guard, shown = LeakGuard(veil), ""
    for at in range(0, len(reply), size):
        shown += guard.feed(reply[at : at + size])
    shown += guard.finish()
    if not guard.leaked and not veil.covers([reply], continues=True):
        assert shown == reply
        return ""
    return reply[len(shown) :][:80] or reply


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Guard so many replies."""
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        game = rng.choice(GAMES)
        language = rng.choice(sorted(load_edition(f"games/{game}").texts))
        told = [make_reply(rng, game, language) for _ in range(TOLD_TURNS)]
        reply = make_reply(rng, game, language)
        alarm = find_alarm(guard_reply(game, language, told), reply, rng.choice((1, 7, 60, 4_000)))
        assert not alarm, f"seed {seed}, reply {number}, {game} in {language}: {alarm}"
        if progress:
            progress(1)
    return count
