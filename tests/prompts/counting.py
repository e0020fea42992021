"""Counting: requests put before the fake provider's caches, and the layouts that ours is set beside.

No connection is made: the rules of caching are the fake provider's own, and only they count.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from talewright.llm.requests import AssistantMessage, Message, Request, SystemMessage, ToolResult, UserMessage
from talewright.prompt.prompt_assembly import spell_messages, spell_request
from talewright_testkit.fake_provider import parsed_request
from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RequestBlock
from talewright_testkit.fake_provider.vendor_cache import VendorCache, VendorCacheRules

SECONDS_A_TURN = 40.0
"""How long a player takes, in the clock of the caches."""

_KINDS = {SystemMessage: "system", UserMessage: "user", AssistantMessage: "assistant", ToolResult: "result"}


@dataclass(frozen=True, slots=True)
class Bill:
    """Input tokens of one turn, summary included."""

    prompt: int = 0
    cached: int = 0

    @property
    def uncached(self) -> int:
        return self.prompt - self.cached

    def __add__(self, other: "Bill") -> "Bill":
        return Bill(self.prompt + other.prompt, self.cached + other.cached)


def to_asked(request: Request, model: str) -> ParsedRequest:
    """A request as a vendor reads it: tools, schema, messages."""
    blocks = [
        RequestBlock("tool", json.dumps([tool.name, tool.description, tool.parameters], default=dict))
        for tool in request.tools
    ]
    if request.answer_schema is not None:
        blocks.append(RequestBlock("schema", json.dumps(request.answer_schema, default=dict)))
    blocks += [RequestBlock(_KINDS[type(message)], _read(message)) for message in request.messages]
    return ParsedRequest(model, tuple(blocks))


def _read(message: Message) -> str:
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return message.text + "".join(f"{call.name}{call.arguments}" for call in calls)


Calls: TypeAlias = Sequence[tuple[str, Request]]
"""The requests of one turn, with the model each went to."""


def bill(rules: VendorCacheRules, turns: Sequence[Calls]) -> list[Bill]:
    """What each turn costs in tokens."""
    cache = VendorCache(rules)
    bills = []
    for number, requests in enumerate(turns):
        total = Bill()
        for model, request in requests:
            asked = to_asked(request, model)
            hit = cache.measure(asked, number * SECONDS_A_TURN)
            cache.keep(asked, number * SECONDS_A_TURN)
            cache.keep_said(asked, "", number * SECONDS_A_TURN)
            total += Bill(hit.prompt_tokens, hit.cached_tokens)
        bills.append(total)
    return bills


def find_broken(before: Sequence[Request], after: Sequence[Request]) -> str:
    """Why the requests of a turn do not go on from those of the turn before; empty where they do.

    The stable part is everything but the newest message, tools and schema included. Within a turn whole
    requests go on from one another.
    """
    stable = replace(before[0], messages=before[0].messages[:-1])
    if not spell_request(replace(after[0], messages=after[0].messages[:-1])).startswith(
        spell_request(stable)
    ):
        return "the stable part of a turn does not go on from the one before"
    for one, other in pairwise(after):
        if not spell_messages(other.messages).startswith(spell_messages(one.messages)):
            return "a round does not go on from the one before it"
    return ""


class Rebuilding:
    """The layout of seed 004: everything that changes stands in message 0, rebuilt for every request."""

    def __init__(self, window_tokens: int) -> None:
        self._window = window_tokens
        self._history: list[tuple[Message, ...]] = []
        self._ticks = 0

    def lay_out(self, requests: Sequence[Request], said: str, told: str) -> list[Request]:
        """The requests of a turn in that layout; of past turns only the text is kept, and not the oldest."""
        laid = []
        for request in requests:
            self._ticks += 1
            frozen, tail = request.messages[0], _tail_of(requests[0])
            head, rest = frozen.text[:200], frozen.text[200:]
            system = SystemMessage(f"{head}\nTIME: tick {self._ticks}\n{tail.text}\n{rest}")
            rounds = request.messages[len(requests[0].messages) :]
            past = [message for turn in _newest(self._history, self._window) for message in turn]
            laid.append(replace(request, messages=(system, *past, UserMessage(said), *rounds)))
        self._history.append((UserMessage(said), AssistantMessage(told)))
        return laid


class Trimming:
    """Our layout, but with the oldest turn dropped in every turn once the window is full, and no summary."""

    def __init__(self, window_tokens: int) -> None:
        self._window = window_tokens
        self._history: list[tuple[Message, ...]] = []

    def lay_out(self, requests: Sequence[Request], past: tuple[Message, ...]) -> list[Request]:
        """The requests of a turn in that layout; `past` is how the turn will be shown later."""
        shown = [message for turn in _newest(self._history, self._window) for message in turn]
        first = requests[0].messages if requests else ()
        laid = [
            replace(request, messages=(first[0], *shown, *request.messages[len(first) - 1 :]))
            for request in requests
        ]
        self._history.append(past)
        return laid


def _tail_of(request: Request) -> Message:
    return request.messages[-1]


def _newest(history: Sequence[tuple[Message, ...]], tokens_max: int) -> list[tuple[Message, ...]]:
    """As many of the newest turns as fit."""
    kept: list[tuple[Message, ...]] = []
    left = tokens_max
    for turn in reversed(history):
        left -= sum(parsed_request.count_tokens(_read(message)) for message in turn)
        if left < 0:
            break
        kept.append(turn)
    return kept[::-1]
