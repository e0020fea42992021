"""The referee: whether everything that happened in a campaign was allowed, asked of the rules anew.

Written without the kernel's own judgement: the few rules of the inn stand here a second time, by hand.
"""

import json
from collections.abc import Mapping

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import ENGINE, MODEL, PLAYER
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, find
from talewright.kernel.state.state_paths import parse_path, parse_pointer
from talewright.turn.records.commit_body import TurnBody, read_body
from tests.injections.inn import PROTECTED

TEXT_LENGTH_MAX = 400
STEPS: Mapping[str, tuple[int, int, int]] = {"hp": (0, 20, 3), "gold": (0, 100, 5)}
"""Least, greatest, and how far one answer may go."""

OPEN = frozenset({"hp", "gold", "place", "mood", "met", "bag", "journal", "tally", "guest", "plan", "oracle"})
"""Roots in which a model, or the oracle for it, may change something."""

OF_THE_ORACLE = frozenset({("oracle", "stone"), ("oracle", "memory")})


def find_offences(first: Mapping[str, Json], last: Mapping[str, Json], commits: list[Commit]) -> list[str]:
    """What was not allowed."""
    found = [
        f"{place} was changed"
        for place in PROTECTED
        if place != "wealth" and find(first, parse_path(place)) != find(last, parse_path(place))
    ]
    gold = last["gold"]
    assert isinstance(gold, int)
    if last["wealth"] != gold * 10:
        found.append("wealth is not what it is computed from")
    for commit in commits:
        body = read_body(commit.body)
        found += _find_ungranted(body)
        found += [offence for change in body.changes for offence in _judge(change)]
        found += _measure_steps(body)
    return found


def _find_ungranted(body: TurnBody) -> list[str]:
    """Changes of the model or of its calls that no granted move accounts for."""
    granted: set[int] = set()
    for ruling in body.rulings:
        assert isinstance(ruling, Mapping)
        numbers = ruling.get("changes", ())
        if numbers and ruling["ruling"] != "granted":
            return [f"a ruling that was not granted has changes: {ruling}"]
        granted.update(numbers)  # type: ignore[arg-type]  # they are numbers, or this fails
    return [
        f"{change.path} was changed by {change.cause} and nothing granted it"
        for number, change in enumerate(body.changes)
        if (change.cause == MODEL or change.cause.startswith("system:")) and number not in granted
    ]


def _judge(change: Change) -> list[str]:
    """One change against the rules of its place and its cause."""
    path = parse_pointer(change.path)
    if path[0] == ENGINE_ROOT:
        return (
            []
            if change.cause == ENGINE or change.cause.startswith("scene:")
            else [f"{change} in the engine's part"]
        )
    if change.cause not in (MODEL, PLAYER) and not change.cause.startswith("system:"):
        return []
    if path == ("wealth",):
        return []
    if path[0] not in OPEN or (path[0] == "oracle" and (path not in OF_THE_ORACLE or change.cause == MODEL)):
        return [f"{change.path} was changed by {change.cause}"]
    if path == ("guest", "alias"):
        return [f"{change.path} was changed by {change.cause}"]
    return (
        []
        if change.value is ABSENT or _fits(path, change.value)
        else [f"{change.path} holds {change.value!r}"]
    )


def _fits(path: tuple[str, ...], value: Json) -> bool:
    match path:
        case ("hp" | "gold" as name,):
            least, most, _ = STEPS[name]
            return isinstance(value, int) and least <= value <= most
        case ("place",):
            return value in ("hall", "cellar", "yard")
        case ("met",):
            return isinstance(value, bool)
        case ("bag",):
            return isinstance(value, list) and len(value) <= 6
        case ("journal",):
            return isinstance(value, dict) and len(value) <= 8
        case ("guest",):
            return isinstance(value, dict) and set(value) == {"face", "motive", "alias"}
        case ("tally", _):
            return isinstance(value, int) and 0 <= value <= 9
        case ("oracle", _):
            return isinstance(value, str)
        case _:
            return isinstance(value, str) and len(value) <= TEXT_LENGTH_MAX


def _measure_steps(body: TurnBody) -> list[str]:
    """How far the answers of one turn have moved what may only be moved by steps.

    Where tools are called in rounds, each round that proposes updates is an answer of its own.
    """
    found = []
    rounds = sum('"propose_updates"' in json.dumps(exchange) for exchange in body.exchanges)
    for name, (_, _, step) in STEPS.items():
        moved = [change for change in body.changes if change.path == f"/{name}" and change.cause == MODEL]
        if moved:
            was, value = moved[0].was, moved[-1].value
            assert isinstance(was, int)
            assert isinstance(value, int)
            if abs(value - was) > step * max(1, rounds):
                found.append(f"{name} went from {was} to {value} in one answer")
    return found
