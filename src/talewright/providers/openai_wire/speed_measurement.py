"""Speed measurement: how fast a server reads and writes, and whether it reads a repeated prompt again.

A server's own figures count if they agree with the stopwatch. Tokens from its cache never count as read.
"""

from collections.abc import Mapping
from hashlib import sha256

from talewright.common.frozen_values import frozen
from talewright.llm.measured_abilities import SPEED_MAX, SPEED_MIN
from talewright.llm.token_estimate import estimate_tokens
from talewright.providers.openai_wire.probe_connection import ProbeReply, as_fields

WORDS = (
    *("river", "lamp", "stone", "door", "winter", "apple", "road", "glass", "field", "paper", "cloud"),
    *("bridge", "garden", "letter", "mountain", "table", "window", "summer", "horse", "candle", "island"),
    *("water", "silver", "forest", "market", "shadow", "kitchen", "morning", "thunder", "button", "ladder"),
)
"""Short words that are a single token for nearly every model."""

PROMPT_WORDS = 130
"""Words of the prompt; with the frame of a chat it has about 160 tokens."""

WRITTEN_TOKENS = 24
"""Tokens written for a measurement."""

WRITTEN_PER_READ = 0.3
"""How many tokens a slow machine usually writes in the time it takes to read one."""

NUMBER_MAX = 1e9
"""A larger number in a server's figures is nonsense."""

AGREEMENT = (0.4, 1.3)
"""The range in which a server's own times are believed, as a share of those on the stopwatch."""

STREAMED_SHARE = 0.05
"""The minimum share of the time over which the text arrived; less means that it came in one piece."""

TIMED_SECONDS_MIN = 0.5
"""A shorter time for reading a prompt is too short to compare with another."""

FASTER, SLOWER = 1 / 3, 2 / 3
"""Shares of the first reading time: below the first a prompt was surely cached, above the second surely not.
"""


@frozen
class MeasuredSpeed:
    """Tokens per second; None if they could not be measured."""

    read: float | None = None
    write: float | None = None


def write_speed_prompt(nonce: str) -> str:
    """A prompt that no server has read before, if the nonce is new."""
    noise = b"".join(sha256(f"{nonce} {number}".encode()).digest() for number in range(5))
    words = [WORDS[byte % len(WORDS)] for byte in noise[:PROMPT_WORDS]]
    return f"Go on with this list of words: {' '.join(words)}"


def measure_speed(reply: ProbeReply, prompt: str, seconds: float) -> MeasuredSpeed:
    """The speeds measured from an answer to a new prompt, within this many seconds."""
    told = _read_timings(reply)
    if told is not None:
        return told
    fresh = _count_fresh(reply, prompt)
    if reply.first_seconds is None:
        # Nothing came in all that time: this is the highest speed it can have.
        return MeasuredSpeed(_round(fresh / seconds)) if reply.is_late else MeasuredSpeed()
    written = _count(reply.usage, "completion_tokens", 1, 2 * WRITTEN_TOKENS) or reply.pieces
    span = reply.last_seconds - reply.first_seconds
    if reply.pieces > 1 and span >= STREAMED_SHARE * reply.last_seconds:
        return MeasuredSpeed(_round(fresh / max(reply.first_seconds, 1e-6)), _round((written - 1) / span))
    whole = max(reply.last_seconds, 1e-6)
    return MeasuredSpeed(_round(fresh / whole), _round(written / whole) if written > 1 else None)


def is_prefix_kept(first: ProbeReply, again: ProbeReply, prompt: str) -> bool | None:
    """Whether the second answer shows that the same prompt was not read again; None if that is unclear."""
    tokens = estimate_tokens(prompt)
    before, after = _read_cached(first), _read_cached(again)
    if before is not None and before > tokens / 2:
        # Nobody can have cached a new prompt.
        before = after = None
    if after is not None and tokens / 2 < after <= 2 * tokens:
        return True
    if not first.first_seconds or not again.first_seconds or first.first_seconds < TIMED_SECONDS_MIN:
        return False if after == 0 else None
    share = again.first_seconds / first.first_seconds
    return True if share < FASTER else False if share > SLOWER else None


def _read_timings(reply: ProbeReply) -> MeasuredSpeed | None:
    """The server's own figures; None if it has none, or none that are credible."""
    timings = reply.timings or {}
    names = ("prompt_n", "prompt_ms", "predicted_n", "predicted_ms")
    numbers = [timings.get(name) for name in names]
    if not all(isinstance(number, int | float) and 0 < number < NUMBER_MAX for number in numbers):
        return None
    read, read_ms, written, written_ms = (float(number) for number in numbers)  # type: ignore[arg-type]
    if reply.last_seconds <= 0 or read < PROMPT_WORDS / 2 or written > 2 * WRITTEN_TOKENS:
        return None
    share = (read_ms + written_ms) / 1000 / reply.last_seconds
    if not AGREEMENT[0] <= share <= AGREEMENT[1] or read > 4 * PROMPT_WORDS:
        return None
    return MeasuredSpeed(_round(1000 * read / read_ms), _round(1000 * written / written_ms))


def _count_fresh(reply: ProbeReply, prompt: str) -> int:
    """The tokens of the prompt that were not in the cache."""
    guess = estimate_tokens(prompt)
    tokens = _count(reply.usage, "prompt_tokens", guess // 2, 3 * guess) or guess
    cached = _read_cached(reply) or 0
    return tokens - cached if cached < tokens / 2 else tokens


def _read_cached(reply: ProbeReply) -> int | None:
    """The tokens that came from the cache, according to the server; None if it does not say."""
    details = as_fields((reply.usage or {}).get("prompt_tokens_details"))
    for fields, name in ((details, "cached_tokens"), (reply.timings or {}, "cache_n")):
        number = fields.get(name)
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            return number
    return None


def _count(fields: Mapping[str, object] | None, name: str, low: int, high: int) -> int | None:
    number = (fields or {}).get(name)
    return number if isinstance(number, int) and low <= number <= high else None


def _round(speed: float) -> float | None:
    """A speed with three digits; None if it is not credible."""
    return float(f"{speed:.3g}") if SPEED_MIN <= speed <= SPEED_MAX else None
