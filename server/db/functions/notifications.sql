-- Every process is notified of a change when it commits, whatever its origin. Only kind and id are sent; each reader asks with
-- its own rights. A transaction that changes many records (sourcebook.quiet) sends one notification of its own.

-- Each row has the kind and the id of a record; of merged and deleted ones nothing is sent. Of more than 20 rows only their kinds
-- are, which the caller then gives. Identical notifications of one transaction are one.
create or replace function notify_of_records(change text, first_rows jsonb[], kinds text[] default '{}') returns void language plpgsql as $$
begin
  if current_setting('sourcebook.quiet', true) is distinct from 'on' then
    perform pg_notify('records', (one || jsonb_build_object('change', change))::text)
    from (
      select unnest(first_rows) where cardinality(first_rows) <= 20
      union all
      select jsonb_build_object('kind', unnest(kinds)) where cardinality(first_rows) > 20
    ) sent (one)
    where one ->> 'kind' not like '%-%';
  end if;
end $$;

create or replace function notify_record_update() returns trigger language plpgsql as $$
declare
  rows jsonb[] := array[jsonb_build_object('kind', new.kind, 'id', new.id)];
begin
  if old.pipeline_version <> new.pipeline_version then
    perform notify_of_records('pipeline', rows);
  end if;
  if old.version <> new.version or old.additional_info is distinct from new.additional_info or old.enrichment <> new.enrichment then
    perform notify_of_records('updated', rows);
  end if;
  return null;
end $$;

create or replace trigger records_notify_updated
  after update of version, additional_info, enrichment, pipeline_version on records for each row
  when (new.kind not like '%-%' and (old.version <> new.version or old.pipeline_version <> new.pipeline_version
    or old.additional_info is distinct from new.additional_info or old.enrichment <> new.enrichment))
  execute function notify_record_update();

-- The end of a session ends its live streams, in every process.
create or replace function notify_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', id::text) from changed;
  return null;
end $$;

create or replace trigger sessions_notify_ended after delete on sessions
  referencing old table as changed for each statement execute function notify_session_end();

-- The accounts, the invitations or what is sent have changed. Managers see lists of them.
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
create or replace trigger digests_notify_people
  after insert or update of rhythm, has_week, hour, time_zone on digests for each row execute function notify_people();
create or replace trigger access_tokens_notify_people
  after insert on access_tokens for each row execute function notify_people();
create or replace trigger channels_notify_people
  after insert or delete or update of confirmed_by, last_sent_at, last_failed_at on channels for each row execute function notify_people();
create or replace trigger channel_searches_notify_people after insert or delete on channel_searches
  for each row execute function notify_people();
create or replace trigger settings_notify_people after insert or update or delete on settings
  for each row execute function notify_people();

-- Searches that everyone sees have changed, or one has come or gone. Of others' own ones nothing is sent.
create or replace function notify_searches() returns trigger language plpgsql as $$
begin
  if old.is_shared or new.is_shared then
    perform pg_notify('records', '{"kind":"searches"}');
  end if;
  return null;
end $$;

create or replace trigger saved_searches_notify
  after insert or delete or update of name, about, query, is_shared, is_pinned on saved_searches
  for each row execute function notify_searches();
