-- When an input was accepted on this host. It is null for inputs that came with an imported campaign, and for those
-- from before this step: no worker takes them up unasked.

alter table waiting add column at timestamptz;
alter table waiting alter column at set default clock_timestamp();
