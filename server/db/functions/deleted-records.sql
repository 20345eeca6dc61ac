-- A record is deleted and restored by its kind. Its members, which are derived, go and are computed again; all else stays.

-- Marks a record that is deleted, and takes the mark from one that comes back.
create or replace function begin_deletion() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  if new.kind not like 'deleted-%' then
    new.deleted_at := null;
    new.deleted_by := null;
    return new;
  end if;
  new.deleted_at := coalesce(new.deleted_at, now());
  -- What a revert deletes is listed with its import.
  if (actor -> 'isUndo')::boolean is not true then
    new.deleted_by := (actor ->> 'id')::uuid;
  end if;
  -- As in `lock_counters`: two deletions never wait for each other.
  perform from counters
  where kind = old.kind and (
    creator_id in (select account_id from record_members where record_id = old.id)
    or (creator_id is not distinct from old.creator_id and creator_text is not distinct from old.creator_text)
  )
  order by creator_id, creator_text for update;
  delete from record_members where record_id = old.id;
  return new;
end $$;

create or replace trigger records_begin_deletion before update of kind on records for each row
  when ((new.kind like 'deleted-%') <> (old.kind like 'deleted-%')) execute function begin_deletion();

-- Both are also done to everything merged into the record, and are in the history of linked records, whose pages are notified.
create or replace function end_deletion() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  is_deletion boolean := new.kind like 'deleted-%';
  bare text := regexp_replace(new.kind, '^.*-', '');
begin
  update records set kind = case when is_deletion then 'deleted-' else 'merged-' end || bare where merged_into = new.id;
  if new.merged_into is not null then
    return null;
  end if;
  if not is_deletion then
    perform rebuild_record(new.id);
  end if;
  insert into audit_log (account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail)
  select (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId',
    case when is_deletion then 'delete-link' else 'add-link' end, far.kind, far.id,
    case when is_deletion then link.role end, case when not is_deletion then link.role end,
    coalesce(actor -> 'detail', '{}')
      || case when actor is null then jsonb_build_object('databaseUser', session_user) else '{}' end
      || jsonb_build_object('linkedId', new.id, 'with', 'its record')
  from (
    select distinct on (far_id) far_id, case when role <> '' then jsonb_build_object('role', role) end as role
    from (
      select id, company_id as far_id, role from links where founder_id = new.id
      union all
      select id, founder_id, role from links where company_id = new.id
    ) own order by far_id, id desc
  ) link join records far on far.id = link.far_id and far.kind not like '%-%';
  -- A link to a deleted record is no activity. As in `audit_links_of_deleted`.
  perform derive_columns(id) from (
    select far.id from links join records far on far.id in (founder_id, company_id) and far.id <> new.id
      and case when is_deletion then far.last_activity_at = links.created_at else far.last_activity_at < links.created_at end
    where new.id in (founder_id, company_id) for no key update of far skip locked
  ) active;
  perform notify_of_records(case when is_deletion then 'deleted' else 'created' end,
    array[jsonb_build_object('kind', bare, 'id', new.id)]);
  perform notify_of_records('updated', array(
    select distinct jsonb_build_object('kind', records.kind, 'id', records.id) from links
    join records on records.id in (links.founder_id, links.company_id) and records.id <> new.id and records.kind not like '%-%'
    where new.id in (links.founder_id, links.company_id)
    limit 20
  ));
  return null;
end $$;

create or replace trigger records_end_deletion after update of kind on records for each row
  when ((new.kind like 'deleted-%') <> (old.kind like 'deleted-%')) execute function end_deletion();
