"""The roll log: every roll of a campaign, read from its record, as lines of text and as JSON.

A roll counts only if its dice are among the draws of its turn. Draws that belong to no roll are listed too,
so that no die is missing. Nothing is rolled here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import Draw
from talewright.kernel.dice.dice_tree import FATE_SHIFT
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.system import PastTurn, ReportContent, Sight

EXPRESSION, FACES, TOTAL = "expression", "individualRolls", "total"
"""The members by which a roll is recognised in the result of a tool."""

ROLLS_AT, HIDDEN_ROLLS_AT = "/tabletop/rolls", "/tabletop/hidden_rolls"
"""Where the state remembers the last rolls."""

ROLL_DICE = "roll_dice"
SAID_LENGTH_MAX = 60
"""Characters of the player's words in the heading of a turn."""

NOTHING_ROLLED = "No dice have been rolled."

_DICE = re.compile(r"[0-9]*d(?:[0-9]+|F|%)[^\s()]* \(((?:[^()]|\([^()]*\))*)\)")
"""A pool and, in brackets, the faces of its dice."""

_WORTH = re.compile(r" as [+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")


@frozen
class LoggedRoll:
    """One roll of a campaign."""

    turn: int
    text: str
    """In words: `2d6+3 (4, 2) = 9`."""

    total: int | None
    faces: tuple[int, ...] = ()
    expression: str = ""
    context: str = ""
    """What it was for."""

    id: str = ""
    tool: str = ""
    """The tool that rolled; empty for the dice of a scene."""

    visible: bool = True
    needed: int | None = None
    """The total that it had to reach; None if nothing depended on one."""

    draws: tuple[int, ...] = ()
    """The draws of the turn that it consists of."""


@frozen
class LoggedTurn:
    """The dice of one turn."""

    turn: PastTurn
    rolls: tuple[LoggedRoll, ...]
    others: tuple[Draw, ...]
    """Draws that belong to no roll."""


