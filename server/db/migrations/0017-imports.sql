-- Imports: the file, its rows with what becomes of each, and notes whose author is known by name only.

create table imports (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  file_name text not null,
  state text not null check (state in ('reading', 'ready', 'running', 'done', 'reverting', 'reverted', 'failed')),
  kind text not null check (kind in ('founder', 'company')),
  dialect jsonb not null,
  -- The header of the file.
  columns jsonb not null,
  -- The column of each field, by its number.
  mapping jsonb not null,
  duplicates text not null default 'skip' check (duplicates in ('skip', 'fill', 'update')),
  -- How many rows have each outcome: until it runs, as they would be.
  counts jsonb not null default '{}',
  -- The progress of the present step, and the last row of the file that it has finished.
  done integer not null default 0,
  total integer not null default 0,
  last_row integer not null default -1,
  error text,
  -- Since then its rows may have changed records.
  started_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index imports_of_account on imports (account_id, created_at desc, id desc);
create index imports_by_age on imports (created_at);
-- Those that a job has to finish.
create index imports_unfinished on imports (id) where state in ('reading', 'running', 'reverting');

-- The file in pieces, in order. They are written before their import.
create table import_files (
  import_id uuid not null,
  piece integer not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (import_id, piece)
);
alter table import_files alter column bytes set storage external;
create index import_files_by_age on import_files (created_at);

create table import_rows (
  import_id uuid not null references imports (id) on delete cascade,
  -- As a person finds it in the file.
  row integer not null,
  -- The cells of the row, as text.
  cells jsonb not null,
  outcome text not null
    check (outcome in ('created', 'updated', 'same', 'duplicate', 'refused', 'reverted', 'kept')),
  -- The record that it has made, changed or matched. It may have been deleted since.
  record_id uuid,
  -- Why a row is refused, a duplicate or kept, and the name of the column of a refused value.
  error text,
  column_name text,
  -- The earlier row of the file that it repeats.
  repeats integer,
  -- The fields that an update has changed, so that it can be reverted.
  before jsonb,
  after jsonb,
  primary key (import_id, row)
);
create index import_rows_by_outcome on import_rows (import_id, outcome, row);
create index import_rows_of_record on import_rows (record_id) where record_id is not null;

-- Imported notes keep the name of their author.
alter table notes
  alter column author_id drop not null,
  add column author_text text,
  add check ((author_id is null) <> (author_text is null));
