-- A record and everything that was merged into it. In PL/pgSQL, so that the planner sees the number of rows declared here: few
-- records were merged into one.
create or replace function merged_tree(root uuid) returns table (id uuid) language plpgsql stable rows 2 as $$
begin
  return query with recursive tree as (
    select root as id
    union all
    select records.id from records join tree on records.merged_into = tree.id
  )
  select tree.id from tree;
end $$;

-- A record below which others were merged, however often.
create or replace function merged_root(member uuid) returns uuid language sql stable as $$
  with recursive path as (
    select id, merged_into from records where id = member
    union all
    select records.id, records.merged_into from records join path on records.id = path.merged_into
  )
  select id from path where merged_into is null
$$;

-- Whether a record and everything merged into it have several first finders. An unknown one counts as another. A merge may swap
-- the creators of its two records, which are the same ones afterwards.
create or replace function unites_finders(record uuid) returns boolean language sql stable as $$
  select count(*) > 1 and (count(distinct owner) > 1 or count(owner) < count(*))
  from (
    select owner_of(records.creator_id, records.creator_text) as owner
    from merged_tree(record) tree join records on records.id = tree.id
  ) owners
$$;

-- Recomputes what is derived for a record from its notes, its creator, its finders, its stays, and those of the records merged
-- into it: its members, its number of notes, the time of the newest, whether it has opinions, the stages that it reached, its time
-- in the present one, whether it unites several first finders, and which of its tags are shown. A merged or deleted record has no
-- members.
create or replace function rebuild_record(record uuid) returns void language plpgsql as $$
begin
  update records set
    notes_count = (select count(*) from notes where record_id = record),
    last_note_at = newest_note(record),
    has_opinions = exists (select from opinions where record_id = record),
    reached = stages_reached(record, stage_id),
    (stage_since, stage_spent) = (select since, spent from stage_clock(record, stage_id)),
    is_united = merged_into is null and unites_finders(record)
  where id = record;
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
