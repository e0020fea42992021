-- Owners of a host: token hashes, limits, spending, and reservations for running requests. Only campaigns with
-- a budget of their own have a row in campaign_spending. Databases made before this step have them already.

create schema if not exists hosting;
create table if not exists hosting.owners (
    id text primary key,
    label text not null,
    token_hash bytea not null unique,
    at timestamptz not null default now(),
    dollars_limit double precision,
    tokens_limit bigint,
    dollars_spent double precision not null default 0,
    tokens_spent bigint not null default 0,
    dollars_reserved double precision not null default 0,
    tokens_reserved bigint not null default 0
);
create table if not exists hosting.reservations (
    id text primary key,
    owner text not null references hosting.owners on delete cascade,
    dollars double precision not null,
    tokens bigint not null,
    until timestamptz not null
);
create index if not exists reservations_until on hosting.reservations (until);
alter table hosting.reservations add column if not exists campaign text;
create table if not exists hosting.campaign_spending (
    owner text not null references hosting.owners on delete cascade,
    campaign text not null,
    dollars_spent double precision not null,
    tokens_spent bigint not null,
    dollars_reserved double precision not null,
    tokens_reserved bigint not null,
    primary key (owner, campaign)
);
