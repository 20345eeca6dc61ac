-- When a manager has informed a founder of what is held on them. Without a time it is still to be done: those founders are
-- listed by the day they came.
alter table records
  add column informed_at timestamptz(3),
  add column informed_by uuid references accounts (id);
create index founders_not_informed on records (created_at, id) where kind = 'founder' and informed_at is null;
