-- The pipeline. A record has a stage, which is null until it is started, and a status, which are two things: a record that was
-- passed keeps the stage in which it was passed. Stages and reasons are archived and removed, never deleted, because records name
-- them.
create table stages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  position integer not null,
  limit_days integer check (limit_days > 0),
  archived_at timestamptz(3)
);
-- Fixed ids, so that a restored backup of an older schema has the same.
insert into stages (id, name, position) values
  ('c2bfd61d-3ff4-5c2a-883c-8560670cd08f', 'Contacted', 1),
  ('b3deca77-6dd0-51c1-a2d9-c73873cc2f97', 'Met', 2),
  ('a9a9bd9a-2c1f-5382-a176-ba7954829b9e', 'In review', 3);

create table passing_reasons (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  position integer not null,
  removed_at timestamptz(3)
);
insert into passing_reasons (id, name, position) values
  ('d1d45706-ae4f-588e-9f3e-9fd51a26d16d', 'Not a fit', 1),
  ('cd2b4b13-39f7-5c23-9a4d-8d4da921e90b', 'Too early', 2),
  ('00f5cc55-7405-5c19-a8c0-0ec479d6f213', 'Team', 3),
  ('dbb7a543-07d6-5bef-ba75-988c8f7cbe46', 'Market', 4),
  ('5808d5b6-3039-5105-a82b-15791ecdcb0a', 'Traction', 5),
  ('40d7c326-0953-50e9-8813-dc53d75a717c', 'Went elsewhere', 6),
  ('ff551d42-1e9c-52e6-ae92-53988b700c13', 'No reply', 7);

alter table records
  add column stage_id uuid references stages (id),
  add column status text not null default 'active' check (status in ('active', 'on_hold', 'passed', 'advanced')),
  add column responsible_id uuid references accounts (id),
  add column next_step text,
  add column next_on date,
  add column passing_reason_id uuid references passing_reasons (id),
  add column passing_text text,
  -- Counts the changes of these columns. A record with 0 has no pipeline.
  add column pipeline_version integer not null default 0,
  -- The clock of a stage runs while the record is active or on hold. Since when it has been in its stage, as if without a break.
  -- While the clock stands it is null, and the time that was spent there is in milliseconds.
  add column stage_since timestamptz(3),
  add column stage_spent bigint;

-- No index has rows without a pipeline.
create index founders_by_stage on records (stage_id, created_at desc, id desc) where kind = 'founder' and stage_id is not null;
create index companies_by_stage on records (stage_id, created_at desc, id desc) where kind = 'company' and stage_id is not null;
create index founders_by_stage_and_status on records (stage_id, status, created_at desc, id desc)
  where kind = 'founder' and stage_id is not null;
create index companies_by_stage_and_status on records (stage_id, status, created_at desc, id desc)
  where kind = 'company' and stage_id is not null;
create index founders_by_status on records (status, created_at desc, id desc) where kind = 'founder' and status <> 'active';
create index companies_by_status on records (status, created_at desc, id desc) where kind = 'company' and status <> 'active';
create index founders_by_responsible on records (responsible_id, created_at desc, id desc)
  where kind = 'founder' and responsible_id is not null;
create index companies_by_responsible on records (responsible_id, created_at desc, id desc)
  where kind = 'company' and responsible_id is not null;
create index founders_with_next_step on records (created_at desc, id desc, next_on) where kind = 'founder' and next_on is not null;
create index companies_with_next_step on records (created_at desc, id desc, next_on) where kind = 'company' and next_on is not null;
create index founders_by_stage_age on records (stage_since, created_at, id) where kind = 'founder' and stage_since is not null;
create index companies_by_stage_age on records (stage_since, created_at, id) where kind = 'company' and stage_since is not null;
create index records_next_steps on records (responsible_id, next_on, id) where responsible_id is not null and next_on is not null;

-- A row for each stay of a record in a stage. A trigger writes them.
create table stage_changes (
  id uuid primary key default gen_random_uuid(),
  record_id uuid not null,
  kind text not null,
  stage_id uuid not null references stages (id),
  entered_at timestamptz(3) not null,
  left_at timestamptz(3) check (left_at >= entered_at),
  account_id uuid references accounts (id),
  -- The merge that has brought the record into the stage. Its undo deletes the stay.
  merge_id uuid,
  foreign key (record_id, kind) references records (id, kind) on update cascade on delete cascade
);
create index stage_changes_of_record on stage_changes (record_id, entered_at desc, id desc);
create unique index stage_changes_open on stage_changes (record_id) where left_at is null;
create index stage_changes_reached on stage_changes (stage_id, kind, record_id);

-- How many records that have a pipeline are in each stage and status. Null is not started.
create table pipeline_counts (
  kind text not null,
  stage_id uuid,
  status text not null,
  count bigint not null default 0,
  unique nulls not distinct (kind, stage_id, status)
);
