-- One trigger each has taken their place.
drop trigger if exists records_begin_restoration on records;
drop trigger if exists records_assigned_at_first on records;
drop trigger if exists records_queue_check_again on records;
drop trigger if exists credentials_ledger_added on credentials;
drop trigger if exists credentials_ledger_changed on credentials;
drop trigger if exists credentials_ledger_deleted on credentials;
drop trigger if exists opinions_counted on opinions;
drop trigger if exists opinions_uncounted on opinions;
drop trigger if exists notes_notify_added on notes;
drop trigger if exists notes_notify_deleted on notes;
drop trigger if exists notes_notify_updated on notes;
drop function if exists begin_restoration();
-- It has another name.
drop trigger if exists records_hasten_check on records;
drop function if exists hasten_duplicate_check();
