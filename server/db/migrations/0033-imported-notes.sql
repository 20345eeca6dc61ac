-- Notes that an import has added to records: the import and the row of its file, so that a revert finds them wherever merges
-- have moved them. Null for a note that a person has written here.
alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check check (kind in ('founder', 'company', 'note'));

alter table notes
  add column import_id uuid,
  add column import_row integer;
create index notes_of_import on notes (import_id, import_row) where import_id is not null;

-- A merged record still has its addresses and its name, which lead to its survivor. An index refuses long keys, so only the
-- beginning of a name counts. By kind, so that no statement about `merged_into` reads them.
create index merged_founders_by_linked_in on records (linked_in_key)
  where kind = 'merged-founder' and linked_in_key is not null;
create index merged_founders_by_email on records (lower(additional_info ->> 'email'))
  where kind = 'merged-founder' and lower(additional_info ->> 'email') is not null;
create index merged_companies_by_domain on records (domain_key) where kind = 'merged-company' and domain_key is not null;
create index merged_founders_by_name on records (left(split_part(search_text, E'\x1f', 1), 200))
  where kind = 'merged-founder';
create index merged_companies_by_name on records (left(split_part(search_text, E'\x1f', 1), 200))
  where kind = 'merged-company';
