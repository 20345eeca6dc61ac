-- The records beyond My Records that an export gave out. Those of the last 24 hours count towards the limit of a fellow.
alter table audit_log add column exported_count integer;

-- Entries are permanent, and only get what they already say.
alter table audit_log disable trigger user;
update audit_log set exported_count = (detail ->> 'count')::integer
where action = 'export' and result = 'done' and at > now() - interval '24 hours'
  and detail ->> 'count' is not null and detail ->> 'mine' is distinct from 'true';
alter table audit_log enable trigger user;

create index audit_log_of_exports on audit_log (account_id, at) where exported_count is not null;
