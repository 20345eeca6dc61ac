-- Every process is notified of a change when it commits, whatever its origin. Only kind and id are sent; each reader asks with
-- its own rights. A transaction that changes many records (sourcebook.quiet) sends one notification of its own.

-- Of more than 20 rows only their kinds are sent. Identical notifications of one transaction are one.
create or replace function notify_record_change() returns trigger language plpgsql as $$
declare
  first_rows jsonb[] := array(select to_jsonb(one) from changed one where kind not like '%-%' limit 21);
begin
  if current_setting('sourcebook.quiet', true) = 'on' then
    return null;
  end if;
  if cardinality(first_rows) > 20 then
    perform pg_notify('records', json_build_object('kind', kind, 'change', tg_argv[0])::text)
    from (select distinct kind from changed where kind not like '%-%') kinds;
  else
    perform pg_notify('records', json_build_object(
      'kind', one ->> 'kind', 'change', tg_argv[0], 'id', coalesce(one ->> 'record_id', one ->> 'id')
    )::text) from unnest(first_rows) one;
  end if;
  return null;
end $$;

create or replace trigger records_notify_created after insert on records
  referencing new table as changed for each statement execute function notify_record_change('created');
create or replace trigger records_notify_deleted after delete on records
  referencing old table as changed for each statement execute function notify_record_change('deleted');

create or replace function notify_record_update() returns trigger language plpgsql as $$
declare
  one record := case when tg_op = 'DELETE' then old else new end;
  id uuid;
begin
  if current_setting('sourcebook.quiet', true) is distinct from 'on' and one.kind not like '%-%' then
    if tg_table_name = 'records' then
      id := one.id;
    else
      id := one.record_id;
    end if;
    perform pg_notify('records', json_build_object('kind', one.kind, 'change', tg_argv[0], 'id', id)::text);
  end if;
  return null;
end $$;

create or replace trigger records_notify_updated after update of version, additional_info, enrichment on records for each row
  when (new.kind not like '%-%' and (old.version <> new.version or old.additional_info is distinct from new.additional_info
    or old.enrichment <> new.enrichment))
  execute function notify_record_update('updated');

-- The end of a session ends its live streams, in every process.
create or replace function notify_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', id::text) from changed;
  return null;
end $$;

create or replace trigger sessions_notify_ended after delete on sessions
  referencing old table as changed for each statement execute function notify_session_end();

-- The accounts or the invitations have changed. Managers see a list of both.
create or replace function notify_people() returns trigger language plpgsql as $$
begin
  perform pg_notify('records', '{"kind":"people"}');
  return null;
end $$;

create or replace trigger accounts_notify_people
  after insert or update of name, email, email_verified, role, disabled_at, left_at, pending_since on accounts
  for each row execute function notify_people();
create or replace trigger invitations_notify_people after insert or delete on invitations
  for each row execute function notify_people();
