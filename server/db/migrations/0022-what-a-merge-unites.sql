-- A record that unites records of several first finders is deleted by managers only. Kept on the record, so that no list has to
-- look for merged records. A merge or an undo computes it again (rebuild_record). False on a merged record.
alter table records add column is_united boolean not null default false;

with recursive tree as (
  select merged_into as root, merged_into as id from records where merged_into is not null
  union
  select tree.root, records.id from records join tree on records.merged_into = tree.id
), found as (
  select tree.root, coalesce(creator_id, accounts.id) as finder
  from tree join records using (id) left join accounts on email = lower(creator_text) and email_verified
)
update records set is_united = true
where merged_into is null and id in (
  select root from found group by root having count(distinct finder) > 1 or count(finder) < count(*)
);

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
