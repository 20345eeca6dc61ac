-- A merge records the rows that it has moved, by table, so that its undo moves the same ones back.
alter table merges add column moved jsonb not null default '{}';
update merges set moved = jsonb_build_object('notes', to_jsonb(note_ids));
alter table merges drop column note_ids;
alter table merges alter column moved drop default;
