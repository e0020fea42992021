"""Features: what occurs in a campaign, found in its records alone.

By these names a set of kept campaigns says what it covers.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from talewright.chronicle.records import Aside, Attempt, Commit, PointerKind, Pointing, Record

WANTED = frozenset(
    {
        *("game mist_harbor", "game lantern_road", "game chapel_watch", "game solo"),
        *("language en", "language zh-CN"),
        *("contract cards", "contract patch", "contract tools"),
        *("plan one_ask", "plan moves_first", "plan tool_loop"),
        *("fixed dice", "fresh dice"),
        *("told by scenes", "told by model", "told by outside", "scenes after a failure"),
        *("undo", "retry", "fork", "switch", "mark", "quick mark", "import"),
        *("summary taken up", "errand taken up", "aside unanswered"),
        *("hand edit taken up", "hand edit refused"),
        *("flaw mended", "refused move", "decision", "contest", "withdraw", "roll"),
        *("committed", "degraded", "cancelled", "unspent", "waiting"),
        *("another edition", "ending", "snapshot", "fraction"),
        *("game goblin_road", "game dusty_tankard", "system tabletop", "system world"),
        *("skill check", "hidden roll", "fight", "fight won", "fight fled"),
        *("life off-screen summed up", "life off-screen told in full", "plan carried out off-screen"),
        *("rumour heard", "place entered", "named by a client"),
        *("dice seen", "dice that were seen used", "dice that were seen waiting"),
        "changed by the game master",
    }
)
"""What a whole set must have in it."""

OVER_MCP, FROM_HOST = "told over MCP", "pulled from a host"
"""How a campaign was made, where its records are like those of any other."""

MADE = frozenset({OVER_MCP, FROM_HOST})
"""What some campaign must have gone through."""

OWN_NAME = re.compile(r"[0-9a-f]{32}")
"""Operations that a program of ours has named; other clients choose names of their own."""


def find_features(records: Iterable[Record]) -> Iterator[str]:
    """What occurs, a name each, some more than once."""
    heads: dict[str, str] = {}
    commits: dict[str, Commit] = {}
    asides: dict[str, Aside] = {}
    left: dict[str, Commit] = {}
    """By branch: the commit it pointed at before it was taken back."""

    for record in records:
        match record:
            case Pointing(kind=PointerKind.MARK, name=name):
                yield "quick mark" if name == "quick" else "mark"
            case Pointing(name=branch, commit=target):
                before = heads.get(branch)
                if before is None:
                    yield "fork"
                elif before == target:
                    yield "switch"
                elif commits[target].version < commits[before].version:
                    left[branch] = commits[before]
                heads[branch] = target
            case Commit():
                heads[record.branch] = record.id
                commits[record.id] = record
                yield from _look_at(record.body, asides)
                yield from _look_at_systems(record.body)
                if not OWN_NAME.fullmatch(record.operation_id):
                    yield "named by a client"
                gone = left.pop(record.branch, None)
                if record.replaces:
                    yield "retry"
                if gone is not None:
                    yield "retry" if gone.body.get("input") == record.body.get("input") else "undo"
            case Attempt(verdict=verdict):
                yield verdict.value
            case Aside():
                asides[record.id] = record
                if record.body.get("kind") == "seen":
                    yield "dice seen"
            case _:
                # What became of an input is said by its commit and its attempts.
                pass


def _look_at(body: Mapping[str, Any], asides: Mapping[str, Aside]) -> Iterator[str]:
    """What occurs in one turn."""
    told = body.get("told", "")
    yield f"told by {told}"
    if body.get("draws"):
        yield "fresh dice" if body.get("nonce") else "fixed dice"
    exchanges = cast(Sequence[Mapping[str, Any]], body.get("exchanges", ()))
    if told == "scenes" and any("trouble" in exchange for exchange in exchanges):
        yield "scenes after a failure"
    if told == "model" and any(exchange.get("flaws") or exchange.get("mend") for exchange in exchanges):
        yield "flaw mended"
    if any(ruling.get("reason") for ruling in body.get("rulings", ())):
        yield "refused move"
    for name in body.get("asides", ()):
        kind = asides[name].body["kind"]
        yield "aside unanswered" if kind == "unanswered" else f"{kind} taken up"
        if kind == "errand":
            yield from _look_at_life(asides[name].body)
    for edit in body.get("edits", ()):
        yield "hand edit taken up" if "text" in edit else "hand edit refused"
    if any(isinstance(change.get("value"), float) for change in body.get("changes", ())):
        yield "fraction"
    if any(change.get("cause") == "master" for change in body.get("changes", ())):
        yield "changed by the game master"
    if body.get("decisions"):
        yield "decision"
    yield from _look_at_seen(body)
    answered = (body.get("input") or {}).get("option", "")
    if answered:
        yield answered
    if body.get("adopted"):
        yield "another edition"
    if body.get("end"):
        yield "ending"
    if "imported" in (body.get("root") or {}):
        yield "import"


def _look_at_seen(body: Mapping[str, Any]) -> Iterator[str]:
    """What became of dice that a game master had seen before."""
    seen = body.get("seen")
    if seen and body.get("draws"):
        yield "dice that were seen used"
    if seen and seen.get("waiting"):
        yield "dice that were seen waiting"


def _look_at_systems(body: Mapping[str, Any]) -> Iterator[str]:
    """What the systems of a game have done in one turn."""
    for ruling in body.get("rulings", ()):
        if ruling.get("ruling") == "granted" and ruling["move"].get("call") == "skill_check":
            yield "skill check"
    if any("hidden" in {**roll, **roll.get("result", {})} for roll in body.get("rolls", ())):
        yield "hidden roll"
    for change in body.get("changes", ()):
        match change["path"].split("/")[1:], change.get("value"):
            case ["tabletop", "combat", "active"], True:
                yield "fight"
            case ["tabletop", "combat", "outcome"], "won" | "fled" | "lost" as outcome:
                yield f"fight {outcome}"
            case ["world", "agendas", _, "done"], int():
                yield "plan carried out off-screen"
            case ["world", "agendas", _], {"done": done} if done != -1:
                yield "plan carried out off-screen"
            case ["world", "knowledge", "player", _], {"source": "told"}:
                yield "rumour heard"
            case ["world", "at"], str():
                yield "place entered"
            case _:
                pass


def _look_at_life(aside: Mapping[str, Any]) -> Iterator[str]:
    """Which life off-screen is taken up with an answer."""
    match str(aside.get("errand", "")).split(":")[:2]:
        case ["life", "summary"]:
            yield "life off-screen summed up"
        case ["life", "full"]:
            yield "life off-screen told in full"
        case _:
            pass
