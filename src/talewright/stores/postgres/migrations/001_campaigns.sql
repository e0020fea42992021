-- Campaigns of many owners. Everything a player or author wrote is sealed; ids, counters and names are not.

create table campaigns (
    id uuid primary key,
    owner text not null,
    name text not null,
    shard smallint not null,
    about jsonb not null,
    secret bytea not null,
    format integer not null,
    records integer not null,
    sequence integer not null,
    chain bytea not null,
    newest text not null,
    spent text not null,
    mark bytea not null,
    at text not null,
    written timestamptz not null default clock_timestamp(),
    removed text,
    closed text
) with (fillfactor = 70);
create unique index campaigns_by_name on campaigns (owner, name) where removed is null;
create index campaigns_by_shard on campaigns (shard);

create table records (
    campaign uuid not null,
    number integer not null,
    kind text not null,
    id text,
    operation text,
    parent text,
    sequence integer,
    chain bytea not null,
    line bytea not null,
    primary key (campaign, number)
) partition by hash (campaign);
alter table records alter column line set storage external;
-- Only the primary key begins with the campaign, and no index covers all commits of a campaign. Otherwise a
-- planner without statistics may read all of them to find one.
create unique index records_by_id on records (id, campaign, kind) where id is not null;
create index records_by_operation on records (operation, campaign) where operation is not null;
create unique index records_one_commit on records (operation, campaign) where sequence is not null;
create unique index records_by_sequence on records (sequence, campaign) where sequence is not null;
create index records_asides on records (parent, campaign) where kind = 'aside';

create table branches (
    campaign uuid not null,
    name text collate "C" not null,
    head text not null,
    tried integer,
    mark bytea not null,
    primary key (campaign, name)
) with (fillfactor = 70);

create table marks (
    campaign uuid not null,
    name text collate "C" not null,
    head text not null,
    mark bytea not null,
    primary key (campaign, name)
);

create table waiting (
    campaign uuid not null,
    operation text not null,
    branch text not null,
    number integer not null,
    primary key (campaign, operation)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table games (
    hash bytea primary key,
    value bytea not null
);
alter table games alter column value set storage external;

create table game_links (
    campaign uuid not null,
    digest text not null,
    hash bytea not null,
    primary key (campaign, digest)
);

create table snapshots (
    campaign uuid not null,
    commit text not null,
    value bytea not null,
    primary key (campaign, commit)
) partition by hash (campaign);
alter table snapshots alter column value set storage external;

create table open_turns (
    campaign uuid not null,
    branch text not null,
    revision integer not null,
    turn bytea,
    primary key (campaign, branch)
);

create table shard_claims (
    shard smallint primary key
);

do $$
begin
    for number in 0..7 loop
        execute format(
            'create table records_%s partition of records for values with (modulus 8, remainder %s)',
            number, number);
        execute format(
            'create table snapshots_%s partition of snapshots for values with (modulus 8, remainder %s)',
            number, number);
    end loop;
end
$$;
