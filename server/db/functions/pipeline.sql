-- The time of a record in its stage, its stays (stage_changes), the stages that it reached, and the counts of the board
-- (pipeline_counts), whatever way its stage or status was changed. The clock runs while the status is active or on hold, also of a deleted or merged record, so that it is
-- as before once it is brought back.

create or replace function stage_clock_runs(stage uuid, status text) returns boolean language sql immutable as $$
  select stage is not null and status in ('active', 'on_hold')
$$;

-- The milliseconds of a record's own stays in a stage that have ended.
create or replace function stage_time_spent(record uuid, stage uuid) returns bigint language sql stable as $$
  select coalesce(sum(extract(epoch from left_at - entered_at) * 1000), 0)::bigint from stage_changes
  where record_id = record and stage_id = stage and left_at is not null
$$;

-- The stages that a record is in or was in, in one order. One that was passed on its way into a stage has no stay there.
create or replace function stages_reached(record uuid, stage uuid) returns uuid[] language sql stable as $$
  select array(
    select stage_id from stage_changes where record_id = record
    union
    select stage where stage is not null
    order by 1
  )
$$;

-- Since when a record has been in its stage, as if without a break, or the milliseconds that it was there while the clock stands.
create or replace function stage_clock(record uuid, stage uuid, out since timestamptz(3), out spent bigint) language plpgsql stable as $$
begin
  if stage is not null then
    spent := stage_time_spent(record, stage);
    since := (
      select entered_at - spent * interval '1 millisecond' from stage_changes where record_id = record and left_at is null
    );
    if since is not null then
      spent := null;
    end if;
  end if;
end $$;

-- Deletes a stay as if its move had not been: the stay before it goes on up to the end of this one. `restores`: what it had
-- replaced is there again.
create or replace function forget_stay(stay uuid, restores boolean) returns void language plpgsql as $$
declare
  gone stage_changes;
  again stage_changes;
begin
  delete from stage_changes where id = stay returning * into gone;
  if restores and gone.replaced is not null then
    again := jsonb_populate_record(null::stage_changes, gone.replaced);
    again.left_at := gone.left_at;
    again.left_by := gone.left_by;
    insert into stage_changes select again.*;
    gone.left_at := again.entered_at;
    gone.left_by := again.account_id;
  end if;
  update stage_changes set left_at = gone.left_at, left_by = gone.left_by where id = (
    select id from stage_changes where record_id = gone.record_id and left_at = gone.entered_at and id is distinct from again.id
    order by entered_at desc limit 1
  );
end $$;

-- Takes the stays that an act has begun out of these records.
create or replace function forget_stays(act uuid, ids uuid[]) returns void language sql as $$
  select forget_stay(id, true) from stage_changes where record_id = any (ids) and act_id = act
$$;

-- Computes again what is derived from the stays of these records.
create or replace function restart_clocks(ids uuid[]) returns void language sql as $$
  update records set reached = known.reached, stage_since = known.since, stage_spent = known.spent
  from (
    select id, stages_reached(id, stage_id) as reached, clock.since, clock.spent
    from records, stage_clock(id, stage_id) clock where id = any (ids)
  ) known
  where records.id = known.id
    and (records.reached, stage_since, stage_spent) is distinct from (known.reached, known.since, known.spent)
$$;

-- Of several moves of a record by one person within ten minutes only the last counts (docs/decisions/0052). The moment is taken
-- here, behind the lock of the record, so that a stay never ends before it begins.
create or replace function change_stage() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  person uuid := (actor ->> 'id')::uuid;
  is_undo boolean := coalesce((actor -> 'isUndo')::boolean, false);
  merge uuid := (actor ->> 'mergeId')::uuid;
  act uuid := (actor ->> 'batchId')::uuid;
  is_move boolean := not is_undo and merge is null;
  moment timestamptz(3) := clock_timestamp();
  recently timestamptz(3) := moment - interval '10 minutes';
  ran boolean := stage_clock_runs(old.stage_id, old.status);
  runs boolean := stage_clock_runs(new.stage_id, new.status);
  last stage_changes;
  replaced jsonb;
begin
  if new.stage_id is not distinct from old.stage_id and runs = ran then
    return new;
  end if;
  select * into last from stage_changes where record_id = new.id order by entered_at desc, left_at desc limit 1;
  -- The clock goes on as if it had not stood.
  if runs and not ran and ((is_undo and last.stage_id = new.stage_id)
    or (is_move and act is null and last.left_by = person and last.left_at > recently)) then
    update stage_changes set left_at = null, left_by = null where id = last.id;
  end if;
  if is_move and last.stage_id = old.stage_id and last.account_id = person and last.entered_at > recently and last.merge_id is null
    and (new.stage_id is distinct from old.stage_id or last.status_before = new.status) and (act is null or runs) then
    perform forget_stay(last.id, false);
    replaced := case when act is not null then to_jsonb(last) end;
  end if;
  -- An act always begins a stay of its own, which its undo deletes.
  update stage_changes set left_at = greatest(moment, entered_at), left_by = person
  where record_id = new.id and left_at is null and (act is not null or not runs or stage_id <> new.stage_id);
  if runs and not exists (select from stage_changes where record_id = new.id and left_at is null) then
    insert into stage_changes (record_id, kind, stage_id, entered_at, account_id, merge_id, act_id, status_before, replaced)
    values (
      new.id, new.kind, new.stage_id, moment, person, merge, act,
      case when new.stage_id = old.stage_id then old.status end, replaced
    );
  end if;
  select since, spent into new.stage_since, new.stage_spent from stage_clock(new.id, new.stage_id);
  new.reached := stages_reached(new.id, new.stage_id);
  return new;
