"""Shots at the reader of patch bundles: answers that are valid, broken, hostile or cut short, from a seed.

All that is not narration carries the canary, so that a single character of it in the narration is noticed.
"""

import json
import random
from collections.abc import Callable

from talewright.contract.text.answer_json import strip_controls
from talewright.contract.text.hidden_tail import TELLING_LENGTH_MAX
from talewright.llm.reply_chunks import StopReason
from tests.contract.chapel import VERSION
from tests.contract.fire import CANARY, Shot, decode

SIGNS = (CANARY, "```", "~~~", "{", "GAME_STATE", "STATE_OPS", "PATCH_BUNDLE", "schema_version", '"op"')
"""What no narration of ours holds."""

WORDS = (
    *(
        "You ",
        "wait. ",
        "雾 ",
        "港口的灯",
        "é",
        "\n",
        "\n\n",
        "\t",
        "*fog* ",
        "“quoted” ",
        '"said" ',
        "`ls` ",
    ),
    *(
        "🌫",
        "👩‍👩‍👧",
        "\U0010ffff",
        "[a door] ",
        "- ",
        "the game ",
        "a state ",
        "Patch ",
        "~ ",
        "``x`` ",
        "\\n",
        "it's ",
    ),
    *(
        "inventory ",
        "G",
        "st",
        "# ",
        "<b> ",
        "(no) ",
        "stat",
        "gam",
        "_",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ufeff",
        "\r\n",
    ),
)
LEADS = ("\n\n", "\n", " ", "", "\n\n---\n\n", "\n### ", " [", "\n> ", "\n\n【", "\n**", "\u3000")
NAMES = ("GAME_STATE", "STATE_OPS", "PATCH_BUNDLE", "Game_State", "state-ops", "PatchBundle", "GAMESTATE")
LINE_NAMES = ("Game State", "STATE OPS", "patch bundle")
AFTER = (":", "]", "]:\n", "\n", " ", "**", "=", ">\n", " (now)\n")
VALUES = (
    CANARY,
    f"```json {CANARY}",
    f"``` {CANARY} ~~~",
    f"{CANARY} }}",
    f'\\"{CANARY}',
    f"雾{CANARY}🌫",
    "",
)


def make_shot(rng: random.Random) -> Shot:
    """Any shot."""
    return rng.choice(MAKERS)(rng)


def tell(rng: random.Random, length: int = 10) -> str:
    """A narration; it begins and ends with something that is no lead."""
    return "You " + "".join(rng.choice(WORDS) for _ in range(rng.randint(0, length))) + " go."


def make_bundle(rng: random.Random) -> dict[str, object]:
    """A bundle, mostly good; every text in it carries the canary."""
    value = rng.choice(VALUES)
    inner = [
        {"op": "replace", "path": "/player/xp", "value": rng.randint(0, 9), CANARY: value},
        {"op": "add", "path": "/player/notes/-", "value": value},
        {"op": "add", "path": "/player/inventory/-", "value": {"id": CANARY, "qty": rng.randint(-1, 2)}},
        {"op": "remove", "path": "/player/inventory/1"},
        {"op": "replace", "path": "/player/inventory/0/qty", "value": rng.randint(-1, 2)},
        {"op": rng.choice(("test", "move", "copy", CANARY)), "path": f"/flags/{CANARY}", "value": True},
        rng.choice((CANARY, None, 7, [])),
    ]
    return {
        "schema_version": rng.choice(("1.2", "1.2", "1.2", CANARY)),
        "operation_id": f"{CANARY}-1",
        "base_version": VERSION,
        "patch": [
            {"op": "test", "path": "/version", "value": VERSION},
            *rng.sample(inner, rng.randint(0, 4)),
            {"op": "replace", "path": "/version", "value": VERSION + 1},
        ],
        "events": [value, {"type": CANARY, "message": value}],
        "next_actions": [CANARY, value],
        "mechanics": rng.choice((None, CANARY, {"skill_used": CANARY, "difficulty": 0.6, "p": value})),
        CANARY: {"deep": [value, None, True]},
    }


def write_block(rng: random.Random) -> str:
    """A fenced block with a bundle in it."""
    members = list(make_bundle(rng).items())
    if rng.random() < 0.3:
        rng.shuffle(members)
    text = json.dumps(dict(members), ensure_ascii=rng.random() < 0.4, indent=rng.choice((None, None, 2)))
    fence = rng.choice(("```", "```", "```", "````", "~~~"))
    word, blank = rng.choice(("json", "json", "JSON", "jsonc", "")), rng.choice(("\n", "\n", "\r\n", " "))
    return f"{fence}{word}{blank}{text}{blank}{fence}"


def write_dump(rng: random.Random) -> str:
    """A dump of the state, in words or in JSON, with or without a fence."""
    name = rng.choice(NAMES) + rng.choice(AFTER)
    if rng.random() < 0.2:
        name = "\n" + rng.choice(LINE_NAMES) + rng.choice(AFTER)
    body = rng.choice(
        (f"hp 5, {CANARY}", json.dumps({CANARY: 1}), json.dumps([{"op": CANARY}], indent=1), CANARY)
    )
    if rng.random() < 0.3:
        body = f"```{rng.choice(('', 'json', 'text'))}\n{body}\n```"
    return rng.choice((name + body, name + body, body if "{" in body else name))


def make_answer(rng: random.Random) -> tuple[str, str, str]:
    """Prose, what leads in to the rest, and the rest: block and dumps in any order."""
    rest = [write_block(rng)]
    if rng.random() < 0.3:
        rest.insert(rng.randint(0, 1), rng.choice((write_dump(rng), f"More, {CANARY}.")))
    if rest[0].startswith("More"):
        rest.reverse()
    return tell(rng), rng.choice(LEADS), "\n".join(rest) + rng.choice(("", "", "\n", " \n\n"))


