-- Another trigger of the same table does their part too, or another function theirs.
drop trigger if exists notes_notify on notes;
drop trigger if exists opinions_read on opinions;
drop trigger if exists record_tags_notify_added on record_tags;
drop trigger if exists record_tags_notify_deleted on record_tags;
drop trigger if exists records_notify_created on records;
drop trigger if exists records_notify_deleted on records;
drop trigger if exists records_notify_pipeline on records;
drop trigger if exists records_prioritise_check on records;
drop function if exists newest_note(uuid);
drop function if exists notify_record_change();
drop function if exists prioritise_duplicate_check();
drop function if exists remember_readings_of_opinions();
