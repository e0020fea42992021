"""Turn comparison: lists how a replayed turn differs from its record.

Everything that affects play is compared. Texts that the engine wrote for people are compared apart from it,
since a later version may reword them; the faces and totals in them affect play.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json, equal
from talewright.turn.records.commit_body import TurnBody

_NUMBER = re.compile(r"\d+")
_TEXT_KEY = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")
"""The name of an author's text."""

_WORDED = frozenset({"text", "refused", "reason", "why", "question", "lines", "message"})
"""Members with text for people, in what systems and the engine return."""

_HEARD = ("purpose", "model", "text", "stop", "calls", "trouble", "usage", "updates_only", "objection")
"""Members of an exchange that affect play; the others are the engine's replies in words."""


def compare_turns(recorded: Commit, again: Commit) -> tuple[str, ...]:
    """The names of the members in which two commits of the same turn differ."""
    members = ("version", "game_digest", "state_digest")
    unlike = [name for name in members if getattr(recorded, name) != getattr(again, name)]
    old, new = recorded.body, again.body
    names = [name for name in (*old, *(name for name in new if name not in old)) if name not in _PASSED_OVER]
    return (*unlike, *(name for name in names if not _agree(name, old, new)))


def compare_words(recorded: Commit, again: Commit) -> tuple[str, ...]:
    """The names of the members in which two commits of the same turn differ at all, but not in play."""
    old, new = recorded.body, again.body
    names = (*old, *(name for name in new if name not in old))
    return tuple(name for name in names if name != "engine" and not _agree_wholly(name, old, new))


def _agree_wholly(name: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    first, second = old.get(name), new.get(name)
    if equal(first, second) or (name not in old and name in _ONCE_ABSENT):
        return True
    # A refused edit cannot be replayed.
    return name == "edits" and equal(_core(name, first), second or [])


_ONCE_ABSENT = frozenset({"nonce", "circumstances"})
"""Members that older turns do not have; where they may be absent, `_agree` has said."""

_PASSED_OVER = frozenset({"engine", "cuts", "window"})
"""The engine's number, and how much of the past its prompts show."""


def _agree(name: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    if name not in _MEMBERS:
        return False
    if name == "nonce" and "nonce" not in old and "draws" not in old and "draws" not in new:
        # Older turns stored it only if something was drawn.
        return True
    if name == "circumstances" and "circumstances" not in old and "engine" not in old:
        # Turns older than engine numbers did not store them.
        return True
    first, second = (_core(name, body.get(name)) for body in (old, new))
    return equal(first, second)


_MEMBERS = frozenset(part.name for part in fields(TurnBody)) - {"root"}
"""The members that the body of a turn may have."""


def _core(name: str, value: Json) -> Json:
    """The part of a member that affects play."""
    if name not in _CORES:
        return value
    listed = () if value is None else value
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return {"malformed": value}
    if name == "edits":
        # The text of a refused edit is not in the record, so the refusal cannot be replayed.
        return [part for part in listed if not isinstance(part, Mapping) or "refused" not in part]
    return [_CORES[name](part) for part in listed]


def _core_of_words(name: str, value: Json) -> Json:
    """The parts of a text to compare: the name of an author's text, and the faces and totals of a `text`."""
    if not isinstance(value, str) or name != "text":
        return None
    return value if _TEXT_KEY.fullmatch(value) else cast(Json, _NUMBER.findall(value))


def _without_words(value: Json) -> Json:
    """JSON without texts for people, at any depth."""
    if isinstance(value, Mapping):
        return {
            name: _core_of_words(name, part) if name in _WORDED else _without_words(part)
            for name, part in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_without_words(part) for part in value]
    return value


def _without(*left_out: str) -> Callable[[Json], Json]:
    def core(part: Json) -> Json:
        if not isinstance(part, Mapping):
            return {"malformed": part}
        return {name: value for name, value in part.items() if name not in left_out}

    return core


def _core_of_draw(part: Json) -> Json:
    # The fifth is the reason, in words.
    return [*part[:4], *part[5:]] if isinstance(part, Sequence) and not isinstance(part, str) else part


def _core_of_ruling(part: Json) -> Json:
    if not isinstance(part, Mapping):
        return part
    core = {name: value for name, value in part.items() if name not in ("reason", "move", "result")}
    # A move is a proposal: only its reason is text.
    return {
        **core,
        "move": _without("reason")(part.get("move")),
        "result": _without_words(part.get("result")),
    }


def _core_of_decision(part: Json) -> Json:
    if not isinstance(part, Mapping):
        return part
    options = part.get("options")
    listed = options if isinstance(options, Sequence) else ()
    return {
        **cast(Mapping[str, Json], _without_words(_without("options")(part))),
        "options": [one.get("id") if isinstance(one, Mapping) else one for one in listed],
    }


def _core_of_exchange(part: Json) -> Json:
    if not isinstance(part, Mapping):
        return part
    return {name: part[name] for name in _HEARD if name in part}


_CORES: Mapping[str, Callable[[Json], Json]] = {
    "changes": _without("reason"),
    "events": _without_words,
    "draws": _core_of_draw,
    "rolls": _without_words,
    "rulings": _core_of_ruling,
    "decisions": _core_of_decision,
    "exchanges": _core_of_exchange,
    "edits": _without(),
    "lore": _without("why"),
}
