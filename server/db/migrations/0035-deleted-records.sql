-- A deleted record keeps its row for 30 days, under a kind of its own, which no statement about founders or companies names.
-- Everything merged into it gets that kind too, and keeps `merged_into`.
alter table records
  add column deleted_at timestamptz(3),
  add column deleted_by uuid references accounts (id),
  drop constraint records_kind_check,
  drop constraint records_check,
  drop constraint records_check1,
  drop constraint records_check2,
  add constraint records_kind_check check (
    kind in ('founder', 'company', 'merged-founder', 'merged-company', 'deleted-founder', 'deleted-company')
  ),
  add constraint records_merged_check check (
    case when kind like 'deleted-%' then true else (kind like 'merged-%') = (merged_into is not null) end
  ),
  add constraint records_deleted_check check ((kind like 'deleted-%') = (deleted_at is not null)),
  add constraint records_website_check check (kind in ('company', 'merged-company', 'deleted-company') or website is null),
  add constraint records_description_check check (
    kind in ('company', 'merged-company', 'deleted-company') or description is null
  );
-- Without those that went with the revert of an import, which have no `deleted_by`.
create index records_deleted on records (deleted_at desc, id desc) where deleted_by is not null and merged_into is null;
create index records_deleted_until on records (deleted_at) where deleted_at is not null;

-- Notes stay with a deleted record.
alter table notes
  drop constraint notes_record_id_kind_fkey,
  add foreign key (record_id, kind) references records (id, kind) on delete cascade on update cascade;
