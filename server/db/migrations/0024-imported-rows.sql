-- What becomes of the rows of an import.

alter table import_rows
  -- Sentences about the row that its reading has left, whatever it becomes.
  add column marks jsonb not null default '[]';

-- While rows are added after the run: the state afterwards.
alter table imports add column state_after_adding text check (state_after_adding in ('done', 'cancelled'));

create index import_rows_marked on import_rows (import_id, row)
  where outcome in ('created', 'updated') and faults <> '[]';

