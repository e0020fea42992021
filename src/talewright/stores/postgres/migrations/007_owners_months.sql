-- What owners may spend in a calendar month (UTC), and what they have spent in the month of their last request.

alter table hosting.owners
    add column if not exists monthly_dollars_limit double precision,
    add column if not exists monthly_tokens_limit bigint,
    add column if not exists month date not null default date_trunc('month', now() at time zone 'utc')::date,
    add column if not exists month_dollars_spent double precision not null default 0,
    add column if not exists month_tokens_spent bigint not null default 0;
