-- What becomes of the rows of an import.

alter table import_rows
  -- Sentences about the row that its reading has left, whatever it becomes.
  add column marks jsonb not null default '[]';

-- While rows are added after the run: the state afterwards.
alter table imports add column state_after_adding text check (state_after_adding in ('done', 'cancelled'));

create index import_rows_marked on import_rows (import_id, row)
  where outcome in ('created', 'updated') and faults <> '[]';

-- As before; and the rating of a record that is not rated is no value.
create or replace function audit_facts(entity jsonb, watched text[]) returns jsonb language plpgsql immutable as $$
begin
  return case when jsonb_typeof(entity -> 'additional_info') = 'object' then entity -> 'additional_info' else '{}' end || (
    select coalesce(jsonb_object_agg(lower(left(name, 1)) || substr(name, 2), value), '{}')
    from (
      select replace(initcap(replace(key, '_', ' ') collate "C"), ' ', '') as name, value
      from jsonb_each(entity)
      where key = any (watched) and value <> 'null' and not (key = 'rating' and entity -> 'is_rated' = 'false')
    ) named
  );
end $$;
