-- Who did what, when, to what, from where, before and after. It only grows, and its rows outlive accounts and records. One
-- function may empty entries: everything but who, when and the act (`all`), their values (`values`), the addresses of who acted
-- (`actor`), or the network address alone (`ip`). It runs as the owner of the tables, because the role of the product may not
-- update them.
create or replace function empty_audit_entries(ids uuid[], times timestamptz[], what text) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  update audit_log set
    before = case when what in ('all', 'values') then null else before end,
    after = case when what in ('all', 'values') then null else after end,
    detail = case when what in ('all', 'values') then null else detail end,
    account_email = case when what in ('all', 'actor') then null else account_email end,
    ip = case when what in ('all', 'actor', 'ip') then null else ip end
  from unnest(times, ids) entry (at, id) where (audit_log.at, audit_log.id) = (entry.at, entry.id);
end $$;

-- Only a call of that function has it on its stack, which no setting of a session can forge.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  stack text;
  emptied jsonb := '{"before": null, "after": null, "detail": null}';
  nameless jsonb := '{"account_email": null, "ip": null}';
begin
  if tg_op = 'UPDATE' then
    get diagnostics stack = pg_context;
    if stack like '%function empty_audit_entries(uuid[],timestamp with time zone[],text)%' then
      -- The stack may name a function of the same name in another schema in this way.
      if tg_level = 'STATEMENT' and (select count(*) from pg_proc where proname = 'empty_audit_entries') = 1 then
        return null;
      elsif tg_level = 'ROW' and to_jsonb(new) in (
        to_jsonb(old) || emptied || nameless, to_jsonb(old) || emptied, to_jsonb(old) || nameless, to_jsonb(old) || '{"ip": null}'
      ) then
        return new;
      end if;
    end if;
  end if;
  raise exception 'The audit log is permanent: it cannot be changed or removed' using errcode = 'insufficient_privilege';
end $$;

create or replace trigger audit_log_is_permanent before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
create or replace trigger audit_entries_are_permanent before update on audit_log
  for each row execute function refuse_audit_change();

-- The watched columns of a row by their names on the wire, without empty ones, and what enrichment found. The rating of a
-- record that is not rated is no value, and neither is the status of one that is active.
create or replace function audit_facts(entity jsonb, watched text[]) returns jsonb language plpgsql immutable as $$
begin
  return case when jsonb_typeof(entity -> 'additional_info') = 'object' then entity -> 'additional_info' else '{}' end || (
    select coalesce(jsonb_object_agg(lower(left(name, 1)) || substr(name, 2), value), '{}')
    from (
      select replace(initcap(replace(key, '_', ' ') collate "C"), ' ', '') as name, value
      from jsonb_each(entity)
      where key = any (watched) and value <> 'null' and not (key = 'rating' and entity -> 'is_rated' = 'false')
          and not (key = 'status' and value = '"active"')
    ) named
  );
end $$;

-- The fields of one that differ from the other; null when there are none.
create or replace function audit_difference(one jsonb, other jsonb) returns jsonb language plpgsql immutable as $$
begin
  return (select jsonb_object_agg(key, value) from jsonb_each(one) where value is distinct from other -> key);
end $$;

-- One entry for each change of a record, or of a row of its tables. The arguments are the noun in the action of such a row, empty
-- for records, and the watched columns. Such a row is in the log of its record, and pages are notified of it. The actor is set at
-- the start of the transaction (sourcebook.actor) and may name the act, such as a merge, its details, and what other triggers make of it. Without one the
-- change was made at the database itself, and the database user is kept. A change of a record that writes the time of its last
-- activity is one by hand, and its entry has that time. One that its person puts
-- straight back within ten minutes is none, and neither is the way back.
create or replace function audit_change() returns trigger language plpgsql as $$
<<change>>
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  noun text := tg_argv[0];
  watched text[] := tg_argv[1:];
  action text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
  entity jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  was jsonb := case when tg_op <> 'INSERT' then audit_facts(to_jsonb(old), watched) end;
  is_now jsonb := case when tg_op <> 'DELETE' then audit_facts(entity, watched) end;
  before jsonb := was;
  after jsonb := is_now;
  detail jsonb;
  active_at timestamptz;
  is_put_back boolean;
