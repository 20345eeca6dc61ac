-- Who edited the notes of a record last, and when; empty while they are as added.
alter table records add column notes_edited_by uuid references accounts (id);
alter table records add column notes_edited_at timestamptz(3);
