-- The time of an act on many as the last activity of a record, and the last activity before it, and whose. Null where the act has not
-- become the last one, and for acts before this version.
alter table bulk_rows
  add column active_at timestamptz(3),
  add column active_before timestamptz(3),
  add column active_before_by uuid;
