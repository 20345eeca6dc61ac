-- A record that unites records of several first finders is deleted by managers only. Kept on the record, so that no list has to
-- look for merged records. A merge or an undo computes it again (rebuild_record). False on a merged record.
alter table records add column is_united boolean not null default false;

-- Whether a record and everything merged into it have several first finders. An unknown one counts as another. A merge may swap
-- the creators of its two records, which are the same ones afterwards.
create function unites_finders(record uuid) returns boolean language sql stable as $$
  select count(*) > 1 and (count(distinct owner) > 1 or count(owner) < count(*))
  from (
    select owner_of(records.creator_id, records.creator_text) as owner
    from merged_tree(record) tree join records on records.id = tree.id
  ) owners
$$;

create or replace function rebuild_record(record uuid) returns void language plpgsql as $$
begin
  update records set
    notes_count = (select count(*) from notes where record_id = record),
    is_united = merged_into is null and unites_finders(record)
  where id = record;
  delete from record_members where record_id = record;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, is_finder, notes_count)
  select records.id, records.kind, member, records.created_at, bool_or(is_owner), bool_or(is_finder), sum(noted)
  from records, lateral (
    select owner_of(records.creator_id, records.creator_text) as member, true as is_owner, false as is_finder, 0 as noted
    union all
    select owner_of(merged.creator_id, merged.creator_text), false, true, 0
    from records merged where merged.id in (select id from merged_tree(record)) and merged.id <> record
    union all
    select account_id, false, true, 0 from finders where record_id in (select id from merged_tree(record))
    union all
    select author_id, false, false, 1 from notes where record_id = record
  ) members
  where records.id = record and records.merged_into is null and member is not null
  group by records.id, records.kind, member, records.created_at;
end $$;

-- Of two merged records, the second creator may have become known.
create or replace function claim_records() returns trigger language plpgsql as $$
begin
  insert into record_members (record_id, kind, account_id, created_at, is_owner)
  select id, kind, new.id, created_at, true from records
  where creator_id is null and lower(creator_text) = new.email and merged_into is null
  on conflict (record_id, account_id) do update set is_owner = true;
  perform rebuild_record(root) from (
    select distinct merged_root(id) as root from records
    where creator_id is null and lower(creator_text) = new.email and (merged_into is not null or is_united)
  ) roots;
  return null;
end $$;

update records set is_united = unites_finders(id)
where merged_into is null and id in (select merged_into from records where merged_into is not null);

-- Whether there is a manager decides who deletes a record without a known creator.
create index accounts_managers on accounts (id) where role = 'manager' and disabled_at is null;

-- An undo brings back that a record had no public data. Merges did not record that before.
update merges set before = jsonb_set(before, '{info}', 'null') where undone_at is null and before -> 'info' = '{}';

-- Who said when that two records are not the same. The pair itself keeps only that it is dismissed.
create table dismissals (
  id uuid primary key,
  kind text not null,
  a uuid not null references records (id) on delete cascade,
  b uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  dismissed_at timestamptz(3) not null default clock_timestamp(),
  undone_at timestamptz(3),
  check (a < b)
);
create index dismissals_of_pair on dismissals (a, b);
create index dismissals_of_other on dismissals (b);
insert into dismissals (id, kind, a, b, account_id, dismissed_at)
select distinct on (pair.a, pair.b) audit_log.id, pair.kind, pair.a, pair.b, audit_log.account_id, audit_log.at
from audit_log
join duplicate_pairs pair on pair.a = audit_log.object_id and pair.b::text = audit_log.detail ->> 'other'
join accounts on accounts.id = audit_log.account_id
where audit_log.action = 'dismiss-duplicate' and audit_log.result = 'done' and pair.dismissed is not null
order by pair.a, pair.b, audit_log.at desc;

alter table imports add column reverted_at timestamptz(3);

-- Recent changes: the newest merges, dismissals and imports.
create index merges_newest on merges (merged_at desc, id desc);
create index dismissals_newest on dismissals (dismissed_at desc, id desc);
create index imports_started on imports (started_at desc, id desc) where started_at is not null;
create index imports_started_by_account on imports (account_id, started_at desc, id desc) where started_at is not null;
