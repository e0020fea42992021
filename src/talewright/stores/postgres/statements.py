"""The statements of the PostgreSQL store, prepared once per connection.

Each one names the campaign by its id and its owner; there is no way to reach a campaign without both.
"""

_CAMPAIGN = """c.id, c.owner, c.name, c.format, c.records, c.sequence, c.chain, c.newest, c.spent, c.mark,
  c.removed, c.closed"""
_RECORD = "(campaign, number, kind, id, operation, parent, sequence, chain, line)"

_MINE = "c.id = $1 and c.owner = $2"

OPEN = f"""
select {_CAMPAIGN}, b.name as branch, b.head, b.tried, b.mark as branch_mark
from campaigns c left join branches b on b.campaign = c.id and b.name = c.newest
where c.name = $1 and c.removed is null and ($2::text is null or c.owner = $2)
limit 2
"""

LOOK = f"""
select {_CAMPAIGN}, b.name as branch, b.head, b.tried, b.mark as branch_mark,
  (select r.line from records r where r.campaign = c.id and r.number = b.tried) as tried_line,
  array(select w.number from waiting w where w.campaign = c.id and w.branch = b.name
    order by w.number desc limit $4) as waiting,
  array(select r.line from waiting w join records r on r.campaign = w.campaign and r.number = w.number
    where w.campaign = c.id and w.branch = b.name order by w.number desc limit $4) as waiting_lines
from campaigns c left join branches b
  on b.campaign = c.id and b.name = case when $3 = '' then c.newest else $3 end
where {_MINE}
"""

STANDING = f"""
select {_CAMPAIGN}, b.name as branch, b.head, b.tried, b.mark as branch_mark,
  array(select r.number from records r where r.campaign = c.id and r.operation = $4 order by r.number)
    as trail,
  array(select r.line from records r where r.campaign = c.id and r.operation = $4 order by r.number)
    as trail_lines,
  (select r.number from records r where r.campaign = c.id and r.kind = $5 and r.id = $6) as found,
  (select r.line from records r where r.campaign = c.id and r.kind = $5 and r.id = $6) as found_line,
  o.revision, o.turn
from campaigns c
  left join branches b on b.campaign = c.id and b.name = $3
  left join open_turns o on o.campaign = c.id and o.branch = $3
where {_MINE}
"""
"""The status of a campaign and a branch, the history of an operation, and one record."""


def _move(*lines: str) -> str:
    """The campaign's row moves only if nothing was written since we read it; it counts the new lines."""
    sizes = " + ".join(f"octet_length({line}::bytea)" for line in lines)
    return f"""
  update campaigns c set records = $3::int + $4::int, sequence = $5, chain = $6, newest = $7, spent = $8,
    mark = $9, played = $10, written = clock_timestamp(), bytes = c.bytes + {sizes}
  where {_MINE} and c.records = $3 and c.removed is null and c.closed is null"""


ACCEPT = f"""
with moved as ({_move("$20")}
    and exists (select from branches b where b.campaign = $1 and b.name = $11 and b.head = $12)
    and not exists (select from records r where r.campaign = $1 and r.operation = $16
      and r.kind in ('accepted', 'commit'))
  returning c.id),
lines as (insert into records {_RECORD}
  select moved.id, $13, $14, $15, $16, $17, $18, $19, $20 from moved),
waits as (insert into waiting (campaign, operation, branch, number)
  select moved.id, $16, $11, $13 from moved)
select (select count(*) from moved) as moved, o.revision, o.turn,
  (select count(*) from records r where r.campaign = (select id from moved) and r.operation = $16) as attempts
from (values (1)) one left join open_turns o on o.campaign = (select id from moved) and o.branch = $11
"""

COMMIT = f"""
with moved as ({_move("$23", "$31")}
    and exists (select from branches b where b.campaign = $1 and b.name = $7 and b.head = $11)
    and not exists (select from records r where r.campaign = $1 and r.operation = $19 and r.kind = 'commit')
  returning c.id),
heads as (update branches b set head = $12, tried = $13, mark = $14 from moved
  where b.campaign = moved.id and b.name = $7),
closed as (delete from waiting w using moved where w.campaign = moved.id and w.operation = any ($15)),
lines as (insert into records {_RECORD}
  select moved.id, line.* from moved, (values
    ($16::int, $17::text, $18::text, $19::text, $20::text, $21::int, $22::bytea, $23::bytea),
    ($24::int, $25::text, $26::text, $27::text, $28::text, $29::int, $30::bytea, $31::bytea)) line)
select count(*) as moved from moved
"""
"""A turn: writes its commit and its attempt and moves its branch, if that points at the expected commit."""

