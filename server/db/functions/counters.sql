-- Derived from records, their notes and their finders: My Records (record_members), and the counters of the dashboard. Rows are
-- locked in one order wherever several are counted: the record, its members, then counters by account. A merged or deleted record counts nowhere.

-- The account that a record belongs to: its creator, or for an imported one the account with that verified address.
create or replace function owner_of(creator_id uuid, creator_text text) returns uuid language sql stable as $$
  select coalesce(creator_id, (
    select id from accounts where creator_text is not null and email = lower(creator_text) and email_verified
  ))
$$;

-- Pages are notified of records that are added or deleted here too, because PostgreSQL copies the rows for each trigger.
create or replace function count_records() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed where kind not like '%-%' group by creator_id, creator_text, kind order by creator_id, creator_text
  on conflict (creator_id, creator_text, kind) do update set added = counter.added + excluded.added;
  if tg_op = 'INSERT' then
    insert into record_members (record_id, kind, account_id, created_at, is_owner)
    select id, kind, owner_of(creator_id, creator_text), created_at, true from changed
    where owner_of(creator_id, creator_text) is not null;
  end if;
  perform notify_of_records(case tg_op when 'INSERT' then 'created' else 'deleted' end,
    array(select jsonb_build_object('kind', kind, 'id', id) from changed where kind not like '%-%' limit 21),
    array(select distinct kind from changed));
  return null;
end $$;

create or replace trigger records_counted after insert on records
  referencing new table as changed for each statement execute function count_records();
create or replace trigger records_uncounted after delete on records
  referencing old table as changed for each statement execute function count_records();

-- A merge or an undo may change the creator of a record, who is its first finder.
create or replace function recount_record() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, sum(change)
  from (
    values (old.creator_id, old.creator_text, old.kind, -1), (new.creator_id, new.creator_text, new.kind, 1)
  ) changes (creator_id, creator_text, kind, change)
  where kind not like '%-%'
  group by creator_id, creator_text, kind order by creator_id, creator_text
  on conflict (creator_id, creator_text, kind) do update set added = counter.added + excluded.added;
  return null;
end $$;

create or replace trigger records_recounted after update of creator_id, creator_text, kind on records for each row
  when (old.creator_id is distinct from new.creator_id or old.creator_text is distinct from new.creator_text
    or old.kind <> new.kind)
  execute function recount_record();

create or replace function count_members() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, kind, mine)
  select account_id, kind, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by account_id, kind order by account_id
  on conflict (creator_id, creator_text, kind) do update set mine = counter.mine + excluded.mine;
  return null;
end $$;

create or replace trigger record_members_counted after insert on record_members
  referencing new table as changed for each statement execute function count_members();
create or replace trigger record_members_uncounted after delete on record_members
  referencing old table as changed for each statement execute function count_members();

-- A deletion counts down for every member. It locks all of their counters first, so that two deletions never wait for
-- each other.
create or replace function lock_counters() returns trigger language plpgsql as $$
begin
  perform from records where id = old.id for update;
  perform from counters
  where kind = old.kind and (
    creator_id in (select account_id from record_members where record_id = old.id)
    or (creator_id is not distinct from old.creator_id and creator_text is not distinct from old.creator_text)
  )
  order by creator_id, creator_text for update;
  return old;
end $$;

create or replace trigger records_lock_counters before delete on records for each row execute function lock_counters();

create or replace function move_members() returns trigger language plpgsql as $$
begin
  update record_members set created_at = new.created_at where record_id = new.id;
  update record_tags set created_at = new.created_at where record_id = new.id;
  return null;
end $$;

create or replace trigger records_moved after update of created_at on records for each row
  when (old.created_at <> new.created_at) execute function move_members();

-- Records imported under an address become its account's once the address is verified. Of two merged records, the second
-- creator may have become known. Those of an earlier address stay with the account.
create or replace function claim_records() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.email_verified and old.email <> new.email then
    update records set creator_id = new.id, creator_text = null where creator_id is null and lower(creator_text) = old.email;
  end if;
  insert into record_members (record_id, kind, account_id, created_at, is_owner)
  select id, kind, new.id, created_at, true from records
  where creator_id is null and lower(creator_text) = new.email and kind not like '%-%'
  on conflict (record_id, account_id) do update set is_owner = true;
  perform rebuild_record(root) from (
    select distinct merged_root(id) as root from records
    where creator_id is null and lower(creator_text) = new.email and (merged_into is not null or is_united)
  ) roots;
  return null;
end $$;

create or replace trigger accounts_verified after insert or update of email_verified, email on accounts for each row
  when (new.email_verified) execute function claim_records();
