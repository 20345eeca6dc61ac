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

create or replace function count_notes() returns trigger language plpgsql as $$
begin
  update records set notes_count = notes_count + counted.notes
  from (
    select record_id, case tg_op when 'INSERT' then count(*) else -count(*) end as notes from changed group by record_id
  ) counted
  where records.id = counted.record_id;
  insert into record_members as member (record_id, kind, account_id, created_at, notes_count)
  select records.id, records.kind, author_id, records.created_at, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join records on records.id = record_id where author_id is not null
  group by records.id, author_id order by records.id, author_id
  on conflict (record_id, account_id) do update set notes_count = member.notes_count + excluded.notes_count;
  if tg_op = 'DELETE' then
    delete from record_members member using changed
    where member.record_id = changed.record_id and member.account_id = changed.author_id
      and member.notes_count = 0 and not member.is_owner and not member.is_finder;
  end if;
  return null;
end $$;

drop trigger notes_audited on notes;
create trigger notes_audited after insert or delete or update of author_id, author_text, content on notes
  for each row execute function audit_change('id', 'author_id', 'author_text', 'content');
-- Few records were merged into one.
alter function merged_tree(uuid) rows 2;

-- A transaction that changes many records (sourcebook.quiet) sends one notification of its own.

create or replace function notify_record_change() returns trigger language plpgsql as $$
declare
  first_rows jsonb[] := array(select to_jsonb(one) from changed one where kind not like 'merged-%' limit 21);
begin
  if current_setting('sourcebook.quiet', true) = 'on' then
    return null;
  end if;
  if cardinality(first_rows) > 20 then
    perform pg_notify('records', json_build_object('kind', kind, 'change', tg_argv[0])::text)
    from (select distinct kind from changed where kind not like 'merged-%') kinds;
  else
    perform pg_notify('records', json_build_object(
      'kind', one ->> 'kind', 'change', tg_argv[0], 'id', coalesce(one ->> 'record_id', one ->> 'id')
    )::text) from unnest(first_rows) one;
  end if;
  return null;
end $$;

create or replace function notify_record_update() returns trigger language plpgsql as $$
begin
  if current_setting('sourcebook.quiet', true) is distinct from 'on' then
    perform pg_notify('records', json_build_object('kind', new.kind, 'change', 'updated', 'id', new.id)::text);
  end if;
  return null;
end $$;