end $$;

create or replace trigger records_change_stage before update of stage_id, status on records for each row
  when (old.stage_id is distinct from new.stage_id or old.status <> new.status) execute function change_stage();

create or replace function enter_first_stage() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
begin
  if tg_when = 'BEFORE' then
    if stage_clock_runs(new.stage_id, new.status) then
      new.stage_since := clock_timestamp();
    else
      new.stage_spent := 0;
    end if;
    new.reached := array[new.stage_id];
    return new;
  end if;
  insert into stage_changes (record_id, kind, stage_id, entered_at, account_id)
  values (new.id, new.kind, new.stage_id, new.stage_since, (actor ->> 'id')::uuid);
  return null;
end $$;

create or replace trigger records_begin_stage before insert on records for each row
  when (new.stage_id is not null) execute function enter_first_stage();
create or replace trigger records_first_stay after insert on records for each row
  when (new.stage_since is not null) execute function enter_first_stage();

-- The changes of counts are collected in a setting of the transaction and made as it commits, in one order. So two transactions
-- never wait for each other, however many records they move, and each locks a count for a moment only.
create or replace function collect_pipeline_counts() returns trigger language plpgsql as $$
declare
  changes jsonb := coalesce(nullif(current_setting('sourcebook.pipeline_counts', true), '')::jsonb, '{}');
  was text := case when tg_op <> 'INSERT' then case when old.pipeline_version > 0 and old.kind not like '%-%'
    then jsonb_build_array(old.kind, old.stage_id, old.status)::text end end;
  is_now text := case when tg_op <> 'DELETE' then case when new.pipeline_version > 0 and new.kind not like '%-%'
    then jsonb_build_array(new.kind, new.stage_id, new.status)::text end end;
begin
  if was is distinct from is_now then
    if was is not null then
      changes := changes || jsonb_build_object(was, coalesce((changes ->> was)::int, 0) - 1);
    end if;
    if is_now is not null then
      changes := changes || jsonb_build_object(is_now, coalesce((changes ->> is_now)::int, 0) + 1);
    end if;
    perform set_config('sourcebook.pipeline_counts', changes::text, true);
  end if;
  return null;
end $$;

create or replace function make_pipeline_counts() returns trigger language plpgsql as $$
declare
  changes jsonb := nullif(current_setting('sourcebook.pipeline_counts', true), '')::jsonb;
begin
  if changes is not null then
    perform set_config('sourcebook.pipeline_counts', '', true);
    insert into pipeline_counts as known (kind, stage_id, status, count)
    select key ->> 0, (key ->> 1)::uuid, key ->> 2, change
    from (select key::jsonb, value::int as change from jsonb_each_text(changes)) collected
    where change <> 0 order by key
    on conflict (kind, stage_id, status) do update set count = known.count + excluded.count;
  end if;
  return null;
end $$;

create or replace trigger records_collect_added after insert on records for each row
  when (new.pipeline_version > 0) execute function collect_pipeline_counts();
create or replace trigger records_collect_moved after update of stage_id, status, kind, pipeline_version on records for each row
  when ((old.pipeline_version > 0 or new.pipeline_version > 0)
    and (old.stage_id, old.status, old.kind, old.pipeline_version > 0) is distinct from (new.stage_id, new.status, new.kind, new.pipeline_version > 0))
  execute function collect_pipeline_counts();
create or replace trigger records_collect_deleted after delete on records for each row
  when (old.pipeline_version > 0) execute function collect_pipeline_counts();

-- PostgreSQL cannot replace a trigger that waits for the commit.
do $$
begin
  if not exists (select from pg_trigger where tgname = 'records_count_moved' and tgrelid = 'records'::regclass) then
    create constraint trigger records_count_added after insert on records deferrable initially deferred for each row
      when (new.pipeline_version > 0) execute function make_pipeline_counts();
    create constraint trigger records_count_moved after update of stage_id, status, kind, pipeline_version on records
      deferrable initially deferred for each row
      when ((old.pipeline_version > 0 or new.pipeline_version > 0)
        and (old.stage_id, old.status, old.kind, old.pipeline_version > 0) is distinct from (new.stage_id, new.status, new.kind, new.pipeline_version > 0))
      execute function make_pipeline_counts();
    create constraint trigger records_count_deleted after delete on records deferrable initially deferred for each row
      when (old.pipeline_version > 0) execute function make_pipeline_counts();
  end if;
end $$;

create or replace function recount_pipeline() returns void language plpgsql as $$
begin
  delete from pipeline_counts;
  insert into pipeline_counts (kind, stage_id, status, count)
  select kind, stage_id, status, count(*) from records where pipeline_version > 0 and kind not like '%-%'
  group by kind, stage_id, status;
end $$;

-- A step with a date is in the calendar of the responsible fellow while its record is here. The sequence of its event is the version
-- of the pipeline and two for each row here; that of the cancelled event is between those before and after it.
create or replace function end_next_step() returns trigger language plpgsql as $$
begin
  insert into ended_steps (record_id, account_id, next_on, sequence)
  select new.id, old.responsible_id, old.next_on, new.pipeline_version + 1 + 2 * count(*)
  from ended_steps where record_id = new.id;
  return null;
end $$;

create or replace trigger records_end_step after update of next_on, responsible_id, kind on records for each row
  when (old.next_on is not null and old.responsible_id is not null and old.kind not like '%-%'
    and (new.next_on is null or new.responsible_id is distinct from old.responsible_id or new.kind like '%-%'))
  execute function end_next_step();
