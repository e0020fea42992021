"""Measuring: what can be said of turns that a model told: form, law and cache.

Nothing is asked here. Every figure is computed from what was sent, what came and what was kept.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jsonschema import Draft202012Validator

from talewright.kernel.game import Game
from talewright.kernel.judging.moves import MODEL
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state_paths import parse_pointer
from talewright.llm.requests import Message
from tests.kernel.state_schema import state_schema
from tests.models.playing import Run, Turn
from tests.models.watching import Ask

COUNTED_FROM = 3
"""The turn of a campaign from which on its prompts should be found in the server's memory."""


@dataclass(frozen=True, slots=True)
class Cached:
    """How much of the prompts the server had kept, by its own count."""

    cached: int
    told: int
    asks: int

    @property
    def share(self) -> float:
        """Of all tokens that were sent."""
        return self.cached / self.told if self.told else 0.0


def keeps_schema(ask: Ask) -> bool:
    """Whether an answer is JSON that keeps to the schema it was asked for with."""
    if ask.request.answer_schema is None:
        return False
    try:
        answer = json.loads(ask.text)
    except ValueError:
        return False
    schema = json.loads(json.dumps(ask.request.answer_schema, default=dict))
    return Draft202012Validator(schema).is_valid(answer)


def find_unbounded(schema: object, where: str = "") -> list[str]:
    """Texts and lists of a schema that may be of any length."""
    found: list[str] = []
    if isinstance(schema, Mapping):
        kinds = schema.get("type", ())
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        fixed = "enum" in schema or "const" in schema
        if "string" in kinds and not fixed and "maxLength" not in schema:
            found.append(f"{where}: a text")
        if "array" in kinds and "maxItems" not in schema:
            found.append(f"{where}: a list")
        for name, part in schema.items():
            found += find_unbounded(part, f"{where}/{name}")
    elif isinstance(schema, Sequence) and not isinstance(schema, str):
        for number, part in enumerate(schema):
            found += find_unbounded(part, f"{where}/{number}")
    return found


def find_illegal(game: Game, run: Run) -> list[str]:
    """What a run has done that the rules of its game do not allow."""
    whole = Draft202012Validator(state_schema(game.layout))
    found = list(run.violations)
    for turn in run.turns:
        where = f"campaign {turn.campaign}, turn {turn.number}"
        found += [f"{where}: {error.message}" for error in whole.iter_errors(dict(turn.document))]
        changes = turn.body.changes if turn.body is not None else ()
        found += [f"{where}: {change.path}" for change in changes if _oversteps(game, change)]
    return found


def _oversteps(game: Game, change: Change) -> bool:
    """Whether a model has changed what is not its own to change."""
    if change.cause != MODEL:
        return False
    path = parse_pointer(change.path)
    slots = [game.layout.find(path[: length + 1]) for length in range(len(path))]
    shut = any(slot is not None and (slot.secret or slot.readonly or slot.derived) for slot in slots)
    return shut or path[0] == ENGINE_ROOT


def measure_cache(run: Run, *, first_only: bool = False) -> Cached:
    """The cached share from the third turn of each campaign on; turns whose prompt was cut are left out."""
    asks = [
        ask
        for turn, kept in _follow(run)
        if kept and turn.number >= COUNTED_FROM
        for ask in turn.asks[: 1 if first_only else None]
    ]
    usages = [ask.usage for ask in asks]
    return Cached(
        sum(usage.cached_tokens for usage in usages), sum(usage.input_tokens for usage in usages), len(asks)
    )


def count_cuts(run: Run) -> int:
    """Turns whose prompt does not begin with all that stood fast in the prompt of the turn before."""
    return sum(not kept for _, kept in _follow(run))


def _follow(run: Run) -> Iterator[tuple[Turn, bool]]:
    """Every turn that was asked for, and whether its prompt goes on from that of the turn before."""
    before: tuple[Message, ...] = ()
    campaign = 0
    for turn in run.turns:
        if not turn.asks:
            continue
        messages = turn.asks[0].request.messages
        stable = before if campaign == turn.campaign else ()
        yield turn, messages[: len(stable)] == stable
        before, campaign = messages[:-1], turn.campaign
