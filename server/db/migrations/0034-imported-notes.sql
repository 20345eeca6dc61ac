-- Notes that an import has added to records: the import and the row of its file, so that a revert finds them wherever merges
-- have moved them. Null for a note that a person has written here.
alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check check (kind in ('founder', 'company', 'note'));

alter table notes
  add column import_id uuid,
  add column import_row integer;
create index notes_of_import on notes (import_id, import_row) where import_id is not null;

-- A merged record still has its addresses and its name, which lead to its survivor. An index refuses long keys, so only the
-- beginning of a name counts.
create index merged_by_linked_in on records (linked_in_key) where merged_into is not null and linked_in_key is not null;
create index merged_by_domain on records (domain_key) where merged_into is not null and domain_key is not null;
create index merged_by_email on records (lower(additional_info ->> 'email'))
  where merged_into is not null and additional_info ->> 'email' is not null;
create index merged_by_name on records (left(split_part(search_text, E'\x1f', 1), 200)) where merged_into is not null;
