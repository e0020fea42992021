"""Shots at the reader of cards: answers that are valid, broken, hostile or cut short, from a seed.

All that is not narration carries the canary, so that a single member in the narration is noticed.
"""

import json
import random
from collections.abc import Callable
from dataclasses import replace

from talewright.contract.cards.cards_schema import NARRATIVE_LENGTH_MAX
from talewright.contract.text.answer_json import strip_controls
from talewright.llm.reply_chunks import StopReason
from tests.contract.fire import CANARY, Shot, decode

SIGNS = (CANARY, "choices", "state_updates", "new_facts", "is_game_over", "narrative_markdown")
"""What no narration of ours holds: the canary and the names of members."""

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
        "back\\slash ",
    ),
    *(
        "🌫",
        "👩‍👩‍👧",
        "\U0010ffff",
        "```json\n{}\n```",
        "{",
        "}",
        "[1, 2]",
        "\\n",
        "\\u0041",
        "/",
        "it's ",
        "<b>",
        "&amp;",
    ),
    *("\x00", "\x1b[31m", "\x85", "\u202e", "\ufeff", "\r\n", "\x7f", "\u2028"),
)
MARKS = ("", "", "\ufeff", " \n", "```json\n", "Here it is:\n```\n", "{", "[[", "{ {\n{")
"""What may stand before an object; braces only where another follows."""

ENDINGS = ("", "", "\n", "\n```", f"\n```\nThat was it, {CANARY}.", f" {{{CANARY}}} {{", "]", "}}}")
NUMBERS = ("0", "-1", "1.5", "2e3", "9007199254740991", "1E-7")


def make_shot(rng: random.Random) -> Shot:
    """Any shot."""
    return rng.choice(MAKERS)(rng)


def tell(rng: random.Random, length: int = 12) -> str:
    """A narration."""
    return "".join(rng.choice(WORDS) for _ in range(rng.randint(1, length)))


def make_members(rng: random.Random, narrative: str) -> dict[str, str]:
    """Members by name, each spelled as JSON; all but the first carry the canary."""
    choices = [
        {
            "id": f"{CANARY}{n}",
            "label": f"{CANARY} {rng.choice(WORDS)}",
            "hint": CANARY,
            "risk": rng.choice(("low", "high")),
        }
        for n in range(rng.randint(2, 4))
    ]
    updates = [
        {
            "op": rng.choice(("set", "inc", "toggle")),
            "path": f"hp.{CANARY}",
            "value": CANARY,
            "reason": CANARY,
        }
        for _ in range(rng.randint(0, 2))
    ]
    values: dict[str, object] = {
        "narrative_markdown": narrative,
        "choices": choices,
        "state_updates": updates,
        "new_facts": [f"{CANARY} {rng.choice(WORDS)}"],
        "events": [{"type": "info", "message": CANARY}],
        "end": {"is_game_over": False, "ending_id": CANARY, "reason": ""},
        CANARY: {"narrative_markdown": CANARY, "list": [CANARY, None, True]},
    }
    kept = [name for name in values if name == "narrative_markdown" or rng.random() < 0.5]
    if rng.random() < 0.5:
        rng.shuffle(kept)
    ascii_only = rng.random() < 0.4
    members = {
        name: json.dumps(values[name], ensure_ascii=ascii_only, indent=rng.choice((None, 1))) for name in kept
    }
    if rng.random() < 0.2:
        members[f"{CANARY}2"] = rng.choice(NUMBERS)
    return members


def write_object(rng: random.Random, members: dict[str, str]) -> str:
    """An object with blanks where JSON allows them, and now and then an escape in a name."""
    blank = rng.choice(("", " ", "\n", " \t\r\n "))
    names = {name: name.replace("_", "\\u005f") if rng.random() < 0.1 else name for name in members}
    inner = f"{blank},{blank}".join(
        f'"{names[name]}"{blank}:{blank}{value}' for name, value in members.items()
    )
    return f"{{{blank}{inner}{blank}}}"


def make_object(rng: random.Random) -> tuple[str, str]:
    """A good object and its narration as it is shown."""
    narrative = tell(rng)
    return write_object(rng, make_members(rng, narrative)), strip_controls(narrative)


def make_valid(rng: random.Random) -> Shot:
    text, prose = make_object(rng)
    return Shot(rng.choice(MARKS) + text + rng.choice(ENDINGS), "valid", prose, SIGNS)