def make_valid(rng: random.Random) -> Shot:
    prose, lead, rest = make_answer(rng)
    start = rng.choice(("", "", "\ufeff", " \n"))
    return Shot(start + prose + lead + rest, "valid", strip_controls(prose), SIGNS)


def make_truncated(rng: random.Random) -> Shot:
    prose, lead, rest = make_answer(rng)
    text = prose + lead + rest
    stop = rng.choice((None, StopReason.LENGTH, StopReason.END))
    return Shot(text[: rng.randrange(len(text))], "truncated", None, SIGNS, stop=stop)


def make_half_fence(rng: random.Random) -> Shot:
    prose = tell(rng)
    half = rng.choice(("`", "``", "```", "```js", "~~", "{", "GAME_", "[state_o", "\nPATCH BUN", "patch-"))
    stop = rng.choice((StopReason.LENGTH, StopReason.END))
    return Shot(prose + rng.choice(LEADS) + half, "half fence", strip_controls(prose), SIGNS, stop=stop)


def make_mutated(rng: random.Random) -> Shot:
    """One slip in the block. A fence may be lost by it, but never the brace as well."""
    rest = write_block(rng)
    at = rng.randrange(len(rest))
    put = rng.choice(("", "", '"', "\\", "`", "}", ",", ":", "\n", "\x01", "\ud800", "'"))
    text = tell(rng) + rng.choice(LEADS) + rest[:at] + put + rest[at + rng.randint(0, 1) :]
    return Shot(text, "mutated", None, () if at == rest.index("{") else (CANARY,))


def make_doubled(rng: random.Random) -> Shot:
    prose = tell(rng)
    between = rng.choice(("\n", "\n\n", f"\n{CANARY}\n", ""))
    text = prose + rng.choice(LEADS) + between.join([write_block(rng), write_block(rng)])
    return Shot(text, "doubled", strip_controls(prose), SIGNS)


def make_dump(rng: random.Random) -> Shot:
    prose = tell(rng)
    text = "".join(
        [prose, "\n", *(rng.choice((write_dump, write_block))(rng) for _ in range(rng.randint(1, 3)))]
    )
    return Shot(text, "dump", strip_controls(prose), SIGNS)


def make_unfenced(rng: random.Random) -> Shot:
    prose, bundle = tell(rng), json.dumps(make_bundle(rng), indent=rng.choice((None, 1)))
    text = prose + rng.choice(LEADS) + rng.choice((bundle, f"[{bundle}]", f"[\n {bundle}\n]"))
    return Shot(text, "unfenced", strip_controls(prose), SIGNS)


def make_other_fence(rng: random.Random) -> Shot:
    prose = tell(rng)
    middle = f"\n```{rng.choice(('text', 'python', 'yaml'))}\n{CANARY}\n```\nYou see {CANARY}.\n"
    return Shot(prose + middle + write_block(rng), "other fence", strip_controls(prose), SIGNS)


def make_block_alone(rng: random.Random) -> Shot:
    return Shot(rng.choice(LEADS) + write_block(rng) + f"\nYou {CANARY}.", "block alone", "", SIGNS)


def make_surrogates(rng: random.Random) -> Shot:
    pieces = ("\ud83c", "\udf2b", "🌫", "x", "\\ud83c", "\\u0000")
    inner = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 8)))
    text = f'You {inner} go.\n```json\n{{"events": ["{inner}{CANARY}"]}}\n```'
    return Shot(text, "surrogates", strip_controls(f"You {inner} go."), SIGNS)


def make_deep(rng: random.Random) -> Shot:
    depth = rng.choice((3, 31, 32, 33, 5_000))
    opened, closed = rng.choice((("[", "]"), (f'{{"{CANARY}":', "}")))
    text = f'You go.\n```json\n{{"patch": {opened * depth}1{closed * depth}}}\n```'
    return Shot(text, "deep", "You go.", SIGNS)


def make_noise(rng: random.Random) -> Shot:
    data = bytearray("".join(make_answer(rng)).encode())
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.3:
        data = bytearray(rng.randbytes(rng.randint(0, 300)))
    return Shot(decode(bytes(data)), "noise", None, ())


def make_long(rng: random.Random) -> Shot:
    prose = "loud" * rng.choice((50, 4_999, 5_000, 5_001, 9_000))
    return Shot(prose + "\n" + write_block(rng), "long", prose[:TELLING_LENGTH_MAX], SIGNS)


def make_huge_prose(rng: random.Random) -> Shot:
    """Ten megabytes; made on purpose, never by chance."""
    prose = "loud" * 2_500_000
    return Shot(prose + write_block(rng), "huge prose", prose[:TELLING_LENGTH_MAX], SIGNS)


def make_huge_block(rng: random.Random) -> Shot:
    """Ten megabytes behind the prose."""
    loud = "loud" * 2_500_000
    text = f'You go.\n```json\n{{"events": ["{loud}"], "x": "{CANARY}"}}\n```'
    return Shot(text, "huge block", "You go.", SIGNS)


MAKERS: tuple[Callable[[random.Random], Shot], ...] = (
    *(make_valid, make_valid, make_valid, make_truncated, make_truncated, make_half_fence, make_mutated),
    *(make_mutated, make_doubled, make_dump, make_dump, make_unfenced, make_other_fence, make_block_alone),
    *(make_surrogates, make_deep, make_noise, make_long),
)
