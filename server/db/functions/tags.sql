-- Of several rows of one tag the first is shown, and all have the time of the record. Called when a merge, its undo or a
-- restoration has moved rows, and after one of several rows was deleted.
create or replace function arrange_tags(record uuid) returns void language plpgsql as $$
begin
  update record_tags set created_at = arranged.created_at, is_shown = arranged.is_shown
  from (
    select own.id, records.created_at, not exists (
      select from record_tags earlier
      where earlier.record_id = own.record_id and earlier.tag_id = own.tag_id and earlier.id < own.id
    ) as is_shown
    from record_tags own join records on records.id = own.record_id
    where own.record_id = record
  ) arranged
  where record_tags.id = arranged.id
    and (record_tags.created_at, record_tags.is_shown) is distinct from (arranged.created_at, arranged.is_shown);
end $$;

-- An entry for each tag that a record gets or loses, with its name. Rows that a merge moves are in neither. Pages are notified of
-- both. Of a record without a tag that was its last activity, that is computed again.
create or replace function audit_tags() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  more jsonb := coalesce(actor -> 'detail', '{}')
    || case when actor is null then jsonb_build_object('databaseUser', session_user) else '{}' end;
begin
  insert into audit_log (account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail)
  select (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId',
    coalesce(actor ->> 'action', case tg_op when 'INSERT' then 'add-tag' else 'delete-tag' end), kind, record_id,
    case tg_op when 'DELETE' then tag end, case tg_op when 'INSERT' then tag end, nullif(more, '{}')
  from (
    select distinct changed.record_id, changed.kind, changed.tag_id,
      jsonb_strip_nulls(jsonb_build_object('id', changed.tag_id, 'tag', tags.name)) as tag
    from changed left join tags on tags.id = changed.tag_id
    where changed.kind not like '%-%'
      and (tg_op = 'INSERT' or (
        exists (select from records where records.id = changed.record_id)
        and not exists (
          select from record_tags other where other.record_id = changed.record_id and other.tag_id = changed.tag_id
        )
      ))
    order by changed.record_id, changed.tag_id
  ) own;
  if tg_op = 'DELETE' then
    perform derive_columns(id) from (
      select distinct records.id from changed join records on records.id = record_id and last_activity_at = added_at
    ) active;
  end if;
  perform notify_of_records('tags',
    array(select jsonb_build_object('kind', kind, 'id', record_id) from changed where kind not like '%-%' limit 21),
    array(select distinct kind from changed));
  return null;
end $$;

create or replace trigger record_tags_audited_added after insert on record_tags
  referencing new table as changed for each statement execute function audit_tags();
create or replace trigger record_tags_audited_deleted after delete on record_tags
  referencing old table as changed for each statement execute function audit_tags();
