-- Until when a fellow has seen a line of the inbox, and until when it is done. Lines are computed when they are read; the subject is
-- the record or the act that one is about. Without a reference: acts and records are in several tables.
create table inbox_seen (
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  subject uuid not null,
  seen_until timestamptz(3),
  done_until timestamptz(3),
  primary key (account_id, kind, subject)
);
create index inbox_seen_of_subject on inbox_seen (subject);

-- What was before counts as seen: before this version, or before one's sign-up.
alter table accounts add column inbox_since timestamptz(3) not null default now();

-- The act on many records, the hand-over or the import that has made a fellow responsible.
alter table assignments
  add column act_id uuid,
  add column is_imported boolean not null default false;
create index assignments_of_act on assignments (account_id, act_id) where act_id is not null;

-- Who has passed a record last. A trigger writes it. Merges leave these rows where they are.
create table passings (
  record_id uuid primary key references records (id) on delete cascade,
  passed_by uuid not null references accounts (id),
  passed_at timestamptz(3) not null default clock_timestamp()
);
create index passings_of_account on passings (passed_by);

insert into passings (record_id, passed_by, passed_at)
select records.id, last.account_id, last.at
from records cross join lateral (
  select account_id, at from audit_log
  where object_id = records.id and action = 'update-pipeline' and after ->> 'status' = 'passed' and account_id is not null
  order by at desc limit 1
) last
where status = 'passed' and exists (select from accounts where accounts.id = last.account_id);

create index records_to_look_at_again on records (responsible_id, look_again_on) where look_again_on is not null;
create index opinions_of_account on opinions (account_id);
