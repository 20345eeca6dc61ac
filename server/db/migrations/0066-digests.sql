-- When a fellow gets mail of what is unread in the inbox. `next_at` is when it is due, and while one is being sent, when it is tried again.
create table digests (
  account_id uuid primary key references accounts (id) on delete cascade,
  rhythm text not null check (rhythm in ('off', 'daily', 'weekdays')),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  next_at timestamptz(3),
  chosen_at timestamptz(3) not null default now()
);
create index digests_due on digests (next_at) where next_at is not null;
create index digests_chosen on digests (chosen_at, account_id) where rhythm <> 'off';

-- The mail of a fellow's day. Taken before it is sent, so that a day has one, whatever is killed.
create table digest_mails (
  account_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  taken_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (account_id, day)
);
create index digest_mails_old on digest_mails (taken_at);

-- The records that mails named to a fellow, with the last time. Who erases a person sees whom to ask.
create table digest_records (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  named_at timestamptz(3) not null,
  primary key (record_id, account_id)
);
create index digest_records_of_account on digest_records (account_id);

-- Mail that was stopped stays so after a restore.
alter table ledger drop constraint ledger_kind_check,
  add constraint ledger_kind_check check (kind in ('erased', 'key', 'account', 'password', 'fellow', 'digest'));
