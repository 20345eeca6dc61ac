-- The rating with which a person has added a record by hand. Null for imported ones. An edit leaves it, and a merge that swaps
-- the creators of its records swaps it with them.
alter table records add column first_rating smallint check (first_rating between 1 and 10);

-- Known from the history of those that are here, unless a merge has swapped their creators.
update records set first_rating = (added.after ->> 'rating')::smallint
from audit_log added
where added.object_id = records.id and added.action = 'create' and added.kind in ('founder', 'company')
  and added.after ->> 'rating' is not null and not records.is_imported
  and not exists (
    select from merges
    where swaps_finder and undone_at is null and records.id in (survivor_id, duplicate_id)
  );

-- Quality: no value of public data. People and imports give values too.
create index founders_unmatched on records (created_at desc, id desc) where kind = 'founder'
  and not jsonb_path_exists(enrichment, '$.sources.*.provider ? (@ <> "person" && @ <> "import")');
create index companies_unmatched on records (created_at desc, id desc) where kind = 'company'
  and not jsonb_path_exists(enrichment, '$.sources.*.provider ? (@ <> "person" && @ <> "import")');
