-- The fellows whom a note names, and where: in code points of its content. Erasing a fellow writes the alias there and deletes the row.
create table mentions (
  note_id uuid not null references notes (id) on delete cascade,
  start smallint not null,
  length smallint not null,
  -- Where the note was written. Merges move the note and leave this.
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  created_at timestamptz(3) not null,
  primary key (note_id, start)
);
create index mentions_of_account on mentions (account_id, created_at desc);
create index mentions_of_record on mentions (record_id);

-- Whether a note has any, so that the others need no look at them.
alter table notes add column has_mentions boolean not null default false;

-- Whom a fellow has asked for an opinion on a record, each time. Merges leave these rows where they are.
create table opinion_asks (
  id uuid primary key default gen_random_uuid(),
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  asked_by uuid not null references accounts (id),
  asked_at timestamptz(3) not null default clock_timestamp()
);
create index opinion_asks_of_account on opinion_asks (account_id, asked_at desc);
create index opinion_asks_by_account on opinion_asks (asked_by);
create index opinion_asks_of_record on opinion_asks (record_id);

-- How many people a fellow has named or asked, each time. Those of the last 24 hours count towards the limit, also when the note is deleted.
create table namings (
  account_id uuid not null references accounts (id) on delete cascade,
  named_at timestamptz(3) not null default now(),
  count smallint not null
);
create index namings_of_account on namings (account_id, named_at);

-- What a fellow has chosen beside what follows from the record. Merges leave these rows where they are.
create table follows (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  is_muted boolean not null,
  chosen_at timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, record_id)
);
create index follows_of_record on follows (record_id);
