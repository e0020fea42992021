"""The vendor cache: prompt caching of each vendor, in tokens, by rules that are data.

Nothing is assumed in the client's favour: a prefix counts only if an earlier request of the same model wrote
it and it has not expired.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, takewhile

from talewright.common.frozen_values import frozen
from talewright_testkit.fake_provider import parsed_request
from talewright_testkit.fake_provider.parsed_request import ParsedRequest, RequestBlock


class VendorCacheKind(StrEnum):
    """How a vendor caches prompts."""

    NONE = "none"
    AUTOMATIC = "automatic"
    """Every prefix of sufficient length, in steps."""

    MARKS = "marks"
    """Prefixes that end in a cache mark of the client."""

    SLOTS = "slots"
    """The last whole prompts, with what was generated after them."""


@frozen
class VendorCacheRules:
    """The caching rules of one vendor."""

    keeping: VendorCacheKind
    minimum_tokens: int = 0
    """Shorter prefixes are never cached."""

    step_tokens: int = 1
    """Prefixes are cached at multiples of this length."""

    lifetime_seconds: float = 300.0
    """How long a prefix is cached after its last use."""

    marks_max: int = 0
    """Maximum number of marks in one request; more are an error."""

    lookback_blocks: int = 0
    """How many blocks are searched backwards from a mark, the marked one included."""

    slots: int = 1
    """How many prompts are cached at once."""


NO_CACHE = VendorCacheRules(VendorCacheKind.NONE)
OPENAI_CACHE = VendorCacheRules(VendorCacheKind.AUTOMATIC, minimum_tokens=1_024, step_tokens=128)
ANTHROPIC_CACHE = VendorCacheRules(
    VendorCacheKind.MARKS, minimum_tokens=1_024, marks_max=4, lookback_blocks=20
)
ANTHROPIC_CACHE_2048 = VendorCacheRules(
    VendorCacheKind.MARKS, minimum_tokens=2_048, marks_max=4, lookback_blocks=20
)
ANTHROPIC_CACHE_4096 = VendorCacheRules(
    VendorCacheKind.MARKS, minimum_tokens=4_096, marks_max=4, lookback_blocks=20
)
GEMINI_CACHE = VendorCacheRules(VendorCacheKind.AUTOMATIC, minimum_tokens=2_048)
"""Implicit caching of the 2.5 family. Step and lifetime are not published: every token, five minutes."""

GEMINI_CACHE_4096 = VendorCacheRules(VendorCacheKind.AUTOMATIC, minimum_tokens=4_096)
"""Implicit caching of the 3 family."""

DEEPSEEK_CACHE = VendorCacheRules(
    VendorCacheKind.AUTOMATIC, minimum_tokens=64, step_tokens=64, lifetime_seconds=3_600.0
)
LLAMA_CPP_CACHE = VendorCacheRules(VendorCacheKind.SLOTS, lifetime_seconds=float("inf"))

PREFIXES_MAX = 400_000
"""How many prefixes a cache holds before it drops the expired ones."""

SIMILARITY_MIN = 0.1
"""The share of a prompt that a slot must contain to be reused; else the oldest slot is."""


@frozen
class VendorCacheHit:
    """The effect of caching on one prompt."""

    prompt_tokens: int
    cached_tokens: int = 0
    written_tokens: int = 0
    """Tokens newly written at a cache mark, where the vendor charges for that."""

    written_long_tokens: int = 0
    """How many of them are cached for an hour."""


@dataclass(slots=True)
class _Slot:
    model: str
    prompt: list[str]
    until: float


@dataclass(slots=True)
class VendorCache:
    """The cache of one server."""

    rules: VendorCacheRules
    _prefixes: dict[int, float] = field(default_factory=dict)
    """When each cached prefix expires, by its digest."""

    _slots: list[_Slot] = field(default_factory=list)
    _read: tuple[ParsedRequest, list[list[str]]] | None = None
    """The last request: it is measured, then stored, and slow to split."""

    def measure(self, asked: ParsedRequest, now: float) -> VendorCacheHit:
        """Measure how much of this prompt is cached, without changing the cache."""
        prompt = self._prompt(asked)
        match self.rules.keeping:
            case VendorCacheKind.NONE:
                return VendorCacheHit(len(prompt))
            case VendorCacheKind.AUTOMATIC:
                # Caching a prefix caches every shorter one as long, so the first missing one is the end.
                steps = self._steps(asked.model, prompt)
                found = takewhile(lambda step: self._alive(step[1], now), steps)
                return VendorCacheHit(len(prompt), max((at for at, _ in found), default=0))
            case VendorCacheKind.MARKS:
                return self._measure_marks(asked, len(prompt), now)
            case VendorCacheKind.SLOTS:
                shared = [
                    parsed_request.count_common_tokens(slot.prompt, prompt)
                    for slot in self._live(asked.model, now)
                ]
                # The last token is always computed: generation needs it to start from.
                return VendorCacheHit(len(prompt), min(max(shared, default=0), len(prompt) - 1))

    def keep(self, asked: ParsedRequest, now: float) -> None:
        """Cache this prompt; called when its answer starts."""
        match self.rules.keeping:
            case VendorCacheKind.NONE | VendorCacheKind.SLOTS:
                pass
            case VendorCacheKind.AUTOMATIC:
                for _, digest in self._steps(asked.model, self._prompt(asked)):
                    self._prefixes[digest] = now + self.rules.lifetime_seconds
            case VendorCacheKind.MARKS:
                self._keep_marks(asked, now)
        if len(self._prefixes) > PREFIXES_MAX:
            self._prefixes = {digest: until for digest, until in self._prefixes.items() if until > now}

    def keep_said(self, asked: ParsedRequest, said: str, now: float) -> None:
        """Cache the prompt with its answer, where the vendor does that; called when the answer has ended."""
        if self.rules.keeping is VendorCacheKind.SLOTS:
            self._fill_slot(asked.model, self._prompt(asked), said, now)

    def _alive(self, digest: int, now: float) -> bool:
        return self._prefixes.get(digest, now) > now

    def _steps(self, model: str, prompt: Sequence[str]) -> Iterator[tuple[int, int]]:
        step = self.rules.step_tokens
        running = hash(model)
        for end in range(step, len(prompt) + 1, step):
            running = hash((running, *prompt[end - step : end]))
            if end >= self.rules.minimum_tokens:
                yield end, running

    def _measure_marks(self, asked: ParsedRequest, total: int, now: float) -> VendorCacheHit:
        ends = list(self._ends(asked))
        read = max((ends[at][0] for at in self._reads(asked, ends, now)), default=0)
        kept = [
            at
            for at, block in enumerate(asked.blocks)
            if block.mark_seconds is not None and ends[at][0] >= self.rules.minimum_tokens
        ]
        written = max((ends[at][0] for at in kept), default=0)
        long = max((ends[at][0] for at in kept if self._is_long(asked.blocks[at])), default=0)
        return VendorCacheHit(total, read, max(0, written - read), max(0, long - read))

    def _reads(self, asked: ParsedRequest, ends: Sequence[tuple[int, int]], now: float) -> set[int]:
        """Find the cached block of each mark, searching backwards from the mark."""
        found: set[int] = set()
        for at, block in enumerate(asked.blocks):
            if block.mark_seconds is not None:
                seen = range(at, max(-1, at - self.rules.lookback_blocks), -1)
                found.update([back for back in seen if self._alive(ends[back][1], now)][:1])
        return found

    def _keep_marks(self, asked: ParsedRequest, now: float) -> None:
        ends = list(self._ends(asked))
        for at in self._reads(asked, ends, now):
            # Reading renews a prefix for the default lifetime; its original lifetime is not stored.
            digest = ends[at][1]
            self._prefixes[digest] = max(self._prefixes[digest], now + self.rules.lifetime_seconds)
        for block, (size, digest) in zip(asked.blocks, ends, strict=True):
            if block.mark_seconds is not None and size >= self.rules.minimum_tokens:
                self._prefixes[digest] = now + block.mark_seconds

    def _is_long(self, block: RequestBlock) -> bool:
        return block.mark_seconds is not None and block.mark_seconds > self.rules.lifetime_seconds

    def _live(self, model: str, now: float) -> list[_Slot]:
        return [slot for slot in self._slots if slot.model == model and slot.until > now]

    def _fill_slot(self, model: str, prompt: list[str], said: str, now: float) -> None:
        whole = [*prompt, "<|assistant|>", *parsed_request.split_tokens(said)]
        near = max(
            self._live(model, now),
            key=lambda slot: parsed_request.count_common_tokens(slot.prompt, prompt),
            default=None,
        )
        if near is not None and parsed_request.count_common_tokens(
            near.prompt, prompt
        ) >= SIMILARITY_MIN * len(prompt):
            self._slots.remove(near)
        elif len(self._slots) >= self.rules.slots:
            self._slots.pop(0)
        self._slots.append(_Slot(model, whole, now + self.rules.lifetime_seconds))

    def _split(self, asked: ParsedRequest) -> list[list[str]]:
        if self._read is None or self._read[0] is not asked:
            self._read = (asked, [block.split() for block in asked.blocks])
        return self._read[1]

    def _prompt(self, asked: ParsedRequest) -> list[str]:
        return list(chain.from_iterable(self._split(asked)))

    def _ends(self, asked: ParsedRequest) -> Iterator[tuple[int, int]]:
        """Yield, after each block, the number of tokens so far and a digest of everything so far."""
        running, size = hash(asked.model), 0
        for block, split in zip(asked.blocks, self._split(asked), strict=True):
            running = hash((running, block.salt, block.kind, block.text))
            size += len(split)
            yield size, running
