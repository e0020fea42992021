"""Owner tables: the statements on token hashes, limits, spending, and reservations for running requests.

A token is random and long, so one fast hash keeps it safe; it cannot be recovered from here.
"""

_MONTH = "date_trunc('month', now() at time zone 'utc')::date"
"""The current month, by its first day."""


def _this_month(column: str) -> str:
    """What an owner has spent in the current month; a new month begins at zero."""
    return f"case when month = {_MONTH} then {column} else 0 end"


def _count_month(dollars: str, tokens: str) -> str:
    """Add to what an owner has spent in the current month."""
    return f"""
    month_dollars_spent = {dollars} + {_this_month("month_dollars_spent")},
    month_tokens_spent = {tokens} + {_this_month("month_tokens_spent")},
    month = {_MONTH}"""


ADD_OWNER = """
insert into hosting.owners
    (id, label, token_hash, dollars_limit, tokens_limit, monthly_dollars_limit, monthly_tokens_limit)
values ($1, $2, $3, $4, $5, $6, $7)
"""

RENEW_TOKEN = "update hosting.owners set token_hash = $2 where id = $1 returning id"
REMOVE_OWNER = "delete from hosting.owners where id = $1 returning id"
SET_LIMITS = """
update hosting.owners
set dollars_limit = $2, tokens_limit = $3, monthly_dollars_limit = $4, monthly_tokens_limit = $5
where id = $1 returning id
"""
ENSURE_OWNER = """
insert into hosting.owners (id, label, token_hash) values ($1, $1, $2)
on conflict (id) do update set token_hash = $2
"""
"""The account of an owner whose token the operator set."""

FIND_OWNER = "select id from hosting.owners where token_hash = $1"
MATCH_OWNERS = "select id from hosting.owners where starts_with(id, $1) order by id limit 2"
"""Owners whose ids begin like a text; one whose id is that text comes first."""

FIND_TOKEN_HASH = "select token_hash from hosting.owners where id = $1"
FIND_TOKEN_ID = """
select id, token_hash from hosting.owners where sha256('talewright token id:'::bytea || token_hash) = $1
"""
LIST_OWNERS = f"""
select id, label, dollars_limit, tokens_limit, monthly_dollars_limit, monthly_tokens_limit,
    dollars_spent, tokens_spent, dollars_reserved, tokens_reserved,
    {_this_month("month_dollars_spent")} as month_dollars_spent,
    {_this_month("month_tokens_spent")} as month_tokens_spent
from hosting.owners where id > $1 order by id limit $2
"""

FIND_ENDED_SESSION = "select id from hosting.ended_sessions where id = $1"
END_SESSION = """
with gone as (delete from hosting.ended_sessions where until < to_timestamp($3::float8))
insert into hosting.ended_sessions (id, until) values ($1, to_timestamp($2::float8))
on conflict (id) do nothing returning id
"""
"""Sessions that would be too old anyway are forgotten."""

_COVERS_IN_TOTAL = """(
    (dollars_limit is null or dollars_spent + dollars_reserved + $3::float8 <= dollars_limit)
    and (tokens_limit is null or tokens_spent + tokens_reserved + $4::bigint <= tokens_limit))"""

_COVERS_THIS_MONTH = f"""(
    (monthly_dollars_limit is null
        or {_this_month("month_dollars_spent")} + dollars_reserved + $3::float8 <= monthly_dollars_limit)
    and (monthly_tokens_limit is null
        or {_this_month("month_tokens_spent")} + tokens_reserved + $4::bigint <= monthly_tokens_limit))"""

