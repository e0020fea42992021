-- How much each campaign takes: the bytes of its sealed records and snapshots. Games are shared and count for nobody.
-- Removed campaigns are still stored, so an owner's sum includes them.

alter table campaigns add column bytes bigint not null default 0;
update campaigns c set bytes =
    coalesce((select sum(octet_length(r.line)) from records r where r.campaign = c.id), 0)
    + coalesce((select sum(octet_length(s.value)) from snapshots s where s.campaign = c.id), 0);
create index campaigns_by_owner on campaigns (owner);
