-- Entries lose their network addresses after a while. The function that does it names entries by their whole key.
create index audit_log_with_ip on audit_log (at) where ip is not null;
drop function if exists empty_audit_entries(uuid[]);