RESERVE = f"""
with asked as (
    select id, {_COVERS_IN_TOTAL} as total_covers, {_COVERS_THIS_MONTH} as month_covers
    from hosting.owners where id = $1 for update
), payer as (
    select id from asked where total_covers and month_covers
), counted as (
    insert into hosting.campaign_spending as known
        (owner, campaign, dollars_spent, tokens_spent, dollars_reserved, tokens_reserved)
    select id, $6::text, $7::float8, $8::bigint, $3, $4 from payer
    where $6 is not null and ($9::float8 is null or $7 + $3 <= $9) and ($10::bigint is null or $8 + $4 <= $10)
    on conflict (owner, campaign) do update
    set dollars_spent = greatest(known.dollars_spent, excluded.dollars_spent),
        tokens_spent = greatest(known.tokens_spent, excluded.tokens_spent),
        dollars_reserved = known.dollars_reserved + excluded.dollars_reserved,
        tokens_reserved = known.tokens_reserved + excluded.tokens_reserved
    where ($9 is null or greatest(known.dollars_spent, $7) + known.dollars_reserved + $3 <= $9)
        and ($10 is null or greatest(known.tokens_spent, $8) + known.tokens_reserved + $4 <= $10)
    returning owner
), taken as (
    update hosting.owners
    set dollars_reserved = dollars_reserved + $3, tokens_reserved = tokens_reserved + $4
    where id in (select id from payer where $6 is null union all select owner from counted)
    returning id
), reserved as (
    insert into hosting.reservations (id, owner, dollars, tokens, until, campaign)
    select $2, id, $3, $4, now() + make_interval(secs => $5), $6 from taken
    returning id
)
select exists (select from payer) as owner_can_pay, exists (select from reserved) as is_reserved,
    (select total_covers from asked) as total_covers
"""
"""Limits are checked once the rows are locked, so two nodes never spend the same money. A campaign's spending
is counted here and is never lower than its record says: the record lacks running requests, and this table
lacks what was spent elsewhere.
"""

FIND_RESERVATION = "select id from hosting.reservations where id = $1"

SETTLE = f"""
with gone as (delete from hosting.reservations where id = $1 returning owner, campaign, dollars, tokens),
counted as (
    update hosting.campaign_spending as known
    set dollars_reserved = known.dollars_reserved - gone.dollars,
        tokens_reserved = known.tokens_reserved - gone.tokens,
        dollars_spent = known.dollars_spent + $2, tokens_spent = known.tokens_spent + $3
    from gone where known.owner = gone.owner and known.campaign = gone.campaign
)
update hosting.owners as owned
set dollars_reserved = owned.dollars_reserved - gone.dollars,
    tokens_reserved = owned.tokens_reserved - gone.tokens,
    dollars_spent = owned.dollars_spent + $2, tokens_spent = owned.tokens_spent + $3,
    {_count_month("$2", "$3")}
from gone where owned.id = gone.owner
"""

SETTLE_LOST = f"""
with gone as (
    delete from hosting.reservations where until < now() returning owner, campaign, dollars, tokens
), by_campaign as (
    select owner, campaign, sum(dollars) as dollars, sum(tokens) as tokens from gone group by owner, campaign
), counted as (
    update hosting.campaign_spending as known
    set dollars_reserved = known.dollars_reserved - sums.dollars,
        tokens_reserved = known.tokens_reserved - sums.tokens,
        dollars_spent = known.dollars_spent + sums.dollars, tokens_spent = known.tokens_spent + sums.tokens
    from by_campaign as sums where known.owner = sums.owner and known.campaign = sums.campaign
), by_owner as (
    select owner, sum(dollars) as dollars, sum(tokens) as tokens from gone group by owner
)
update hosting.owners as owned
set dollars_reserved = owned.dollars_reserved - sums.dollars,
    tokens_reserved = owned.tokens_reserved - sums.tokens,
    dollars_spent = owned.dollars_spent + sums.dollars, tokens_spent = owned.tokens_spent + sums.tokens,
    {_count_month("sums.dollars", "sums.tokens")}
from by_owner as sums where owned.id = sums.owner
"""
"""A node died during a request to a model: the whole reservation counts as spent, since the real cost is
unknown.
"""

FORGET_CAMPAIGN = "delete from hosting.campaign_spending where owner = $1 and campaign = $2"
