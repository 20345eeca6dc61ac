-- Acts on many records, which can be undone: what each of them set, and for each record what it had before.
create table bulk_acts (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  sets_tag boolean not null,
  tag_id uuid references tags (id) on delete set null,
  sets_stage boolean not null,
  stage_id uuid references stages (id),
  sets_responsible boolean not null,
  responsible_id uuid references accounts (id),
  done_at timestamptz(3) not null default clock_timestamp(),
  undone_at timestamptz(3)
);
create index bulk_acts_newest on bulk_acts (done_at desc, id desc);
create index bulk_acts_of_account on bulk_acts (account_id, done_at desc, id desc);
create index bulk_acts_of_tag on bulk_acts (tag_id) where tag_id is not null;

-- The records of an act in the order of its request. A skipped one has the reason as `error`, and may not exist, so that there is
-- no reference.
create table bulk_rows (
  bulk_id uuid not null references bulk_acts (id) on delete cascade,
  place smallint not null,
  record_id uuid not null,
  error text,
  -- The row of the tag that was added; null when the record had it.
  record_tag_id uuid,
  is_stage_changed boolean not null default false,
  stage_before uuid references stages (id),
  -- Then, because the stage of a record that was passed since stays.
  status text,
  is_responsible_changed boolean not null default false,
  responsible_before uuid references accounts (id),
  primary key (bulk_id, place)
);
create index bulk_rows_of_record on bulk_rows (record_id);
