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
