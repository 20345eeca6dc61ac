-- Queues a record for comparison with all others. Many records that are changed together (sourcebook.quiet) wait behind the
-- others, until a fellow edits one or adds a note.
create or replace function queue_duplicate_check() returns trigger language plpgsql as $$
declare
  is_quiet boolean := coalesce(current_setting('sourcebook.quiet', true), '') = 'on';
begin
  if tg_op = 'INSERT' or old.name <> new.name or old.linked_in_key is distinct from new.linked_in_key
    or old.domain_key is distinct from new.domain_key or (old.kind <> new.kind and new.kind not like 'deleted-%')
    or old.additional_info -> 'email' is distinct from new.additional_info -> 'email'
  then
    insert into duplicate_checks as known (record_id, priority) values (new.id, case when is_quiet then 0 else 1 end)
    on conflict (record_id) do update
      set change_id = excluded.change_id, priority = greatest(known.priority, excluded.priority);
  elsif not is_quiet and (old.version <> new.version or old.notes_count <> new.notes_count) then
    update duplicate_checks set priority = 1 where record_id = new.id and priority = 0;
  end if;
  return null;
end $$;

create or replace trigger records_queue_check
  after insert or update of name, linked_in_key, domain_key, additional_info, kind, version, notes_count on records
  for each row execute function queue_duplicate_check();

-- The addresses that two records share. A dismissed pair is offered again only when another one becomes equal.
create or replace function equal_addresses(a uuid, b uuid) returns text[] language sql stable as $$
  select array_remove(array[
    case when one.linked_in_key = other.linked_in_key then 'linkedin' end,
    case when lower(one.additional_info ->> 'email') = lower(other.additional_info ->> 'email') then 'email' end,
    case when one.domain_key = other.domain_key or right(one.domain_key, length(other.domain_key) + 1) = '.' || other.domain_key
      or right(other.domain_key, length(one.domain_key) + 1) = '.' || one.domain_key then 'domain' end
  ], null)
  from records one, records other where one.id = a and other.id = b
$$;
