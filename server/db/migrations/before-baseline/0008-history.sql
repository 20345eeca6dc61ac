-- Who did what, when, to what, from where, before and after. It only grows: nobody changes or removes a row, and no row
-- is tied to an account or a record that may go.

-- The functions are of PL/pgSQL, which keeps their plans; one of SQL is planned anew at each call.

-- A UUID of version 7 with the microseconds in the bits after the milliseconds, so that rows of one millisecond are in
-- order too. PostgreSQL has none of its own before 18.
create function history_id(moment timestamptz) returns uuid language plpgsql volatile as $$
begin
  return encode(
    substring(int8send(floor(extract(epoch from moment) * 1000)::int8) from 3)
    || substring(int8send(28672 + floor((extract(epoch from moment) * 1000 % 1) * 4096)::int8) from 7)
    || substring(uuid_send(gen_random_uuid()) from 9),
    'hex'
  )::uuid;
end $$;

create table history (
  id uuid not null default history_id(clock_timestamp()),
  at timestamptz(3) not null default clock_timestamp(),
  -- Both as they were then. Null for what the product does by itself, and for whoever is not signed in.
  account_id uuid,
  account_email text,
  ip text,
  request_id text,
  action text not null,
  kind text,
  object_id uuid,
  result text not null default 'done' check (result in ('done', 'refused')),
  -- What differs, by field; all of it where something came or went.
  before jsonb,
  after jsonb,
  detail jsonb,
  primary key (at, id)
);
create index history_of_object on history (object_id, at desc, id desc) where object_id is not null;
create index history_of_person on history (account_email, at desc, id desc) where account_email is not null;
create index history_of_action on history (action, at desc, id desc);

create function refuse_to_change_history() returns trigger language plpgsql as $$
begin
  raise exception 'History is permanent: it cannot be changed or removed' using errcode = 'insufficient_privilege';
end $$;

create trigger history_is_permanent before update or delete or truncate on history
  for each statement execute function refuse_to_change_history();

-- Writes one row. Who acts is told by the statement that makes the change, in `sourcebook.actor`; where nothing is told,
-- somebody was at the database itself, and is kept by the name they have there.
create function keep_history(action text, kind text, object_id uuid, before jsonb, after jsonb, detail jsonb)
returns void language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  insert into history (account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail)
  values (
    (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId', action, kind, object_id, before, after,
    case when actor is null then coalesce(detail, '{}') || jsonb_build_object('databaseUser', session_user) else detail end
  );
end $$;

-- What enrichment left in a record. Text that is no JSON object says nothing.
create function known_info(info text) returns jsonb language plpgsql immutable as $$
begin
  return case when jsonb_typeof(info::jsonb) = 'object' then info::jsonb else '{}' end;
exception when others then
  return '{}';
end $$;

-- The fields of one that are not the same in the other; null when there are none.
create function differing(one jsonb, other jsonb) returns jsonb language plpgsql immutable as $$
begin
  return (select jsonb_object_agg(key, value) from jsonb_each(one) where value is distinct from other -> key);
end $$;

-- Which provider gave each of these fields, and what a run said at its end.
create function run_detail(enrichment jsonb, fields jsonb) returns jsonb language plpgsql immutable as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'providers', (
      select jsonb_object_agg(key, enrichment #> array['sources', key, 'provider'])
      from jsonb_object_keys(coalesce(fields, '{}')) as key
    ),
    'notice', enrichment #> '{last,notice}'
  ));
end $$;

create function founder_facts(founder founders) returns jsonb language plpgsql stable as $$
begin
  return case when founder.additional_info is null then '{}' else known_info(founder.additional_info) end
    || jsonb_strip_nulls(jsonb_build_object(
    'name', founder.name, 'linkedIn', founder.linked_in, 'notes', founder.notes, 'rating', founder.rating,
    'creatorId', founder.creator_id, 'creatorText', founder.creator_text, 'createdAt', founder.created_at
  ));
end $$;

create function company_facts(company companies) returns jsonb language plpgsql stable as $$
begin
  return case when company.additional_info is null then '{}' else known_info(company.additional_info) end
    || jsonb_strip_nulls(jsonb_build_object(
    'name', company.name, 'website', company.website, 'description', company.description, 'linkedIn', company.linked_in,
    'notes', company.notes, 'rating', company.rating,
    'creatorId', company.creator_id, 'creatorText', company.creator_text, 'createdAt', company.created_at
  ));
