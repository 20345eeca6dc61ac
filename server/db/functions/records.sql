-- What people have done about records by hand, of what is still there: rows, and the entries of the audit log that say so. The log
-- has what leaves no row, such as an edit, without what was undone or put straight back. In SQL, so that PostgreSQL reads the rows
-- of the one record that is asked for.
create or replace function activities() returns table (id uuid, at timestamptz(3), by uuid) language sql stable as $$
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
  select object_id, log.at, log.account_id from audit_log log
  where is_activity and object_id is not null and log.account_id is not null
    and not exists (select from bulk_acts where bulk_acts.id = (detail ->> 'bulkId')::uuid and undone_at is not null)
    and not exists (select from merges where merges.id = (detail ->> 'mergeId')::uuid and undone_at is not null)
    and not exists (
      select from audit_log back
      where back.object_id = log.object_id and back.at > log.at and back.at < log.at + interval '10 minutes' and not back.is_activity
        and back.account_id = log.account_id and (log.before is not null or log.after is not null)
        and (back.before, back.after) is not distinct from (log.after, log.before)
    )
$$;

-- The columns of `records` that are derived from other tables, each with a query of the records that may have another value than a
-- new one, and of that value. The audit log leaves these columns out, and both functions below compute them again.
create or replace function derived_columns() returns table (name text, initial text, query text) language sql stable as $$
  select own.name, coalesce(pg_get_expr(adbin, adrelid), 'null'), own.query
  from (
    values
      ('notes_count', 'select record_id as id, count(*) as value from notes group by record_id'),
      ('last_note_at', 'select record_id as id, max(created_at) as value from notes group by record_id'),
      ('last_activity_at', 'select distinct on (id) id, at as value from activities() order by id, at desc, by'),
      ('last_activity_by', 'select distinct on (id) id, by as value from activities() order by id, at desc, by'),
      ('has_opinions', 'select distinct record_id as id, true as value from opinions'),
      ('reached', 'select id, stages_reached(id, stage_id) as value from records
        where stage_id is not null or exists (select from stage_changes where record_id = records.id)'),
      ('stage_since', 'select id, clock.since as value from records, stage_clock(id, stage_id) clock where stage_id is not null'),
      ('stage_spent', 'select id, clock.spent as value from records, stage_clock(id, stage_id) clock where stage_id is not null'),
      ('is_united', 'select id, unites_finders(id) as value from records
        where merged_into is null and exists (select from records merged where merged.merged_into = records.id)')
  ) own (name, query)
  join pg_attribute on attrelid = 'records'::regclass and attname = own.name
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
$$;

-- `derive_columns` has the text of these queries, so that PostgreSQL keeps its plan. A row that has the values stays as it is.
do $$
begin
  execute (
    select format(
      'create or replace function derive_columns(record uuid) returns void language plpgsql as %L',
      format('begin update records set (%1$s) = (%2$s) where id = record and (%1$s) is distinct from (%2$s); end',
        string_agg(quote_ident(name), ', '),
        string_agg(format('coalesce((select value from (%s) own where own.id = record), %s)', query, initial), ', '))
    )
    from derived_columns()
  );
end $$;

-- Recomputes what is derived for a record from its activities, its notes, its creator, its finders, its stays, and those of the records merged
-- into it: its columns, its members, and which of its tags are shown. A merged or deleted record has no members.
create or replace function rebuild_record(record uuid) returns void language plpgsql as $$
begin
  perform derive_columns(record);
  delete from record_members where record_id = record;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, is_finder, notes_count)
  select records.id, records.kind, member, records.created_at, bool_or(is_owner), bool_or(is_finder), sum(noted)
  from records, lateral (
    select owner_of(records.creator_id, records.creator_text) as member, true as is_owner, false as is_finder, 0 as noted
    union all
    select owner_of(merged.creator_id, merged.creator_text), false, true, 0
    from records merged where merged.id in (select id from merged_tree(record)) and merged.id <> record
    union all
    select account_id, false, true, 0 from finders where record_id in (select id from merged_tree(record))
    union all
    select author_id, false, false, 1 from notes where record_id = record
  ) members
  where records.id = record and records.kind not like '%-%' and member is not null
  group by records.id, records.kind, member, records.created_at;
  perform arrange_tags(record);
end $$;

-- Recomputes everything that is derived from records and the tables of their features. Called after a load with triggers off.
create or replace function rebuild_derived() returns void language plpgsql as $$
begin
  -- One statement, so that each row is written once. By joins, because a load has no indexes.
  execute (
    select format('update records set (%1$s) = (%2$s) from records known %3$s
        where records.id = known.id and (%4$s) is distinct from (%2$s)',
      string_agg(quote_ident(name), ', '), string_agg(format('coalesce(own_%s.value, %s)', name, initial), ', '),
      string_agg(format('left join (%1$s) own_%2$s on own_%2$s.id = known.id', query, name), ' '),
      string_agg(format('known.%I', name), ', '))
    from derived_columns()
  );
  perform recount_pipeline();
  delete from record_members;
  delete from counters;
  insert into counters (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, count(*) from records where kind not like '%-%'
  group by creator_id, creator_text, kind;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, notes_count)
  select id, kind, account_id, created_at, bool_or(is_owner), sum(notes)
  from (
    select id, kind, owner_of(creator_id, creator_text) as account_id, created_at, true as is_owner, 0 as notes
    from records where kind not like '%-%'
    union all
    select records.id, records.kind, author_id, records.created_at, false, 1
    from notes join records on records.id = record_id where records.kind not like '%-%'
  ) members
  where account_id is not null
  group by id, kind, account_id, created_at;
  perform rebuild_record(root) from (
    select merged_root(record_id) as root from finders
    union
    select merged_root(id) from records where merged_into is not null
  ) roots;
  perform arrange_tags(record_id) from (select distinct record_id from record_tags) tagged;
end $$;

-- Every column of a record is watched, except those that the product derives or keeps for itself.
do $$
declare
  watched text[] := array(
    select attname from pg_attribute
    where attrelid = 'records'::regclass and attnum > 0 and not attisdropped and attname not in (select name from derived_columns())
      and attname <> all (
        '{id,kind,additional_info,enrichment,enriched_at,linked_in_key,domain_key,search_text,search_grams,version,merged_into,
          deleted_at,deleted_by,is_imported,is_rated,first_rating,notes_edited_by,notes_edited_at,mention_text,informed_by,
          pipeline_version}'
      )
    order by attnum
  );
begin
  execute format(
    'create or replace trigger records_audited
      after insert or delete or update of %s, additional_info, enrichment, version, kind on records
      for each row execute function audit_change(%L, %s)',
    (select string_agg(quote_ident(item), ', ') from unnest(watched) item), '',
    (select string_agg(quote_literal(item), ', ') from unnest(watched) item)
  );
end $$;