ADD = f"""
with moved as ({_move("$22")}
    and not exists (select from records r where r.campaign = $1 and r.kind = $16 and r.id = $17)
  returning c.id),
heads as (update branches b set tried = $12, mark = $13 from moved
  where b.campaign = moved.id and b.name = $11),
closed as (delete from waiting w using moved where w.campaign = moved.id and w.operation = any ($14)),
lines as (insert into records {_RECORD}
  select moved.id, $15, $16, $17, $18, $19, $20, $21, $22 from moved)
select count(*) as moved from moved
"""

_POINT = f"""
with moved as ({_move("$23")}
    and exists (select from records r where r.campaign = $1 and r.kind = 'commit' and r.id = $12)
    and ($14 = false or (select b.head from branches b where b.campaign = $1 and b.name = $11)
      is not distinct from $15)
  returning c.id),
lines as (insert into records {_RECORD}
  select moved.id, $16, $17, $18, $19, $20, $21, $22, $23 from moved),
"""

POINT_BRANCH = f"""{_POINT}
heads as (insert into branches (campaign, name, head, tried, mark)
  select moved.id, $11, $12, null, $13 from moved
  on conflict (campaign, name) do update set head = excluded.head, tried = null, mark = excluded.mark)
select count(*) as moved from moved
"""

POINT_MARK = f"""{_POINT}
heads as (insert into marks (campaign, name, head, mark) select moved.id, $11, $12, $13 from moved
  on conflict (campaign, name) do update set head = excluded.head, mark = excluded.mark)
select count(*) as moved from moved
"""

WRITTEN = f"""
select r.chain from campaigns c join records r on r.campaign = c.id and r.number = $3 where {_MINE}
"""
"""The chain after a record, to find out whether a write happened although its answer was lost."""

BRANCHES = f"""
select b.name, b.head, b.tried, b.mark from campaigns c join branches b on b.campaign = c.id
where {_MINE} and b.name > $3 order by b.name limit $4
"""

MARKS = f"""
select b.name, b.head, null::int as tried, b.mark from campaigns c join marks b on b.campaign = c.id
where {_MINE} and b.name > $3 order by b.name limit $4
"""

BACK = f"""
with recursive past as (
  select r.number, r.id, r.parent, r.line, 1 as count
  from campaigns c join records r on r.campaign = c.id and r.kind = 'commit' and r.id = $3 where {_MINE}
  union all
  select r.number, r.id, r.parent, r.line, past.count + 1
  from past cross join lateral (
    select * from records r where r.campaign = $1 and r.kind = 'commit' and r.id = past.parent limit 1) r
  where past.count < $4)
select number, id, parent, line from past order by count
"""

FIND = f"""
select r.number, r.line from campaigns c join records r on r.campaign = c.id and r.operation = $3
where {_MINE} order by r.number
"""

ASIDES = f"""
select r.number, r.line from campaigns c
  join records r on r.campaign = c.id and r.kind = 'aside' and r.parent = any ($3)
where {_MINE} order by r.number
"""

BEGIN_OF = f"""
select {_CAMPAIGN},
  (select r.number from records r where r.campaign = c.id and r.kind = 'commit' and r.sequence = $3)
    as number,
  (select r.chain from records r where r.campaign = c.id and r.kind = 'commit' and r.sequence = $3) as before
from campaigns c where {_MINE}
"""

LINES = f"""
select r.number, r.chain, r.line from campaigns c join records r on r.campaign = c.id
where {_MINE} and r.number >= $3 and r.number < $4 order by r.number
"""

CHAIN = f"""
select {_CAMPAIGN}, (select r.chain from records r where r.campaign = c.id and r.number = $3) as chain_at
from campaigns c where {_MINE}
"""

WAITING = f"""
select w.operation, w.branch, w.number from campaigns c join waiting w on w.campaign = c.id where {_MINE}
"""

WAITING_LONG = """
select c.owner, c.name, w.operation, extract(epoch from clock_timestamp() - w.at)::float8 as seconds
from waiting w join campaigns c on c.id = w.campaign
where w.at <= clock_timestamp() - make_interval(secs => $1) and c.removed is null and c.closed is null
  and not exists (
    select from open_turns o where o.campaign = c.id and o.branch = w.branch and o.turn is not null)
order by w.at limit $2
"""
"""The inputs of all owners that have waited for a while, for an operator; not those that a game master is
narrating.
"""

SECRET = f"select c.secret from campaigns c where {_MINE}"

KEEP_SNAPSHOT = f"""
with known as (select octet_length(s.value) as size from snapshots s where s.campaign = $1 and s.commit = $3),
kept as (insert into snapshots (campaign, commit, value)
  select c.id, $3, $4 from campaigns c where {_MINE} and c.removed is null
  on conflict (campaign, commit) do update set value = excluded.value
  returning campaign)
update campaigns c set bytes = c.bytes + octet_length($4::bytea) - coalesce((select size from known), 0)
from kept where c.id = kept.campaign
"""

