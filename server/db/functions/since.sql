-- Who has made whom responsible for a record, in whatever way. A merge and its undo only bring responsible fellows along, and rows
-- of an import give nothing to a fellow.
create or replace function remember_assignment() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  if tg_op = 'UPDATE' and old.responsible_id is not distinct from new.responsible_id or actor ->> 'assignments' = 'kept' then
    return null;
  elsif actor ->> 'assignments' = 'forgotten' then
    delete from assignments where record_id = new.id and account_id = new.responsible_id;
  else
    insert into assignments (record_id, account_id, assigned_by) values (new.id, new.responsible_id, (actor ->> 'id')::uuid)
    on conflict (record_id, account_id) do update set assigned_by = excluded.assigned_by, assigned_at = excluded.assigned_at;
  end if;
  return null;
end $$;

create or replace trigger records_assigned after insert or update of responsible_id on records for each row
  when (new.responsible_id is not null) execute function remember_assignment();
