-- Who has made whom responsible for a record, in whatever way, and the act on many records, the hand-over or the import of which it is
-- part. A merge and every undo only bring responsible fellows along.
create or replace function remember_assignment() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  if tg_op = 'UPDATE' and old.responsible_id is not distinct from new.responsible_id or actor ->> 'assignments' = 'kept' then
    return null;
  else
    insert into assignments (record_id, account_id, assigned_by, act_id, is_imported)
    values (
      new.id, new.responsible_id, (actor ->> 'id')::uuid, (actor ->> 'batchId')::uuid, coalesce(actor -> 'detail' ? 'import', false)
    )
    on conflict (record_id, account_id) do update set assigned_by = excluded.assigned_by, assigned_at = excluded.assigned_at,
      act_id = excluded.act_id, is_imported = excluded.is_imported;
  end if;
  return null;
end $$;

create or replace trigger records_assigned after insert or update of responsible_id on records for each row
  when (new.responsible_id is not null) execute function remember_assignment();
