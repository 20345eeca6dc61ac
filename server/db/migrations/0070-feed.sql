-- The transaction that wrote the entry, for the order of the feed. 0 for entries of before, also of before a restore or a move.
alter table audit_log add column transaction_id xid8 not null default '0';
alter table audit_log alter column transaction_id set default pg_current_xact_id();

-- Entries of records and notes in the order of the feed, without those that changed nothing.
create index audit_log_of_feed on audit_log (transaction_id, id)
where transaction_id > '0' and kind in ('founder', 'company') and result = 'done'
  and (before is not null or after is not null or action not in ('update', 'enrich', 'update-pipeline'));
