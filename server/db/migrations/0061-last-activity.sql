-- When a person last did something about a record by hand, of what is still there, and who. The constant stands for nothing, as that
-- of the newest note. Without a reference to accounts: it would be checked at each change.
alter table records
  add column last_activity_at timestamptz(3) not null default 'epoch',
  add column last_activity_by uuid;

-- Whether the tag came by an import, which is no activity.
alter table record_tags add column is_imported boolean not null default false;
update record_tags set is_imported = true
where exists (
  select from audit_log
  where object_id = record_id and action = 'add-tag' and detail ? 'import' and (after ->> 'id')::uuid = tag_id
    and at between added_at - interval '1 minute' and added_at + interval '1 minute'
);

-- The entries of edits, changes of the pipeline and merges by hand. Those to come get it with the change. Entries are permanent, and
-- only get what they already say. A move that was put back counts here.
alter table audit_log add column is_activity boolean not null default false;
alter table audit_log disable trigger user;
update audit_log set is_activity = true
where action in ('update', 'update-pipeline', 'merge') and kind in ('founder', 'company') and result = 'done'
  and object_id is not null and account_id is not null
  and not coalesce(detail ?| '{import,revertedImport,isUndo,erasureId,with}', false)
  and not (coalesce(before, '{}') ?| '{creatorId,creatorText}' and action = 'update');
alter table audit_log enable trigger user;

with undone (id) as (
  select id from bulk_acts where undone_at is not null
  union all
  select id from merges where undone_at is not null
), acts (record_id, at, by) as (
  select id, created_at, creator_id from records where creator_id is not null and not is_imported
  union all
  select record_id, created_at, author_id from notes where author_id is not null and import_id is null
  union all
  select record_id, added_at, added_by from record_tags where added_by is not null and not is_imported
  union all
  select founder_id, created_at, created_by from links where created_by is not null and company_kind not like 'deleted-%'
  union all
  select company_id, created_at, created_by from links where created_by is not null and founder_kind not like 'deleted-%'
  union all
  select record_id, found_at, account_id from finders where account_id is not null and via = 'self'
  union all
  select object_id, at, account_id from audit_log
  where is_activity and not exists (
    select from undone where undone.id in ((detail ->> 'bulkId')::uuid, (detail ->> 'mergeId')::uuid)
  )
), newest as (
  select distinct on (record_id) record_id, at, by from acts order by record_id, at desc, by
)
update records set last_activity_at = newest.at, last_activity_by = newest.by
from newest where records.id = newest.record_id;

create index founders_by_activity on records (last_activity_at, created_at desc, id desc) where kind = 'founder';
create index companies_by_activity on records (last_activity_at, created_at desc, id desc) where kind = 'company';
