select attach_record_triggers('notes', 'note', '{id,author_id,author_text,content}');

-- How many notes a record has and when the newest was added, which is an activity unless it was imported, and how many of them its members have written.
-- The notes and members of a deleted record are deleted with it, so nothing is counted on it.
create or replace function count_notes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update records set notes_count = notes_count + added.notes, last_note_at = greatest(last_note_at, added.newest),
      last_activity_at = greatest(last_activity_at, added.active_at),
      last_activity_by = case when added.active_at >= last_activity_at then added.active_by else last_activity_by end
    from (
      select record_id, count(*) as notes, max(created_at) as newest, max(created_at) filter (where by_hand) as active_at,
        (array_agg(author_id order by created_at desc) filter (where by_hand))[1] as active_by
      from (select *, author_id is not null and import_id is null as by_hand from changed) own group by record_id
    ) added
    where records.id = added.record_id;
  else
    -- Locked first, so that the next statement sees the notes of a transaction that has just changed the record.
    perform from records where id in (select record_id from changed) order by id for no key update;
    update records set notes_count = notes_count - deleted.notes,
      last_note_at = (select coalesce(max(created_at), 'epoch') from notes where record_id = records.id)
    from (select record_id, count(*) as notes from changed group by record_id) deleted
    where records.id = deleted.record_id;
    perform derive_columns(id) from (
      select distinct records.id from changed join records on records.id = record_id and last_activity_at = changed.created_at
    ) active;
  end if;
  insert into record_members as member (record_id, kind, account_id, created_at, notes_count)
  select records.id, records.kind, author_id, records.created_at, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join records on records.id = record_id where author_id is not null
  group by records.id, author_id order by records.id, author_id
  on conflict (record_id, account_id) do update set notes_count = member.notes_count + excluded.notes_count;
  if tg_op = 'DELETE' then
    delete from record_members member using changed
    where member.record_id = changed.record_id and member.account_id = changed.author_id
      and member.notes_count = 0 and not member.is_owner and not member.is_finder;
  end if;
  return null;
end $$;

create or replace trigger notes_counted after insert on notes
  referencing new table as changed for each statement execute function count_notes();
create or replace trigger notes_uncounted after delete on notes
  referencing old table as changed for each statement execute function count_notes();
