-- What concerns the inbox of a fellow. Only that fellow's own streams are notified, when the transaction commits.
-- By row, so that a trigger can serve several events; a transaction sends equal notices once.
create or replace function notify_inbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('inbox', coalesce(new.account_id, old.account_id)::text);
  return null;
end $$;

create or replace trigger mentions_notify_inbox after insert or delete on mentions
  for each row execute function notify_inbox();
create or replace trigger opinion_asks_notify_inbox after insert or delete on opinion_asks
  for each row execute function notify_inbox();
create or replace trigger opinions_notify_inbox after insert or delete on opinions
  for each row execute function notify_inbox();
create or replace trigger assignments_notify_inbox after insert on assignments
  for each row execute function notify_inbox();
create or replace trigger inbox_seen_notify after insert or update on inbox_seen
  for each row execute function notify_inbox();

-- A record that is given to another one, or whose day to look again changes, concerns its fellows before and after, and who passed it.
create or replace function notify_inbox_of_record() returns trigger language plpgsql as $$
begin
  perform pg_notify('inbox', account::text) from (
    select old.responsible_id as account union select new.responsible_id
    union select passed_by from passings where record_id = new.id
  ) concerned
  where account is not null;
  return null;
end $$;

create or replace trigger records_notify_inbox after update of responsible_id, look_again_on on records for each row
  when (old.responsible_id is distinct from new.responsible_id or old.look_again_on is distinct from new.look_again_on)
  execute function notify_inbox_of_record();

-- Who has passed a record. A merge and its undo only bring the status along, and an undo gives back what was before.
create or replace function remember_passing() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  if new.status <> 'passed' then
    delete from passings where record_id = new.id;
  elsif (actor ->> 'id') is not null and actor ->> 'assignments' is distinct from 'kept' then
    insert into passings (record_id, passed_by) values (new.id, (actor ->> 'id')::uuid);
  end if;
  return null;
end $$;

create or replace trigger records_passed after update of status on records for each row
  when (old.status <> new.status) execute function remember_passing();
create or replace trigger records_passed_at_first after insert on records for each row
  when (new.status = 'passed') execute function remember_passing();

-- Since when what others do about a record is news for a fellow: since something tied them (found by hand, responsible, a note, an
-- opinion, named, or chosen) and since their own last opinion, which is no activity of the record. Null where nothing ties them. A
-- merged record is at the one that it was merged into. In PL/pgSQL, so that PostgreSQL keeps its plans.
create or replace function news_since(fellow uuid, record uuid) returns timestamptz language plpgsql stable cost 10000
set plan_cache_mode = force_generic_plan as $$
declare
  tree uuid[] := array(select id from merged_tree(record));
  tied_at timestamptz := (
    select min(at) from (
      select created_at as at from records where id = any (tree) and creator_id = fellow and not is_imported
      union all
      select found_at from finders where record_id = any (tree) and account_id = fellow and via = 'self'
      union all
      select assigned_at from assignments
      where record_id = any (tree) and account_id = fellow and act_id is null
        and exists (select from records where id = record and responsible_id = fellow)
      union all
      select created_at from notes where record_id = record and author_id = fellow and import_id is null
      union all
      select given_at from opinions where record_id = record and account_id = fellow
      union all
      select mentions.created_at from mentions join notes on notes.id = note_id
      where notes.record_id = record and account_id = fellow
      union all
      select chosen_at from follows where record_id = any (tree) and account_id = fellow and not is_muted
    ) ties
  );
  given_at_once timestamptz := (
    select min(assigned_at) from assignments
    where record_id = any (tree) and account_id = fellow and act_id is not null
      and exists (select from records where id = record and responsible_id = fellow)
  );
begin
  -- An act on many records ties who is responsible by it once they have done something about the record.
  if given_at_once is not null then
    tied_at := least(tied_at, (
      select min(at) from activities() activity
      where activity.id = record and activity.by = fellow and activity.at > given_at_once
    ));
  end if;
  if tied_at is null then
    return null;
  end if;
  return greatest(
    tied_at,
    (select inbox_since from accounts where id = fellow),
    (select max(greatest(given_at, changed_at)) from opinions where record_id = record and account_id = fellow)
  );
end $$;
