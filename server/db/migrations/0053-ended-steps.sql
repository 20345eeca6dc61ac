-- The next steps that have left the calendar of a fellow, so that a calendar file can cancel them there. A trigger writes them.
create table ended_steps (
  id uuid primary key default gen_random_uuid(),
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  next_on date not null,
  -- Of the cancelled event.
  sequence integer not null,
  ended_at timestamptz(3) not null default clock_timestamp()
);
create index ended_steps_of_account on ended_steps (account_id, ended_at);
create index ended_steps_of_record on ended_steps (record_id);
