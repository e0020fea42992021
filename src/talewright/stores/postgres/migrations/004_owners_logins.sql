-- Browser logins that owners have ended; a row may be deleted once its session would be too old anyway. And the id
-- of a token, by which a client asks whether a host knows its token without sending it: it is computed, not stored.

create table if not exists hosting.ended_sessions (
    id text primary key,
    until timestamptz not null
);
create index if not exists ended_sessions_until on hosting.ended_sessions (until);
create unique index if not exists owners_token_id
    on hosting.owners (sha256('talewright token id:'::bytea || token_hash));