end $$;

create function keep_founder_history() returns trigger language plpgsql as $$
declare
  was jsonb;
  is_now jsonb;
  after jsonb;
begin
  if tg_op = 'INSERT' then
    perform keep_history('create', 'founder', new.id, null, founder_facts(new), null);
    return null;
  end if;
  was := founder_facts(old);
  if tg_op = 'DELETE' then
    perform keep_history('delete', 'founder', old.id, was, null, null);
    return null;
  end if;
  is_now := founder_facts(new);
  after := differing(is_now, was);
  if new.enrichment -> 'last' is distinct from old.enrichment -> 'last' then
    perform keep_history('enrich', 'founder', new.id, differing(was, is_now), after, run_detail(new.enrichment, after));
  else
    perform keep_history('update', 'founder', new.id, differing(was, is_now), after, null);
  end if;
  return null;
end $$;

create function keep_company_history() returns trigger language plpgsql as $$
declare
  was jsonb;
  is_now jsonb;
  after jsonb;
begin
  if tg_op = 'INSERT' then
    perform keep_history('create', 'company', new.id, null, company_facts(new), null);
    return null;
  end if;
  was := company_facts(old);
  if tg_op = 'DELETE' then
    perform keep_history('delete', 'company', old.id, was, null, null);
    return null;
  end if;
  is_now := company_facts(new);
  after := differing(is_now, was);
  if new.enrichment -> 'last' is distinct from old.enrichment -> 'last' then
    perform keep_history('enrich', 'company', new.id, differing(was, is_now), after, run_detail(new.enrichment, after));
  else
    perform keep_history('update', 'company', new.id, differing(was, is_now), after, null);
  end if;
  return null;
end $$;

-- Every edit counts the version; what is kept beside a record, such as how many notes it has, is no change of it.
create trigger founders_history after insert or delete on founders
  for each row execute function keep_founder_history();
create trigger founders_history_of_changes after update on founders for each row
  when (old.version <> new.version or old.name <> new.name or old.linked_in <> new.linked_in or old.notes <> new.notes
    or old.rating <> new.rating or old.created_at <> new.created_at or old.creator_id is distinct from new.creator_id
    or old.creator_text is distinct from new.creator_text or old.additional_info is distinct from new.additional_info
    or old.enrichment -> 'last' is distinct from new.enrichment -> 'last')
  execute function keep_founder_history();
create trigger companies_history after insert or delete on companies
  for each row execute function keep_company_history();
create trigger companies_history_of_changes after update on companies for each row
  when (old.version <> new.version or old.name <> new.name or old.website is distinct from new.website
    or old.description is distinct from new.description or old.linked_in is distinct from new.linked_in
    or old.notes <> new.notes or old.rating <> new.rating or old.created_at <> new.created_at
    or old.creator_id is distinct from new.creator_id or old.creator_text is distinct from new.creator_text
    or old.additional_info is distinct from new.additional_info
    or old.enrichment -> 'last' is distinct from new.enrichment -> 'last')
  execute function keep_company_history();

-- A note is told in the history of its record. Notes that go with their record are told one by one, so that what was
-- written in them is kept.
create function keep_note_history() returns trigger language plpgsql as $$
declare
  note notes := case when tg_op = 'DELETE' then old else new end;
  facts jsonb := jsonb_build_object('id', note.id, 'authorId', note.author_id, 'content', note.content);
  kind text := case when note.founder_id is null then 'company' else 'founder' end;
  record_id uuid := coalesce(note.founder_id, note.company_id);
begin
  if tg_op = 'INSERT' then
    perform keep_history('add-note', kind, record_id, null, facts, null);
  elsif tg_op = 'DELETE' then
    perform keep_history('delete-note', kind, record_id, facts, null,
      case when not exists (select from founders where id = record_id union all select from companies where id = record_id)
        then '{"with": "its record"}'::jsonb end);
  else
    perform keep_history('update-note', kind, record_id,
      jsonb_build_object('id', old.id, 'authorId', old.author_id, 'content', old.content), facts, null);
  end if;
  return null;
end $$;

create trigger notes_history after insert or update or delete on notes
  for each row execute function keep_note_history();
