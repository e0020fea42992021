-- The tables of workers and owners as programs created them at every start before they had migrations.

create schema if not exists hosting;
create table if not exists hosting.executors (
    executor text primary key,
    version text not null,
    beats bigint not null
);
alter table hosting.executors add column if not exists answered double precision not null default 0;
alter table hosting.executors add column if not exists backend integer;
alter table hosting.executors add column if not exists backend_start timestamptz;
create table if not exists hosting.answered_time (
    only_row boolean primary key default true check (only_row),
    seconds double precision not null default 0,
    at timestamptz not null default clock_timestamp()
);
insert into hosting.answered_time default values on conflict do nothing;
create table if not exists hosting.wishes (
    workflow text not null,
    wish text not null,
    at timestamptz not null default now(),
    primary key (workflow, wish)
);
create table if not exists hosting.crashes (
    workflow text not null,
    executor text not null,
    queue text not null,
    at timestamptz not null default now(),
    primary key (workflow, executor)
);

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
