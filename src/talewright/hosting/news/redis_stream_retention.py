"""Retention of events in Redis: how long Redis keeps the events of a finished turn, and how many.

The script that publishes a signal applies this each time: a commit drops everything before the commit that
precedes it. So a finished turn's events stay until the next turn is committed, or until the stream expires.
"""

KEEP_SECONDS = 3_600
"""How long a stream is kept after its last entry."""

ENTRIES_MAX = 2_000
"""The approximate maximum number of entries in a stream."""

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
