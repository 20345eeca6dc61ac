-- Imports that lose nothing: several faults a row, columns without a field, cancelled imports, records without a rating.

alter table imports
  drop constraint imports_state_check,
  add check (state in ('reading', 'ready', 'running', 'done', 'cancelled', 'reverting', 'reverted', 'failed')),
  -- The size of the file.
  add column bytes integer not null default 0,
  -- What one pass over the file has shown.
  add column inspection jsonb not null
    default '{"samples": [], "rows": 0, "constant": [], "dates": {}, "isCertain": true}',
  -- What becomes of each column that fills no field, by its number.
  add column rest jsonb not null default '{}',
  add column cells text not null default 'leave-out' check (cells in ('leave-out', 'refuse')),
  add column dates text check (dates in ('day-first', 'month-first')),
  -- What was guessed without certainty.
  add column doubts jsonb not null default '{}';

update imports set bytes = (
  select coalesce(sum(length(file.bytes)), 0) from import_files file where file.import_id = imports.id
);

alter table import_rows
  drop constraint import_rows_outcome_check,
  add check (outcome in ('created', 'updated', 'same', 'duplicate', 'maybe', 'refused', 'reverted', 'kept')),
  -- What is wrong with the row, each with the name of its column if it has one.
  add column faults jsonb not null default '[]',
  -- Whether the importer wants it added although a record may be the same.
  add column is_added boolean not null default false;

update import_rows
set faults = jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('column', column_name, 'sentence', error)))
where error is not null;

alter table import_rows drop column error, drop column column_name;

-- An imported record without a rating has 5, and is shown as not rated.
alter table records add column is_rated boolean not null default true;
