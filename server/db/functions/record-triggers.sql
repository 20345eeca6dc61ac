-- Attaches the audit log and the notifications to a table of a record. Its rows have the columns `record_id` and `kind`. The log
-- has an entry where a row is added or deleted or one of the `watched` columns changes, named after the noun: add-note,
-- update-note, delete-note. Pages are notified of `notes`.
create or replace function attach_record_triggers(name text, noun text, watched text[]) returns void language plpgsql as $$
declare
  columns text := (select string_agg(quote_ident(item), ', ') from unnest(watched) item);
  arguments text := (select string_agg(quote_literal(item), ', ') from unnest(noun || watched) item);
begin
  execute format('create or replace trigger %I after insert or delete or update of %s on %I
    for each row execute function audit_change(%s)', name || '_audited', columns, name, arguments);
  execute format('create or replace trigger %I after insert or delete or update of %s on %I
    for each row execute function notify_record_update(%L)', name || '_notify', columns, name, noun || 's');
end $$;

select attach_record_triggers('notes', 'note', '{id,author_id,author_text,content}');
