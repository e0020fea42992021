"""The words for an anatomy: every part as lines and as data; no control byte comes through."""

import json
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.llm.reply_chunks import Usage
from talewright.play.history.campaign_cost import Cost, PromptCacheBreak
from talewright.play.history.turn_inspection import (
    InspectedAsk,
    InspectedCut,
    InspectedPrompt,
    InspectedRuling,
    InspectedTurn,
    ToolUse,
)
from talewright.play.history.turn_inspection_lines import view_inspected_turn
from talewright.prompt.lore.lore_selection import LoreReason, LoreVerdict
from talewright.prompt.prompt_inspection import PromptDifference, PromptInspection, PromptPartSize

ROWS = (
    PromptPartSize("role", 12, 48, None, "You tell.\nWell."),
    PromptPartSize("state", 30, 99, 10, "[STATE]\n\x1b[2J{}"),
)
LORE = (
    LoreVerdict("toll", LoreReason.KEY, "heron", "A penny."),
    LoreVerdict("door", LoreReason.IN_VIEW),
    LoreVerdict("guest", LoreReason.WITHHELD),
)
DIFFERENCE = PromptDifference(40, "state", 147, ("turn 3",), ("state",), ("turn 1",), kept=False)
GIVEN = InspectedPrompt(PromptInspection(ROWS, 42, LORE, (("near", 5),), DIFFERENCE), before=3)
ASKS = (
    InspectedAsk(
        "tell",
        "big-1",
        'He nods.\n{"a": 1}\x07',
        "calls",
        (ToolUse("pay", "{}", "too much", refused=True), ToolUse("look", "{}", "mist"), ToolUse("go", "{}")),
        ("soft", "hard"),
        ("hard",),
        usage=Usage(900, 50, 300),
    ),
    InspectedAsk(
        "repair", "big-1", "", trouble="busy: later", updates_only=True, usage=Usage(10, 1, 0, estimated=True)
    ),
)
RULINGS = (
    InspectedRuling("granted", "inc coins 1", "found", changes=("coins 4 -> 5", "mood 1 -> 2")),
    InspectedRuling("refused", "set mood 9", "too high", "mend"),
    InspectedRuling("waiting", "gamble {}"),
)
WHOLE = InspectedTurn(
    4,
    "c0ffee",
    "model",
    GIVEN,
    "",
    (
        InspectedCut("near", 5),
        InspectedCut("window", None, "turns 1 to 2 were condensed by the engine"),
        InspectedCut("tools"),
    ),
    ASKS,
    RULINGS,
    Cost(600, 300, 51, 0.0012),
    PromptCacheBreak("the game has changed", 280, 0.00014),
    ("prompts have at most 900 tokens: it reads 40 a second",),
)


def tell(anatomy: InspectedTurn, *, words: bool = False) -> dict[str, list[str]]:
    return {part.name: list(part.lines) for part in view_inspected_turn(anatomy, words=words).parts}


def spell(anatomy: InspectedTurn, *, words: bool = False) -> dict[str, Json]:
    parts = {part.name: part.raw for part in view_inspected_turn(anatomy, words=words).parts}
    assert json.loads(json.dumps(parts)) == parts
    return parts


def test_every_part_in_lines() -> None:
    view = view_inspected_turn(WHOLE)
    assert (view.version, view.commit) == (4, "c0ffee")
    assert tell(WHOLE) == {
        "sections": [
            "about 42 tokens in 2 parts; the least weight is cut first",
            "tokens   bytes  weight  part",
            "    12      48       -  role",
            "    30      99      10  state",
        ],
        "lore": [
            "added          toll (key: heron)",
            "there already  door (in view)",
            "left out       guest (withheld)",
        ],
        "cuts": [
            "near, 5 tokens saved",
            "window: turns 1 to 2 were condensed by the engine",
            "tools",
        ],
        "fit": ["prompts have at most 900 tokens: it reads 40 a second"],
        "prefix": [
            "the same as in turn 3 up to byte 40 of 147, in the part state",
            "the prefix kept from turn 3 has changed: state",
            "new: turn 3",
            "changed: state",
            "gone: turn 1",
            "the provider read 280 tokens again, $0.00014 more: the game has changed",
        ],
        "replies": [
            "1. tell (big-1): 900 tokens read, 300 of them cached, 50 written, stopped: calls",
            "   | He nods.",
            '   | {"a": 1}',
            "   call pay {} -> refused: too much",
            "   call look {} -> mist",
            "   call go {}",
            "2. repair (big-1): about 10 tokens read, 0 of them cached, 1 written",
            "   trouble: busy: later",
        ],
        "repairs": [
            "1. asked again: hard",
            "1. accepted anyway: soft",
            "2. repairs only the updates; the narration is in an earlier reply",
        ],
        "rulings": [
            "granted inc coins 1: found; coins 4 -> 5; mood 1 -> 2",
            "refused (mend) set mood 9: too high",
            "waiting gamble {}",
        ],
        "cost": ["$0.0012; 2 requests, 900 tokens read, 300 of them cached, 51 written"],
    }


