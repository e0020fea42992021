"""Snapshots: whole requests of the example games, as they are sent in the middle of a campaign.

`python -m tests.prompts.snapshots` writes them anew; read the difference before you keep it.
"""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import AssistantMessage, Request, ToolResult
from talewright.prompt.prompt_assembly import MESSAGE_ROLES
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.inputs.player_inputs import Input, Opening, Say
from talewright.turn.turn_context import Teller
from tests.turn.making import bundle, calls, cards, lay_bench, play_edition

FOLDER = Path(__file__).parent / "requests"
PROFILE = Profile("snapshot", AnswerMode.SCHEMA, context_tokens=64_000)
TRIED = ScriptedReply('```json\n{"mechanics": {"skill_used": "perception", "difficulty": "easy"}}\n```')


@dataclass(frozen=True, slots=True)
class Sitter:
    """A game in a language, and what is said in it."""

    folder: str
    language: str
    says: tuple[str, ...]
    script: tuple[ScriptedReply | str, ...]

    @property
    def name(self) -> str:
        return f"{Path(self.folder).name}.{self.language}"


def _cards(*texts: str) -> tuple[ScriptedReply, ...]:
    return tuple(cards(text, new_facts=[f"{number}: {text}"]) for number, text in enumerate(texts, 1))


def _bundles(*texts: str) -> tuple[ScriptedReply, ...]:
    return tuple(line for number, text in enumerate(texts, 1) for line in (TRIED, bundle(text, number)))


SITTERS = (
    Sitter(
        "games/mist_harbor",
        "zh-CN",
        ("我问她灰雨衣是谁。", "那海鸥呢？", "我去钟楼街。"),
        _cards("她没有马上回答。", "她笑了一下。", "雾更浓了。"),
    ),
    Sitter(
        "games/mist_harbor",
        "en",
        ("I ask her who the raincoat is.", "And the gull?", "I walk to Clock Street."),
        _cards("She does not answer at once.", "She laughs.", "The fog thickens."),
    ),
    Sitter(
        "games/lantern_road",
        "en",
        ("I ask about the High Door.", "Who is coughing behind me?", "I light the willow."),
        _cards("Tobias shrugs.", "The heron looks past you.", "It takes."),
    ),
    Sitter(
        "games/lantern_road",
        "zh-CN",
        ("我问高门的事。", "谁在我身后咳嗽？", "我点亮柳树下的灯。"),
        _cards("他耸耸肩。", "苍鹭看向你身后。", "灯着了。"),
    ),
    Sitter(
        "games/chapel_watch",
        "en",
        ("I listen at the bell rope.", "I look for the ledger.", "I wait."),
        _bundles("Something drags.", "A page turns.", "Nothing."),
    ),
    Sitter(
        "games/chapel_watch",
        "zh-CN",
        ("我在钟绳边听。", "我找那本账册。", "我等着。"),
        _bundles("有什么在拖动。", "一页纸翻过。", "什么也没有。"),
    ),
    Sitter(
        "tests/plays/games/bridge",
        "en",
        ("I bow.", "I ask his name.", "I wait."),
        (
            "He waits.",
            calls("", ("propose_updates", {"updates": [{"op": "inc", "path": "mood", "value": 1}]})),
            "He bows too.",
            calls("", ("ask_keeper", {})),
            '"Old Marn"',
            "He says a name.",
            "The water rises.",
        ),
    ),
)


async def sit(sitter: Sitter) -> Request:
    """The last request of a short campaign."""
    bench = await lay_bench(play_edition(sitter.folder))
    provider = Scripted(sitter.script, profile=PROFILE)
    bench = bench.with_road(teller=Teller(provider), language=sitter.language)
    inputs: list[Input] = [Opening(), *map(Say, sitter.says)]
    for number, given in enumerate(inputs):
        await bench.commit(given, f"op-{number}")
    return provider.requests[-1]


def write(request: Request) -> str:
    """A request for a person to read."""
    parts = [
        f"temperature {request.temperature}, at most {request.max_output_tokens} tokens",
        *(f"=== tool {t.name}: {t.description}\n{_spell(t.parameters)}" for t in request.tools),
    ]
    if request.answer_schema is not None:
        parts.append(f"=== schema\n{_spell(request.answer_schema)}")
    for message in request.messages:
        about = f" {message.name} ({message.call_id})" if isinstance(message, ToolResult) else ""
        called = message.calls if isinstance(message, AssistantMessage) else ()
        lines = [f"=== {MESSAGE_ROLES[type(message)]}{about}", message.text.rstrip()]
        parts.append("\n".join([*lines, *(f"--> {c.name} ({c.id}) {c.arguments}" for c in called)]))
    return "\n\n".join(parts) + "\n"


def _spell(schema: object) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1, default=dict)


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for sitter in SITTERS:
        (FOLDER / f"{sitter.name}.txt").write_text(write(asyncio.run(sit(sitter))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
