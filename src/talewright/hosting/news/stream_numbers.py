"""Stream numbers: how the ids of a Redis stream map to event numbers, the same on every node.

The id `s-0` is the commit with sequence s, and `s-i` the live signal i after it. The first live signal gets a
number from the clock, so that numbers keep rising even if Redis has lost the earlier ones.
"""

from talewright.play.news import LIVE, STRIDE

SIGNALS_PER_SECOND = 20
"""How many numbers a turn may use per second; it uses fewer, because pieces of narration are joined."""

CLOCK_SECONDS = 20_000
"""After how many seconds the clock restarts: its numbers, plus those of one turn, fit between two commits."""

OVERLAP_SECONDS = 5
"""How far the clocks of two nodes may differ."""


def clock_index(seconds: float) -> int:
    """The first index of a live signal at a time, in seconds since any fixed moment."""
    return 1 + int(seconds % CLOCK_SECONDS * SIGNALS_PER_SECOND)


def recent_index(seconds: float) -> int:
    """The lowest index of live signals that may be as new as a time, by any node's clock."""
    begun = seconds - OVERLAP_SECONDS
    # When the clock restarts, small indexes are newer than large ones: then take all.
    return clock_index(begun) if begun // CLOCK_SECONDS == seconds // CLOCK_SECONDS else 0


def number_entry(entry: str) -> int:
    """The event number of a stream entry."""
    sequence, _, index = entry.partition("-")
    return number_live(int(sequence), int(index)) if int(index) else int(sequence) * STRIDE


def number_live(sequence: int, index: int) -> int:
    """The number of a live signal."""
    return sequence * STRIDE + min(LIVE + index, STRIDE - 1)


PUBLISH = """
local function parse(id) local a, b = string.match(id, '(%d+)-(%d+)') return tonumber(a), tonumber(b) end
local sequence, is_commit, index = tonumber(ARGV[1]), ARGV[2] == '1', tonumber(ARGV[3])
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local last, last_index = -1, 0
if #top > 0 then last, last_index = parse(top[1][1]) end
if is_commit then
  if sequence <= tonumber(redis.call('GET', KEYS[2]) or '-1') then return {'', 1} end
  redis.call('SET', KEYS[2], sequence, 'EX', ARGV[6])
  if sequence > last then index = 0 end
end
if sequence < last then sequence = last end
if sequence == last and index <= last_index then index = last_index + 1 end
local id = string.format('%.0f-%.0f', sequence, index)
if is_commit then
  local oldest = string.format('%.0f-0', math.max(sequence - 1, 0))
  redis.call('XADD', KEYS[1], 'MINID', '=', oldest, id, 's', ARGV[4])
else
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[5], id, 's', ARGV[4])
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
return {id, #top}
"""
"""Publishes a signal, each commit only once; returns the entry's id, and 0 if the stream was empty before. A
commit that was already published gets no new entry, and nothing is reported about the stream.

KEYS: the stream, and where its newest commit is noted. ARGV: sequence, 1 for a commit, first index, signal,
most entries, seconds to keep.
"""