def test_the_words_of_the_prompt_where_they_are_wanted() -> None:
    assert tell(WHOLE, words=True)["sections"][2:] == [
        "    12      48       -  role",
        "        | You tell.",
        "        | Well.",
        "    30      99      10  state",
        "        | [STATE]",
        "        | [2J{}",
    ]
    rows = spell(WHOLE, words=True)["sections"]
    assert isinstance(rows, dict)
    assert isinstance(rows["parts"], list)
    assert rows["parts"][0] == {
        "name": "role",
        "tokens": 12,
        "bytes": 48,
        "weight": None,
        "text": "You tell.\nWell.",
    }


def test_a_prompt_that_may_be_another_or_cannot_be_had() -> None:
    other = replace(WHOLE, prompt=replace(GIVEN, differs=True))
    assert tell(other)["sections"][1].startswith("The record describes a different prompt")
    gone = replace(WHOLE, prompt=None, unbuilt="no\x1b game", broken=None)
    assert tell(gone)["sections"] == ["the prompt cannot be rebuilt: no game"]
    assert (tell(gone)["lore"], tell(gone)["prefix"]) == ([], [])
    assert spell(gone)["sections"] == {"unbuilt": "no\x1b game"}
    assert (spell(gone)["lore"], spell(gone)["prefix"]) == (
        None,
        {"compared_with_turn": None, "difference": None, "read_again": None},
    )


def test_the_first_prompt_and_one_that_is_the_same() -> None:
    first = replace(WHOLE, prompt=InspectedPrompt(replace(GIVEN.inspection, difference=None)), broken=None)
    assert tell(first)["prefix"] == []
    same = replace(GIVEN.inspection, difference=PromptDifference(147, "", 147))
    assert tell(replace(WHOLE, prompt=InspectedPrompt(same, 3), broken=None))["prefix"] == [
        "the same as in turn 3 up to byte 147 of 147"
    ]
    shorter = replace(GIVEN.inspection, difference=PromptDifference(47, "", 47, kept=False))
    assert tell(replace(WHOLE, prompt=InspectedPrompt(shorter, 3), broken=PromptCacheBreak("why", 1, None)))[
        "prefix"
    ][1:] == [
        "the prefix kept from turn 3 has changed: it is shorter",
        "the provider read 1 tokens again: why",
    ]


def test_what_cost_nothing_and_what_has_no_price() -> None:
    scenes = InspectedTurn(1, "c", "scenes", None, "", (), (), (), Cost())
    assert all(lines == [] for lines in tell(scenes).values())
    assert spell(scenes)["sections"] is None
    unknown = replace(WHOLE, cost=Cost(1, 2, 3, None, estimated=True))
    assert tell(unknown)["cost"] == [
        "price unknown; 2 requests, about 3 tokens read, 2 of them cached, 3 written"
    ]


def test_as_data() -> None:
    raw = spell(WHOLE)
    assert raw["cuts"] == [
        {"name": "near", "tokens": 5, "why": ""},
        {"name": "window", "tokens": None, "why": "turns 1 to 2 were condensed by the engine"},
        {"name": "tools", "tokens": None, "why": ""},
    ]
    assert raw["repairs"] == [
        {"ask": 1, "mend": ["hard"], "flaws": ["soft", "hard"], "updates_only": False},
        {"ask": 2, "mend": [], "flaws": [], "updates_only": True},
    ]
    assert raw["cost"] == WHOLE.cost.to_json()
    prefix, replies, rulings = raw["prefix"], raw["replies"], raw["rulings"]
    assert isinstance(prefix, dict)
    assert isinstance(prefix["difference"], dict)
    assert (prefix["compared_with_turn"], prefix["difference"]["kept"]) == (3, False)
    assert prefix["read_again"] == {"why": "the game has changed", "tokens": 280, "dollars": 0.00014}
    assert isinstance(replies, list)
    assert isinstance(replies[0], dict)
    assert replies[0]["reply"] == ASKS[0].reply
    assert replies[0]["calls"] == [
        {"name": "pay", "arguments": "{}", "result": "too much", "refused": True},
        {"name": "look", "arguments": "{}", "result": "mist", "refused": False},
        {"name": "go", "arguments": "{}", "result": "", "refused": False},
    ]
    assert isinstance(rulings, list)
    assert rulings[1] == {
        "ruling": "refused",
        "move": "set mood 9",
        "reason": "too high",
        "grade": "mend",
        "changes": [],
    }