def report_rolls(sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
    """The log of all rolls. Until the campaign has ended, hidden ones are only shown with spoilers."""
    logged = list_rolls(turns)
    if not spoilers and not _is_over(sight):
        logged = [_hide(one) for one in logged]
    shown = [one for one in logged if one.rolls or one.others]
    return ReportContent(tuple(_tell_log(shown)), {"turns": [_turn_json(one) for one in shown]})


def _is_over(sight: Sight) -> bool:
    engine = sight.document.get(ENGINE_ROOT)
    return isinstance(engine, Mapping) and bool(engine.get("ending"))


def _hide(logged: LoggedTurn) -> LoggedTurn:
    """What the player may see. A draw without a roll may belong to a hidden roll."""
    return LoggedTurn(logged.turn, tuple(one for one in logged.rolls if one.visible), ())


def list_rolls(turns: Iterable[PastTurn]) -> list[LoggedTurn]:
    """The dice of each turn."""
    seen: set[str] = set()
    return [_read_turn(turn, seen) for turn in turns]


def _read_turn(turn: PastTurn, seen: set[str]) -> LoggedTurn:
    left = list(turn.draws)
    found: list[LoggedRoll] = []
    for roll in [*_find_in_results(turn), *_find_in_changes(turn)]:
        dice = _find_draws(roll, left) if roll.id not in seen else ()
        if dice:
            left = [draw for draw in left if draw not in dice]
            seen.update([roll.id] if roll.id else [])
            # Dice that are rolled for nothing in particular are drawn for themselves.
            why = dice[0].why if dice[0].why != roll.expression else ""
            indexes = tuple(draw.index for draw in dice)
            found.append(replace(roll, context=roll.context or why, draws=indexes))
    return LoggedTurn(turn, tuple(sorted(found, key=lambda one: one.draws)), tuple(left))


def _find_draws(roll: LoggedRoll, draws: Sequence[Draw]) -> Sequence[Draw]:
    """The first draws that show the dice of a roll; none if it was not rolled in this turn."""
    shown = [draw.face for draw in draws]
    # The faces of Fate dice are counted from -1.
    fate = [draw.face - FATE_SHIFT for draw in draws]
    # The words also mention dice that were rolled again and do not count.
    for wanted in (list(_read_faces(roll.text)), list(roll.faces)):
        count = len(wanted)
        for place in range(len(draws) - count + 1) if count else ():
            if wanted in (shown[place : place + count], fate[place : place + count]):
                return draws[place : place + count]
    return ()


def _find_in_results(turn: PastTurn) -> Iterator[LoggedRoll]:
    for one in turn.rolls:
        if isinstance(one, Mapping):
            tool = one.get("tool")
            yield from _find(one, turn.version, tool if isinstance(tool, str) else "", visible=True)


def _find_in_changes(turn: PastTurn) -> Iterator[LoggedRoll]:
    """Rolls that the state remembers, for tools whose results do not list all of them."""
    for change in turn.changes:
        for start, visible in ((ROLLS_AT, True), (HIDDEN_ROLLS_AT, False)):
            if change.path == start or change.path.startswith(f"{start}/"):
                value = change.value
                if isinstance(value, Mapping | list):
                    yield from _find(value, turn.version, "", visible=visible)


def _find(value: Json, turn: int, tool: str, *, visible: bool) -> Iterator[LoggedRoll]:
    """The rolls in a result, however deep; everything inside a hidden one is hidden."""
    if isinstance(value, list):
        for inner in value:
            yield from _find(inner, turn, tool, visible=visible)
    if not isinstance(value, Mapping):
        return
    visible = visible and value.get("visible") is not False and value.get("hidden") is not True
    if EXPRESSION in value and isinstance(value.get(FACES), list):
        yield _read_roll(value, turn, tool, visible)
        return
    inner_rolls = [roll for one in value.values() for roll in _find(one, turn, tool, visible=visible)]
    text, total = value.get("text"), value.get(TOTAL)
    if not inner_rolls and isinstance(text, str) and isinstance(total, int) and _read_faces(text):
        yield LoggedRoll(turn, text, total, _read_faces(text), tool=tool, visible=visible)
    yield from inner_rolls


def _read_roll(value: Mapping[str, Json], turn: int, tool: str, visible: bool) -> LoggedRoll:
    total, expression = value.get(TOTAL), str(value[EXPRESSION])
    rolled = value[FACES]
    faces = tuple(face for face in rolled if isinstance(face, int)) if isinstance(rolled, list) else ()
    number = total if isinstance(total, int) else None
    text = value.get("text") or _tell_dice(expression, faces, number)
    name = value.get("logId") or value.get("id") or ""
    context, needed = value.get("context") or "", value.get("needed")
    return LoggedRoll(
        turn,
        str(text),
        number,
        faces,
        expression,
        str(context),
        str(name),
        tool,
        visible,
        needed if isinstance(needed, int) else None,
    )


def _tell_dice(expression: str, faces: Sequence[int], total: int | None) -> str:
    dice = ", ".join(map(str, faces))
    return f"{expression} ({dice})" + ("" if total is None else f" = {total}")


def _read_faces(text: str) -> tuple[int, ...]:
    """Every face in words such as `4d6kh3 (6, 1 rerolled to 5, 2 dropped, 4) + 1 = 16`."""
    told = " ".join(_WORTH.sub("", part) for part in _DICE.findall(text))
    return tuple(int(number) for number in _NUMBER.findall(told))


def _tell_log(logged: Sequence[LoggedTurn]) -> Iterator[str]:
    if not logged:
        yield NOTHING_ROLLED
        return
    for one in logged:
        said = " ".join(one.turn.input.split())
        said = f"{said[: SAID_LENGTH_MAX - 1]}…" if len(said) > SAID_LENGTH_MAX else said
        yield f"turn {one.turn.version}: {said}" if said else f"turn {one.turn.version}"
        for roll in one.rolls:
            context = f"  {roll.context}" if roll.context not in roll.text else ""
            yield f"  {roll.text}{context}" + ("" if roll.visible else "  [hidden]")
        yield from (
            f"  d{draw.sides}: {draw.face}" + (f"  {draw.why}" if draw.why else "") + "  [no roll]"
            for draw in one.others
        )
    rolls = [roll for one in logged for roll in one.rolls]
    hidden = sum(not roll.visible for roll in rolls)
    dice = sum(len(roll.draws) for roll in rolls) + sum(len(one.others) for one in logged)
    yield f"rolls: {len(rolls)}" + (f" ({hidden} hidden)" if hidden else "") + f", dice: {dice}"


def _turn_json(one: LoggedTurn) -> Json:
    draws: list[Json] = [
        {"index": draw.index, "sides": draw.sides, "face": draw.face, "why": draw.why} for draw in one.others
    ]
    rolls: list[Json] = [_roll_json(roll, one.turn.at) for roll in one.rolls]
    return {"turn": one.turn.version, "rolls": rolls, **({"otherDraws": draws} if draws else {})}


def _roll_json(roll: LoggedRoll, at: str) -> Json:
    against = "" if roll.needed is None else f" vs {roll.needed}"
    return {
        "id": roll.id,
        "timestamp": at,
        "text": roll.text,
        EXPRESSION: roll.expression,
        FACES: list(roll.faces),
        TOTAL: roll.total,
        "context": f"{roll.context}{against}" if roll.context else "",
        "visible": roll.visible,
        "tool": roll.tool,
        "requestedBy": "gm" if roll.tool == ROLL_DICE else "system",
        "draws": list(roll.draws),
    }
