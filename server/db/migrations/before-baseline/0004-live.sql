-- What changed is told to every process as it commits, whichever way the change came. Only kind and id are told; each
-- reader asks with rights of its own. Many rows at once are told as one. A notes_count alone is told by its note.

create function tell_records() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  change text := tg_argv[1];
begin
  if (select count(*) from (select from changed limit 21) counted) > 20 then
    perform pg_notify('records', json_build_object('kind', kind, 'change', change)::text);
  else
    perform pg_notify('records', json_build_object('kind', kind, 'change', change, 'id', id)::text) from changed;
  end if;
  return null;
end $$;

create trigger founders_tell_created after insert on founders
  referencing new table as changed for each statement execute function tell_records('founder', 'created');
create trigger founders_tell_deleted after delete on founders
  referencing old table as changed for each statement execute function tell_records('founder', 'deleted');
create trigger companies_tell_created after insert on companies
  referencing new table as changed for each statement execute function tell_records('company', 'created');
create trigger companies_tell_deleted after delete on companies
  referencing old table as changed for each statement execute function tell_records('company', 'deleted');

create function tell_updated_record() returns trigger language plpgsql as $$
begin
  perform pg_notify('records', json_build_object('kind', tg_argv[0], 'change', 'updated', 'id', new.id)::text);
  return null;
end $$;

create trigger founders_tell_updated after update on founders for each row
  when (old.version <> new.version or old.additional_info is distinct from new.additional_info)
  execute function tell_updated_record('founder');
create trigger companies_tell_updated after update on companies for each row
  when (old.version <> new.version or old.additional_info is distinct from new.additional_info)
  execute function tell_updated_record('company');

create function tell_notes() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit 21) counted) > 20 then
    perform pg_notify('records', '{"kind":"everything"}');
  else
    perform pg_notify('records', json_build_object(
      'kind', case when founder_id is null then 'company' else 'founder' end,
      'change', 'notes',
      'id', coalesce(founder_id, company_id)
    )::text) from (select distinct founder_id, company_id from changed) records;
  end if;
  return null;
end $$;

create trigger notes_tell_added after insert on notes
  referencing new table as changed for each statement execute function tell_notes();
create trigger notes_tell_removed after delete on notes
  referencing old table as changed for each statement execute function tell_notes();

-- A session that ends takes its live streams along, in every process.
create function tell_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', id::text) from changed;
  return null;
end $$;

create trigger sessions_tell_ended after delete on sessions
  referencing old table as changed for each statement execute function tell_sessions();
