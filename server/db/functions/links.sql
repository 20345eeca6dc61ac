-- Deleting a record deletes its links. The history of the record on the other end has an entry, as for a link that a person
-- removes, and its page is notified. A link that was the last activity of a record is none any more. Of several links of one pair the newest counts.
create or replace function audit_links_of_deleted() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  more jsonb := coalesce(actor -> 'detail', '{}')
    || case when actor is null then jsonb_build_object('databaseUser', session_user) else '{}' end;
  far jsonb[];
begin
  with left_behind as (
    select distinct on (own.id, own.linked_id) own.*, nullif(gone.role, '') as role
    from gone, lateral (
      values ('founder', gone.founder_id, gone.company_id), ('company', gone.company_id, gone.founder_id)
    ) own (kind, id, linked_id)
    where gone.founder_kind not like 'deleted-%' and gone.company_kind not like 'deleted-%'
      and exists (select from records where records.id = own.id)
      and not exists (select from records where records.id = own.linked_id)
    order by own.id, own.linked_id, gone.id desc
  ), logged as (
    insert into audit_log (account_id, account_email, ip, request_id, action, kind, object_id, before, detail)
    select (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId', 'delete-link', kind, id,
      case when role is not null then jsonb_build_object('role', role) end,
      more || jsonb_build_object('linkedId', linked_id, 'with', 'its record')
    from left_behind
    returning kind, object_id
  )
  select array_agg(distinct jsonb_build_object('kind', kind, 'id', object_id)) into far from logged;
  -- Not of a record that is just being changed, for which two deletions could wait for each other.
  perform derive_columns(id) from (
    select records.id from gone join records on records.id in (founder_id, company_id) and last_activity_at = gone.created_at
    for no key update of records skip locked
  ) active;
  perform notify_of_records('updated', far[:21], array(select distinct one ->> 'kind' from unnest(far) one));
  return null;
end $$;

create or replace trigger links_audited after delete on links
  referencing old table as gone for each statement execute function audit_links_of_deleted();
