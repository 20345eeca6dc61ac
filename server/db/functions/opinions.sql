-- Derived from opinions: whether a record has any, and who could read those of others.

-- A fellow who has given an opinion can read those of others. That is remembered for the record and for everything merged into
-- it, so that it stays true after a deletion and after an undo.
create or replace function remember_opinion_readings(record uuid) returns void language plpgsql as $$
begin
  insert into opinion_readings (record_id, account_id)
  select tree.id, reader.account_id
  from merged_tree(record) tree cross join (
    select distinct own.account_id from opinions own
    where own.record_id = record
      and exists (select from opinions other where other.record_id = record and other.account_id <> own.account_id)
  ) reader
  order by tree.id, reader.account_id
  on conflict do nothing;
end $$;

create or replace function count_opinions() returns trigger language plpgsql as $$
begin
  update records set has_opinions = not has_opinions
  where id = case when tg_op = 'DELETE' then old.record_id else new.record_id end
    and has_opinions <> exists (select from opinions where opinions.record_id = records.id);
  if tg_op = 'INSERT' then
    perform remember_opinion_readings(new.record_id);
  end if;
  return null;
end $$;

create or replace trigger opinions_counted after insert or delete on opinions for each row execute function count_opinions();

-- A merge has moved the opinions before it changes this column.
create or replace function remember_readings_of_merge() returns trigger language plpgsql as $$
begin
  perform remember_opinion_readings(new.merged_into);
  return null;
end $$;

create or replace trigger records_opinions_read after update of merged_into on records for each row
  when (new.merged_into is not null and old.merged_into is distinct from new.merged_into)
  execute function remember_readings_of_merge();

-- The asks of a fellow end with the account, in whatever way it is disabled.
create or replace function end_asks() returns trigger language plpgsql as $$
begin
  delete from opinion_asks where account_id = new.id or asked_by = new.id;
  return null;
end $$;

create or replace trigger accounts_end_asks after update of disabled_at on accounts for each row
  when (old.disabled_at is null and new.disabled_at is not null) execute function end_asks();
