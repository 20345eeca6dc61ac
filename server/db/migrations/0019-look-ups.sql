-- Look-ups of all records that an import has created, which someone asks for once.

create table import_look_ups (
  import_id uuid primary key references imports (id) on delete cascade,
  asked_at timestamptz(3) not null default now(),
  -- Since then each run is in the queue of enrichment.
  queued_at timestamptz(3)
);
-- Those that a job has to finish.
create index import_look_ups_unfinished on import_look_ups (import_id) where queued_at is null;
