-- Tags, which everyone shares. `key` is the name without case and accents.
create table tags (
  id uuid primary key,
  name text not null,
  key text not null,
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index tags_by_key on tags (key);

-- The tags of records. A merge may bring several rows of one tag together, so that its undo can move them back; one of them is
-- shown. `created_at` is that of the record, so that the index has the order of lists. Changes of a record's tags lock the record.
create table record_tags (
  id uuid primary key,
  record_id uuid not null,
  kind text not null,
  tag_id uuid not null references tags (id) on delete cascade,
  created_at timestamptz(3) not null,
  is_shown boolean not null default true,
  added_by uuid references accounts (id) on delete set null,
  added_at timestamptz(3) not null default clock_timestamp(),
  foreign key (record_id, kind) references records (id, kind) on update cascade on delete cascade
);
create index record_tags_newest on record_tags (tag_id, kind, created_at desc, record_id desc);
create index record_tags_of_record on record_tags (record_id, tag_id, id);
