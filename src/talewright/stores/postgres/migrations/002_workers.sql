-- Workers of a host and the turns they run. No campaign depends on these tables; losing them loses no turn.
-- Databases made before this step have them already.

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
