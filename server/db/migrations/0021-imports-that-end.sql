-- Imports that can be cancelled and deleted, whose reading ends, and whose uploads are limited.

alter table imports
  -- Rises with each step that a person starts, and with a deletion. What works on an earlier one stops.
  add column step integer not null default 0,
  -- How often reading was begun without reaching a row beyond `furthest_row`.
  add column attempts integer not null default 0,
  add column furthest_row integer not null default -1,
  -- The last sign of life of the present step.
  add column worked_at timestamptz(3),
  -- Since then no one sees it. A job deletes its rows and its file.
  add column deleted_at timestamptz(3);

drop index imports_unfinished;
create index imports_unfinished on imports (id)
  where state in ('reading', 'running', 'reverting') or deleted_at is not null;
drop index imports_by_age;
create index imports_newest on imports (created_at desc, id desc);
create index imports_never_run on imports (account_id) where started_at is null and deleted_at is null;

-- How much each account has uploaded in an hour, also of imports that it has deleted.
create table import_volumes (
  account_id uuid not null references accounts (id) on delete cascade,
  hour timestamptz(0) not null,
  bytes bigint not null,
  primary key (account_id, hour)
);
