-- Foreign keys, so that deleting a campaign deletes all of it; the time of the last turn as a timestamp; and the sealing
-- keys in use, by their fingerprints. Processes of the previous version keep running: they still write `at`, and read
-- `removed` and `closed` as texts. Another type or collation would break their prepared statements; a later step can
-- change them.

do $$
declare
    part text;
begin
    -- Rows whose campaign an operator has deleted by hand: nobody can read them any more.
    foreach part in array array['records', 'branches', 'marks', 'waiting', 'game_links', 'snapshots', 'open_turns'] loop
        execute format('delete from %I where campaign not in (select id from campaigns)', part);
        execute format('alter table %I add foreign key (campaign) references campaigns on delete cascade', part);
    end loop;
end
$$;
delete from game_links where hash not in (select hash from games);
alter table game_links add foreign key (hash) references games;
create index game_links_by_hash on game_links (hash);

alter table campaigns
    alter column at set default to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    add column played timestamptz;
update campaigns set played =
    case when at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$' then at::timestamptz else written end;
alter table campaigns
    alter column played set default clock_timestamp(),
    alter column played set not null;

create table sealing_keys (
    id text primary key,
    fingerprint bytea not null,
    at timestamptz not null default now(),
    used timestamptz,
    retired timestamptz
);