def make_truncated(rng: random.Random) -> Shot:
    text, _ = make_object(rng)
    stop = rng.choice((None, StopReason.LENGTH, StopReason.END))
    return Shot(rng.choice(MARKS) + text[: rng.randrange(len(text))], "truncated", None, SIGNS, stop=stop)


def make_mutated(rng: random.Random) -> Shot:
    """One mistake; the first brace stays, for without it a member that is an object would be the answer."""
    text, _ = make_object(rng)
    at = rng.randrange(1, len(text))
    put = rng.choice(("", "", '"', "\\", "{", "}", ",", ":", "\n", "\x01", "\ud800", "'"))
    return Shot(text[:at] + put + text[at + rng.randint(0, 1) :], "mutated", None, SIGNS)


def make_scrambled(rng: random.Random) -> Shot:
    """Pieces out of order: what is narration then is anybody's guess."""
    text, _ = make_object(rng)
    pieces = []
    for _ in range(rng.randint(2, 6)):
        start = rng.randrange(len(text))
        pieces.append(text[start : start + rng.randint(1, 60)])
    return Shot("".join([*rng.choice((["{"], [text[:40]])), *pieces]), "scrambled", None, ())


def make_doubled(rng: random.Random) -> Shot:
    first, prose = make_object(rng)
    second = write_object(rng, make_members(rng, CANARY))
    return Shot(first + rng.choice(("", "\n", "\n```\n```json\n", ", ")) + second, "doubled", prose, SIGNS)


def make_repeated_member(rng: random.Random) -> Shot:
    narrative = tell(rng)
    members = [
        ("narrative_markdown", json.dumps(narrative)),
        ("narrative_markdown", json.dumps(CANARY)),
        ("choices", "[]"),
    ]
    inner = ",".join(f'"{name}":{value}' for name, value in members)
    return Shot(f"{{{inner}}}", "repeated member", strip_controls(narrative), SIGNS)


def make_surrogates(rng: random.Random) -> Shot:
    pieces = (
        *("\\ud83c", "\\udf2b", "\\ud83c\\udf2b", "\\uD83C", "\ud83c", "\udf2b", "x", "\\n", "\\\\"),
        "🌫",
    )
    inner = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 8)))
    return Shot(f'{{"narrative_markdown":"{inner}","choices":["{CANARY}"]}}', "surrogates", None, SIGNS)


def make_deep(rng: random.Random) -> Shot:
    depth = rng.choice((3, 31, 32, 33, 5_000))
    sign = rng.choice("[{")
    opened = ("[" if sign == "[" else f'{{"{CANARY}":') * depth
    closed = ("]" if sign == "[" else "}") * depth
    text, prose = make_object(rng)
    known = prose if rng.random() < 0.5 else ""
    nested = f'"{CANARY}": {opened}1{closed}'
    if known:
        return Shot(text[:-1] + "," + nested + "}", "deep", prose, SIGNS)
    return Shot(f"{{{nested}, {text[1:]}", "deep", None, SIGNS)


def make_noise(rng: random.Random) -> Shot:
    text, _ = make_object(rng)
    data = bytearray(text.encode())
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.3:
        data = bytearray(rng.randbytes(rng.randint(0, 300)))
    return Shot(decode(bytes(data)), "noise", None, ())


def make_long(rng: random.Random) -> Shot:
    narrative = "long " * rng.choice((300, 2_399, 2_400, 2_401, 30_000))
    text = write_object(rng, make_members(rng, narrative))
    return Shot(text, "long", narrative[:NARRATIVE_LENGTH_MAX], SIGNS)


def make_refused(rng: random.Random) -> Shot:
    return replace(make_valid(rng), kind="refused", stop=StopReason.REFUSAL)


def make_huge(rng: random.Random) -> Shot:
    """Ten megabytes; made on purpose, never by chance."""
    narrative = "fog " * 2_500_000
    text = f'{{"narrative_markdown":"{narrative}","choices":["{CANARY}"]}}'
    return Shot(text, "huge", narrative[:NARRATIVE_LENGTH_MAX], SIGNS)


MAKERS: tuple[Callable[[random.Random], Shot], ...] = (
    *(make_valid, make_valid, make_truncated, make_truncated, make_mutated, make_mutated, make_mutated),
    *(
        make_scrambled,
        make_doubled,
        make_repeated_member,
        make_surrogates,
        make_deep,
        make_noise,
        make_long,
        make_refused,
    ),
)
