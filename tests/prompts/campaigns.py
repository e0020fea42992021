"""Long campaigns told by a made-up model that says as much as a real one, for what is measured on prompts.

Everything is made from numbers: the same campaign is the same, word for word, on every machine.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request, SystemMessage, ToolCall, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.inputs.player_inputs import GoOn, Opening, Say
from talewright.turn.turn_context import Teller
from talewright_testkit.fake_provider import parsed_request
from tests.turn.making import Bench, altered, lay_bench, play_edition

ANSWER_TOKENS = 350
SUMMARY_TOKENS = 300
WINDOW = MemoryRules(window_tokens=16_000, cut_to_tokens=8_000)
PROFILE = Profile("fake-model", context_tokens=128_000)

_ENGLISH = (
    "The rope is wet and holds. Someone has left a lamp by the door. You count the steps again and come to "
    "another number. He looks at your hands before he looks at you. There is a smell of tar and old bread. "
    "Nothing moves on the water, and then something does. She says your name as if it were a price. "
    "The bell does not ring. You have been here before, or somebody has who wore your boots. "
).split(" ")
_CHINESE = (
    "雾从门缝里进来，先坐下，再看你。灯暗了一下，谁也没抬头。他把帽子放在桌上，帽檐还滴着水。"
    "你数了数口袋里的钱，跟昨天一样多，东西却贵了。远处有船在拉汽笛，一声长，两声短。"
    "她说这话的时候看着窗外，窗外什么也没有。纸是干的，字却洇开了。你记得这个人，只是不记得在哪一边。"
)


_OTHER = (
    "Both agreed to keep quiet until the fair. A ledger changed its owner for two shillings. They counted "
    "barrels twice and argued over one. An old grudge about a fence came up again. Neither would carry the "
    "basket any further. Three letters were burned behind the stable. Everybody promised to be early. "
).split(" ")
"""For a narration that is asked for again: now and then one quotes what is hidden, by chance."""


def prose(seed: int, size: int, language: str = "en", english: Sequence[str] = _ENGLISH) -> str:
    """So many tokens of prose, another for another seed."""
    words: Sequence[str] = list(_CHINESE) if language.startswith("zh") else [f"{word} " for word in english]
    text = f"({seed}) "
    at = seed * 7
    while parsed_request.count_tokens(text) < size:
        text += "".join(words[(at + step) % len(words)] for step in range(20))
        at += 23
    return parsed_request.cut_tokens(text, size).strip()


def tell_card(number: int, language: str) -> list[ScriptedReply]:
    """An answer of the cards dialect."""
    answer: dict[str, Json] = {
        "narrative_markdown": prose(number, ANSWER_TOKENS - 190, language),
        "choices": [
            {
                "id": f"go_{number}_{choice}",
                "label": prose(number + choice, 12, language),
                "hint": prose(number + choice + 5, 8, language),
                "risk": "low",
                "tags": [],
            }
            for choice in range(3)
        ],
        "state_updates": [
            {"op": "set", "path": "energy", "value": 40 + number % 30, "reason": prose(number, 6, language)}
        ],
        "new_facts": [prose(number * 3, 12, language)] if number % 4 == 0 else [],
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return [ScriptedReply(json.dumps(answer, ensure_ascii=False))]


def tell_rounds(number: int, language: str) -> list[ScriptedReply]:
    """Two rounds of the tools dialect: a call whose result must be read, then the telling."""
    mood = {"op": "set", "path": "mood", "value": number % 5, "reason": prose(number, 10, language)}
    call = ToolCall(f"call-{number}", "propose_updates", json.dumps({"updates": [mood]}))
    offers = [{"id": f"o{choice}", "label": prose(number + choice, 8, language)} for choice in range(3)]
    offered = ToolCall(f"offer-{number}", "offer_choices", json.dumps({"choices": offers}))
    return [
        ScriptedReply("", (call,)),
        ScriptedReply(prose(number, ANSWER_TOKENS - 60, language), (offered,)),
    ]


def tell_bundle(number: int, language: str) -> list[ScriptedReply]:
    """Moves first, then prose and a patch."""
    tried = {"mechanics": {"skill_used": "perception", "difficulty": "easy"}}
    bundle: dict[str, Json] = {
        "schema_version": "1.2",
        "operation_id": f"b-{number}",
        "base_version": number,
        "patch": [
            {"op": "test", "path": "/version", "value": number},
            {"op": "replace", "path": "/candle", "value": 13 - number % 2},
            {"op": "replace", "path": "/version", "value": number + 1},
        ],
        "events": [prose(number, 12, language)],
        "next_actions": [prose(number + choice, 8, language) for choice in range(3)],
        "mechanics": tried["mechanics"],
    }
    spelled = json.dumps(bundle, ensure_ascii=False)
    told = f"{prose(number, ANSWER_TOKENS - 160, language)}\n```json\n{spelled}\n```"
    return [ScriptedReply(f"```json\n{json.dumps(tried)}\n```"), ScriptedReply(told)]


ROUND = (
    *(("lock", "Hob"), ("brewery", "Haythe"), ("forge", "Lettice"), ("measure_house", "Pask")),
    *(("school", "Groyne"), ("lock", "Mrs Prewitt"), ("taproom", "Dorcas")),
)
"""Where the player of a world goes, again and again, and whom they ask there."""


def tell_world(number: int, language: str) -> list[ScriptedReply]:
    """Two rounds in a living world: the player goes somewhere, asks somebody or waits; then the telling."""
    place, person = ROUND[number // 3 % len(ROUND)]
    calls: tuple[tuple[str, Json], ...] = (
        ("moveToLocation", {"destination": place, "narrativeTime": "", "accompaniedBy": []}),
        ("askCharacter", {"characterName": person, "topic": ""}),
        ("advanceTime", {"narrativeTime": "", "ticks": 3}),
    )
    name, arguments = calls[number % len(calls)]
    noted = {"fact": prose(number, 14, language)}
    after = (ToolCall(f"note-{number}", "noteFact", json.dumps(noted)),) if number % 5 == 0 else ()
    return [
        ScriptedReply("", (ToolCall(f"call-{number}", name, json.dumps(arguments)),)),
        ScriptedReply(prose(number, ANSWER_TOKENS - 60, language), after),
    ]


def tell_life(number: int, language: str) -> str:
    """What happened off-screen: a summary and a report, of which the engine takes what it asked for."""
    lines = [f"Somebody: {prose(number + line, 16, language)}" for line in range(8)]
    event: Json = {"description": prose(number, 18, language), "witnesses": []}
    report: Json = {"events": [event], "movements": [], "told": [], "relationships": []}
    answer: Json = {"summary": prose(number, 30, language), "dialogue": lines, "reportSimulation": report}
    return json.dumps(answer)


@dataclass(frozen=True, slots=True)
class Tale:
    """A game and how its made-up model answers."""

    name: str
    folder: str
    language: str
    tell: Callable[[int, str], list[ScriptedReply]]
    says: tuple[str, ...]
    run_errand: Callable[[int, str], str] | None = None
    """The answer to an errand of a system; where there is none, errands are not counted."""


MIST = Tale(
    "mist_harbor",
    "games/mist_harbor",
    "zh-CN",
    tell_card,
    (
        "我跟着他走进雾里，看他往哪边拐。",
        "我问她灰雨衣的事。",
        "我去报社翻前三天的排版。",
        "我在吧台边再坐一会儿。",
    ),
)
BRIDGE = Tale(
    "bridge",
    "tests/plays/games/bridge",
    "en",
    tell_rounds,
    (
        "I look at the water and say nothing.",
        "I ask him what he did before the bridge.",
        "I offer him bread.",
    ),
)
CHAPEL = Tale(
    "chapel_watch",
    "games/chapel_watch",
    "en",
    tell_bundle,
    ("I listen at the bell rope.", "I step off the gravel and wait.", "I look for the book under the pew."),
)
TANKARD = Tale(
    "dusty_tankard",
    "games/dusty_tankard",
    "en",
    tell_world,
    (
        "I walk on and see who is about.",
        "I ask what people say about the tankard on the top shelf.",
        "I wait a while and listen to the rain.",
    ),
    tell_life,
)
TALES = (MIST, BRIDGE, CHAPEL, TANKARD)


@dataclass
class Campaign:
    """A campaign that is being told, and everything that was asked for it."""

    tale: Tale
    bench: Bench
    turns: list[list[Request]] = field(default_factory=list)
    """The requests of each turn that was told by the model."""

    summaries: list[list[Request]] = field(default_factory=list)
    """Those made after each: summaries, and errands that are counted."""

    async def play(self, turns: int, *, forget: bool = False) -> None:
        """Take so many turns more, each followed by what is done after it."""
        for _ in range(turns):
            await self.take()
            if forget:
                self.turns.clear()
                self.summaries.clear()

    async def take(self) -> None:
        """One turn."""
        version = (await self.bench.head()).version
        lines = iter(self.tale.tell(version, self.tale.language))
        run_errand = self.tale.run_errand
        asked: list[Request] = []
        condensed: list[Request] = []

        def answer(request: Request) -> ScriptedReply:
            asked.append(request)
            return next(lines, None) or ScriptedReply(prose(version, ANSWER_TOKENS - 60, "en", _OTHER))

        def sum_up(request: Request) -> str:
            condensed.append(request)
            if request.answer_schema and run_errand is not None:
                return run_errand(version, self.tale.language)
            return prose(version, SUMMARY_TOKENS, self.tale.language)

        teller = Teller(
            Scripted(answer, profile=PROFILE), Scripted(sum_up, profile=replace(PROFILE, name="cheap"))
        )
        bench = self.bench.with_road(teller=teller)
        says = self.tale.says
        given = (
            Opening() if version == 0 else GoOn() if version % 50 == 49 else Say(says[version % len(says)])
        )
        await bench.commit(given, f"turn-{version + 1}")
        before = len(condensed)
        await condense(bench.road, MAIN)
        assert all(
            isinstance(r.messages[0], SystemMessage) and isinstance(r.messages[-1], UserMessage)
            for r in asked[:1]
        )
        self.turns.append(asked)
        counts = run_errand is not None or is_summary(condensed[before:])
        self.summaries.append(condensed[before:] if counts else [])


def is_summary(requests: Sequence[Request]) -> bool:
    """Whether these are requests for a summary, and no errand of a system."""
    return any(not request.answer_schema for request in requests)


async def begin(tale: Tale, memory: MemoryRules = WINDOW) -> Campaign:
    """A new campaign."""
    edition = altered(play_edition(tale.folder), f"{tale.name}-long", memory=memory)
    numbers = count()
    bench = await lay_bench(edition, [])
    return Campaign(tale, bench.with_road(language=tale.language, new_id=lambda: f"{next(numbers):032x}"))