KEPT_SNAPSHOT = f"""
select s.value from campaigns c join snapshots s on s.campaign = c.id and s.commit = $3 where {_MINE}
"""

KEEP_GAME = f"""
with kept as (insert into games (hash, value) values ($4, $5) on conflict (hash) do nothing)
insert into game_links (campaign, digest, hash)
select c.id, $3, $4 from campaigns c where {_MINE} and c.removed is null
on conflict (campaign, digest) do update set hash = excluded.hash
"""
"""A game is stored once for all campaigns that play it, by the hash of its own bytes."""

KEPT_GAME = f"""
select g.hash, g.value from campaigns c
  join game_links l on l.campaign = c.id and l.digest = $3 join games g on g.hash = l.hash
where {_MINE}
"""

OPEN_TURN = f"""
select c.removed, c.closed, o.revision, o.turn
from campaigns c left join open_turns o on o.campaign = c.id and o.branch = $3 where {_MINE}
"""

PUT_OPEN_TURN = f"""
insert into open_turns as o (campaign, branch, revision, turn)
select c.id, $3, case when $5::bytea is null then 0 else 1 end, $5 from campaigns c
where {_MINE} and c.removed is null and c.closed is null
  and ($4 = 0 or exists (select from open_turns old where old.campaign = c.id and old.branch = $3))
on conflict (campaign, branch) do update
set revision = case when $5::bytea is null then o.revision else o.revision + 1 end, turn = excluded.turn
where case when o.turn is null then 0 else o.revision end = $4
returning o.revision
"""
"""Compare and set: 0 expects that no turn is open."""

FOUND_CAMPAIGN = """
insert into campaigns
  (id, owner, name, shard, about, secret, format, records, sequence, chain, newest, spent, mark, played,
   bytes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
"""

LOCK_OWNER = "select pg_advisory_xact_lock(hashtextextended('talewright owner ' || $1, 0))"
"""Until the end of the transaction: whoever creates a campaign counts those of the others."""

_STORED = """count(*) filter (where c.removed is null) as campaigns,
  coalesce(sum(c.bytes + (
    select coalesce(sum(octet_length(o.turn)), 0) from open_turns o where o.campaign = c.id)
  ), 0)::bigint as bytes
from campaigns c"""

STORED = f"select {_STORED} where c.owner = $1 and c.id is distinct from $2"
"""What an owner stores, apart from one campaign."""

STORED_BY_OWNERS = f"select c.owner, {_STORED} group by c.owner"
"""What all owners store, for an operator."""

FOUND_RECORD = f"insert into records {_RECORD} values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
FOUND_BRANCH = "insert into branches (campaign, name, head, tried, mark) values ($1, $2, $3, $4, $5)"
FOUND_MARK = "insert into marks (campaign, name, head, mark) values ($1, $2, $3, $4)"
FOUND_WAITING = """
insert into waiting (campaign, operation, branch, number, at) values ($1, $2, $3, $4, null)
"""
"""It was not accepted on this host, so no worker takes it up unasked."""

CLAIM_SHARD = "insert into shard_claims (shard) values ($1) on conflict do nothing"
CLAIMED_SHARDS = "select shard from shard_claims"
FOUND_BY_US = "select 1 as found from campaigns c where c.id = $1 and c.owner = $2"

LISTING = f"""
select {_CAMPAIGN}, c.about, c.played, c.written
from campaigns c
where c.removed is null and ($1::text is null or c.owner = $1) and c.name collate "C" > $2
order by c.name collate "C" fetch first $3 rows with ties
"""
"""A page by name, which never changes, in the same order on every server. `written` changes with every turn:
a page that begins there would miss campaigns that are played meanwhile, and an index on it would have to be
written with every turn.
"""

LISTED = f"""
select {_CAMPAIGN}, c.about, c.played, c.written
from campaigns c where c.name = $1 and c.removed is null and ($2::text is null or c.owner = $2) limit 2
"""

OWNERS = "select distinct c.owner from campaigns c where c.removed is null order by c.owner"
"""All owners with campaigns, for an operator; it reads only the index of names."""

NAMES = """
select c.owner, c.name from campaigns c
where c.removed is null and ($1::text is null or c.owner = $1) and ($2::text is null or c.name = $2)
  and ($3::timestamptz is null or c.written >= $3)
order by c.owner, c.name
"""
"""Campaigns for an operator, even those whose rows are damaged."""

CLOSE_CAMPAIGN = f"update campaigns c set closed = $3 where {_MINE} and c.closed is null"
CLOSED_AT = f"select c.closed from campaigns c where {_MINE}"

REMOVE = """
update campaigns c set removed = $3
where c.name = $1 and c.removed is null and ($2::text is null or c.owner = $2) and c.id = $4
returning c.id
"""