begin
  if tg_op = 'UPDATE' then
    before := audit_difference(was, is_now);
    after := audit_difference(is_now, was);
  end if;
  if noun <> '' then
    -- The rows of a record that was deleted before go without their values.
    if tg_op = 'DELETE' and entity ->> 'kind' like 'deleted-%' then
      return null;
    elsif tg_op = 'UPDATE' and before is null and after is null then
      return null;
    elsif tg_op = 'DELETE' and not exists (select from records where id = (entity ->> 'record_id')::uuid) then
      detail := '{"with": "its record"}';
    end if;
    action := case tg_op when 'INSERT' then 'add' else action end || '-' || noun;
  elsif tg_op = 'DELETE' and old.kind like 'deleted-%' then
    action := 'purge';
    before := null;
  elsif tg_op = 'UPDATE' then
    if new.kind like 'deleted-%' and old.kind not like '%-%' then
      action := 'delete';
      before := was;
    elsif old.kind like 'deleted-%' and new.kind not like '%-%' then
      action := 'restore';
    elsif new.enrichment -> 'last' is distinct from old.enrichment -> 'last' then
      action := 'enrich';
      detail := jsonb_strip_nulls(jsonb_build_object(
        'providers', (
          select jsonb_object_agg(key, new.enrichment #> array['sources', key, 'provider'])
          from jsonb_object_keys(coalesce(after, '{}')) key
        ),
        'notice', new.enrichment #> '{last,notice}',
        -- What was found by hints may not be of the record's own keys.
        'hints', new.enrichment #> '{last,hints}'
      ));
    elsif before is null and after is null and new.version = old.version then
      return null;
    end if;
    if new.last_activity_at <> old.last_activity_at then
      active_at := new.last_activity_at;
      if old.last_activity_at > active_at - interval '10 minutes' and not actor ?| '{batchId,mergeId}' and (before is not null or after is not null) then
        is_put_back := (
          select log.account_id = (actor ->> 'id')::uuid and (log.before, log.after) is not distinct from (change.after, change.before)
          from audit_log log
          where log.object_id = new.id and log.at > active_at - interval '10 minutes' and log.is_activity
          order by log.at desc, log.id desc limit 1
        );
      end if;
    end if;
  end if;
  action := coalesce(actor ->> 'action', action);
  if actor ? 'detail' then
    detail := coalesce(detail, '{}') || (actor -> 'detail');
  end if;
  if actor is null then
    detail := coalesce(detail, '{}') || jsonb_build_object('databaseUser', session_user);
  end if;
  insert into audit_log (at, account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail, is_activity, token_id)
  values (
    coalesce(active_at, clock_timestamp()), (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId', action, regexp_replace(entity ->> 'kind', '^.*-', ''),
    coalesce(entity ->> 'record_id', entity ->> 'id')::uuid, before, after, detail, active_at is not null and is_put_back is not true,
    (actor ->> 'tokenId')::uuid
  );
  if is_put_back then
    perform derive_columns(new.id);
  end if;
  if noun <> '' then
    perform notify_of_records(noun || 's', array[jsonb_build_object('kind', entity -> 'kind', 'id', entity -> 'record_id')]);
  end if;
  return null;
end $$;

-- Attaches what every table of a record has, called in the SQL of its feature: rows with the columns `record_id` and `kind` are in
-- the log of their record where they are added or deleted or one of the `watched` columns changes, named after the noun: add-note,
-- update-note, delete-note. Pages are notified of `notes`.
create or replace function attach_record_triggers(name text, noun text, watched text[]) returns void language plpgsql as $$
begin
  execute format(
    'create or replace trigger %I after insert or delete or update of %s on %I for each row execute function audit_change(%s)',
    name || '_audited', (select string_agg(quote_ident(item), ', ') from unnest(watched) item), name,
    (select string_agg(quote_literal(item), ', ') from unnest(noun || watched) item)
  );
end $$;

-- The database among all: that of a restore or a move by pg_dump is another one. A failover keeps it.
create or replace function database_identity() returns text language plpgsql stable as $$
declare
  own text := (select oid::text from pg_database where datname = current_database());
begin
  return (select system_identifier from pg_control_system()) || '-' || own;
exception when insufficient_privilege then
  return own;
end $$;

-- Begins the feed again: no entry so far is in it, and every cursor so far is refused. Transactions have other numbers here.
create or replace function begin_feed() returns void language plpgsql as $$
begin
  if exists (select from audit_log where transaction_id > '0') then
    alter table audit_log disable trigger user;
    update audit_log set transaction_id = '0' where transaction_id > '0';
    alter table audit_log enable trigger user;
  end if;
  insert into settings (key, value)
  values ('feed', jsonb_build_object(
    'epoch', gen_random_uuid(), 'database', database_identity(), 'begunAt', clock_timestamp()))
  on conflict (key) do update set value = excluded.value;
end $$;

-- Called at each start.
create or replace function begin_feed_if_moved() returns void language plpgsql as $$
begin
  if (select value::jsonb ->> 'database' from settings where key = 'feed') is distinct from database_identity() then
    perform begin_feed();
  end if;
end $$;
