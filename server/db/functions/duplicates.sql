-- Queues a record for comparison with all others. Many records that are changed together (sourcebook.quiet) wait behind the
-- others.
create or replace function queue_duplicate_check() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.name = new.name and old.linked_in_key is not distinct from new.linked_in_key
    and old.domain_key is not distinct from new.domain_key and (old.kind = new.kind or new.kind like 'deleted-%')
    and old.additional_info -> 'email' is not distinct from new.additional_info -> 'email'
  then
    return null;
  end if;
  insert into duplicate_checks as known (record_id, priority)
  values (new.id, case when current_setting('sourcebook.quiet', true) = 'on' then 0 else 1 end)
  on conflict (record_id) do update
    set change_id = excluded.change_id, priority = greatest(known.priority, excluded.priority);
  return null;
end $$;

create or replace trigger records_queue_check
  after insert or update of name, linked_in_key, domain_key, additional_info, kind on records
  for each row execute function queue_duplicate_check();

-- A record that waits behind others is compared first once a fellow edits it or adds a note.
create or replace function prioritise_duplicate_check() returns trigger language plpgsql as $$
begin
  if current_setting('sourcebook.quiet', true) is distinct from 'on' then
    update duplicate_checks set priority = 1 where record_id = new.id and priority = 0;
  end if;
  return null;
end $$;

create or replace trigger records_prioritise_check after update of version, notes_count on records for each row
  when (old.version <> new.version or old.notes_count <> new.notes_count)
  execute function prioritise_duplicate_check();

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
